"""Adapter of the reference server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from executors.live.adapter import Adapter, Malformed, bearing, kopecks_of, verified
from executors.live.reference_server import TOOLS
from executors.live.system import MAX_RECORDS, LiveAnswer, Record, Surroundings
from executors.lookup import guid_of_hex

STATUSES: Final = frozenset(("found", "not_found", "not_published", "ambiguous"))
ALLOWED: Final = TOOLS
_SUMS = ("amount", "vat")


class SwitchmanLive(Adapter):
    """Speaks to ``switchman live-server``."""

    name = "switchman-live"

    def document(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        return verified(self._ask("get_object", {"entity": entity, "ref": guid}, _read), guid, self.name)

    def by_guid(self, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        return verified(self._ask("find_by_guid", {"ref": guid}, _read), guid, self.name)

    def by_number(self, entities: Sequence[str], number: str, first: date | None, last: date | None) -> LiveAnswer:
        """See `LiveSystem`."""
        asked = {
            "number": number,
            "entities": list(entities) or None,
            "date_from": first and first.isoformat(),
            "date_to": last and last.isoformat(),
        }
        return bearing(self._ask("find_by_number", asked, _read), number, self.name)

    def by_link(self, link: str) -> LiveAnswer:
        """See `LiveSystem`."""
        answer = self._ask("get_object_by_link", {"link": link}, _read)
        return verified(answer, guid_of_hex(link.partition("?ref=")[2][:32]), self.name)

    def postings(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        return verified(
            self._ask("get_postings", {"entity": entity, "ref": guid, "limit": MAX_RECORDS}, _read),
            guid,
            self.name,
            "recorder",
        )

    def register_records(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        answer = self._ask("get_register_records", {"entity": entity, "ref": guid, "limit": MAX_RECORDS}, _read)
        return verified(answer, guid, self.name, "recorder")

    def related(self, entity: str, guid: str) -> LiveAnswer:
        """See `LiveSystem`."""
        return self._ask("get_related", {"entity": entity, "ref": guid}, _read)

    def surroundings(self, entity: str, guid: str) -> Surroundings:
        """See `LiveSystem`."""
        parts: dict[str, LiveAnswer] = {}

        def read(value: Any) -> LiveAnswer:
            parts.update({name: _read(value[name]) for name in ("postings", "register_records", "related")})
            return LiveAnswer("found")

        whole = self._ask("get_surroundings", {"entity": entity, "ref": guid, "limit": MAX_RECORDS}, read)
        if whole.status != "found":
            return Surroundings(whole, whole, whole)
        rows, records = (
            verified(parts[name], guid, self.name, "recorder") for name in ("postings", "register_records")
        )
        return Surroundings(rows, records, parts["related"])

    def documents(self, entity: str, first: date, last: date, limit: int) -> LiveAnswer:
        """See `LiveSystem`."""
        asked = {
            "entity": entity,
            "date_from": first.isoformat(),
            "date_to": last.isoformat(),
            "limit": min(limit, MAX_RECORDS),
        }
        return self._ask("list_documents", asked, _read)


def _read(value: Any) -> LiveAnswer:
    if (
        not isinstance(value, Mapping)
        or value.get("status") not in STATUSES
        or not isinstance(value.get("records"), list)
    ):
        raise Malformed("no status and records")
    records = [_record(r) for r in value["records"][:MAX_RECORDS]]
    return LiveAnswer(value["status"], records, truncated=bool(value.get("truncated")))


def _record(raw: Any) -> Record:
    if not isinstance(raw, Mapping):
        raise Malformed("a record that is no object")
    found = dict(raw)
    for name in _SUMS:
        if name in found:
            found[f"{name}_kopecks"] = kopecks_of(found.pop(name))
    return found
