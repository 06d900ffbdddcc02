"""``live_mcp_drilldown``: one object of the live system, with its postings, register records and neighbours, beside what the store says of it."""

from __future__ import annotations

from typing import Any

from executors.context import ExecutorContext
from executors.contracts import Status, UnifiedResult
from executors.live.system import LiveAnswer, LiveSystem, Record
from executors.live_sentences import no_live, told
from executors.lookup import Lookup
from executors.money import money
from executors.where import Where

ROUTE = "live_mcp_drilldown"
MOST_OBJECTS = 5
"""References of one fragment that are looked up; each costs up to four calls."""
_REGISTER_WORDS = frozenset(("регистр", "register", "книга", "ledger"))


def execute(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Find the object by reference, link or number, then drill into it."""
    live = context.live
    if live is None:
        return _result("error", [], [], [no_live(lookup)])
    if not lookup.guids and not lookup.numbers:
        what = lookup.say(
            "Назовите один объект: номер документа с датой, ссылку или GUID.",
            "Name one object: a document's number with its date, a link or a GUID.",
        )
        return _result("empty", [], [], [what])
    items: list[dict[str, Any]] = []
    queried: list[str] = []
    errors: list[str] = []
    statuses: list[Status] = []
    for said, answer in _found(lookup, context, live):
        queried += [r["ref"] for r in answer.records if answer.status != "not_found"]
        if answer.status != "found":
            status, sentence = told(lookup, answer, live.name, said)
            statuses.append(status)
            errors.append(sentence)
            queried += [said] if not answer.records and said in lookup.guids else []
            items += [_brief(r) for r in answer.records if answer.status == "ambiguous"]
            continue
        statuses.append("ok")
        for record in answer.records[:1]:
            item, problems = _drilled(lookup, context, live, record)
            items.append(item)
            errors += problems
    status = _overall(statuses, bool(errors))
    evidence = [{"kind": "live_document", "id": i["guid"], "server": live.name} for i in items]
    evidence += [
        {"kind": "live_posting", "id": f"{i['guid']}:{p['line']}"} for i in items for p in i.get("postings") or ()
    ]
    return _result(status, items, queried, errors, evidence, live.name)


def _found(lookup: Lookup, context: ExecutorContext, live: LiveSystem) -> list[tuple[str, LiveAnswer]]:
    """What was looked for and what the live system answered, by reference first, else by number."""
    found = []
    links = {guid: entity for entity, guid in lookup.links}
    for guid in lookup.guids[:MOST_OBJECTS]:
        if guid in links:
            entity = links[guid].replace("Документ.", "Document_")
            found.append((guid, live.document(entity, guid)))
            continue
        known = context.store.by_ref("document", guid)
        found.append((guid, live.document(f"Document_{known['type']}", guid) if known else live.by_guid(guid)))
    if found:
        return found
    first, last = lookup.period or (None, None)
    entities = [f"Document_{t}" for t in lookup.document_types]
    for number in lookup.numbers[:MOST_OBJECTS]:
        answer = live.by_number(entities, number, first, last)
        if answer.status == "unsupported":
            answer = _by_store(number, entities, lookup, context, live) or answer
        if answer.status == "not_found" and lookup.period:
            elsewhere = live.by_number(entities, number, None, None)
            if elsewhere.records:
                found.append((number, LiveAnswer("not_found", elsewhere.records)))
                continue
        found.append((number, _chosen(answer, lookup)))
    return found


def _by_store(
    number: str, entities: list[str], lookup: Lookup, context: ExecutorContext, live: LiveSystem
) -> LiveAnswer | None:
    """Where a server cannot find a number, the store may know the reference; the live system is then asked by it."""
    where = Where().add("number = ?", number).among("type", [e.removeprefix("Document_") for e in entities])
    if lookup.period:
        where.days("date", *lookup.period)
    rows = context.store.query(f"SELECT ref, type FROM document{where.text} ORDER BY date LIMIT 2", where.values)
    return live.document(f"Document_{rows[0]['type']}", rows[0]["ref"]) if len(rows) == 1 else None


def _chosen(answer: LiveAnswer, lookup: Lookup) -> LiveAnswer:
    """An ambiguous number narrowed by the named counterparty, where that leaves one."""
    if answer.status != "ambiguous" or not lookup.partners:
        return answer
    refs = {p.ref for p in lookup.partners}
    own = [r for r in answer.records if r.get("counterparty") in refs]
    return LiveAnswer("found", own) if len(own) == 1 else answer


def _drilled(
    lookup: Lookup, context: ExecutorContext, live: LiveSystem, record: Record
) -> tuple[dict[str, Any], list[str]]:
    """The object with everything a question may ask of it; what could not be had is said."""
    entity, guid = record["entity"], record["ref"]
    problems: list[str] = []
    item = _brief(record)

    def part(name: str, answer: LiveAnswer, needed: bool) -> list[Record] | None:
        if answer.status == "found" or answer.status == "not_found":
            if answer.truncated:
                problems.append(
                    lookup.say(f"Сервер отдал не все записи ({name}).", f"The server cut its answer ({name}).")
                )
            return answer.records
        if needed:
            problems.append(told(lookup, answer, live.name, name)[1])
        return None

    around = live.surroundings(entity, guid)
    rows = part(lookup.say("проводки", "postings"), around.postings, needed=True)
    item["postings"] = [_posting(r) for r in rows] if rows is not None else None
    wants_register = bool("register_record" in lookup.kinds or lookup.words & _REGISTER_WORDS)
    item["register_records"] = part(
        lookup.say("движения регистров", "register records"), around.register_records, needed=wants_register
    )
    item["related"] = part(lookup.say("связанные документы", "related documents"), around.related, needed=False)
    item["chain"] = _chain(item, lookup)
    item["focus"] = _focus(lookup, item)
    item["store"] = _in_store(context, item)
    item["differs_from_store"] = _differences(item, lookup)
    return item, problems


def _brief(record: Record) -> dict[str, Any]:
    hex_parts = str(record["ref"]).split("-")
    link = f"e1cib/data/Документ.{str(record['entity']).removeprefix('Document_')}?ref={''.join((hex_parts[3], hex_parts[4], hex_parts[2], hex_parts[1], hex_parts[0]))}" if len(hex_parts) == 5 else None  # fmt: skip
    return {
        "guid": record["ref"],
        "entity": record["entity"],
        "found_in": "live",
        "presentation": record.get("presentation"),
        "number": record.get("number"),
        "date": record.get("date"),
        "posted": record.get("posted"),
        "deleted": record.get("deleted"),
        "counterparty": record.get("counterparty_name"),
        "counterparty_id": record.get("counterparty"),
        "contract": record.get("contract_name"),
        "link": link,
        **money("amount", record.get("amount_kopecks")),
        "reposted_at": record.get("reposted_at"),
    }


def _posting(row: Record) -> dict[str, Any]:
    return {
        "line": row["line"],
        "period": row["period"],
        "active": row["active"],
        "debit": row["debit"],
        "credit": row["credit"],
        **money("amount", row["amount_kopecks"]),
        "content": row["content"],
        "debit_analytics": row["debit_analytics"],
        "credit_analytics": row["credit_analytics"],
    }


def _chain(item: dict[str, Any], lookup: Lookup) -> list[str]:
    """Document → postings → субконто, a line each, as a person reads it."""
    found = [str(item["presentation"] or item["guid"])]
    dr, cr = ("Дт", "Кт") if lookup.language == "ru" else ("Dr", "Cr")
    if item["postings"] == []:
        found.append(lookup.say("→ проводок нет", "→ no postings"))
    for p in item["postings"] or ():
        slots = [
            f"{a['kind']}: {a['name'] or a['ref']}"
            for side in ("debit", "credit")
            for a in p[f"{side}_analytics"]
            if a.get("name") or a.get("ref")
        ]
        found.append(
            f"→ {dr} {p['debit']} {cr} {p['credit']} {p['amount']}" + (f" ({'; '.join(slots)})" if slots else "")
        )
    return found


def _focus(lookup: Lookup, item: dict[str, Any]) -> dict[str, Any] | None:
    """The very row that was pointed at: a posting or a register record by its line."""
    for wanted in lookup.objects:
        line = wanted.get("line_number")
        if line is None:
            continue
        if wanted.get("register"):
            rows = [
                r for r in item["register_records"] or () if r["register"] == wanted["register"] and r["line"] == line
            ]
            return {"kind": "register_record", **rows[0]} if rows else None
        own = [p for p in item["postings"] or () if p["line"] == line]
        return {"kind": "posting", **own[0]} if own else None
    return None


def _in_store(context: ExecutorContext, item: dict[str, Any]) -> dict[str, Any] | None:
    own = context.store.by_ref("document", item["guid"])
    if own is None:
        return None
    rows = context.store.query(
        "SELECT count(*) AS n, coalesce(sum(amount), 0)::BIGINT AS total FROM posting WHERE recorder = ? AND active",
        [item["guid"]],
    )[0]
    return {
        "posted": own["posted"],
        **money("amount", own["amount"]),
        "postings": rows["n"],
        **money("turnover", rows["total"]),
    }


def _differences(item: dict[str, Any], lookup: Lookup) -> list[str]:
    """Where the live system and the store disagree, a sentence each."""
    store = item["store"]
    if store is None:
        return [lookup.say("В хранилище этого документа нет.", "The store has no such document.")]
    found = []
    if item["amount_kopecks"] is not None and item["amount_kopecks"] != store["amount_kopecks"]:
        found.append(
            lookup.say(
                f"Сумма в живой базе {item['amount']}, в хранилище {store['amount']}.",
                f"Amount live {item['amount']}, stored {store['amount']}.",
            )
        )
    if item["posted"] is not None and bool(item["posted"]) != store["posted"]:
        yes, no = lookup.say("проведён", "posted"), lookup.say("не проведён", "not posted")
        found.append(lookup.say("В живой базе документ ", "Live the document is ") + (yes if item["posted"] else no) + lookup.say(", в хранилище ", ", stored ") + (yes if store["posted"] else no) + ".")  # fmt: skip
    if item["postings"] is not None:
        active = [p for p in item["postings"] if p["active"]]
        turnover = sum(p["amount_kopecks"] or 0 for p in active)
        if len(active) != store["postings"] or turnover != store["turnover_kopecks"]:
            shown = money("turnover", turnover)["turnover"]
            found.append(
                lookup.say(
                    f"Проводок в живой базе {len(active)} на {shown}, в хранилище {store['postings']} на {store['turnover']}.",
                    f"Live {len(active)} postings of {shown}, stored {store['postings']} of {store['turnover']}.",
                )
            )
    return found


def _overall(statuses: list[Status], problems: bool) -> Status:
    if not statuses:
        return "empty"
    if all(s == "ok" for s in statuses):
        return "partial" if problems else "ok"
    if any(s in ("ok", "partial") for s in statuses):
        return "partial"
    return "error" if "error" in statuses else "empty"


def _result(
    status: Status,
    items: list[dict[str, Any]],
    queried: list[str],
    errors: list[str],
    evidence: list[dict[str, Any]] | None = None,
    server: str | None = None,
) -> UnifiedResult:
    summary = {
        "query_guids": list(dict.fromkeys(queried)),
        "matched_records": sum(1 for i in items if "postings" in i),
        "server": server,
    }
    return UnifiedResult(ROUTE, status, "object", items, summary, evidence or [], errors)
