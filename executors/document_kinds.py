"""Kinds of documents as people name them → the types of 1C that they mean, and what a type is called."""

from __future__ import annotations

from typing import Final

from features.analysis import Analysis

TYPES: Final[dict[str, tuple[str, ...]]] = {
    "sale": ("РеализацияТоваровУслуг",),
    "purchase": ("ПоступлениеТоваровУслуг",),
    "waybill": ("РеализацияТоваровУслуг", "ПоступлениеТоваровУслуг"),
    "invoice": ("СчетФактураВыданный", "СчетФактураПолученный"),
    "payment_order": ("ПлатежноеПоручение",),
    "bank_in": ("ПоступлениеНаРасчетныйСчет",),
    "bank_out": ("СписаниеСРасчетногоСчета",),
    "bill": ("СчетНаОплатуПокупателю",),
    "cash_order": ("ПриходныйКассовыйОрдер", "РасходныйКассовыйОрдер"),
    "manual_entry": ("ОперацияБух",),
    "payroll_doc": ("НачислениеЗарплаты",),
    "expense_report": ("АвансовыйОтчет",),
    "writeoff_doc": ("ТребованиеНакладная",),
    "transfer_doc": ("ПеремещениеТоваров",),
    "reconciliation": ("АктСверкиВзаиморасчетов",),
    "closing_op": ("РегламентнаяОперация",),
    "correction_doc": ("КорректировкаРеализации", "КорректировкаПоступления", "ВозвратТоваровОтПокупателя"),
}
"""Concept of the lexicon → types, the likeliest first."""

NAMES: Final[dict[str, tuple[str, str]]] = {
    "РеализацияТоваровУслуг": ("Реализация", "Sale"),
    "ПоступлениеТоваровУслуг": ("Поступление", "Purchase"),
    "СчетФактураВыданный": ("Счёт-фактура выданный", "Invoice issued"),
    "СчетФактураПолученный": ("Счёт-фактура полученный", "Invoice received"),
    "ПлатежноеПоручение": ("Платёжное поручение", "Payment order"),
    "ПоступлениеНаРасчетныйСчет": ("Поступление на расчётный счёт", "Incoming payment"),
    "СписаниеСРасчетногоСчета": ("Списание с расчётного счёта", "Outgoing payment"),
    "СчетНаОплатуПокупателю": ("Счёт на оплату", "Bill"),
    "ПриходныйКассовыйОрдер": ("Приходный кассовый ордер", "Cash receipt"),
    "РасходныйКассовыйОрдер": ("Расходный кассовый ордер", "Cash payment"),
    "ОперацияБух": ("Ручная операция", "Manual entry"),
    "НачислениеЗарплаты": ("Начисление зарплаты", "Payroll"),
    "АвансовыйОтчет": ("Авансовый отчёт", "Expense report"),
    "ТребованиеНакладная": ("Требование-накладная", "Material issue"),
    "ПеремещениеТоваров": ("Перемещение товаров", "Stock transfer"),
    "АктСверкиВзаиморасчетов": ("Акт сверки", "Reconciliation statement"),
    "РегламентнаяОперация": ("Регламентная операция", "Closing operation"),
    "ФормированиеЗаписейКнигиПокупок": ("Записи книги покупок", "Purchase book entries"),
    "КорректировкаРеализации": ("Корректировка реализации", "Sale correction"),
    "КорректировкаПоступления": ("Корректировка поступления", "Purchase correction"),
    "ВозвратТоваровОтПокупателя": ("Возврат от покупателя", "Sales return"),
}
"""Type → what a person calls it, Russian and English."""

_SUPPLIER_SIDE = frozenset(("поставщик", "подрядчик", "supplier", "vendor", "contractor", "входящий", "полученный", "получить", "incom", "receiv"))  # fmt: skip
_CUSTOMER_SIDE = frozenset(("покупатель", "клиент", "заказчик", "дебитор", "customer", "client", "buyer", "debtor", "выданный", "выдать", "исходящий", "issu"))  # fmt: skip
_BANK = frozenset(("расчетный", "банк", "банковский", "деньга", "bank", "money"))


def role_of(analysis: Analysis) -> str | None:
    """``supplier`` or ``customer`` where the words say which side is meant."""
    lemmas = set(analysis.lemmas)
    supplier, customer = bool(lemmas & _SUPPLIER_SIDE), bool(lemmas & _CUSTOMER_SIDE)
    return None if supplier == customer else "supplier" if supplier else "customer"


def types_of(kinds: tuple[str, ...], role: str | None, lemmas: frozenset[str]) -> tuple[str, ...]:
    """Types that the named kinds mean, narrowed by the side («счета-фактуры поставщиков») where it tells them apart."""
    found: dict[str, None] = {}
    for kind in kinds:
        types = TYPES.get(kind, ())
        if kind == "writeoff_doc" and lemmas & _BANK:
            types = TYPES["bank_out"]
        if kind == "waybill" and role:
            types = types[1:] if role == "supplier" else types[:1]
        if kind == "invoice" and role:
            types = types[1:] if role == "supplier" else types[:1]
        found.update(dict.fromkeys(types))
    return tuple(found)


def type_name(document_type: str, language: str) -> str:
    """Name of a type for a person; the type itself where none is known."""
    names = NAMES.get(document_type)
    return document_type if names is None else names[0 if language == "ru" else 1]
