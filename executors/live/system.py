"""What executors ask of a live system, whatever server stands behind it. Adapters speak each server's own words.

Records are plain: a *document* has entity, ref, number, date, posted, deleted, amount_kopecks, counterparty, counterparty_name, contract_name, presentation, fields;
a *posting* recorder, line, period, active, debit, credit, amount_kopecks, content, debit_analytics, credit_analytics; a *related* document also relation.
Every text in them came from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Literal, Protocol

LiveStatus = Literal["found", "not_found", "not_published", "ambiguous", "unsupported", "error"]
Record = dict[str, Any]

MAX_RECORDS: Final = 200
"""Most records one call may ask a server for."""


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """``unsupported`` and ``error`` never mean that there is nothing: only ``not_found`` does. ``note`` is a sentence or the server's own words."""

    status: LiveStatus
    records: list[Record] = field(default_factory=list)
    note: str = ""
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a document."""

    postings: LiveAnswer
    register_records: LiveAnswer
    related: LiveAnswer


class LiveSystem(Protocol):
    """A live system. No method raises for what the server does: the answer's status tells."""

    name: str

    def document(self, entity: str, guid: str) -> LiveAnswer:
        """The object ``entity`` (as ``Document_…``) with this reference, verified to be it."""

    def by_guid(self, guid: str) -> LiveAnswer:
        """The object with this reference where its kind is not known."""

    def by_number(self, entities: Sequence[str], number: str, first: date | None, last: date | None) -> LiveAnswer:
        """Documents of these kinds (any for none) that bear a number, maybe within days. Several are ``ambiguous``."""

    def by_link(self, link: str) -> LiveAnswer:
        """The object of a link ``e1cib/data/Документ.X?ref=…``."""

    def postings(self, entity: str, guid: str) -> LiveAnswer:
        """Rows the document made in the ledger."""

    def register_records(self, entity: str, guid: str) -> LiveAnswer:
        """Rows the document made in other registers."""

    def related(self, entity: str, guid: str) -> LiveAnswer:
        """Documents that name it or that it names."""

    def surroundings(self, entity: str, guid: str) -> Surroundings:
        """The three above at once, in one call where the server can."""

    def documents(self, entity: str, first: date, last: date, limit: int) -> LiveAnswer:
        """Documents of a kind within days, at most ``limit``."""

    def close(self) -> None:
        """End the session."""
