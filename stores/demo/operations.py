"""What happens in a month, one function per business event: the document, its postings, its register rows.

Each follows the posting chain of its document: purchase, invoice received, sale, invoice issued, money in and out, advance, payroll, write-off.
Sums are kopecks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from stores.demo.books import ZERO, Record, roubles
from stores.demo.company import Company, Contract, Item, head, service_row

SALE, PURCHASE = "РеализацияТоваровУслуг", "ПоступлениеТоваровУслуг"
INVOICE_OUT, INVOICE_IN = "СчетФактураВыданный", "СчетФактураПолученный"
MONEY_IN, MONEY_OUT, ORDER = "ПоступлениеНаРасчетныйСчет", "СписаниеСРасчетногоСчета", "ПлатежноеПоручение"
MANUAL, CLOSING, USE, BILL = "ОперацияБух", "РегламентнаяОперация", "ТребованиеНакладная", "СчетНаОплатуПокупателю"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of goods: ``amount`` with VAT, ``cost`` without."""

    item: Item
    quantity: int
    amount: int
    cost: int

    @property
    def vat(self) -> int:
        return vat_inside(self.amount)


def vat_inside(amount: int) -> int:
    """20 % VAT that stands inside a sum, rounded to a kopeck."""
    return (amount * 20 + 60) // 120


def vat_above(amount: int) -> int:
    """20 % VAT on top of a sum."""
    return (amount * 20 + 50) // 100


def sale(
    c: Company,
    contract: Contract,
    date: datetime,
    rows: Sequence[Row],
    warehouse: str,
    number: str | None = None,
    created: datetime | None = None,
) -> Record:
    """Goods sold: debt, revenue, VAT, cost."""
    b, total = c.books, sum(r.amount for r in rows)
    doc = b.document(
        SALE,
        number or c.number(SALE),
        date,
        created,
        ВидОперации="Товары",
        Склад_Key=warehouse,
        **head(c, contract, total),
    )
    doc["СпособЗачетаАвансов"] = "Автоматически"
    doc["Товары"] = [_goods_row(doc, n, r) for n, r in enumerate(rows, 1)]
    doc["Услуги"] = []
    debt = (contract.partner, contract.ref, doc["Ref_Key"])
    for r in rows:
        b.post(doc, "62.01", debt, "90.01.1", (c.group,), r.amount, "Реализация товаров")
        b.post(doc, "90.03", (c.group,), "68.02", (), r.vat, "НДС")
        b.post(doc, "90.02.1", (c.group,), "41.01", (r.item.ref, warehouse), r.cost, "Себестоимость", r.quantity)
    _vat_register(c, "НДСПродажи", "Покупатель_Key", doc, contract.partner, [(r.amount - r.vat, r.vat) for r in rows])
    return doc


def invoice_out(c: Company, base: Record, date: datetime | None = None, total: int | None = None) -> Record:
    """VAT invoice issued on a sale; no postings, the sale has accrued its VAT."""
    return _invoice(c, INVOICE_OUT, SALE, base, date, total, prefix="СФ00", kind="НаРеализацию")


def purchase_goods(
    c: Company, contract: Contract, date: datetime, rows: Sequence[Row], warehouse: str, account: str = "41.01",
    incoming: tuple[str, datetime] | None = None, created: datetime | None = None,
) -> Record:  # fmt: skip
    """Goods or materials bought: stock, input VAT, debt."""
    b, total = c.books, sum(r.amount for r in rows)
    doc = _purchase(c, contract, date, total, "Товары", incoming, created, Склад_Key=warehouse)
    doc["Товары"] = [_goods_row(doc, n, r) for n, r in enumerate(rows, 1)]
    doc["Услуги"] = []
    debt = (contract.partner, contract.ref, doc["Ref_Key"])
    for r in rows:
        b.post(
            doc, account, (r.item.ref, warehouse), "60.01", debt, r.amount - r.vat, "Поступление товаров", r.quantity
        )
        b.post(doc, "19.03", (contract.partner, doc["Ref_Key"]), "60.01", debt, r.vat, "НДС")
    _vat_register(
        c, "НДСПредъявленный", "Поставщик_Key", doc, contract.partner, [(r.amount - r.vat, r.vat) for r in rows]
    )
    return doc


def purchase_service(
    c: Company, contract: Contract, date: datetime, amount: int, cost: str, account: str = "26", with_vat: bool = True,
    incoming: tuple[str, datetime] | None = None,
) -> Record:  # fmt: skip
    """A service bought; ``amount`` without VAT, which comes on top."""
    b = c.books
    vat = vat_above(amount) if with_vat else 0
    doc = _purchase(c, contract, date, amount + vat, "Услуги", incoming, None, Склад_Key=ZERO)
    doc["СуммаВключаетНДС"] = False
    item = c.services[c.rng.randrange(len(c.services))]
    doc["Товары"], doc["Услуги"] = [], [service_row(doc, item, amount, vat, rate="НДС20" if with_vat else "БезНДС")]
    debt = (contract.partner, contract.ref, doc["Ref_Key"])
    b.post(doc, account, (c.costs[cost],), "60.01", debt, amount, "Услуги")
    if vat:
        b.post(doc, "19.04", (contract.partner, doc["Ref_Key"]), "60.01", debt, vat, "НДС")
        _vat_register(c, "НДСПредъявленный", "Поставщик_Key", doc, contract.partner, [(amount, vat)])
    return doc


def invoice_in(c: Company, base: Record, account: str = "19.03", deduct: int | None = None) -> Record:
    """VAT invoice received on a purchase, with its deduction of the purchase's VAT unless ``deduct`` says else."""
    vat = sum(kopecks_of(r["СуммаНДС"]) for part in ("Товары", "Услуги") for r in base[part])
    doc = _invoice(c, INVOICE_IN, PURCHASE, base, None, None, prefix="СФ10", kind="НаПоступление")
    doc["НомерВходящегоДокумента"] = base["НомерВходящегоДокумента"]
    doc["ДатаВходящегоДокумента"] = base["ДатаВходящегоДокумента"]
    partner = base["Контрагент_Key"]
    c.books.post(
        doc, "68.02", (), account, (partner, base["Ref_Key"]), vat if deduct is None else deduct, "НДС к вычету"
    )
    _vat_register(c, "НДСПокупки", "Поставщик_Key", doc, partner, [(0, vat)])
    return doc


def money_in(
    c: Company, contract: Contract, date: datetime, amount: int, paid: Record | None, created: datetime | None = None
) -> Record:
    """Money from a buyer: for a sale, or an advance where ``paid`` is None."""
    doc = _bank(c, MONEY_IN, contract, date, amount, "ОплатаПокупателя", created)
    account, settled = ("62.01", paid["Ref_Key"]) if paid else ("62.02", doc["Ref_Key"])
    c.books.post(
        doc, "51", (c.bank,), account, (contract.partner, contract.ref, settled), amount, "Поступление от покупателя"
    )
    return doc


def advance_invoice(c: Company, contract: Contract, payment: Record) -> Record:
    """VAT invoice on an advance received."""
    amount = kopecks_of(payment["СуммаДокумента"])
    doc = _invoice(c, INVOICE_OUT, MONEY_IN, payment, None, amount, prefix="СФ00", kind="НаАванс", contract=contract)
    c.books.post(doc, "76.АВ", (contract.partner, doc["Ref_Key"]), "68.02", (), vat_inside(amount), "НДС с аванса")
    return doc


def set_off_buyer(c: Company, contract: Contract, payment: Record, sold: Record, amount: int) -> None:
    """Advance of a buyer set off inside the sale."""
    p, k = contract.partner, contract.ref
    c.books.post(
        sold, "62.02", (p, k, payment["Ref_Key"]), "62.01", (p, k, sold["Ref_Key"]), amount, "Зачёт аванса покупателя"
    )


def money_out(
    c: Company,
    contract: Contract,
    date: datetime,
    amount: int,
    paid: Record | None,
    with_order: bool = True,
    created: datetime | None = None,
) -> Record:
    """Money to a supplier: for a purchase, or an advance where ``paid`` is None; the payment order goes before."""
    if with_order:
        order(c, contract, date - timedelta(hours=1), amount)
    doc = _bank(c, MONEY_OUT, contract, date, amount, "ОплатаПоставщику", created)
    account, settled = ("60.01", paid["Ref_Key"]) if paid else ("60.02", doc["Ref_Key"])
    c.books.post(doc, account, (contract.partner, contract.ref, settled), "51", (c.bank,), amount, "Оплата поставщику")
    return doc


def order(c: Company, contract: Contract, date: datetime, amount: int) -> Record:
    """Payment order; no postings."""
    fields = head(c, contract, amount)
    del fields["СуммаВключаетНДС"], fields["КратностьВзаиморасчетов"]
    return c.books.document(ORDER, c.number(ORDER), date, **fields, НазначениеПлатежа="Оплата по договору")


def set_off_supplier(c: Company, contract: Contract, payment: Record, bought: Record, amount: int) -> None:
    """Advance to a supplier set off inside the purchase."""
    p, k = contract.partner, contract.ref
    c.books.post(
        bought,
        "60.01",
        (p, k, bought["Ref_Key"]),
        "60.02",
        (p, k, payment["Ref_Key"]),
        amount,
        "Зачёт аванса поставщику",
    )


def bank_other(
    c: Company,
    date: datetime,
    account: str,
    dims: tuple[str, ...],
    amount: int,
    incoming: bool,
    purpose: str,
    partner: Contract | None = None,
) -> Record:
    """Money in or out that is no trade: taxes and salaries, which name no counterparty, and loans, which do."""
    doc = _bank(c, MONEY_IN if incoming else MONEY_OUT, partner, date, amount, purpose, None)
    bank = ("51", (c.bank,))
    dr, cr = (bank, (account, dims)) if incoming else ((account, dims), bank)
    c.books.post(doc, dr[0], dr[1], cr[0], cr[1], amount, purpose)
    return doc


def use_materials(c: Company, date: datetime, rows: Sequence[tuple[Item, int]], warehouse: str) -> Record:
    """Materials to production."""
    doc = c.books.document(USE, c.number(USE), date, Организация_Key=c.organisation, Склад_Key=warehouse)
    doc["Материалы"] = [
        {"Ref_Key": doc["Ref_Key"], "LineNumber": str(n), "Номенклатура_Key": item.ref, "Количество": quantity}
        for n, (item, quantity) in enumerate(rows, 1)
    ]
    for item, quantity in rows:
        c.books.post(
            doc, "20.01", (c.group, c.costs["Материальные расходы"]), "10.01", (item.ref, warehouse), item.cost * quantity, "Списание материалов", quantity,
        )  # fmt: skip
    return doc


def payroll(c: Company, date: datetime, salaries: Sequence[tuple[str, int]]) -> Record:
    """Salaries accrued, income tax withheld, contributions."""
    b = c.books
    doc = b.document("НачислениеЗарплаты", c.number("НачислениеЗарплаты"), date, Организация_Key=c.organisation)
    doc["Начисления"] = [
        {"Ref_Key": doc["Ref_Key"], "LineNumber": str(n), "Сотрудник_Key": employee, "Результат": roubles(amount)}
        for n, (employee, amount) in enumerate(salaries, 1)
    ]
    pay, fees = (c.costs["Оплата труда"],), (c.costs["Страховые взносы"],)
    for employee, amount in salaries:
        b.post(doc, "26", pay, "70", (employee,), amount, "Начисление зарплаты")
        b.post(doc, "70", (employee,), "68.01", (), amount * 13 // 100, "НДФЛ")
        for account, rate in (("69.01", 29), ("69.02.7", 220), ("69.03.1", 51)):
            b.post(doc, "26", fees, account, (), amount * rate // 1000, "Страховые взносы")
    return doc


def manual(c: Company, date: datetime, content: str) -> Record:
    """A hand-made operation without rows yet."""
    return c.books.document(MANUAL, c.number(MANUAL), date, Организация_Key=c.organisation, Содержание=content)


def bill(c: Company, contract: Contract, date: datetime, amount: int) -> Record:
    """Bill to a buyer; no postings."""
    return c.books.document(BILL, c.number(BILL), date, **head(c, contract, amount))


def _purchase(
    c: Company, contract: Contract, date: datetime, total: int, operation: str, incoming: tuple[str, datetime] | None, created: datetime | None, **fields: Any
) -> Record:  # fmt: skip
    number, dated = incoming or (f"{c.number('Входящий', 'В')}", date)
    doc = c.books.document(
        PURCHASE, c.number(PURCHASE), date, created, ВидОперации=operation, **fields, **head(c, contract, total)
    )
    doc["НомерВходящегоДокумента"] = number
    doc["ДатаВходящегоДокумента"] = f"{dated:%Y-%m-%d}T00:00:00"
    doc["НДСВключенВСтоимость"] = False
    return doc


def _invoice(
    c: Company, entity: str, base_entity: str, base: Record, date: datetime | None, total: int | None, prefix: str, kind: str, contract: Contract | None = None
) -> Record:  # fmt: skip
    when = date or datetime.fromisoformat(base["Date"]) + timedelta(minutes=5)
    return c.books.document(
        entity, c.number(entity, prefix), when,
        ВидСчетаФактуры=kind,
        Организация_Key=c.organisation,
        Контрагент_Key=contract.partner if contract else base["Контрагент_Key"],
        ДоговорКонтрагента_Key=contract.ref if contract else base["ДоговорКонтрагента_Key"],
        ВалютаДокумента_Key=c.currency,
        СуммаДокумента=base["СуммаДокумента"] if total is None else roubles(total),
        ДокументОснование=base["Ref_Key"],
        ДокументОснование_Type=f"StandardODATA.Document_{base_entity}",
    )  # fmt: skip


def _bank(
    c: Company,
    entity: str,
    contract: Contract | None,
    date: datetime,
    amount: int,
    operation: str,
    created: datetime | None,
) -> Record:
    doc = c.books.document(
        entity, c.number(entity), date, created,
        ВидОперации=operation,
        Организация_Key=c.organisation,
        БанковскийСчет_Key=c.bank,
        Контрагент=(contract.partner or ZERO) if contract else "",
        Контрагент_Type="StandardODATA.Catalog_Контрагенты" if contract else "StandardODATA.Undefined",
        ВалютаДокумента_Key=c.currency,
        СуммаДокумента=roubles(amount),
        НазначениеПлатежа=operation,
    )  # fmt: skip
    doc["РасшифровкаПлатежа"] = []
    if contract:
        row = {
            "Ref_Key": doc["Ref_Key"],
            "LineNumber": "1",
            "ДоговорКонтрагента_Key": contract.ref or ZERO,
            "СуммаПлатежа": roubles(amount),
        }
        doc["РасшифровкаПлатежа"].append(row)
    return doc


def _goods_row(doc: Record, line: int, r: Row) -> Record:
    return {
        "Ref_Key": doc["Ref_Key"],
        "LineNumber": str(line),
        "Номенклатура_Key": r.item.ref,
        "Коэффициент": "1",
        "Количество": r.quantity,
        "Цена": roubles(round(r.amount / r.quantity)),
        "Сумма": roubles(r.amount),
        "СтавкаНДС": "НДС20",
        "СуммаНДС": roubles(r.vat),
    }


def _vat_register(
    c: Company, register: str, partner_field: str, doc: Record, partner: str, rows: Sequence[tuple[int, int]]
) -> None:
    ref = doc["Ref_Key"]
    c.books.registers[f"AccumulationRegister_{register}"].append(
        {
            "Recorder": ref,
            "Recorder_Type": f"StandardODATA.{c.books.type_of[ref]}",
            "RecordSet": [
                {
                    "Recorder": ref,
                    "Recorder_Type": f"StandardODATA.{c.books.type_of[ref]}",
                    "Period": doc["Date"],
                    "LineNumber": str(n),
                    "Active": True,
                    "RecordType": "Receipt",
                    "Организация_Key": c.organisation,
                    partner_field: partner,
                    "СчетФактура": ref,
                    "СчетФактура_Type": f"StandardODATA.{c.books.type_of[ref]}",
                    "СтавкаНДС": "НДС20",
                    "СуммаБезНДС": roubles(net),
                    "НДС": roubles(vat),
                }
                for n, (net, vat) in enumerate(rows, 1)
            ],
        }
    )


def kopecks_of(value: float) -> int:
    """Sum as it stands in a record → kopecks."""
    return round(value * 100)
