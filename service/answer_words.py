"""Labels of answers in Russian and English."""

from __future__ import annotations

from features.language import Language

LABELS: dict[str, tuple[str, str]] = {
    "rank": ("№", "#"),
    "period": ("Дата", "Date"),
    "start": ("С", "From"),
    "kind": ("Документ", "Document"),
    "document": ("Документ", "Document"),
    "number": ("Номер", "Number"),
    "line": ("Строка", "Line"),
    "account": ("Счёт", "Account"),
    "name": ("Название", "Name"),
    "debit": ("Дебет", "Debit"),
    "credit": ("Кредит", "Credit"),
    "counterparty": ("Контрагент", "Counterparty"),
    "contract": ("Договор", "Contract"),
    "contract_kind": ("Вид договора", "Contract kind"),
    "term_days": ("Срок, дн.", "Term, days"),
    "code": ("Код", "Code"),
    "inn": ("ИНН", "TIN"),
    "kpp": ("КПП", "KPP"),
    "full_name": ("Полное название", "Full name"),
    "item": ("Номенклатура", "Item"),
    "warehouse": ("Склад", "Warehouse"),
    "employee": ("Сотрудник", "Employee"),
    "measure": ("Показатель", "Measure"),
    "risk_score": ("Риск", "Risk"),
    "score": ("Риск", "Risk"),
    "reasons": ("Почему", "Why"),
    "records_count": ("Записей", "Records"),
    "members": ("Объектов", "Members"),
    "operations_count": ("Операций", "Operations"),
    "document_refs_count": ("Документов", "Documents"),
    "relation_types": ("Связи", "Links"),
    "samples": ("Примеры", "Samples"),
    "opening": ("На начало", "Opening"),
    "closing": ("На конец", "Closing"),
    "value": ("Значение", "Value"),
    "change": ("Изменение", "Change"),
    "amount": ("Сумма", "Amount"),
    "vat": ("НДС", "VAT"),
    "paid": ("Оплачено", "Paid"),
    "tied_to_documents": ("Связано с документами", "Tied to documents"),
    "shipped": ("Отгружено", "Shipped"),
    "turnover": ("Оборот", "Turnover"),
    "share": ("Доля", "Share"),
    "posted": ("Проведён", "Posted"),
    "side": ("Сторона", "Side"),
    "content": ("Содержание", "Content"),
    "comment": ("Комментарий", "Comment"),
    "source": ("Источник", "Source"),
    "presentation": ("Объект", "Object"),
    "date": ("Дата", "Date"),
    "link": ("Ссылка", "Link"),
    "guid": ("GUID", "GUID"),
    "reposted_at": ("Перепроведён", "Re-posted"),
}  # fmt: skip
"""Column → label, in the order of columns. What is not here (identifiers, indicators) is in the JSON alone."""

STATUSES = {"ok": ("ответ полон", "complete"), "partial": ("ответ неполон", "partial"), "empty": ("пусто", "empty"), "error": ("ошибка", "error")}  # fmt: skip

SUMMARY: dict[str, tuple[str, str]] = {
    "matched_records": ("найдено", "found"),
    "returned_records": ("показано", "returned"),
    "checked_records": ("проверено", "checked"),
    "posted_records": ("проведено", "posted"),
    "total_amount": ("итого", "total"),
    "total_vat": ("в том числе НДС", "VAT within"),
    "total_debit": ("дебет", "debit"),
    "total_credit": ("кредит", "credit"),
    "total_value": ("итого", "total"),
    "closing_value": ("на конец", "at the end"),
    "risky_records": ("с признаками риска", "risky"),
    "average_risk_score": ("средний риск", "average risk"),
    "ranked_entities": ("в рейтинге", "ranked"),
    "matched_counterparties": ("контрагентов", "counterparties"),
    "operations": ("операций", "operations"),
    "documents": ("документов", "documents"),
    "gaps_count": ("разрывов связности", "gaps"),
    "live_calls": ("обращений к живой базе", "live calls"),
    "route_focus": ("связь", "link"),
}

VALUES: dict[str, tuple[str, str]] = {
    "store": ("хранилище", "store"), "live": ("живая база", "live"), "missing": ("нет данных", "no data"),
    "documents_postings": ("документы и проводки", "documents and postings"), "register_documents": ("регистр и документы", "register and documents"),
    "payments_documents": ("оплаты и документы", "payments and documents"), "counterparties_contracts_postings": ("контрагенты, договоры, проводки", "counterparties, contracts, postings"),
    "consistency": ("сходится ли учёт", "whether the books agree"),
    "document→posting": ("документ→проводки", "document→postings"), "document→counterparty": ("документ→контрагент", "document→counterparty"),
    "document→contract": ("документ→договор", "document→contract"), "invoice→document": ("счёт-фактура→документ", "invoice→document"),
    "document→base": ("документ→основание", "document→base"), "register_record→document": ("запись регистра→документ", "register record→document"),
    "payment→posting": ("оплата→проводка", "payment→posting"), "payment→counterparty": ("оплата→контрагент", "payment→counterparty"),
    "payment→document": ("оплата→документ", "payment→document"), "advance→offset": ("аванс→зачёт", "advance→set-off"),
    "revenue": ("выручка", "revenue"), "cost_of_sales": ("себестоимость", "cost of sales"), "expense": ("расходы", "expenses"), "purchase": ("закупки", "purchases"),
    "money_in": ("поступления денег", "money in"), "money_out": ("списания денег", "money out"), "vat": ("НДС", "VAT"), "vat_deducted": ("НДС к вычету", "VAT deducted"),
    "tax": ("налоги", "taxes"), "salary": ("зарплата", "pay"), "receivable": ("дебиторская задолженность", "receivables"), "payable": ("кредиторская задолженность", "payables"),
    "advance": ("авансы полученные", "advances received"), "advance_given": ("авансы выданные", "advances given"), "money": ("деньги", "money"), "stock": ("запасы", "stock"),
    "input_vat": ("НДС входящий", "input VAT"), "balance": ("остаток", "balance"), "turnover_dr": ("оборот дебет", "debit turnover"), "turnover_cr": ("оборот кредит", "credit turnover"),
    "debt": ("долг", "debt"), "turnover": ("оборот", "turnover"), "total": ("всего", "total"), "largest": ("наибольшее", "largest"), "members": ("объектов", "members"),
}  # fmt: skip
"""Codes that stand in cells."""

HEADINGS = {
    "question": ("Вопрос", "Question"), "found": ("Найдено", "Found"), "gaps": ("Разрывы связности", "Gaps"), "chain": ("Цепочка", "Chain"), "pointed": ("Та самая строка", "The very row"),
    "differs": ("Отличия от хранилища", "Differs from the store"), "agrees": ("С хранилищем совпадает", "Agrees with the store"), "related": ("Связанные документы", "Related documents"),
    "more": ("ещё", "more"), "columns": ("Не поместились столбцы", "Columns without room"), "as_of": ("Данные на", "Data as of"), "looked_at": ("смотрим на", "looked at"), "run": ("прогон", "run"), "version": ("версия", "version"), "yes": ("да", "yes"), "no": ("нет", "no"),
    "parts": ("Период по источникам", "Period by source"), "server": ("сервер", "server"), "registers": ("Движения регистров", "Register records"),
}  # fmt: skip


def said(table: dict[str, tuple[str, str]], code: str, language: Language) -> str:
    """The word for a code, the code itself where there is none."""
    pair = table.get(code)
    return code if pair is None else pair[0 if language == "ru" else 1]
