"""Risky records: signs that fit, gathered by what they are found on, scored, with reasons and evidence."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.feature_risk.signs_meant import codes_meant, codes_of_measures
from executors.lookup import Lookup
from executors.money import money
from executors.names import names_of, title_of
from executors.where import Where
from stores.risk.run import LEVELS
from stores.risk.signs import MAX_SCORE

ROUTE = "store_feature_risk"
_ACCOUNTS_OF_SIGN: Final[dict[str, tuple[str, ...]]] = {"OVERDUE": ("62.01",), "ADVANCE_VAT": ("62.02", "76.АВ")}
"""Accounts of signs that are found on a settlement, not on an account."""
_ROLE_KINDS = {"supplier": "СПоставщиком", "customer": "СПокупателем"}


def records(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Records with signs, the gravest first."""
    named = codes_meant(lookup)
    codes = named or codes_of_measures(lookup)
    level = _level(lookup, named)
    gathered = _gathered(_signs(lookup, context, codes), level, strict=not named)
    if lookup.role and level == "counterparty" and not lookup.partners:
        kind = _ROLE_KINDS[lookup.role]
        side = {r["owner"] for r in context.store.query("SELECT DISTINCT owner FROM contract WHERE kind = ?", [kind])}
        gathered = {k: v for k, v in gathered.items() if k[1] in side}
    names = _names(context, list(gathered), lookup.language)
    scores = _scores(context, list(gathered))
    items = [_item(key, found, names, scores, lookup) for key, found in gathered.items()]
    items.sort(key=lambda i: (-i["risk_score"], -len(i["reasons"]), -abs(i["amount_kopecks"] or 0), i["entity"]))
    levels = {level for level, _ in gathered} or {level or "document"}
    checked = _checked(context, levels)
    average = round(sum(i["risk_score"] for i in items) / len(items), 2) if items else 0.0
    summary = {
        "checked_records": checked,
        "risky_records": len(items),
        "average_risk_score": average,
        "signs": sum(len(found) for found in gathered.values()),
        "codes": sorted({s["code"] for found in gathered.values() for s in found}),
    }
    evidence = _evidence(context, [s["id"] for found in gathered.values() for s in found])
    if not items:
        clean = lookup.say(
            f"Таких признаков не найдено, проверено записей: {checked}.",
            f"No such signs found among {checked} records checked.",
        )
        return UnifiedResult(ROUTE, "empty", "list", [], summary, [], [clean])
    return UnifiedResult(ROUTE, "ok", "list", items, summary, evidence)


def _level(lookup: Lookup, named: tuple[str, ...]) -> str | None:
    """Level at which records are gathered: the kind first named; None for each sign's own."""
    kinds = [k for k in (*(("document",) if lookup.document_types else ()), *lookup.kinds) if k in LEVELS]
    kinds = [k for k in kinds if not (k == "counterparty" and lookup.partners)]
    if named and kinds and kinds[0] in ("counterparty", "contract") and "DUP_COUNTERPARTY" not in named:
        return None  # «авансы покупателей не зачтены»: the kind only describes the sign
    return kinds[0] if kinds else None


def _gathered(
    signs: list[dict[str, Any]], level: str | None, *, strict: bool
) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Signs by the record they concern. A named sign found at the very level is taken from there alone; ``strict`` leaves out what touches nothing of the level."""
    if level and not strict and any(s["level"] == level for s in signs):
        signs = [s for s in signs if s["level"] == level]
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for sign in signs:
        if level and sign.get(level):
            found[level, sign[level]].append(sign)
        elif not (level and strict):
            found[sign["level"], sign["subject"]].append(sign)
    return found


def _signs(lookup: Lookup, context: ExecutorContext, codes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Signs of the codes (all of them for none) that touch the named accounts, counterparties, documents and days."""
    where = Where().among("s.code", codes)
    refs = [p.ref for p in lookup.partners]
    if refs:
        marks = ", ".join("?" * len(refs))
        where.add(
            f"(s.counterparty IN ({marks}) OR s.contract IN (SELECT ref FROM contract WHERE owner IN ({marks})))",
            *refs,
            *refs,
        )
    if lookup.document_types and "manual_entry" not in lookup.document_kinds:
        where.among("d.type", lookup.document_types)
    if lookup.numbers:
        where.add("d.number = ?", lookup.numbers[0])
    for amount in lookup.amounts[:1]:
        below = lookup.has("меньше", "менее", "under", "below", "less")
        where.add(f"coalesce(d.amount, s.amount) {'<' if below else '>='} ?", amount)
    if lookup.guids:
        marks = ", ".join("?" * len(lookup.guids))
        where.add(f"(s.subject IN ({marks}) OR s.document IN ({marks}))", *lookup.guids, *lookup.guids)
    if lookup.accounts:
        touching = Where().account(lookup.accounts, "s.account", "s.account2")
        posted = Where().add("p.active").account(lookup.accounts, "p.dr_account", "p.cr_account")
        settled = [
            code for code, own in _ACCOUNTS_OF_SIGN.items() if any(_same(a, b) for a in own for b in lookup.accounts)
        ]
        parents = [d for d in ("60", "62") if any(a == d or a in (f"{d}.01", f"{d}.02") for a in lookup.accounts)]
        parts, values = [touching.text.removeprefix(" WHERE ")], list(touching.values)
        parts.append(f"(s.posting IS NULL AND s.document IN (SELECT p.recorder FROM posting p{posted.text}))")
        values += posted.values
        for code in settled:
            parts.append("s.code = ?")
            values.append(code)
        for parent in parents:
            parts.append("(s.code = 'ADVANCE_NOT_OFFSET' AND s.detail = ?)")
            values.append(parent)
        where.add(f"({' OR '.join(parts)})", *values)
    if lookup.period is not None and lookup.within is not None:
        days = Where().days("coalesce(p.period, d.date)", *lookup.within)
        whole = lookup.within == lookup.covered
        if not whole:
            where.add(f"(coalesce(p.period, d.date) IS NOT NULL AND {days.text.removeprefix(' WHERE ')})", *days.values)
    return context.store.query(
        "SELECT s.*, d.date AS document_date, d.number AS document_number, d.type AS document_type FROM risk_sign s LEFT JOIN document d ON d.ref = s.document"
        f" LEFT JOIN posting p ON p.id = s.posting{where.text} ORDER BY s.weight DESC, s.id",
        where.values,
    )


def _same(a: str, b: str) -> bool:
    return a == b or a.startswith(b + ".")


def _item(
    key: tuple[str, str],
    found: list[dict[str, Any]],
    names: dict[tuple[str, str], str],
    scores: dict[tuple[str, str], int],
    lookup: Lookup,
) -> dict[str, Any]:
    level, subject = key
    weights = {s["code"]: s["weight"] for s in found}
    amounts = [s["amount"] for s in found if s["amount"] is not None]
    return {
        "risk_score": scores.get(key, min(MAX_SCORE, sum(weights.values()))),
        "reasons": [
            s["text"] if lookup.language == "ru" else f"{title_of(s['code'], 'en')}: {s['text'].partition(': ')[2]}"
            for s in found
        ],
        "indicators": {
            "codes": sorted(weights),
            "rules": sorted({s["rule"] for s in found}),
            "score_of_these_signs": min(MAX_SCORE, sum(weights.values())),
            "signs": len(found),
        },
        "level": level,
        "entity": subject,
        "name": names.get(key, subject),
        "document": found[0]["document"],
        "period": found[0]["document_date"].isoformat() if found[0]["document_date"] else None,
        "account": found[0]["account"],
        "counterparty_id": found[0]["counterparty"],
        **money("amount", amounts[0] if len(amounts) == 1 else sum(amounts) if amounts else None),
    }


def _scores(context: ExecutorContext, keys: list[tuple[str, str]]) -> dict[tuple[str, str], int]:
    if not keys:
        return {}
    where = Where().among("subject", list({s for _, s in keys}))
    rows = context.store.query(f"SELECT level, subject, score FROM risk_score{where.text}", where.values)
    return {(r["level"], r["subject"]): r["score"] for r in rows}


def _names(context: ExecutorContext, keys: list[tuple[str, str]], language: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for level in {level for level, _ in keys}:
        own = names_of(context, level, [s for lv, s in keys if lv == level], language)
        found.update({(level, s): n for s, n in own.items()})
    return found


def _checked(context: ExecutorContext, levels: set[str]) -> int:
    where = Where().among("level", sorted(levels))
    return int(context.store.query(f"SELECT coalesce(sum(subjects), 0)::BIGINT AS n FROM risk_level{where.text}", where.values)[0]["n"])  # fmt: skip


def _evidence(context: ExecutorContext, ids: list[str]) -> list[dict[str, Any]]:
    if not ids:
        return []
    where = Where().among("sign", ids[:500])
    rows = context.store.query(f"SELECT sign, kind, evidence FROM risk_evidence{where.text} ORDER BY sign, kind, evidence LIMIT 200", where.values)  # fmt: skip
    return [{"kind": r["kind"], "id": r["evidence"], "sign": r["sign"]} for r in rows]
