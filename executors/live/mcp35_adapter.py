"""Adapter of infaton/MCP35 (protocol 2024-11-05, stdio): JSON as text, and "not found" as a plain sentence without an error mark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from executors.live.adapter import Adapter, Malformed, filled, kopecks_of, verified
from executors.live.system import MAX_RECORDS, LiveAnswer, Record

ALLOWED: Final = frozenset(
    ("get_object_by_ref", "get_document_list", "get_accounting_entries", "get_related_documents")
)
_ABSENT = re.compile(r"не найден|не существует в базе", re.IGNORECASE)
_UNPUBLISHED = re.compile(
    r"не удалось получить менеджер|некорректное полное имя|объект метаданных не найден", re.IGNORECASE
)
_LEDGER = "РегистрБухгалтерии.Хозрасчетный"


class Mcp35Live(Adapter):
    """Speaks to INFATON MCP."""

    name = "mcp35"

    def document(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        asked = {"full_name": _full_name(entity), "guid": guid}
        return verified(
            self._ask("get_object_by_ref", asked, lambda v: _found(v, lambda o: [_document(entity, o)])),
            guid,
            self.name,
        )

    def by_number(self, entities: Sequence[str], number: str, first: date | None, last: date | None) -> LiveAnswer:
        """By the list of a kind within days: the server has no look-up by number."""
        return self._number_in_lists(entities, number, first, last)

    def postings(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        asked = {"document_ref": f"{_full_name(entity)}:{guid}", "register_name": _LEDGER}
        return self._ask("get_accounting_entries", asked, lambda v: _found(v, lambda o: _entries(o, guid)))

    def related(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        asked = {"document_ref": f"{_full_name(entity)}:{guid}", "direction": "both", "max_depth": 1}
        return self._ask("get_related_documents", asked, lambda v: _found(v, _related))

    def documents(self, entity: str, first: date, last: date, limit: int) -> LiveAnswer:
        """See `LiveSystem`."""
        asked = {"full_name": _full_name(entity), "date_from": f"{first:%Y%m%d}", "date_to": f"{last:%Y%m%d}", "posted_only": False, "top": min(limit, MAX_RECORDS)}  # fmt: skip

        def read(value: Any) -> LiveAnswer:
            answer = _found(value, lambda rows: [_listed(entity, r) for r in rows])
            cut = len(answer.records) >= min(limit, MAX_RECORDS)
            return LiveAnswer(answer.status, answer.records[:limit], answer.note, cut)

        return self._ask("get_document_list", asked, read)


def _full_name(entity: str) -> str:
    return "Документ." + entity.removeprefix("Document_")


def _found(value: Any, read: Any) -> LiveAnswer:
    """Plain sentences become statuses; anything else is read as JSON."""
    if isinstance(value, str):
        if _UNPUBLISHED.search(value):
            return LiveAnswer("not_published", note=value[:300])
        if _ABSENT.search(value):
            return LiveAnswer("not_found", note=value[:300])
        return LiveAnswer("error", note=f"mcp35: {value[:300]}")
    records = read(value)
    return LiveAnswer("found" if records else "not_found", records[:MAX_RECORDS], truncated=len(records) > MAX_RECORDS)


def _document(entity: str, raw: Any) -> Record:
    if not isinstance(raw, Mapping):
        raise Malformed("an object was expected")
    fields = {
        **raw.get("attributes", {}),
        **{k: v for k, v in raw.items() if k not in ("attributes", "tabular_sections")},
    }
    partner, contract = _reference(fields.get("Контрагент")), _reference(fields.get("ДоговорКонтрагента"))
    number, when = (
        str(fields.get("Номер") or fields.get("number") or ""),
        str(fields.get("Дата") or fields.get("date") or ""),
    )
    return {
        "entity": entity,
        "ref": str(fields.get("guid") or fields.get("GUID") or "").lower(),
        "number": number,
        "date": when,
        "posted": fields.get("Проведен"),
        "deleted": fields.get("ПометкаУдаления"),
        "amount_kopecks": kopecks_of(fields.get("СуммаДокумента")),
        "counterparty": partner[0],
        "counterparty_name": partner[1],
        "contract": contract[0],
        "contract_name": contract[1],
        "presentation": f"{entity.removeprefix('Document_')} {number} {when[:10]}".strip(),
        "fields": dict(raw),
    }


def _reference(value: Any) -> tuple[str | None, str | None]:
    if isinstance(value, Mapping):
        return filled(value.get("guid")), value.get("presentation") or value.get("name")
    return None, value if isinstance(value, str) and value else None


def _listed(entity: str, raw: Any) -> Record:
    return _document(entity, {**raw, "guid": raw["GUID"]})


def _entries(raw: Any, guid: str) -> list[Record]:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("entries"), list):
        raise Malformed("no entries")
    return [
        {
            "recorder": guid,
            "line": n,
            "period": str(e.get("period") or ""),
            "active": True,
            "debit": e.get("debit_account"),
            "credit": e.get("credit_account"),
            "amount_kopecks": kopecks_of(e.get("amount")),
            "content": e.get("description") or "",
            "debit_analytics": [],
            "credit_analytics": [],
        }
        for n, e in enumerate(raw["entries"], 1)
    ]


def _related(raw: Any) -> list[Record]:
    found = raw.get("documents", raw.get("related")) if isinstance(raw, Mapping) else raw
    if not isinstance(found, list):
        raise Malformed("no list of documents")
    return [
        {
            "entity": "Document_" + str(r.get("type") or r.get("full_name") or "").removeprefix("Документ."),
            "ref": str(r.get("guid") or "").lower(),
            "number": str(r.get("number") or ""),
            "date": str(r.get("date") or ""),
            "relation": str(r.get("direction") or r.get("relation") or ""),
            "presentation": str(r.get("presentation") or ""),
        }
        for r in found
    ]
