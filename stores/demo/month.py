"""June 2020 of the demo company, without a single risk sign.

Amounts keep within a factor of five of each other wherever they are compared, sums carry kopecks, debts are within their terms, every purchase and
sale has its invoice: what `stores.demo.plants` adds is then all there is to find.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from stores.demo import operations as op
from stores.demo.books import PERIOD_END, Record
from stores.demo.company import Company, Contract
from stores.demo.operations import Row

WORKDAYS = tuple(
    datetime(2020, 6, day) for day in (1, 2, 3, 4, 5, 8, 9, 10, 11, 15, 16, 17, 18, 19, 22, 23, 25, 26, 29, 30)
)
SALES, PURCHASES, LAST_PAYMENT = 128, 66, WORKDAYS[-1].replace(hour=17)


@dataclass(slots=True)
class Month:
    """What later steps need: advances set off in the month, whose VAT is restored at its end."""

    company: Company
    lines: int = 2
    set_off: list[tuple[Contract, Record, int]] = field(default_factory=list)

    def run(self) -> None:
        """All events up to the last day's evening; `close` comes after what is planted."""
        self._sales()
        self._purchases()
        self._stock_and_people()

    # Trade -------------------------------------------------------------------------------------------------------

    def _sales(self) -> None:
        c = self.company
        contracts = [k for own in c.buyers.values() for k in own]
        dates = self._dates(SALES * c.scale, 16)
        for n, date in enumerate(dates):
            contract = (
                contracts[n % len(contracts)] if n >= 16 else c.rng.choice([k for k in contracts if not k.prepaid])
            )
            warehouse = c.rng.choice(c.warehouses)
            rows = self.rows(c.rng.randint(1, self.lines))
            total = sum(r.amount for r in rows)
            payment = None
            if contract.prepaid:
                payment = op.money_in(
                    c, contract, date - timedelta(hours=c.rng.randrange(20, 24)), total + self._extra(), None
                )
                invoice = op.advance_invoice(c, contract, payment)
                self.set_off.append((contract, invoice, total))
            sold = op.sale(c, contract, date, rows, warehouse)
            op.invoice_out(c, sold)
            if payment:
                op.set_off_buyer(c, contract, payment, sold, total)
            elif c.rng.random() < 0.7:
                paid = date + timedelta(days=c.rng.randrange(1, 8), minutes=7)
                if paid <= LAST_PAYMENT:
                    op.money_in(c, contract, paid, total, sold)
            if n % 7 == 0:
                op.bill(c, contract, date - timedelta(hours=2), total)

    def _extra(self) -> int:
        return self.company.rng.choice((0, 0, 1_234_567))

    def _purchases(self) -> None:
        c, rng = self.company, self.company.rng
        suppliers = list(c.suppliers.values())
        goods = [own[0] for n, own in enumerate(suppliers) if n % 3 != 2]
        services = [own[0] for n, own in enumerate(suppliers) if n % 3 == 2]
        for n, date in enumerate(self._dates(PURCHASES * c.scale, 20)):
            if n % 4 == 3:
                account, cost = rng.choice(
                    (("26", "Аренда"), ("26", "Связь"), ("26", "Прочие затраты"), ("44.01", "Прочие затраты"))
                )
                contract = services[n // 4 % len(services)]
                net = rng.randrange(2_000_000, 7_000_000)
                self._buy(contract, date, net + op.vat_above(net), (net, cost, account))
            else:
                contract = goods[n % len(goods)]
                self._buy(contract, date, 0, None, account="10.01" if n % 5 == 0 else "41.01")
        vector = c.suppliers["Вектор"][0]
        for hour in (9, 12, 15):
            self._buy(vector, datetime(2020, 6, 10, hour, 10), 0, None, pay_after=timedelta(days=2 + hour % 3, hours=2))

    def _buy(
        self, contract: Contract, date: datetime, total: int, service: tuple[int, str, str] | None, account: str = "41.01", pay_after: timedelta | None = None
    ) -> None:  # fmt: skip
        c, rng = self.company, self.company.rng
        rows = [] if service else self.rows(rng.randint(1, self.lines), materials=account == "10.01")
        total = total or sum(r.amount for r in rows)
        payment = (
            op.money_out(c, contract, date - timedelta(hours=rng.randrange(20, 24)), total, None)
            if contract.prepaid
            else None
        )
        if service:
            bought = op.purchase_service(c, contract, date, service[0], service[1], service[2])
        else:
            bought = op.purchase_goods(c, contract, date, rows, rng.choice(c.warehouses), account)
        op.invoice_in(c, bought, "19.04" if service else "19.03")
        if payment:
            op.set_off_supplier(c, contract, payment, bought, total)
        elif pay_after or rng.random() < 0.65:
            paid = date + (pay_after or timedelta(days=rng.randrange(2, 9), minutes=11))
            if paid <= LAST_PAYMENT:
                op.money_out(c, contract, paid, total, bought)

    def rows(self, count: int, materials: bool = False) -> list[Row]:
        """Lines worth 60 to 140 thousand roubles each."""
        c, rng = self.company, self.company.rng
        found = []
        for item in rng.sample(c.materials if materials else c.goods, min(count, len(c.materials))):
            price = item.cost * 12 // 10 if materials else item.price
            quantity = max(1, rng.randrange(6_000_000, 14_000_000) // price)
            amount = quantity * (price + rng.randrange(-price // 50, price // 50)) + rng.randrange(1, 97)
            found.append(Row(item, quantity, amount, item.cost * quantity))
        return found

    def _dates(self, count: int, before: int) -> list[datetime]:
        """``before`` moments over the days before June 11th, then the next at ten o'clock on that day, the rest after it, in order."""
        rng = self.company.rng
        before *= self.company.scale
        early = [rng.choice(WORKDAYS[1:8]) for _ in range(before)]
        late = [rng.choice(WORKDAYS[9:]) for _ in range(count - before - 1)]
        # Minutes after 11:00, so that the first of June 11th and its number stay where the benchmark's questions look for them.
        moments = [
            day.replace(hour=rng.randrange(11, 18), minute=rng.randrange(60), second=rng.randrange(60))
            for day in (*early, *late)
        ]
        if not any(d.day == 15 for d in moments):
            moments[-1] = moments[-1].replace(day=15)
        return sorted([*moments, datetime(2020, 6, 11, 10, 5)])

    # Stock and people --------------------------------------------------------------------------------------------

    def _stock_and_people(self) -> None:
        c, rng = self.company, self.company.rng
        for n in range(18 * c.scale):
            items = rng.sample(c.materials, 2)
            date = WORKDAYS[n % 19].replace(hour=8, minute=30 + n % 25)
            op.use_materials(
                c, date, [(i, rng.randrange(2_000_000, 6_000_000) // i.cost) for i in items], rng.choice(c.warehouses)
            )
        salaries = [(e, rng.randrange(4_800_000, 9_900_000)) for e in c.employees]
        op.payroll(c, datetime(2020, 6, 30, 18), salaries)
        for n, (employee, salary) in enumerate(salaries):
            op.bank_other(
                c,
                datetime(2020, 6, 19, 12, n),
                "70",
                (employee,),
                salary * 35 // 100,
                False,
                "ПеречислениеЗаработнойПлаты",
            )
        taxes = (
            ("68.01", 7_412_300),
            ("68.02", 30_459_033),
            ("69.01", 1_702_911),
            ("69.02.7", 12_916_700),
            ("69.03.1", 2_994_330),
        )
        for n, (account, amount) in enumerate(taxes):
            op.bank_other(c, datetime(2020, 6, 15, 14, n), account, (), amount, False, "УплатаНалога")
        self._decoys()

    def _decoys(self) -> None:
        """Things that look like signs and are none."""
        c = self.company
        production = (c.group, c.costs["Прочие затраты"])
        wrong = op.manual(c, datetime(2020, 6, 16, 15), "Прочие расходы производства")
        c.books.post(wrong, "20.01", production, "71.01", (c.employees[1],), 1_845_310, "Расходы подотчётного лица")
        c.books.post(wrong, "20.01", production, "71.01", (c.employees[1],), 2_145_310, "Расходы подотчётного лица")
        undo = op.manual(c, datetime(2020, 6, 17, 15), "Сторно ошибочной записи")
        c.books.post(undo, "20.01", production, "71.01", (c.employees[1],), -1_845_310, "Сторно")
        draft = op.manual(c, datetime(2020, 6, 18, 15), "Черновик")
        draft["Posted"] = False
        c.books.post(
            draft, "26", (c.costs["Прочие затраты"],), "71.01", (c.employees[1],), 777_700, "Неактивная запись"
        ).active = False
        dropped = op.bill(c, c.buyers["Альфа"][0], datetime(2020, 6, 18, 16), 4_321_000)
        dropped["DeletionMark"], dropped["Posted"] = True, False

    # Month end ---------------------------------------------------------------------------------------------------

    def close(self, unclosed: dict[str, int]) -> None:
        """Month-end: advances' VAT restored, depreciation, costs and results closed; ``unclosed`` kopecks stay on the accounts it names."""
        c = self.company
        b = c.books
        book = b.document(
            "ФормированиеЗаписейКнигиПокупок", "0000-000001", datetime(2020, 6, 30, 19), Организация_Key=c.organisation
        )
        for contract, invoice, amount in self.set_off:
            b.post(
                book,
                "68.02",
                (),
                "76.АВ",
                (contract.partner, invoice["Ref_Key"]),
                op.vat_inside(amount),
                "Вычет НДС с аванса",
            )
        wear = self._closing("Амортизация")
        b.post(wear, "26", (c.costs["Прочие затраты"],), "02.01", (), 2_711_110, "Амортизация")
        costs = self._closing("Закрытие счетов 20, 23, 25, 26, 44")
        for account, target in (("20.01", "90.02.1"), ("26", "90.08.1"), ("44.01", "90.07.1")):
            left = unclosed.get(account, 0)
            for (code, dims), amount in sorted(b.balances().items()):
                if code == account and amount > 0:
                    part = amount - left
                    left = 0
                    b.post(
                        costs, target, (c.group,) if target == "90.02.1" else (), account, dims, part, "Закрытие счёта"
                    )
        results = self._closing("Закрытие счетов 90, 91")
        for parent, closing in (("90", "90.09"), ("91", "91.09")):
            total = sum(amount for (code, _), amount in b.balances().items() if code.startswith(parent + "."))
            if total < 0:
                b.post(results, closing, (), "99.01.1", (), -total, "Прибыль")
            elif total > 0:
                b.post(results, "99.01.1", (), closing, (), total, "Убыток")

    def _closing(self, kind: str) -> Record:
        c = self.company
        return c.books.document(
            op.CLOSING, c.number(op.CLOSING), PERIOD_END, Организация_Key=c.organisation, ВидОперации=kind
        )
