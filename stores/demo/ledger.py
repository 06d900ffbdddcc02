"""The ledger of planted signs: what was planted, where, and what follows from it. Written by the planter alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from stores.demo.books import Posting, Record


@dataclass(slots=True)
class Ledger:
    """Entries name the rule, the sign's code, the level and subject it must be found on, and how the entry came about.

    ``analytics`` tells apart the balances of one account, ``detail`` the reasons of one code, ``amount`` (kopecks) is stated where the planter knows it.
    """

    entries: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self, rule: int, code: str, level: str, subject: str, detail: str = "", amount: int | None = None, analytics: dict[str, str] | None = None, follows: str = ""
    ) -> None:  # fmt: skip
        """One entry; ``follows`` says why it comes with another plant."""
        entry: dict[str, Any] = {"rule": rule, "code": code, "level": level, "subject": subject}
        if detail:
            entry["detail"] = detail
        if analytics:
            entry["analytics"] = analytics
        if amount is not None:
            entry["amount"] = amount
        if follows:
            entry["follows"] = follows
        self.entries.append(entry)

    def document(
        self, rule: int, code: str, document: Record, detail: str = "", amount: int | None = None, follows: str = ""
    ) -> None:
        """A sign on a document."""
        self.add(rule, code, "document", document["Ref_Key"], detail, amount, follows=follows)

    def posting(self, rule: int, code: str, posting: Posting, amount: int | None = None, follows: str = "") -> None:
        """A sign on one row of a document."""
        self.add(rule, code, "posting", posting.id, amount=amount, follows=follows)
