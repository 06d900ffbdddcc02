"""The demo's chart of accounts: what stands on each account and which субконто it asks for.

Codes and субконто as 1C:Accounting 3.0 has them by default, shortened to the accounts the demo uses.
"""

from __future__ import annotations

from dataclasses import dataclass

COUNTERPARTY = "Контрагенты"
CONTRACT = "Договоры"
SETTLEMENT = "Документы расчетов с контрагентами"
ITEM = "Номенклатура"
WAREHOUSE = "Склады"
EMPLOYEE = "Работники организаций"
COST = "Статьи затрат"
GROUP = "Номенклатурные группы"
OTHER = "Прочие доходы и расходы"
BANK = "Банковские счета"
INVOICE_IN = "Счета-фактуры полученные"
INVOICE_OUT = "Счета-фактуры выданные"

KINDS = (
    COUNTERPARTY, CONTRACT, SETTLEMENT, ITEM, WAREHOUSE, EMPLOYEE, COST, GROUP, OTHER, BANK, INVOICE_IN, INVOICE_OUT,
)  # fmt: skip

TYPE_OF_KIND = {
    COUNTERPARTY: "Catalog_Контрагенты",
    CONTRACT: "Catalog_ДоговорыКонтрагентов",
    ITEM: "Catalog_Номенклатура",
    WAREHOUSE: "Catalog_Склады",
    EMPLOYEE: "Catalog_ФизическиеЛица",
    COST: "Catalog_СтатьиЗатрат",
    GROUP: "Catalog_НоменклатурныеГруппы",
    OTHER: "Catalog_ПрочиеДоходыИРасходы",
    BANK: "Catalog_БанковскиеСчета",
}
"""Kinds whose values are catalog items; values of the other kinds are documents."""


@dataclass(frozen=True, slots=True)
class Account:
    """``nature``: Active, Passive or ActivePassive."""

    code: str
    name: str
    nature: str
    kinds: tuple[str, ...] = ()


_SETTLEMENTS = (COUNTERPARTY, CONTRACT, SETTLEMENT)
_STOCK = (ITEM, WAREHOUSE)

ACCOUNTS = (
    Account("000", "Вспомогательный счет", "ActivePassive"),
    Account("01.01", "Основные средства в организации", "Active"),
    Account("02.01", "Амортизация основных средств", "Passive"),
    Account("10.01", "Сырье и материалы", "Active", _STOCK),
    Account("19.03", "НДС по приобретенным материально-производственным запасам", "Active", (COUNTERPARTY, INVOICE_IN)),
    Account("19.04", "НДС по приобретенным услугам", "Active", (COUNTERPARTY, INVOICE_IN)),
    Account("20.01", "Основное производство", "Active", (GROUP, COST)),
    Account("26", "Общехозяйственные расходы", "Active", (COST,)),
    Account("41.01", "Товары на складах", "Active", _STOCK),
    Account("44.01", "Издержки обращения", "Active", (COST,)),
    Account("50.01", "Касса организации", "Active"),
    Account("51", "Расчетные счета", "Active", (BANK,)),
    Account("60.01", "Расчеты с поставщиками и подрядчиками", "ActivePassive", _SETTLEMENTS),
    Account("60.02", "Расчеты по авансам выданным", "ActivePassive", _SETTLEMENTS),
    Account("62.01", "Расчеты с покупателями и заказчиками", "ActivePassive", _SETTLEMENTS),
    Account("62.02", "Расчеты по авансам полученным", "ActivePassive", _SETTLEMENTS),
    Account("66.01", "Краткосрочные кредиты", "Passive", (COUNTERPARTY, CONTRACT)),
    Account("67.01", "Долгосрочные кредиты", "Passive", (COUNTERPARTY, CONTRACT)),
    Account("68.01", "Налог на доходы физических лиц", "ActivePassive"),
    Account("68.02", "Налог на добавленную стоимость", "ActivePassive"),
    Account("69.01", "Расчеты по социальному страхованию", "ActivePassive"),
    Account("69.02.7", "Обязательное пенсионное страхование", "ActivePassive"),
    Account("69.03.1", "Федеральный фонд ОМС", "ActivePassive"),
    Account("70", "Расчеты с персоналом по оплате труда", "Passive", (EMPLOYEE,)),
    Account("71.01", "Расчеты с подотчетными лицами", "ActivePassive", (EMPLOYEE,)),
    Account("76.09", "Прочие расчеты с разными дебиторами и кредиторами", "ActivePassive", _SETTLEMENTS),
    Account("76.АВ", "НДС по авансам и предоплатам", "ActivePassive", (COUNTERPARTY, INVOICE_OUT)),
    Account("80.09", "Прочий капитал", "Passive"),
    Account("84.01", "Прибыль, подлежащая распределению", "ActivePassive"),
    Account("90.01.1", "Выручка по деятельности с основной системой налогообложения", "ActivePassive", (GROUP,)),
    Account("90.02.1", "Себестоимость продаж", "ActivePassive", (GROUP,)),
    Account("90.03", "Налог на добавленную стоимость", "ActivePassive", (GROUP,)),
    Account("90.07.1", "Расходы на продажу", "ActivePassive"),
    Account("90.08.1", "Управленческие расходы", "ActivePassive"),
    Account("90.09", "Прибыль / убыток от продаж", "ActivePassive"),
    Account("91.01", "Прочие доходы", "ActivePassive", (OTHER,)),
    Account("91.02", "Прочие расходы", "ActivePassive", (OTHER,)),
    Account("91.09", "Сальдо прочих доходов и расходов", "ActivePassive"),
    Account("99.01.1", "Прибыли и убытки по деятельности с основной системой налогообложения", "ActivePassive"),
)
BY_CODE = {account.code: account for account in ACCOUNTS}
