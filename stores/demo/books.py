"""The demo company's books: records and postings, and how OData would give them.

`Books` knows shapes only; what happens in the month is said by the modules beside it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from stores.demo.chart import ACCOUNTS, BY_CODE, KINDS, SETTLEMENT, TYPE_OF_KIND
from stores.demo.guids import guid_at, guid_without_time

ZERO = "00000000-0000-0000-0000-000000000000"
EMPTY_DATE = "0001-01-01T00:00:00"
REGISTER = "AccountingRegister_Хозрасчетный"
PERIOD_START = datetime(2020, 6, 1)
PERIOD_END = datetime(2020, 6, 30, 23, 59, 59)

Record = dict[str, Any]
Key = tuple[str, tuple[str, ...]]


@dataclass(slots=True)
class Posting:
    """One row of the register; ``dr_dims`` and ``cr_dims`` follow the accounts' kinds, "" for an unfilled slot."""

    document: Record
    line: int
    period: datetime
    dr: str
    dr_dims: tuple[str, ...]
    cr: str
    cr_dims: tuple[str, ...]
    amount: int
    content: str
    quantity: float
    active: bool = True

    @property
    def id(self) -> str:
        """How the ledger names it: recorder and line."""
        return f"{self.document['Ref_Key']}:{self.line}"


@dataclass(slots=True)
class Books:
    """Everything of the company; ``opening`` is in kopecks, debit positive."""

    rng: random.Random
    records: dict[str, list[Record]] = field(default_factory=lambda: defaultdict(list))
    postings: list[Posting] = field(default_factory=list)
    registers: dict[str, list[Record]] = field(default_factory=lambda: defaultdict(list))
    opening: dict[Key, int] = field(default_factory=lambda: defaultdict(int))
    opening_quantity: dict[Key, int] = field(default_factory=dict)
    type_of: dict[str, str] = field(default_factory=dict)
    _lines: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _account_refs: dict[str, str] = field(default_factory=dict)
    _kind_refs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind in KINDS:
            self._kind_refs[kind] = guid_without_time(self.rng)
        for account in ACCOUNTS:
            self._account_refs[account.code] = guid_without_time(self.rng)

    def catalog(self, entity: str, description: str, code: str, **fields: Any) -> str:
        """Add a catalog item; gives its reference."""
        ref = guid_without_time(self.rng)
        self.records[f"Catalog_{entity}"].append(
            {
                "Ref_Key": ref,
                "DataVersion": "AAAAAQAAAAA=",
                "DeletionMark": False,
                "Code": code,
                "Description": description,
                **fields,
            }
        )
        return ref

    def document(
        self, entity: str, number: str, date: datetime, created: datetime | None = None, **fields: Any
    ) -> Record:
        """Add a document, posted unless ``Posted`` says else; one in twenty has a GUID without time."""
        timed = created is not None or self.rng.random() >= 0.05
        ref = guid_at(created or date, self.rng) if timed else guid_without_time(self.rng)
        record: Record = {
            "Ref_Key": ref,
            "DataVersion": "AAAAAgAAAAA=",
            "DeletionMark": False,
            "Number": number,
            "Date": date.isoformat(),
            "Posted": True,
            **fields,
            "РучнаяКорректировка": False,
            "Комментарий": "",
        }
        self.records[f"Document_{entity}"].append(record)
        self.type_of[ref] = f"Document_{entity}"
        return record

    def post(
        self,
        document: Record,
        dr: str,
        dr_dims: Sequence[str],
        cr: str,
        cr_dims: Sequence[str],
        amount: int,
        content: str,
        quantity: float = 0,
        period: datetime | None = None,
    ) -> Posting:
        """Add a posting; ``period`` is the document's date unless named."""
        ref = document["Ref_Key"]
        self._lines[ref] += 1
        found = Posting(
            document, self._lines[ref], period or datetime.fromisoformat(document["Date"]), dr, tuple(dr_dims), cr, tuple(cr_dims),
            amount, content, quantity,
        )  # fmt: skip
        self.postings.append(found)
        return found

    def stand(self, code: str, dims: tuple[str, ...], amount: int, quantity: int) -> None:
        """Stock at the period's start."""
        self.opening[code, dims] = amount
        self.opening_quantity[code, dims] = quantity

    def balances(self) -> dict[Key, int]:
        """Balance at the period's end by account and analytics, debit positive."""
        found: dict[Key, int] = defaultdict(int, self.opening)
        for p in self.postings:
            if p.active and PERIOD_START <= p.period <= PERIOD_END:
                found[p.dr, p.dr_dims] += p.amount
                found[p.cr, p.cr_dims] -= p.amount
        return found

    def turnovers(self) -> dict[str, tuple[int, int]]:
        """Debit and credit turnover of the period by account."""
        found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for p in self.postings:
            if p.active and PERIOD_START <= p.period <= PERIOD_END:
                found[p.dr][0] += p.amount
                found[p.cr][1] += p.amount
        return {code: (dr, cr) for code, (dr, cr) in found.items()}

    # How OData gives it ------------------------------------------------------------------------------------------

    def chart_of_accounts(self) -> Iterator[Record]:
        for a in ACCOUNTS:
            yield {
                "Ref_Key": self._account_refs[a.code],
                "DeletionMark": False,
                "Code": a.code,
                "Description": a.name,
                "Type": a.nature,
                "OffBalance": False,
                "ExtDimensionTypes": [
                    {"LineNumber": str(n), "ExtDimensionType_Key": self._kind_refs[kind], "TurnoversOnly": False}
                    for n, kind in enumerate(a.kinds, 1)
                ],
            }

    def kinds_of_analytics(self) -> Iterator[Record]:
        for n, kind in enumerate(KINDS, 1):
            yield {"Ref_Key": self._kind_refs[kind], "DeletionMark": False, "Code": f"{n:09d}", "Description": kind}

    def entries(self, organisation: str) -> Iterator[Record]:
        """Answer of RecordsWithExtDimensions."""
        for p in self.postings:
            record: Record = {
                "Recorder": p.document["Ref_Key"],
                "Recorder_Type": f"StandardODATA.{self.type_of[p.document['Ref_Key']]}",
                "Period": p.period.isoformat(),
                "LineNumber": str(p.line),
                "Active": p.active,
                "AccountDr_Key": self._account_refs[p.dr],
                "AccountCr_Key": self._account_refs[p.cr],
                "Организация_Key": organisation,
                "Сумма": roubles(p.amount),
                "Содержание": p.content,
            }
            if p.quantity:
                if SETTLEMENT not in BY_CODE[p.dr].kinds:
                    record["КоличествоDr"] = p.quantity
                if BY_CODE[p.cr].kinds[:1] == ("Номенклатура",):
                    record["КоличествоCr"] = p.quantity
            self._slots(record, "Dr", p.dr, p.dr_dims, with_kind=True)
            self._slots(record, "Cr", p.cr, p.cr_dims, with_kind=True)
            yield record

    def balance_answer(self, organisation: str) -> Iterator[Record]:
        """Answer of Balance at the period's start."""
        for (code, dims), amount in sorted(self.opening.items()):
            if amount:
                record: Record = {"Account_Key": self._account_refs[code], "Организация_Key": organisation}
                self._slots(record, "", code, dims, with_kind=False)
                record["СуммаBalance"] = roubles(amount)
                record["СуммаBalanceDr"] = roubles(max(amount, 0))
                record["СуммаBalanceCr"] = roubles(max(-amount, 0))
                if (code, dims) in self.opening_quantity:
                    record["КоличествоBalance"] = self.opening_quantity[code, dims]
                yield record

    def turnovers_answer(self, organisation: str, turnovers: dict[str, tuple[int, int]]) -> Iterator[Record]:
        """Answer of Turnovers by account."""
        for code, (dr, cr) in sorted(turnovers.items()):
            yield {
                "Account_Key": self._account_refs[code],
                "Организация_Key": organisation,
                "СуммаTurnover": roubles(dr - cr),
                "СуммаTurnoverDr": roubles(dr),
                "СуммаTurnoverCr": roubles(cr),
            }

    def _slots(self, record: Record, side: str, code: str, dims: tuple[str, ...], with_kind: bool) -> None:
        for n, (kind, value) in enumerate(zip(BY_CODE[code].kinds, dims, strict=True), 1):
            kind_type = TYPE_OF_KIND.get(kind) or self.type_of.get(value)
            record[f"ExtDimension{side}{n}"] = value or (ZERO if kind_type else "")
            record[f"ExtDimension{side}{n}_Type"] = f"StandardODATA.{kind_type or 'Undefined'}"
            if with_kind:
                record[f"ExtDimensionType{side}{n}_Key"] = self._kind_refs[kind]


def roubles(amount: int) -> float | int:
    """Kopecks → the number that stands in JSON."""
    return amount // 100 if amount % 100 == 0 else amount / 100
