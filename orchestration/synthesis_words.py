"""Words of an answer, Russian and English: columns, measures, what a route's figures are called."""

from __future__ import annotations

from typing import Final

from features.language import Language

COLUMNS: Final[dict[str, tuple[str, str]]] = {
    "rank": ("№", "#"),
    "name": ("кто или что", "who or what"),
    "entity": ("кто или что", "who or what"),
    "kind": ("вид", "kind"),
    "number": ("номер", "number"),
    "start": ("с даты", "from"),
    "period": ("дата", "date"),
    "counterparty": ("контрагент", "counterparty"),
    "contract": ("договор", "contract"),
    "contract_kind": ("вид договора", "kind of contract"),
    "account": ("счёт", "account"),
    "line": ("№", "#"),
    "side": ("сторона", "side"),
    "item": ("номенклатура", "item"),
    "warehouse": ("склад", "warehouse"),
    "employee": ("сотрудник", "employee"),
    "organisation": ("организация", "organisation"),
    "measure": ("показатель", "measure"),
    "content": ("содержание", "content"),
    "amount": ("сумма", "amount"),
    "paid": ("оплачено", "paid"),
    "tied_to_documents": ("по документам", "tied to documents"),
    "value": ("значение", "value"),
    "change": ("изменение", "change"),
    "opening": ("начало", "opening"),
    "debit": ("дебет", "debit"),
    "credit": ("кредит", "credit"),
    "closing": ("конец", "closing"),
    "vat": ("НДС", "VAT"),
    "risk_score": ("риск", "risk"),
    "score": ("балл", "score"),
    "signs": ("признаков", "signs"),
    "members": ("затронуто", "touched"),
    "share": ("доля", "share"),
    "records_count": ("записей", "records"),
    "operations_count": ("операций", "operations"),
    "document_refs_count": ("документов", "documents"),
    "relation_types": ("связи", "relations"),
    "debit_analytics": ("субконто дебета", "debit analytics"),
    "credit_analytics": ("субконто кредита", "credit analytics"),
    "gap": ("разрыв", "gap"),
    "source": ("источник", "source"),
    "found_in": ("где найдено", "found in"),
    "guid": ("ссылка", "reference"),
    "title": ("что это", "what it is"),
    "reasons": ("почему", "why"),
    "text": ("что", "what"),
}  # fmt: skip
"""Columns in the order they are shown; a field of an item that is not here stays in the unified result."""

MEASURES: Final[dict[str, tuple[str, str]]] = {
    "revenue": ("выручка", "revenue"), "receivable": ("дебиторская задолженность", "receivables"), "payable": ("кредиторская задолженность", "payables"),
    "purchase": ("закупки", "purchases"), "advance": ("авансы", "advances"), "vat": ("НДС", "VAT"), "salary": ("зарплата", "salaries"), "stock": ("запасы", "stock"),
    "turnover": ("оборот", "turnover"), "balance": ("остаток", "balance"), "debt": ("долг", "debt"), "money": ("деньги", "money"), "cost": ("расходы", "costs"),
    "total": ("итого", "total"), "largest": ("наибольшее", "largest"), "members": ("участников", "members"),
}  # fmt: skip

_SAYINGS: Final[dict[str, tuple[str, str]]] = {
    "error": ("Ответа нет.", "There is no answer."),
    "empty": ("Ничего не найдено.", "Nothing was found."),
    "partial": ("Ответ неполный.", "The answer is incomplete."),
    "no_route": ("Этот вопрос не о данных компании, поэтому ответа нет.", "This question is not about the company's data, so there is no answer."),
    "empty_question": ("Вопрос пуст.", "The question is empty."),
    "unreadable_question": ("В вопросе нет ни слова, которое можно прочесть.", "There is no word in the question that can be read."),
    "ranking": ("В рейтинге {members}, просмотрено записей: {checked}. Первое место: {first}{score}.", "{members} in the rating, {checked} records looked at. First: {first}{score}."),
    "summary": ("Видов: {members}, просмотрено записей: {checked}. Первое: {first}{score}.", "{members} kinds, {checked} records looked at. First: {first}{score}."),
    "score": (", балл {score}", ", score {score}"),
    "risk": ("С признаками риска: {risky}, просмотрено записей: {checked}, средний балл {average}.", "With signs of risk: {risky}, records looked at: {checked}, average score {average}."),
    "series": ("{measure}: {figure} {value}.", "{measure}: {figure} {value}."),
    "series_total": ("всего", "in all"),
    "series_closing": ("на конец", "at the end"),
    "list": ("Найдено: {returned}{total}.", "Found: {returned}{total}."),
    "total": (", на сумму {total}", ", amounting to {total}"),
    "chain": ("Связано по контрагентам: {matched}, просмотрено записей: {checked}.", "Linked by counterparty: {matched}, records looked at: {checked}."),
    "object": ("Найдено объектов: {matched}.", "Objects found: {matched}."),
    "one_object": ("{title}, {source}.", "{title}, {source}."),
    "gaps": ("Разрывов связности: {count}.", "Broken links: {count}."),
    "missing": ("Чего не хватает:", "What is missing:"),
    "evidence": ("Основание: {shown}{more}.", "Evidence: {shown}{more}."),
    "more": (", и ещё {count}", ", and {count} more"),
    "cut_rows": ("Показаны первые {shown} из {total}; остальное в полном результате (--json).", "The first {shown} of {total} are shown; the rest is in the full result (--json)."),
    "cut_text": ("Ответ обрезан до {shown} знаков; целиком он в полном результате (--json).", "The answer is cut to {shown} characters; the whole is in the full result (--json)."),
    "as_of": ("Данные на {data} ({zone}), запуск {run}, версия хранилища {version}.", "Data as of {data} ({zone}), run {run}, store version {version}."),
    "refreshed": ("Пересчитано перед ответом: {built}.", "Rebuilt before answering: {built}."),
    "snapshot": ("Загружен новый снимок {snapshot}.", "The new snapshot {snapshot} was loaded."),
    "nothing_newer": ("Снимок перечитан: новее ничего нет.", "The snapshot was looked at again: nothing is newer."),
    "folder_gone": ("Папки снимка нет, отвечаем по загруженному.", "The snapshot's folder is gone; this is what is loaded."),
}  # fmt: skip

_ENDS: Final = {
    "document": "документ", "posting": "проводка", "counterparty": "контрагент", "contract": "договор", "invoice": "счёт-фактура", "base": "основание",
    "register_record": "запись регистра", "payment": "оплата", "advance": "аванс", "offset": "зачёт", "item": "номенклатура", "account": "счёт",
}  # fmt: skip
SOURCES: Final = {"live": ("живая система", "live system"), "store": ("хранилище", "store")}
_KINDS: Final = {
    "ranking": ("рейтинг", "rating"),
    "summary": ("сводка", "summary"),
    "breakdown": ("разбивка", "breakdown"),
}
_LEVELS: Final = {
    "company": ("по компании", "of the company"), "account": ("по счетам", "by account"), "counterparty": ("по контрагентам", "by counterparty"), "contract": ("по договорам", "by contract"),
    "document": ("по документам", "by document"), "posting": ("по проводкам", "by posting"), "item": ("по номенклатуре", "by item"), "warehouse": ("по складам", "by warehouse"),
    "employee": ("по сотрудникам", "by employee"), "organisation": ("по организациям", "by organisation"),
}  # fmt: skip


def column(name: str, language: Language) -> str:
    """Heading of a column."""
    return COLUMNS[name][language == "en"]


def measure(name: str, language: Language) -> str:
    """A measure in words, its code where there are none."""
    return MEASURES.get(name, (name, name))[language == "en"]


def say(code: str, language: Language, **values: object) -> str:
    """A sentence."""
    return _SAYINGS[code][language == "en"].format(**values)


def knows(code: str) -> bool:
    """Whether there is a sentence for it."""
    return code in _SAYINGS


def relation(name: str, language: Language) -> str:
    """``document→posting`` in words."""
    return name if language == "en" else "→".join(_ENDS.get(end, end) for end in name.split("→"))


def aggregate(name: str, language: Language) -> str:
    """``ranking/account/anomaly`` in words."""
    kind, level, subject = name.split("/", 2)
    at = language == "en"
    about = ("рисков", "of risks")[at] if subject == "anomaly" else f"«{measure(subject, language)}»"
    return f"{_KINDS[kind][at]} {about} {_LEVELS.get(level, (level, level))[at]}"
