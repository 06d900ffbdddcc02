"""What subjects and signs are called, for people."""

from __future__ import annotations

from typing import Final

from executors.context import ExecutorContext
from executors.coverage import shown_day
from executors.document_kinds import type_name
from executors.where import Where
from stores.risk.run import LEVELS
from stores.risk.signs import BY_CODE

ENGLISH: Final = {
    "NEG_ACTIVE": "negative balance of an active account", "NEG_PASSIVE": "debit balance of a passive account", "ADVANCE_NOT_OFFSET": "advance not set off",
    "UNPOSTED_WITH_MOVES": "unposted document with postings", "POSTED_NO_MOVES": "posted document without postings", "DELETED_WITH_MOVES": "document marked for deletion with postings",
    "NO_COUNTERPARTY": "no counterparty", "NO_CONTRACT": "no contract", "OUT_OF_PERIOD": "posting outside the period or not on the document's day",
    "INCOMING_DATE": "supplier's paper dated later or long before", "BACKDATED": "document entered backdated", "DUP_DOC": "possible duplicate document",
    "DUP_COUNTERPARTY": "possible duplicate counterparty", "VAT_AMOUNT": "VAT not at its rate", "VAT_NO_INVOICE": "purchase with VAT and no invoice", "VAT_19_CREDIT": "credit balance of account 19",
    "VAT_90_03": "VAT accrued differs from the document's", "MANUAL_OP": "manual entry", "STORNO": "reversal without an original", "AMOUNT_OUTLIER": "amount out of line", "ROUND_SUM": "round amount",
    "OVERDUE": "overdue receivable", "UNCLOSED_MONTH": "month not closed on the account", "BROKEN_LINK": "document and invoice not linked", "ADVANCE_VAT": "VAT on an advance not accrued or not restored",
    "TURNOVER_JUMP": "turnover jumped against last month",
}  # fmt: skip


def title_of(code: str, language: str) -> str:
    """What a sign says, for a person."""
    return BY_CODE[code].title if language == "ru" else ENGLISH.get(code, code)


def names_of(context: ExecutorContext, level: str, subjects: list[str], language: str) -> dict[str, str]:
    """Names of subjects of a level for a person."""
    if not subjects:
        return {}
    if level == "document":
        where = Where().among("ref", subjects)
        rows = context.store.query(f"SELECT ref, type, number, date FROM document{where.text}", where.values)
        return {r["ref"]: f"{type_name(r['type'], language)} {r['number']} {'от' if language == 'ru' else 'of'} {shown_day(r['date'].date(), language)}" for r in rows}  # fmt: skip
    if level == "posting":
        where = Where().among("p.id", subjects)
        rows = context.store.query(
            f"SELECT p.id, p.recorder_type, p.dr_account, p.cr_account, d.number FROM posting p LEFT JOIN document d ON d.ref = p.recorder{where.text}", where.values
        )  # fmt: skip
        dr, cr = ("Дт", "Кт") if language == "ru" else ("Dr", "Cr")
        return {r["id"]: f"{dr} {r['dr_account']} {cr} {r['cr_account']}, {type_name(r['recorder_type'], language)} {r['number'] or ''}".strip() for r in rows}  # fmt: skip
    if level == "account":
        where = Where().among("code", subjects)
        rows = context.store.query(
            f"SELECT code AS ref, code || ' ' || name AS name FROM account{where.text}", where.values
        )
    elif level == "contract":
        where = Where().among("k.ref", subjects)
        text = f"SELECT k.ref, k.name || coalesce(', ' || c.name, '') AS name FROM contract k LEFT JOIN counterparty c ON c.ref = k.owner{where.text}"
        rows = context.store.query(text, where.values)
    elif level in LEVELS:
        where = Where().among("ref", subjects)
        rows = context.store.query(f'SELECT ref, name FROM "{level}"{where.text}', where.values)
    else:
        return {}
    return {r["ref"]: r["name"] for r in rows}
