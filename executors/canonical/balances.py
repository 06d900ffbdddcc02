"""Balances at a day's end, turnovers of a period, measures of the company; by account or by counterparty, item, warehouse, employee."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.coverage import nothing_loaded, shown_day
from executors.lookup import Lookup
from executors.money import money
from executors.shapes import SHAPES
from executors.where import Where
from stores.series import BALANCES, FLOWS

ROUTE = "store_canonical"
LEDGER = "AccountingRegister_Хозрасчетный"
GROUPS: Final = ("counterparty", "contract", "item", "warehouse", "employee")
_STANDING: Final[dict[str, tuple[str, ...]]] = {
    "receivable": ("62.01",), "payable": ("60.01",), "advance": ("62.02",), "stock": ("10", "41", "43"), "accountable": ("71",), "fixed_asset": ("01",), "money": ("50", "51"),
}  # fmt: skip
_CREDIT = frozenset(("60.01", "62.02", "68", "69", "70", "68.02"))
_OF_MEASURE: Final[dict[str, tuple[str, ...]]] = {**_STANDING, "vat": ("68.02",), "tax": ("68",), "salary": ("70",)}
_SETTLED_BY: Final = {"revenue": ("62.01", "dr"), "purchase": ("60.01", "cr")}
"""Flows whose own account keeps no counterparties, and the settlement account and side where they stand by counterparty."""
_WE_OWE = frozenset(("мы", "we"))
_START = frozenset(("начало", "начинать", "open", "beginning", "start"))


def asks_for_balance(lookup: Lookup) -> bool:
    """What stands on an account, or of a measure that stands."""
    if "balance" in lookup.measures or (lookup.accounts and not lookup.kinds):
        return True
    return bool(set(lookup.measures) & {*_STANDING, "debt"})


def asks_for_turnover(lookup: Lookup) -> bool:
    """Turnover of an account."""
    return "turnover" in lookup.measures and bool(lookup.accounts)


def asks_for_flow(lookup: Lookup) -> bool:
    """A measure of the company that is a sum over time, or stands at its end."""
    return bool(_measure(lookup))


def balance(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Balances at the end of the last asked day, or at the start of the first where the start is asked for."""
    opening = bool(lookup.words & _START)
    day = lookup.dates[0] - timedelta(days=1) if opening and lookup.period else lookup.dates[1]
    start, end = lookup.covered
    if not start - timedelta(days=1) <= day <= end:
        return UnifiedResult(ROUTE, "empty", "list", summary=_counts(0, 0), errors=[nothing_loaded(lookup)])
    accounts, said = _accounts(lookup)
    if not accounts:
        which = lookup.say("Назовите счёт: «остаток по счёту 51».", 'Name an account: "balance of account 51".')
        return UnifiedResult(ROUTE, "empty", "list", summary=_counts(0, 0), errors=[which])
    group = _group(lookup)
    rows = state(context, accounts, max(start, day), day, [p.ref for p in lookup.partners], group)
    rows = [r for r in rows if r["closing"] or not group]
    side = -1 if said != "balance" and accounts[0] in _CREDIT else 1
    items = [
        {
            "source_entity": LEDGER,
            "source_id": r["subject"] if group else None,
            "period": day.isoformat(),
            "counterparty_id": r["subject"] if group == "counterparty" else lookup.partners[0].ref if len(lookup.partners) == 1 else None,
            "recorder": None,
            "account": r["account"],
            **({group: r["name"]} if group else {"name": r["name"]}),
            "counterparty": r["name"] if group == "counterparty" else lookup.partners[0].name if len(lookup.partners) == 1 else None,
            "side": lookup.say("дебет" if r["closing"] >= 0 else "кредит", "debit" if r["closing"] >= 0 else "credit"),
            **money("amount", r["closing"] * side),
        }
        for r in rows
    ]  # fmt: skip
    items.sort(key=lambda i: (-abs(i["amount_kopecks"]), str(i["account"]))) if group else None
    total = sum(r["closing"] for r in rows) * side
    summary = {
        **_counts(sum(r["rows"] for r in rows), len(items)),
        "measure": said,
        "accounts": list(accounts),
        "day": day.isoformat(),
        **money("total_amount", total),
    }
    if not rows:
        none = lookup.say(
            f"На {shown_day(day, 'ru')} по счёту {', '.join(accounts)} остатков и движений нет.",
            f"Account {', '.join(accounts)} has neither balance nor movement at {day}.",
        )
        return UnifiedResult(ROUTE, "empty", "list", [], summary, [], [none])
    return UnifiedResult(ROUTE, "ok", "list", items, summary)


def turnover(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Opening, debit, credit and closing of accounts over the period."""
    assert lookup.within is not None  # noqa: S101  # looked at before
    first, last = lookup.within
    group = _group(lookup)
    rows = state(context, lookup.accounts, first, last, [p.ref for p in lookup.partners], group)
    rows = [r for r in rows if r["dr"] or r["cr"] or r["opening"]]
    items = [
        {
            "source_entity": LEDGER,
            "source_id": r["subject"] if group else None,
            "period": f"{first.isoformat()}/{last.isoformat()}",
            "counterparty_id": r["subject"] if group == "counterparty" else None,
            "recorder": None,
            "account": r["account"],
            **({group: r["name"]} if group else {"name": r["name"]}),
            **money("opening", r["opening"]),
            **money("debit", r["dr"]),
            **money("credit", r["cr"]),
            **money("closing", r["closing"]),
        }
        for r in rows
    ]
    summary = {
        **_counts(sum(r["rows"] for r in rows), len(items)),
        "accounts": list(lookup.accounts),
        **money("total_debit", sum(r["dr"] for r in rows)),
        **money("total_credit", sum(r["cr"] for r in rows)),
    }
    errors = [] if rows else [lookup.say("Движений нет.", "No movements.")]
    return UnifiedResult(ROUTE, "ok" if rows else "empty", "list", items, summary, [], errors)


def flow(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """A measure of the company over the period, from the daily series; for a counterparty its own turnovers."""
    assert lookup.within is not None  # noqa: S101  # looked at before
    measure = _measure(lookup)
    first, last = lookup.within
    days = [r for r in context.store.series(measure, "day") if first <= r["start"] <= last]
    standing = measure in BALANCES
    amount = (days[-1]["value"] if days else 0) if standing else sum(r["value"] for r in days)
    if lookup.partners:
        settled = _SETTLED_BY.get(measure)
        if settled is None:
            kept = lookup.say(
                f"По контрагентам этот показатель не ведётся; спросите его по компании: «{measure}» за период.",
                f"This measure is not kept by counterparty; ask for it company-wide: {measure} of a period.",
            )
            return UnifiedResult(ROUTE, "empty", "list", summary={**_counts(0, 0), "measure": measure}, errors=[kept])
        account, side = settled
        rows = state(context, (account,), first, last, [p.ref for p in lookup.partners], None)
        amount = sum(r[side] for r in rows)
    item = {
        "source_entity": LEDGER,
        "source_id": None,
        "period": f"{first.isoformat()}/{last.isoformat()}",
        "counterparty_id": lookup.partners[0].ref if len(lookup.partners) == 1 else None,
        "recorder": None,
        "measure": measure,
        **money("amount", amount),
    }
    summary = {**_counts(len(days), 1), "measure": measure, **money("total_amount", amount)}
    return UnifiedResult(ROUTE, "ok", "list", [item], summary)


def state(
    context: ExecutorContext, accounts: tuple[str, ...], first: date, last: date, partners: list[str], group: str | None
) -> list[dict[str, Any]]:
    """Opening, dr, cr and closing in kopecks of accounts, a row an account, or a row a subject of ``group``; ``rows`` counts what was read."""
    start = context.covered()[0]
    own = Where().account(accounts, "account")
    own.among("counterparty", partners)
    sides = " UNION ALL ".join(
        f"SELECT {side}_account AS account, {(group and f'{side}_{group}') or 'NULL'} AS subject, {side}_counterparty AS counterparty, period, {sign} * amount AS amount, {1 if sign > 0 else 0} AS debit"
        f" FROM posting WHERE active AND period >= ? AND period < ?"
        for side, sign in (("dr", 1), ("cr", -1))
    )
    opened = f"SELECT account, {group or 'NULL'} AS subject, counterparty, NULL AS period, amount, NULL AS debit FROM opening WHERE date = ?"
    text = f"""
    WITH moves AS ({sides} UNION ALL {opened}),
    kept AS (SELECT account, {"coalesce(subject, '')" if group else "account"} AS subject, period, amount, debit FROM moves{own.text})
    SELECT {"min(account)" if group else "account"} AS account, subject,
      coalesce(sum(amount) FILTER (period IS NULL OR period < ?), 0)::BIGINT AS opening,
      coalesce(sum(amount) FILTER (period >= ? AND debit = 1), 0)::BIGINT AS dr,
      coalesce(-sum(amount) FILTER (period >= ? AND debit = 0), 0)::BIGINT AS cr,
      sum(amount)::BIGINT AS closing, count(*) AS rows
    FROM kept GROUP BY {"subject" if group else "account, subject"} ORDER BY account, subject
    """
    after = last + timedelta(days=1)
    values: list[Any] = [start, after, start, after, start, *own.values, first, first, first]
    rows = context.store.query(text, values)
    names = _names(context, group, [r["subject"] for r in rows])
    for r in rows:
        r["name"] = names.get(r["subject"])
    return rows


def _names(context: ExecutorContext, group: str | None, subjects: list[str]) -> dict[str, str]:
    if not subjects:
        return {}
    where = Where().among("ref" if group else "code", subjects)
    column, table = ("ref", group) if group else ("code", "account")
    return {r["k"]: r["name"] for r in context.store.query(f'SELECT {column} AS k, name FROM "{table}"{where.text}', where.values)}  # fmt: skip


def _accounts(lookup: Lookup) -> tuple[tuple[str, ...], str]:
    """Accounts that are meant, and the measure by which they are."""
    if lookup.accounts:
        return lookup.accounts, "balance"
    for measure in lookup.measures:
        if measure == "debt":
            ours = lookup.role == "supplier" or bool(lookup.spoken & _WE_OWE)
            return (("60.01",), "payable") if ours else (("62.01",), "receivable")
        if measure == "advance" and lookup.role == "supplier":
            return ("60.02",), "advance_given"
        if measure == "money" and lookup.has("касса", "cash"):
            return ("50",), "money"
        if measure == "money" and lookup.has("банк", "расчетный", "bank"):
            return ("51",), "money"
        if measure in _OF_MEASURE:
            return _OF_MEASURE[measure], measure
    return (), "balance"


def _group(lookup: Lookup) -> str | None:
    named = [k for k in lookup.kinds if k in GROUPS]
    if named and not (named[0] == "counterparty" and lookup.partners):
        return named[0]
    if not named and "who" in lookup.cues and not lookup.partners and not lookup.accounts:
        return "counterparty"
    return None


def _measure(lookup: Lookup) -> str:
    return next((m for m in lookup.measures if m in FLOWS or m in BALANCES), "")


def _counts(checked: int, returned: int) -> dict[str, int]:
    return {"checked_records": checked, "returned_records": min(returned, SHAPES[ROUTE].items)}
