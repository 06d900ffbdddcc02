"""Charts: accounts and kinds of субконто by their references, needed before any posting can be read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from stores.entities import DIMENSION_OF_KIND


def parent_of(code: str) -> str:
    """Account of the first level: ``90.01.1`` → ``90``."""
    return code.partition(".")[0]


def dimension_of(kind: str) -> str | None:
    """Column of a kind of субконто, by its name."""
    return DIMENSION_OF_KIND.get(kind.lower().replace("ё", "е"))


@dataclass(slots=True)
class Charts:
    """``codes`` and ``kinds`` by reference; ``slots`` gives the kinds of an account's субконто in order; ``unknown`` counts references not found."""

    codes: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    slots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    slot_refs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unknown: Counter[str] = field(default_factory=Counter)

    def code(self, ref: str | None) -> str | None:
        """Code of an account; its reference where the chart does not know it, None where there is none."""
        if ref is None:
            return None
        found = self.codes.get(ref)
        if found is None:
            self.unknown[ref] += 1
            return ref
        return found

    def kind(self, ref: str | None, account: str | None, slot: int) -> str:
        """Kind of a slot: named by the record, else by the account's own order, else by its reference or number."""
        if ref:
            return self.kinds.get(ref, ref)
        order = self.slots_of(account)
        return order[slot - 1] if slot <= len(order) else f"Субконто{slot}"

    def slots_of(self, account: str | None) -> tuple[str, ...]:
        """Kinds of an account's субконто, resolved once both charts are read."""
        if account is None:
            return ()
        found = self.slots.get(account)
        if found is None:
            found = tuple(self.kinds.get(ref, ref) for ref in self.slot_refs.get(account, ()))
            self.slots[account] = found
        return found
