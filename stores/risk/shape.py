"""The shape every rule gives its findings in.

A finding is a row: what it is found on (``level``, ``subject``), what tells it from others of its code there (``detail``), how much (``amount``, kopecks),
one line for a person (``text``), and in the columns of `TOUCHED` what else it concerns, for scores at other levels.
"""

from __future__ import annotations

from typing import Any, Final

import ibis

from stores.risk.signs import BY_CODE

TOUCHED: Final = (
    "posting",
    "document",
    "account",
    "account2",
    "counterparty",
    "contract",
    "item",
    "warehouse",
    "employee",
    "organisation",
)
SIGN_COLUMNS: Final = {
    "id": "string", "rule": "int64", "code": "string", "topic": "string", "weight": "int64", "level": "string", "subject": "string", "detail": "string",
    "amount": "int64", "text": "string", **dict.fromkeys(TOUCHED, "string"),
}  # fmt: skip
EVIDENCE_COLUMNS: Final = {"sign": "string", "kind": "string", "evidence": "string"}


def roubles(kopecks: Any) -> Any:
    """Kopecks → text of roubles, ``-12.05``."""
    size = kopecks.abs()
    whole, rest = (size // 100).cast("int64").cast("string"), (size % 100).cast("int64").cast("string").lpad(2, "0")
    return (kopecks < 0).ifelse("-", "") + whole + ibis.literal(".") + rest


def written(*parts: Any) -> Any:
    """Text put together of strings and string columns."""
    found = ibis.literal("")
    for part in parts:
        found = found + (ibis.literal(part) if isinstance(part, str) else part.coalesce(""))
    return found


def signs(
    found: ibis.Table,
    code: str,
    level: Any,
    subject: Any,
    *,
    text: Any,
    detail: Any = "",
    amount: Any = None,
    **touched: Any,
) -> ibis.Table:
    """Findings of one code in the common shape; ``text`` follows the sign's title. Columns of `TOUCHED` that are not given are null."""
    kind = BY_CODE[code]

    def column(value: Any, dtype: str = "string") -> Any:
        return ibis.literal(value, dtype) if isinstance(value, str | int) or value is None else value.cast(dtype)

    level, subject, detail = column(level), column(subject), column(detail).coalesce("")
    organisation = column(touched.get("organisation"))
    own = {name: column(touched.get(name)) for name in TOUCHED}
    return found.select(
        id=written(code, ":", level, ":", subject, ":", detail, ":", organisation),
        rule=ibis.literal(kind.rule, "int64"),
        code=ibis.literal(code),
        topic=ibis.literal(kind.topic),
        weight=ibis.literal(kind.weight, "int64"),
        level=level,
        subject=subject,
        detail=detail,
        amount=column(amount, "int64"),
        text=written(f"{kind.title}: ", *(text if isinstance(text, tuple) else (text,))),
        **own,
    )


def posting_touch(p: ibis.Table) -> dict[str, Any]:
    """What a posting concerns: its document, both accounts, the analytics of either side."""

    def either(name: str) -> Any:
        return p[f"dr_{name}"].nullif("").coalesce(p[f"cr_{name}"].nullif(""))

    return {
        "posting": p.id,
        "document": p.recorder,
        "account": p.dr_account,
        "account2": p.cr_account,
        "organisation": p.organisation,
        **{name: either(name) for name in ("counterparty", "contract", "item", "warehouse", "employee")},
    }


def document_touch(d: ibis.Table) -> dict[str, Any]:
    """What a document concerns."""
    return {
        "document": d.ref,
        "counterparty": d.counterparty,
        "contract": d.contract,
        "warehouse": d.warehouse,
        "organisation": d.organisation,
    }


def balance_touch(b: ibis.Table) -> dict[str, Any]:
    """What a balance concerns."""
    return {
        "account": b.account,
        **{name: b[name] for name in ("counterparty", "contract", "item", "warehouse", "employee", "organisation")},
    }
