"""Adapter of evilbruce666/1c-odata-mcp and its forks (stdio): entity sets of OData, error kinds in brackets, postings where the fork has them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from executors.live.adapter import Adapter, Malformed, document_record, kopecks_of, verified
from executors.live.system import MAX_RECORDS, LiveAnswer, Record

ALLOWED: Final = frozenset(
    ("read.document.search_documents", "read.document.get_document", "read.accounting.get_document_postings")
)  # fmt: skip
_KIND = re.compile(r"^\[(?P<kind>\w+)\]\s*(?P<words>.*)", re.DOTALL)
_UNPUBLISHED = re.compile(r"не опубликован|Состав OData|not published", re.IGNORECASE)


class ODataLive(Adapter):
    """Speaks to 1c-odata-mcp."""

    name = "1c-odata-mcp"

    def document(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""

        def read(value: Any) -> LiveAnswer:
            if not isinstance(value, Mapping):
                raise Malformed("an object was expected")
            return LiveAnswer("found", [document_record(entity, value)])

        return verified(
            self._ask("read.document.get_document", {"entitySet": entity, "ref": guid}, read), guid, self.name
        )

    def by_number(self, entities: Sequence[str], number: str, first: date | None, last: date | None) -> LiveAnswer:
        """By a search within days: the server has no look-up by number."""
        return self._number_in_lists(entities, number, first, last)

    def postings(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""

        def read(value: Any) -> LiveAnswer:
            if not isinstance(value, Mapping) or not isinstance(value.get("postings"), list):
                raise Malformed("no postings")
            if value.get("status") in ("unsupported", "error"):
                return LiveAnswer(
                    "unsupported" if value["status"] == "unsupported" else "error", note=str(value.get("note") or "")
                )
            own = value.get("document") or {}
            said = str(own.get("ref") or guid) if isinstance(own, Mapping) else guid
            return LiveAnswer(
                "found",
                [_posting(p, said.lower()) for p in value["postings"][:MAX_RECORDS]],
                truncated=len(value["postings"]) > MAX_RECORDS,
            )

        answer = self._ask(
            "read.accounting.get_document_postings", {"documentEntity": entity, "documentRef": guid}, read
        )
        return verified(answer, guid, self.name, "recorder")

    def documents(self, entity: str, first: date, last: date, limit: int) -> LiveAnswer:
        """See `LiveSystem`."""
        asked = {
            "entitySet": entity,
            "from": first.isoformat(),
            "to": last.isoformat(),
            "postedOnly": False,
            "limit": min(limit, MAX_RECORDS),
        }

        def read(value: Any) -> LiveAnswer:
            rows = value.get("rows") if isinstance(value, Mapping) else None
            if not isinstance(rows, list):
                raise Malformed("no rows")
            records = [_summary(entity, r) for r in rows[:MAX_RECORDS]]
            return LiveAnswer(
                "found" if records else "not_found", records, str(value.get("note") or ""), bool(value.get("truncated"))
            )

        return self._ask("read.document.search_documents", asked, read)

    def _refused(self, words: object) -> LiveAnswer:
        said = str(words)
        match = _KIND.match(said)
        if match and match["kind"] == "not_found":
            return LiveAnswer("not_found", note=match["words"][:300])
        if _UNPUBLISHED.search(said):
            return LiveAnswer("not_published", note=said[:300])
        return LiveAnswer("error", note=f"{self.name}: {said[:300]}")


def _summary(entity: str, raw: Any) -> Record:
    number, when = str(raw.get("number") or ""), str(raw.get("date") or "")
    return {
        "entity": entity,
        "ref": str(raw["ref"]).lower(),
        "number": number,
        "date": when,
        "posted": raw.get("posted"),
        "deleted": raw.get("deletionMark"),
        "amount_kopecks": kopecks_of(raw.get("amount")),
        "counterparty": None,
        "counterparty_name": None,
        "contract": None,
        "contract_name": None,
        "presentation": f"{entity.removeprefix('Document_')} {number} {when[:10]}".strip(),
        "fields": {},
    }


def _posting(raw: Any, recorder: str) -> Record:
    def side(name: str) -> tuple[Any, list[Record]]:
        own = raw.get(name) or {}
        kept = [
            {"kind": d.get("kind") or d.get("type") or "", "ref": d.get("ref"), "name": d.get("name")}
            for d in own.get("dimensions", [])
        ]
        return own.get("accountCode"), kept

    (debit, debit_analytics), (credit, credit_analytics) = side("debit"), side("credit")
    return {
        "recorder": recorder,
        "line": raw.get("lineNumber"),
        "period": str(raw.get("period") or ""),
        "active": raw.get("active", True),
        "debit": debit,
        "credit": credit,
        "amount_kopecks": kopecks_of(raw.get("amount")),
        "content": raw.get("content") or "",
        "debit_analytics": debit_analytics,
        "credit_analytics": credit_analytics,
    }
