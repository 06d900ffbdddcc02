"""What every adapter shares: a session, failures turned into statuses, and the check that the returned reference is the asked one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from executors.live.errors import LiveError, LiveRefused
from executors.live.session import McpSession, check_reply
from executors.live.system import MAX_RECORDS, LiveAnswer, Record, Surroundings
from executors.lookup import guid_of_hex

_HEX = re.compile("[0-9a-fA-F]{32}")
_ZERO = "00000000-0000-0000-0000-000000000000"


class Malformed(Exception):
    """An answer that does not have the server's own shape."""


class Adapter:
    """Base of adapters. What a server cannot do is ``unsupported``; what goes wrong is ``error`` with a sentence."""

    name = "live"

    def __init__(self, session: McpSession) -> None:
        self._session = session

    def document(self, entity: str, guid: str) -> LiveAnswer:  # noqa: ARG002  # overridden where a server can
        """See `LiveSystem`."""
        return self._unsupported("a look-up by reference")

    def by_guid(self, guid: str) -> LiveAnswer:  # noqa: ARG002
        """See `LiveSystem`."""
        return self._unsupported("a look-up by reference without the kind of the object")

    def by_number(self, entities: Sequence[str], number: str, first: date | None, last: date | None) -> LiveAnswer:  # noqa: ARG002
        """See `LiveSystem`."""
        return self._unsupported("a look-up by number")

    def by_link(self, link: str) -> LiveAnswer:
        """A link is a kind and a reference in another spelling."""
        head, _, digits = link.partition("?ref=")
        kind, _, name = head.removeprefix("e1cib/data/").partition(".")
        if kind != "Документ" or not _HEX.fullmatch(digits):
            return self._unsupported("links to anything but documents")
        return self.document(f"Document_{name}", guid_of_hex(digits))

    def postings(self, entity: str, guid: str) -> LiveAnswer:  # noqa: ARG002
        """See `LiveSystem`."""
        return self._unsupported("postings of a document")

    def register_records(self, entity: str, guid: str) -> LiveAnswer:  # noqa: ARG002
        """See `LiveSystem`."""
        return self._unsupported("register records of a document")

    def related(self, entity: str, guid: str) -> LiveAnswer:  # noqa: ARG002
        """See `LiveSystem`."""
        return self._unsupported("related documents")

    def surroundings(self, entity: str, guid: str) -> Surroundings:
        """Asked one by one."""
        return Surroundings(
            self.postings(entity, guid), self.register_records(entity, guid), self.related(entity, guid)
        )

    def documents(self, entity: str, first: date, last: date, limit: int) -> LiveAnswer:  # noqa: ARG002
        """See `LiveSystem`."""
        return self._unsupported("documents of a period")

    def close(self) -> None:
        """End the session."""
        self._session.close()

    def _number_in_lists(
        self, entities: Sequence[str], number: str, first: date | None, last: date | None
    ) -> LiveAnswer:
        """A number among listed documents, for servers that cannot look one up: a kind and days are needed, and a list that was cut proves nothing."""
        if not entities or first is None or last is None:
            return LiveAnswer(
                "unsupported",
                note=f"{self.name} finds a number only among documents of a named kind and period; name both",
            )
        found: list[Record] = []
        cut = False
        for entity in entities:
            answer = self.documents(entity, first, last, MAX_RECORDS)
            if answer.status not in ("found", "not_found"):
                return answer
            cut = cut or answer.truncated
            found += [r for r in answer.records if same_number(r["number"], number)]
        if not found:
            if cut:
                return LiveAnswer(
                    "unsupported",
                    note=f"{self.name} lists {MAX_RECORDS} documents at most, and {number} is not among them; name the day",
                )
            return LiveAnswer("not_found")
        if len(found) > 1:
            return LiveAnswer("ambiguous", found)
        return self.document(found[0]["entity"], found[0]["ref"])

    def _unsupported(self, what: str) -> LiveAnswer:
        return LiveAnswer("unsupported", note=f"{self.name} has no tool for {what}")

    def _ask(self, tool: str, arguments: Mapping[str, Any], read: Callable[[Any], LiveAnswer]) -> LiveAnswer:
        """Call a tool and read its value; failures become statuses."""
        try:
            if not self._session.supports(tool):
                return self._unsupported(f"{tool} that only reads")
            reply = self._session.call(tool, arguments)
            if reply.is_error:
                return self._refused(reply.value)
            return read(check_reply(self.name, reply))
        except LiveError as error:
            return LiveAnswer("error", note=str(error))
        except (Malformed, KeyError, TypeError, ValueError, AttributeError, InvalidOperation) as error:
            return LiveAnswer(
                "error", note=f"{self.name}: the answer to {tool} is not of its shape ({type(error).__name__}: {error})"
            )

    def _refused(self, words: object) -> LiveAnswer:
        """A tool's own error; adapters that know the server's words tell more."""
        try:
            raise LiveRefused(f"{self.name}: {words}"[:400])
        except LiveRefused as error:
            return LiveAnswer("error", note=str(error))


def verified(answer: LiveAnswer, guid: str, name: str, key: str = "ref") -> LiveAnswer:
    """The answer, or an error where a record's reference is not the asked one."""
    for record in answer.records:
        own = str(record.get(key) or "").strip("{}").lower()
        if own != guid.lower():
            return LiveAnswer(
                "error",
                note=f"{name} was asked for {guid} and returned {own[:60] or 'no reference'}; the answer was thrown away",
            )
    return answer


def bearing(answer: LiveAnswer, number: str, name: str) -> LiveAnswer:
    """The answer, or an error where a record does not bear the asked number, whole or, for bare digits, by its tail."""
    for record in answer.records:
        if not same_number(str(record.get("number") or ""), number):
            return LiveAnswer(
                "error",
                note=f"{name} was asked for number {number} and returned {str(record.get('number'))[:40]}; the answer was thrown away",
            )
    return answer


def same_number(own: str, asked: str) -> bool:
    """Whether a document's number is the asked one; bare digits mean its tail without zeros: 17 for 0000-000017."""
    own = own.strip()
    return own == asked or (asked.isdigit() and own.rpartition("-")[2].lstrip("0") == asked.lstrip("0"))


def kopecks_of(value: Any) -> int | None:
    """Kopecks of a sum in roubles: text, number, or None."""
    if value is None or value == "":
        return None
    return int((Decimal(str(value)) * 100).to_integral_value())


def filled(value: Any) -> str | None:
    """A reference that is one: neither empty nor zero."""
    return None if value in (None, "", _ZERO) else str(value)


def document_record(entity: str, raw: Mapping[str, Any]) -> Record:
    """A document's record of an OData entity."""
    number, when = str(raw.get("Number") or ""), str(raw.get("Date") or "")
    return {
        "entity": entity,
        "ref": str(raw.get("Ref_Key") or "").lower(),
        "number": number,
        "date": when,
        "posted": raw.get("Posted"),
        "deleted": raw.get("DeletionMark"),
        "amount_kopecks": kopecks_of(raw.get("СуммаДокумента")),
        "counterparty": filled(raw.get("Контрагент_Key") or raw.get("Контрагент")),
        "counterparty_name": None,
        "contract": filled(raw.get("ДоговорКонтрагента_Key")),
        "contract_name": None,
        "presentation": f"{entity.removeprefix('Document_')} {number} {when[:10]}".strip(),
        "fields": dict(raw),
    }
