"""Plants each of the 19 risk signs in a clean month and writes into the ledger what it did and what follows from it.

Every plant has partners and items of its own, so that one does not change what another shows. Nothing here knows how signs are looked for.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from stores.demo import operations as op
from stores.demo.books import PERIOD_END, Posting, Record, roubles
from stores.demo.chart import CONTRACT, COUNTERPARTY, INVOICE_IN, ITEM, WAREHOUSE
from stores.demo.company import Contract, Item, owe
from stores.demo.guids import guid_without_time
from stores.demo.ledger import Ledger
from stores.demo.month import Month
from stores.demo.operations import Row

PARTNERS = (
    "Рассвет", "Дубрава", "Метелица", "Родник", "Сосновый бор", "Айсберг", "Вершина", "Гавань Юга", "Жемчуг", "Звездопад", "Искра", "Калина",
    "Ладога", "Маяк", "Незабудка", "Океан", "Паллада", "Радуга", "Стриж", "Тайга", "Уют", "Флагман", "Хвоя", "Циркон", "Чайка", "Шторм", "Эверест",
    "Юность", "Ясень", "Берилл", "Вымпел", "Гранат", "Дельта", "Енисей", "Журавль", "Зодиак", "Ирис", "Корунд",
)  # fmt: skip


class Planter:
    """Plants into a company whose month has run and is not yet closed."""

    def __init__(self, month: Month) -> None:
        self.month, self.c = month, month.company
        self.books, self.rng, self.ledger = self.c.books, self.c.rng, Ledger()
        self._names = iter(PARTNERS)
        self.unclosed: dict[str, int] = {}

    def plant(self) -> None:
        """All that must be there before the month is closed."""
        self.negative_active()
        self.negative_passive()
        self.advance_not_set_off()
        self.posted_and_moves()
        self.deleted_with_moves()
        self.nobody_and_no_contract()
        self.out_of_period()
        self.backdated()
        self.duplicate_documents()
        self.duplicate_partners()
        self.vat()
        self.manual_operations()
        self.storno()
        self.outliers()
        self.round_sums()
        self.overdue()
        self.unclosed_month()
        self.broken_links()
        self.advance_vat()

    # What plants are made of -------------------------------------------------------------------------------------

    def day(self, first: int = 2, last: int = 26) -> datetime:
        """A working moment of June between two days."""
        return datetime(2020, 6, self.rng.randint(first, last), self.rng.randrange(9, 18), self.rng.randrange(60))

    def buyer(self, prepaid: bool = False, term_days: int | None = None) -> Contract:
        return self.c.contract(
            self.c.partner(next(self._names)), "СПокупателем", f"ПР-{self.rng.randrange(100, 999)}", prepaid, term_days
        )

    def supplier(self) -> Contract:
        return self.c.contract(self.c.partner(next(self._names)), "СПоставщиком", f"ПС-{self.rng.randrange(100, 999)}")

    def sold(
        self, contract: Contract, date: datetime | None = None, rows: Sequence[Row] | None = None, invoiced: bool = True
    ) -> Record:
        doc = op.sale(self.c, contract, date or self.day(), rows or self.month.rows(2), self.c.warehouses[0])
        if invoiced:
            op.invoice_out(self.c, doc)
        return doc

    def bought(
        self,
        contract: Contract,
        date: datetime | None = None,
        invoiced: bool = True,
        incoming: tuple[str, datetime] | None = None,
    ) -> Record:
        doc = op.purchase_goods(
            self.c, contract, date or self.day(), self.month.rows(2), self.c.warehouses[0], incoming=incoming
        )
        if invoiced:
            op.invoice_in(self.c, doc)
        return doc

    def rows_of(self, document: Record, dr: str = "", cr: str = "") -> list[Posting]:
        found = [p for p in reversed(self.books.postings[-4000:]) if p.document is document]
        return [p for p in reversed(found) if p.dr.startswith(dr) and p.cr.startswith(cr)]

    def amount(self, low: int, high: int) -> int:
        """Kopecks that end in something, so that no sum is round."""
        return self.rng.randrange(low, high) * 100 + self.rng.randrange(11, 89)

    # 1, 2 --------------------------------------------------------------------------------------------------------

    def negative_active(self) -> None:
        material = self.c.item("Эмаль фасадная", self.rng.randrange(5_000, 9_000), 0)
        here = self.c.warehouses[0]
        self.books.stand("10.01", (material.ref, here), material.cost * 100, 100)
        self.books.opening["84.01", ()] -= material.cost * 100
        used = self.rng.randrange(300, 400)
        op.use_materials(self.c, self.day(), [(material, used)], here)
        self.ledger.add(
            1,
            "NEG_ACTIVE",
            "account",
            "10.01",
            amount=-material.cost * (used - 100),
            analytics={ITEM: material.ref, WAREHOUSE: here},
        )
        good = self.c.item("Станок сверлильный", 2_345_611, 3_711_913)
        quantity = self.rng.randrange(2, 4)
        row = Row(good, quantity, good.price * quantity, good.cost * quantity)
        self.sold(self.buyer(), rows=[row])
        self.ledger.add(
            1, "NEG_ACTIVE", "account", "41.01", amount=-row.cost, analytics={ITEM: good.ref, WAREHOUSE: here}
        )

    def negative_passive(self) -> None:
        lender = Contract(self.c.lender_contract, self.c.lender, prepaid=False, term_days=None)
        over = self.amount(10_000, 90_000)
        owed = -self.books.opening["66.01", (lender.partner, lender.ref)]
        op.bank_other(
            self.c, self.day(), "66.01", (lender.partner, lender.ref), owed + over, False, "ВозвратКредита", lender
        )
        self.ledger.add(
            2,
            "NEG_PASSIVE",
            "account",
            "66.01",
            amount=over,
            analytics={COUNTERPARTY: lender.partner, CONTRACT: lender.ref},
        )

    # 3 -----------------------------------------------------------------------------------------------------------

    def advance_not_set_off(self) -> None:
        buyer = self.buyer()
        self.sold(buyer)
        op.advance_invoice(self.c, buyer, op.money_in(self.c, buyer, self.day(), self.amount(70_000, 120_000), None))
        self.ledger.add(3, "ADVANCE_NOT_OFFSET", "contract", buyer.ref, detail="62")
        supplier = self.supplier()
        self.bought(supplier)
        op.money_out(self.c, supplier, self.day(), self.amount(70_000, 120_000), None)
        self.ledger.add(3, "ADVANCE_NOT_OFFSET", "contract", supplier.ref, detail="60")

    # 4, 5 --------------------------------------------------------------------------------------------------------

    def posted_and_moves(self) -> None:
        supplier = self.supplier()
        doc = self.bought(supplier, self.day(2, 10))
        paid = op.money_out(self.c, supplier, self.day(12, 25), op.kopecks_of(doc["СуммаДокумента"]), doc)
        paid["Posted"] = False
        self.ledger.document(4, "UNPOSTED_WITH_MOVES", paid)
        empty = self.sold(self.buyer())
        self._forget_moves(empty)
        self.ledger.document(4, "POSTED_NO_MOVES", empty)

    def _forget_moves(self, document: Record) -> None:
        self.books.postings[:] = [p for p in self.books.postings if p.document is not document]
        for rows in self.books.registers.values():
            rows[:] = [r for r in rows if r["Recorder"] != document["Ref_Key"]]

    def deleted_with_moves(self) -> None:
        supplier = self.supplier()
        doc = self.bought(supplier, self.day(2, 10))
        paid = op.money_out(self.c, supplier, self.day(12, 25), op.kopecks_of(doc["СуммаДокумента"]), doc)
        paid["DeletionMark"], paid["Posted"] = True, False
        self.ledger.document(5, "DELETED_WITH_MOVES", paid)
        self.ledger.document(4, "UNPOSTED_WITH_MOVES", paid, follows="a deleted document is unposted too")

    # 6 -----------------------------------------------------------------------------------------------------------

    def nobody_and_no_contract(self) -> None:
        buyer = self.buyer()
        without = Contract("", buyer.partner, prepaid=False, term_days=None)
        doc = self.sold(without, invoiced=False)
        invoice = op.invoice_out(self.c, doc)
        self.ledger.document(6, "NO_CONTRACT", doc)
        self.ledger.document(6, "NO_CONTRACT", invoice, follows="the invoice takes the contract of its sale")
        for p in self.rows_of(doc, dr="62"):
            self.ledger.posting(6, "NO_CONTRACT", p, follows="the sale's debt stands without a contract")
        nobody = Contract("", "", prepaid=False, term_days=None)
        paid = op.bank_other(
            self.c, self.day(), "76.09", ("", "", ""), self.amount(20_000, 60_000), False, "ПрочееСписание", nobody
        )
        for code in ("NO_COUNTERPARTY", "NO_CONTRACT"):
            self.ledger.document(6, code, paid)
            self.ledger.posting(6, code, self.rows_of(paid)[0], follows="its row has the same empty slots")

    # 7, 8 --------------------------------------------------------------------------------------------------------

    def out_of_period(self) -> None:
        moved = op.purchase_service(
            self.c, self.supplier(), self.day(3, 20), self.amount(20_000, 60_000), "Связь", with_vat=False
        )
        row = self.rows_of(moved)[0]
        row.period += timedelta(days=self.rng.randrange(1, 4))
        self.ledger.posting(7, "OUT_OF_PERIOD", row)
        late = op.manual(self.c, datetime(2020, 7, 2, 11), "Операция следующего месяца")
        p = self.books.post(
            late, "91.02", (self.c.other,), "71.01", (self.c.employees[2],), self.amount(3_000, 9_000), "Прочий расход"
        )
        self.ledger.posting(7, "OUT_OF_PERIOD", p)
        date = self.day(5, 20)
        for shift in (-timedelta(days=self.rng.randrange(100, 200)), timedelta(days=5)):
            doc = self.bought(
                self.supplier(), date, invoiced=False, incoming=(f"ВХ-{self.rng.randrange(1000)}", date + shift)
            )
            self.ledger.document(7, "INCOMING_DATE", doc)
            self.ledger.document(
                7, "INCOMING_DATE", op.invoice_in(self.c, doc), follows="the invoice carries the same incoming date"
            )

    def backdated(self) -> None:
        date = self.day(2, 12)
        doc = op.sale(
            self.c, self.buyer(), date, self.month.rows(1), self.c.warehouses[1], created=date + timedelta(days=self.rng.randrange(35, 80), hours=3)
        )  # fmt: skip
        op.invoice_out(self.c, doc)
        self.ledger.document(8, "BACKDATED", doc)

    # 9, 10 -------------------------------------------------------------------------------------------------------

    def duplicate_documents(self) -> None:
        vector, date = self.c.suppliers["Вектор"][0], datetime(2020, 6, self.rng.choice((16, 17, 18)), 10, 20)
        rows = self.month.rows(2)
        for shift in (timedelta(0), timedelta(hours=self.rng.randrange(3, 23))):
            doc = op.purchase_goods(self.c, vector, date + shift, rows, self.c.warehouses[0])
            self.ledger.document(9, "DUP_DOC", doc)
            self.ledger.document(
                9, "DUP_DOC", op.invoice_in(self.c, doc), follows="the invoices repeat as the purchases do"
            )
        supplier, first = self.supplier(), self.day(2, 8)
        for days in (0, 5):
            doc = self.bought(supplier, first + timedelta(days=days), invoiced=False, incoming=("УПД-77", first))
            self.ledger.document(9, "DUP_DOC", doc)
            self.ledger.document(
                9, "DUP_DOC", op.invoice_in(self.c, doc), follows="the invoices carry the same incoming number"
            )

    def duplicate_partners(self) -> None:
        inn, kpp = f"78{self.rng.randrange(10**7, 10**8)}", "780101001"
        for name in ("Лазурит", "Строительная компания Монолит"):
            self.ledger.add(10, "DUP_COUNTERPARTY", "counterparty", self.c.partner(name, inn, kpp))
        for name in ("Ромашка Трейд Групп", "Ромашка Трэйд Групп"):
            self.ledger.add(10, "DUP_COUNTERPARTY", "counterparty", self.c.partner(name))

    # 11 ----------------------------------------------------------------------------------------------------------

    def vat(self) -> None:
        wrong = self.sold(self.buyer())
        shift = self.amount(90, 900)
        row = wrong["Товары"][0]
        row["СуммаНДС"] = roubles(op.kopecks_of(row["СуммаНДС"]) + shift)
        self.rows_of(wrong, dr="90.03")[0].amount += shift
        self.ledger.document(11, "VAT_AMOUNT", wrong, amount=shift)

        bare = self.bought(self.supplier(), invoiced=False)
        self.ledger.document(11, "VAT_NO_INVOICE", bare)
        self.ledger.document(
            17, "BROKEN_LINK", bare, detail="no_invoice", follows="a purchase without an invoice is a broken link too"
        )

        supplier = self.supplier()
        doc = self.bought(supplier, invoiced=False)
        vat, over = sum(op.kopecks_of(r["СуммаНДС"]) for r in doc["Товары"]), self.amount(100, 900)
        op.invoice_in(self.c, doc, deduct=vat + over)
        slots = {COUNTERPARTY: supplier.partner, INVOICE_IN: doc["Ref_Key"]}
        self.ledger.add(11, "VAT_19_CREDIT", "account", "19.03", amount=-over, analytics=slots)
        self.ledger.add(
            1, "NEG_ACTIVE", "account", "19.03", amount=-over, analytics=slots, follows="19 is an active account"
        )

        short = self.sold(self.buyer())
        lost = self.amount(1_000, 4_000)
        self.rows_of(short, dr="90.03")[0].amount -= lost
        self.ledger.document(11, "VAT_90_03", short, amount=-lost)

    # 12, 13, 14 --------------------------------------------------------------------------------------------------

    def manual_operations(self) -> None:
        doc, partner = op.manual(self.c, self.day(), "Корректировка задолженности"), self.supplier()
        self.books.post(
            doc,
            "91.02",
            (self.c.other,),
            "60.01",
            (partner.partner, partner.ref, doc["Ref_Key"]),
            self.amount(20_000, 60_000),
            "Корректировка",
        )
        self.ledger.document(12, "MANUAL_OP", doc, detail="operation")
        edited = self.sold(self.buyer())
        edited["РучнаяКорректировка"] = True
        self.ledger.document(12, "MANUAL_OP", edited, detail="edited")

    def storno(self) -> None:
        doc, partner = op.manual(self.c, self.day(), "Сторно услуг"), self.supplier()
        p = self.books.post(
            doc, "26", (self.c.costs["Прочие затраты"],), "60.01", (partner.partner, partner.ref, doc["Ref_Key"]), -self.amount(4_000, 9_000), "Сторно",
        )  # fmt: skip
        self.ledger.posting(13, "STORNO", p, amount=p.amount)
        self.ledger.document(
            12, "MANUAL_OP", doc, detail="operation", follows="the reversal is a hand-made operation on 60"
        )

    def outliers(self) -> None:
        here = self.c.warehouses[2]
        material = Item(self.c.item("Медь катодная", 61_337, 0).ref, "Медь катодная", 61_337, 0)
        self.books.stand("10.01", (material.ref, here), material.cost * 9_000, 9_000)
        self.books.opening["84.01", ()] -= material.cost * 9_000
        doc = op.use_materials(self.c, self.day(), [(material, self.rng.randrange(2_500, 4_000))], here)
        self.ledger.posting(14, "AMOUNT_OUTLIER", self.rows_of(doc)[0])
        supplier = self.supplier()
        for n in range(4):
            op.order(self.c, supplier, self.day(2 + 5 * n, 4 + 5 * n), self.amount(50_000, 90_000))
        huge = op.order(self.c, supplier, self.day(24, 26), self.amount(3_000_000, 6_000_000))
        self.ledger.document(14, "AMOUNT_OUTLIER", huge)

    def round_sums(self) -> None:
        lender = Contract(self.c.lender_contract, self.c.lender, prepaid=False, term_days=None)
        amount = self.rng.randrange(30, 90) * 1_000_000
        doc = op.bank_other(
            self.c, self.day(), "67.01", (lender.partner, lender.ref), amount, True, "ПолучениеКредита", lender
        )
        self.ledger.posting(14, "ROUND_SUM", self.rows_of(doc)[0], amount=amount)

    # 15, 16 ------------------------------------------------------------------------------------------------------

    def overdue(self) -> None:
        alpha = self.c.contract(self.c.partner_ref["Альфа"], "СПокупателем", "П-1/3", term_days=10)
        self.c.buyers["Альфа"].append(alpha)
        doc = self.sold(alpha, self.day(2, 8))
        self.ledger.add(15, "OVERDUE", "contract", alpha.ref, amount=op.kopecks_of(doc["СуммаДокумента"]))
        old = self.buyer(term_days=30)
        sums = [self.amount(40_000, 90_000) for _ in range(2)]
        for date, amount in zip((datetime(2020, 3, 10, 12), datetime(2020, 4, 20, 12)), sums, strict=True):
            owe(self.c, old, date, amount)
        fresh = self.sold(old, self.day(20, 25))
        assert fresh["Posted"]  # noqa: S101
        self.ledger.add(15, "OVERDUE", "contract", old.ref, amount=sum(sums))

    def unclosed_month(self) -> None:
        account = self.rng.choice(("26", "44.01"))
        self.unclosed = {account: self.amount(5_000, 9_000)}
        cost = op.purchase_service(self.c, self.supplier(), self.day(), self.amount(25_000, 60_000), "Аренда", account)
        op.invoice_in(self.c, cost, "19.04")
        self.ledger.add(16, "UNCLOSED_MONTH", "account", account.split(".")[0], amount=self.unclosed[account])

    # 17, 18, 19 --------------------------------------------------------------------------------------------------

    def broken_links(self) -> None:
        self.ledger.document(17, "BROKEN_LINK", self.sold(self.buyer(), invoiced=False), detail="no_invoice")
        doc = self.sold(self.buyer())
        lost = op.invoice_out(self.c, doc, date=self.day(), total=self.amount(20_000, 60_000))
        lost["ДокументОснование"] = guid_without_time(self.rng)
        self.ledger.document(17, "BROKEN_LINK", lost, detail="base_missing")
        other = op.invoice_out(self.c, self.sold(self.buyer(), invoiced=False))
        other["Контрагент_Key"] = self.c.partner_ref["Горизонт"]
        self.ledger.document(17, "BROKEN_LINK", other, detail="base_of_another")
        draft = self.sold(self.buyer(), invoiced=False)
        self._forget_moves(draft)
        draft["Posted"] = False
        self.ledger.document(17, "BROKEN_LINK", op.invoice_out(self.c, draft), detail="base_unposted")

    def advance_vat(self) -> None:
        buyer = self.buyer(prepaid=True)
        op.money_in(self.c, buyer, self.day(), self.amount(70_000, 120_000), None)
        self.ledger.add(18, "ADVANCE_VAT", "counterparty", buyer.partner, detail="no_76av")
        buyer, date = self.buyer(prepaid=True), self.day(5, 20)
        rows = self.month.rows(2)
        total = sum(r.amount for r in rows)
        payment = op.money_in(self.c, buyer, date - timedelta(days=2), total, None)
        op.advance_invoice(self.c, buyer, payment)
        op.set_off_buyer(self.c, buyer, payment, self.sold(buyer, date, rows), total)
        self.ledger.add(
            18, "ADVANCE_VAT", "counterparty", buyer.partner, detail="not_restored", amount=op.vat_inside(total)
        )

    def may_turnovers(self, rng: random.Random) -> dict[str, tuple[int, int]]:
        """Turnovers of May, near June's but for the account that jumps; called when June is closed."""
        june = self.books.turnovers()
        jumps = rng.choice(("41.01", "60.01", "62.01"))
        found = {}
        for code, (dr, cr) in june.items():
            ratio = rng.uniform(0.8, 1.2) if code != jumps else 1 / rng.uniform(25, 40)
            found[code] = (int(dr * ratio), int(cr * ratio))
        for side, amount in zip(("debit", "credit"), june[jumps], strict=True):
            if amount >= 100_000_000:
                self.ledger.add(19, "TURNOVER_JUMP", "account", jumps, detail=side, amount=amount)
        return found


def clean_may(month: Month, rng: random.Random) -> dict[str, tuple[int, int]]:
    """Turnovers of May of a company without planted signs."""
    return {
        code: (int(dr * rng.uniform(0.8, 1.2)), int(cr * rng.uniform(0.8, 1.2)))
        for code, (dr, cr) in month.company.books.turnovers().items()
    }


__all__ = ["PERIOD_END", "Planter", "clean_may"]
