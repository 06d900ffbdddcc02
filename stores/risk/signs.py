"""The table of risk signs: what each says, which rule it comes from, and what it weighs.

Weights are the project's own; no source gives any. They say how much a sign alone should move a reviewer: 40 and more, the books are wrong whatever the
explanation; 20–39, likely wrong or costly; under 20, worth a look. A score adds the weights of a subject's different signs and stops at 100; a sign that
repeats on a subject counts once, so that many small ones do not outweigh a grave one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SignKind:
    """``rule`` is the number of the rule, ``topic`` what an accountant would look under, ``why`` the reason for the weight."""

    code: str
    rule: int
    weight: int
    topic: str
    title: str
    why: str


SIGNS: Final = (
    SignKind("NEG_ACTIVE", 1, 40, "balance", "отрицательный остаток активного счёта", "more was taken than there was"),
    SignKind("NEG_PASSIVE", 2, 35, "balance", "дебетовый остаток пассивного счёта", "more was given back than was owed"),
    SignKind("ADVANCE_NOT_OFFSET", 3, 25, "advance", "аванс не зачтён", "debt and advance stand side by side; both are overstated"),
    SignKind("UNPOSTED_WITH_MOVES", 4, 45, "document", "непроведённый документ с движениями", "rows without a posted document behind them"),
    SignKind("POSTED_NO_MOVES", 4, 40, "document", "проведённый документ без движений", "a fact that reached no account"),
    SignKind("DELETED_WITH_MOVES", 5, 50, "document", "помеченный на удаление документ с движениями", "what was thrown away still counts"),
    SignKind("NO_COUNTERPARTY", 6, 30, "settlement", "нет контрагента", "nobody can be asked to pay or be paid"),
    SignKind("NO_CONTRACT", 6, 20, "settlement", "нет договора", "terms and set-off cannot work"),
    SignKind("OUT_OF_PERIOD", 7, 30, "period", "движение вне периода или не датой документа", "shifts results between periods"),
    SignKind("INCOMING_DATE", 7, 15, "period", "дата входящего документа позже или намного раньше", "a slip of the pen, or a late paper"),
    SignKind("BACKDATED", 8, 25, "period", "документ введён задним числом", "a closed month may have changed; a copied base keeps old references, so no proof"),
    SignKind("DUP_DOC", 9, 40, "duplicate", "возможный дубль документа", "counted twice, paid twice"),
    SignKind("DUP_COUNTERPARTY", 10, 20, "duplicate", "возможный дубль контрагента", "debts split between two cards"),
    SignKind("VAT_AMOUNT", 11, 30, "vat", "сумма НДС не по ставке", "the declaration repeats it"),
    SignKind("VAT_NO_INVOICE", 11, 30, "vat", "поступление с НДС без счёта-фактуры", "no right to deduct"),
    SignKind("VAT_19_CREDIT", 11, 35, "vat", "кредитовый остаток счёта 19", "deducted more than was presented"),
    SignKind("VAT_90_03", 11, 40, "vat", "начисленный НДС не равен НДС документа", "tax payable is wrong"),
    SignKind("MANUAL_OP", 12, 15, "manual", "ручная операция", "past every check of the program, and often right"),
    SignKind("STORNO", 13, 25, "manual", "сторно без исходной записи", "reverses what is not there"),
    SignKind("AMOUNT_OUTLIER", 14, 20, "amount", "сумма выбивается из ряда", "a misplaced digit, or a deal to know of"),
    SignKind("ROUND_SUM", 14, 10, "amount", "круглая сумма", "estimates and advances look so too"),
    SignKind("OVERDUE", 15, 35, "debt", "просроченная дебиторская задолженность", "money late by the contract's own terms"),
    SignKind("UNCLOSED_MONTH", 16, 45, "period", "месяц не закрыт по счёту", "the result of the month is not final"),
    SignKind("BROKEN_LINK", 17, 25, "vat", "нет связи документа и счёта-фактуры", "books of sales and purchases do not follow the documents"),
    SignKind("ADVANCE_VAT", 18, 35, "vat", "НДС с аванса не начислен или не восстановлен", "tax unpaid or overpaid"),
    SignKind("TURNOVER_JUMP", 19, 20, "amount", "скачок оборота к прошлому месяцу", "a new business, or a wrong account"),
)  # fmt: skip

BY_CODE: Final = {sign.code: sign for sign in SIGNS}
MAX_SCORE: Final = 100
