"""Who and what the demo company has: partners, contracts, items, people, opening balances."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from stores.demo import names
from stores.demo.books import EMPTY_DATE, ZERO, Books, Record, roubles

MAY_31 = datetime(2020, 5, 29, 12)


@dataclass(slots=True)
class Contract:
    """``prepaid`` contracts see advances only, the others debts only, so that a clean month has no unset-off advance."""

    ref: str
    partner: str
    prepaid: bool
    term_days: int | None


@dataclass(slots=True)
class Item:
    """``cost`` and ``price`` in kopecks, price with VAT."""

    ref: str
    name: str
    cost: int
    price: int


@dataclass(slots=True)
class Company:
    """Masters and the counters of document numbers."""

    books: Books
    rng: random.Random
    scale: int
    organisation: str = ""
    bank: str = ""
    currency: str = ""
    group: str = ""
    lender: str = ""
    lender_contract: str = ""
    other: str = ""
    goods: list[Item] = field(default_factory=list)
    materials: list[Item] = field(default_factory=list)
    services: list[str] = field(default_factory=list)
    warehouses: list[str] = field(default_factory=list)
    employees: list[str] = field(default_factory=list)
    costs: dict[str, str] = field(default_factory=dict)
    buyers: dict[str, list[Contract]] = field(default_factory=dict)
    suppliers: dict[str, list[Contract]] = field(default_factory=dict)
    partner_ref: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _inn: int = 7_700_000_000

    def number(self, entity: str, prefix: str = "0000") -> str:
        """Next number of a kind of document."""
        self.numbers[entity] += 1
        return f"{prefix}-{self.numbers[entity]:06d}"

    def partner(self, name: str, inn: str | None = None, kpp: str | None = None, form: str = "ООО") -> str:
        """Add a counterparty with tax numbers of its own unless they are given."""
        self._inn += self.rng.randrange(3, 900)
        ref = self.books.catalog(
            "Контрагенты",
            f"{name} {form}",
            f"00-{len(self.partner_ref) + 1:06d}",
            IsFolder=False,
            Parent_Key=ZERO,
            НаименованиеПолное=f'{form} "{name}"',
            ЮридическоеФизическоеЛицо="ЮридическоеЛицо",
            ИНН=inn or f"{self._inn}",
            КПП=kpp or f"77{self.rng.randrange(10, 99)}01001",
            УдалитьЮрФизЛицо="",
        )
        self.partner_ref[name] = ref
        return ref

    def contract(
        self, partner: str, kind: str, number: str, prepaid: bool = False, term_days: int | None = None
    ) -> Contract:
        """Add a contract of a counterparty."""
        ref = self.books.catalog(
            "ДоговорыКонтрагентов",
            f"Договор № {number}",
            f"00-{len(self.books.records['Catalog_ДоговорыКонтрагентов']) + 1:06d}",
            Owner_Key=partner,
            IsFolder=False,
            Организация_Key=self.organisation,
            ВалютаВзаиморасчетов_Key=self.currency,
            ВидДоговора=kind,
            Номер=number,
            Дата="2020-01-15T00:00:00",
            СрокДействия=EMPTY_DATE,
            УстановленСрокОплаты=term_days is not None,
            СрокОплаты=str(term_days or 0),
        )
        return Contract(ref, partner, prepaid, term_days)

    def item(self, name: str, cost: int, price: int, service: bool = False) -> Item:
        """Add an item; cost and price in kopecks."""
        ref = self.books.catalog(
            "Номенклатура",
            name,
            f"00-{len(self.books.records['Catalog_Номенклатура']) + 1:08d}",
            IsFolder=False,
            Услуга=service,
            Артикул="",
            СтавкаНДС="НДС20",
        )
        return Item(ref, name, cost, price)


def found_company(rng: random.Random, scale: int) -> Company:
    """Masters and opening balances of a clean company. ``scale`` multiplies partners and stock."""
    books = Books(rng)
    c = Company(books, rng, scale)
    c.organisation = books.catalog(
        "Организации", "Стрела ООО", "00-000001", НаименованиеПолное='ООО "Стрела"', ИНН="7701234567", КПП="770101001"
    )
    c.currency = books.catalog("Валюты", "руб.", "643", НаименованиеПолное="Российский рубль")
    c.bank = books.catalog(
        "БанковскиеСчета", "Расчётный счёт", "00-000001",
        Owner=c.organisation, Owner_Type="StandardODATA.Catalog_Организации", НомерСчета="40702810000000000001",
    )  # fmt: skip
    c.group = books.catalog("НоменклатурныеГруппы", "Основная номенклатурная группа", "00-000001", IsFolder=False)
    c.other = books.catalog(
        "ПрочиеДоходыИРасходы", "Прочие внереализационные доходы (расходы)", "00-000001", IsFolder=False
    )
    c.costs = {n: books.catalog("СтатьиЗатрат", n, f"00-{i:06d}", IsFolder=False) for i, n in enumerate(names.COSTS, 1)}
    c.warehouses = [
        books.catalog("Склады", n, f"00-{i:06d}", IsFolder=False) for i, n in enumerate(names.WAREHOUSES, 1)
    ]
    c.employees = [
        books.catalog("ФизическиеЛица", n, f"00-{i:06d}", IsFolder=False) for i, n in enumerate(names.EMPLOYEES, 1)
    ]
    for name in names.GOODS:
        cost = rng.randrange(150_000, 290_000)
        c.goods.append(c.item(name, cost, cost * rng.randrange(150, 175) // 100))
    for name in names.MATERIALS:
        c.materials.append(c.item(name, rng.randrange(4_000, 9_000), 0))
    c.services = [c.item(name, 0, 0, service=True).ref for name in names.SERVICES]
    more = scale - 1
    for n, name in enumerate((*names.BUYERS, *names.more_names("Магазин", 6 * more))):
        ref = c.partner(name)
        c.buyers[name] = [
            c.contract(ref, "СПокупателем", f"П-{n + 1}", prepaid=n % 3 == 2, term_days=45 if n % 2 else None)
        ]
    alpha = c.partner_ref["Альфа"]
    c.buyers["Альфа"].append(c.contract(alpha, "СПокупателем", "П-1/2", prepaid=True))
    for n, name in enumerate((*names.SUPPLIERS, *names.more_names("Завод", 4 * more))):
        ref = c.partner(name)
        c.suppliers[name] = [c.contract(ref, "СПоставщиком", f"С-{n + 1}", prepaid=n % 4 == 3)]
    c.lender = c.partner(names.BANK_LENDER, form="АО")
    c.lender_contract = c.contract(c.lender, "Прочее", "К-2019/7").ref
    _open(c)
    return c


def _open(c: Company) -> None:
    opening, k = c.books.opening, c.scale
    opening["51", (c.bank,)] = 4_731_816_455 * k
    opening["01.01", ()] = 312_450_000
    opening["02.01", ()] = -81_333_300
    for warehouse in c.warehouses:
        for item in c.goods:
            c.books.stand("41.01", (item.ref, warehouse), item.cost * 3_000 * k, 3_000 * k)
        for item in c.materials:
            c.books.stand("10.01", (item.ref, warehouse), item.cost * 6_000 * k, 6_000 * k)
    opening["66.01", (c.lender, c.lender_contract)] = -257_300_000
    opening["70", (c.employees[0],)] = -3_112_450
    opening["68.01", ()] = -7_412_300
    opening["68.02", ()] = -91_377_100 * k
    opening["69.01", ()] = -1_702_911
    opening["69.02.7", ()] = -12_916_700
    opening["69.03.1", ()] = -2_994_330
    opening["90.01.1", (c.group,)] = -9_320_000_000
    opening["90.02.1", (c.group,)] = 5_633_120_000
    opening["90.03", (c.group,)] = 1_553_333_300
    opening["90.08.1", ()] = 871_234_500
    opening["90.09", ()] = 9_320_000_000 - 5_633_120_000 - 1_553_333_300 - 871_234_500
    opening["99.01.1", ()] = -1_262_312_200
    opening["80.09", ()] = -100_000_000
    for n, name in enumerate(("Кедр", "Орбита", "Фрегат")):
        debt = c.buyers[name][0] if not c.buyers[name][0].prepaid else None
        if debt:
            owe(c, debt, MAY_31.replace(day=25 + n), 8_731_240 + 911_377 * n)
    opening["84.01", ()] -= sum(opening.values())


def owe(c: Company, contract: Contract, date: datetime, amount: int) -> Record:
    """A sale before the period that is still unpaid at its start: its document and the opening balance."""
    vat = (amount * 20 + 60) // 120
    document = c.books.document(
        "РеализацияТоваровУслуг", c.number("Реализация прошлая", "0000П"), date, **head(c, contract, amount)
    )
    document["Товары"], document["Услуги"] = [], [service_row(document, c.services[3], amount, vat)]
    invoice = c.books.document(
        "СчетФактураВыданный", c.number("СФ прошлый", "СФ00П"), date, **head(c, contract, amount),
        ВидСчетаФактуры="НаРеализацию", ДокументОснование=document["Ref_Key"],
        ДокументОснование_Type="StandardODATA.Document_РеализацияТоваровУслуг",
    )  # fmt: skip
    del invoice["СуммаВключаетНДС"]
    c.books.opening["62.01", (contract.partner, contract.ref, document["Ref_Key"])] += amount
    c.books.opening["84.01", ()] -= amount
    return document


def head(c: Company, contract: Contract, amount: int) -> dict[str, Any]:
    """Fields that documents with a counterparty share; ``amount`` in kopecks."""
    return {
        "Организация_Key": c.organisation,
        "Контрагент_Key": contract.partner or ZERO,
        "ДоговорКонтрагента_Key": contract.ref or ZERO,
        "ВалютаДокумента_Key": c.currency,
        "СуммаВключаетНДС": True,
        "КратностьВзаиморасчетов": "1",
        "СуммаДокумента": roubles(amount),
    }


def service_row(document: Record, item: str, amount: int, vat: int, line: int = 1, rate: str = "НДС20") -> Record:
    """A row of the part «Услуги»; sums in kopecks."""
    return {
        "Ref_Key": document["Ref_Key"],
        "LineNumber": str(line),
        "Номенклатура_Key": item,
        "Содержание": "",
        "Количество": 1,
        "Цена": roubles(amount),
        "Сумма": roubles(amount),
        "СтавкаНДС": rate,
        "СуммаНДС": roubles(vat),
    }
