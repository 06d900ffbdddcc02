"""What everything built on the canonical tables reads: the tables, the period, and postings cut to what counts."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

import ibis
from ibis.backends import BaseBackend

from stores.schema import DIMENSIONS


@dataclass(frozen=True)
class Facts:
    """Canonical tables of one connection, and the first and last day of the period."""

    connection: BaseBackend
    start: date
    end: date

    def table(self, name: str) -> ibis.Table:
        """A table of the store."""
        return self.connection.table(name)

    def within(self, moment: Any) -> Any:
        """Whether a moment lies in the period."""
        return (moment >= ibis.timestamp(f"{self.start} 00:00:00")) & (
            moment < ibis.timestamp(f"{self.end + timedelta(days=1)} 00:00:00")
        )

    @cached_property
    def postings(self) -> ibis.Table:
        """Active rows of the period."""
        p = self.table("posting")
        return p.filter(p.active & self.within(p.period))

    @cached_property
    def documents(self) -> ibis.Table:
        """Documents dated in the period."""
        d = self.table("document")
        return d.filter(self.within(d.date))

    @cached_property
    def sides(self) -> ibis.Table:
        """Both sides of the period's postings, a row each: ``sign`` is 1 for debit and −1 for credit, ``amount`` is as posted."""
        return sides_of(self.postings)

    @cached_property
    def has_postings(self) -> bool:
        """Whether a register came with the snapshot: without it no document can be blamed for having no rows."""
        return self.any_row(self.table("posting"))

    @cached_property
    def has_invoices(self) -> bool:
        """Whether invoices came with the snapshot."""
        from stores.entities import INVOICES

        d = self.table("document")
        return self.any_row(d.filter(d.type.isin(INVOICES)))

    @property
    def whole_months(self) -> bool:
        """Whether the period ends with a month, so that its closing can be expected."""
        return self.end.day == monthrange(self.end.year, self.end.month)[1]

    def any_row(self, table: ibis.Table) -> bool:
        """Whether a table has a row at all."""
        return len(self.connection.execute(table.limit(1).select(table.columns[0]))) > 0


def sides_of(postings: ibis.Table) -> ibis.Table:
    """Rows of postings → one row a side."""

    def side(own: str, other: str, sign: int) -> ibis.Table:
        return postings.filter(postings[f"{own}_account"].notnull()).select(
            posting=postings.id,
            recorder=postings.recorder,
            recorder_type=postings.recorder_type,
            period=postings.period,
            organisation=postings.organisation,
            account=postings[f"{own}_account"],
            parent=postings[f"{own}_parent"],
            corresponding=postings[f"{other}_account"],
            sign=ibis.literal(sign, "int64"),
            amount=postings.amount,
            quantity=postings[f"{own}_quantity"],
            analytics=postings[f"{own}_analytics"],
            **{name: postings[f"{own}_{name}"] for name in DIMENSIONS},
        )

    return side("dr", "cr", 1).union(side("cr", "dr", -1))


def total(value: Any) -> Any:
    """Sum of integers as an integer, 0 over nothing; engines widen sums differently."""
    return value.sum().coalesce(0).cast("int64")


def counted(condition: Any) -> Any:
    """How many rows fulfil a condition."""
    return total(condition.ifelse(1, 0))
