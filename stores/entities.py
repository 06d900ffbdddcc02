"""What 1C's entities are here: which canonical table takes them, and what is known of a kind of document."""

from __future__ import annotations

from typing import Final

CATALOGS: Final = {
    "Catalog_Контрагенты": "counterparty",
    "Catalog_ДоговорыКонтрагентов": "contract",
    "Catalog_Номенклатура": "item",
    "Catalog_Склады": "warehouse",
    "Catalog_ФизическиеЛица": "employee",
    "Catalog_Сотрудники": "employee",
    "Catalog_Организации": "organisation",
}

ACCOUNT_CHART = "ChartOfAccounts_"
KIND_CHART = "ChartOfCharacteristicTypes_ВидыСубконто"
LEDGER = "AccountingRegister_"
ACCUMULATION = "AccumulationRegister_"
DOCUMENT = "Document_"

DIMENSION_OF_KIND: Final = {
    "контрагенты": "counterparty",
    "договоры": "contract",
    "номенклатура": "item",
    "склады": "warehouse",
    "места хранения": "warehouse",
    "работники организаций": "employee",
    "работники": "employee",
    "сотрудники": "employee",
    "документы расчетов с контрагентами": "settlement",
    "документы расчетов": "settlement",
}
"""Kind of субконто, in lower case with ё as е → its column."""

SALES: Final = ("РеализацияТоваровУслуг",)
PURCHASES: Final = ("ПоступлениеТоваровУслуг",)
INVOICES: Final = ("СчетФактураВыданный", "СчетФактураПолученный")
MANUAL: Final = ("ОперацияБух",)
MONTH_END: Final = ("РегламентнаяОперация",)

POSTING_TYPES: Final = (
    *SALES, *PURCHASES, *MANUAL, *MONTH_END,
    "ПоступлениеНаРасчетныйСчет", "СписаниеСРасчетногоСчета", "НачислениеЗарплаты", "ТребованиеНакладная",
    "ПриходныйКассовыйОрдер", "РасходныйКассовыйОрдер", "АвансовыйОтчет", "ОтчетПроизводстваЗаСмену", "ВводНачальныхОстатков",
)  # fmt: skip
"""Documents whose posting always makes rows. A payment order, a bill or an invoice issued on a sale makes none, so it is not here."""

GOODS_PARTS: Final = ("Товары", "Услуги", "АгентскиеУслуги", "Оборудование", "Продукция", "Материалы", "ВозвратнаяТара")
PAYMENT_PARTS: Final = ("РасшифровкаПлатежа",)

VAT_RATES: Final = {"НДС20": 20, "НДС18": 18, "НДС10": 10, "НДС0": 0, "БезНДС": 0}
"""Rates whose sum can be checked; a computed rate (20/120) and unknown ones are not."""

REFERENCES: Final = (
    ("document", "organisation", "organisation"),
    ("document", "counterparty", "counterparty"),
    ("document", "contract", "contract"),
    ("document", "warehouse", "warehouse"),
    ("document", "base", "document"),
    ("document_line", "item", "item"),
    ("contract", "owner", "counterparty"),
    ("posting", "recorder", "document"),
    ("posting", "organisation", "organisation"),
    ("posting", "dr_counterparty", "counterparty"),
    ("posting", "cr_counterparty", "counterparty"),
    ("posting", "dr_contract", "contract"),
    ("posting", "cr_contract", "contract"),
    ("posting", "dr_item", "item"),
    ("posting", "cr_item", "item"),
    ("posting", "dr_warehouse", "warehouse"),
    ("posting", "cr_warehouse", "warehouse"),
    ("posting", "dr_employee", "employee"),
    ("posting", "cr_employee", "employee"),
    ("register_record", "recorder", "document"),
)
"""(table, column, table it must be found in): what the load report counts as unresolved."""
