"""Writes a demo snapshot: a folder of OData answers, and beside it the ledger of planted signs.

    python -m stores.demo.generate data/snapshot --ledger data/snapshot-ledger.json [--seed 2020] [--scale 1] [--clean]

The same seed gives the same bytes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from stores.demo.books import REGISTER, Books, Record
from stores.demo.company import found_company
from stores.demo.month import Month
from stores.demo.plants import Planter, clean_may

SEED = 2020
PAGE = 10_000
"""Records a file holds, as an export by pages gives them."""

URL = "http://localhost/buh/odata/standard.odata/$metadata#"
ABOUT = {
    "snapshot_id": "2020-06@1",
    "period": {"start": "2020-06-01", "end": "2020-06-30"},
    "timezone": "Europe/Moscow",
    "as_of": "2020-07-01T06:00:00+03:00",
    "max_age_hours": 24,
}


@dataclass(frozen=True, slots=True)
class Written:
    """What a generator run wrote."""

    documents: int
    postings: int
    files: int
    ledger: list[dict[str, Any]]


def generate(folder: Path, seed: int = SEED, scale: int = 1, lines: int = 2, planted: bool = True) -> Written:
    """Write a snapshot to ``folder``, which is made. ``scale`` multiplies documents, ``lines`` is the most goods lines of one."""
    rng = random.Random(seed)  # noqa: S311  # a seeded demo, no secret
    company = found_company(rng, scale)
    month = Month(company, lines)
    month.run()
    planter = Planter(month)
    if planted:
        planter.plant()
    month.close(planter.unclosed)
    may = planter.may_turnovers(rng) if planted else clean_may(month, rng)
    books = company.books
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    files = 0
    for entity, records in _answers(books, company.organisation, may):
        files += _write(folder, entity, records)
    (folder / "snapshot.json").write_bytes(orjson.dumps(ABOUT, option=orjson.OPT_INDENT_2) + b"\n")
    documents = sum(len(r) for e, r in books.records.items() if e.startswith("Document_"))
    return Written(documents, len(books.postings), files, planter.ledger.entries)


def _answers(
    books: Books, organisation: str, may: dict[str, tuple[int, int]]
) -> Iterable[tuple[str, Iterable[Record]]]:
    yield "ChartOfAccounts_Хозрасчетный", books.chart_of_accounts()
    yield "ChartOfCharacteristicTypes_ВидыСубконтоХозрасчетные", books.kinds_of_analytics()
    yield from sorted({**books.records, **books.registers}.items())
    yield f"{REGISTER}/RecordsWithExtDimensions", books.entries(organisation)
    yield f"{REGISTER}/Balance 2020-06-01", books.balance_answer(organisation)
    yield f"{REGISTER}/Turnovers 2020-05-01 2020-05-31", books.turnovers_answer(organisation, may)


def _write(folder: Path, entity: str, records: Iterable[Record]) -> int:
    """Files of an answer, ``PAGE`` records each, a record a line so that versions can be compared."""
    stream, pages = iter(records), 0
    name, _, dates = entity.partition(" ")
    stem = name.replace("/", "__") + (f"_{dates.replace(' ', '_')}" if dates else "")
    while page := list(islice(stream, PAGE)):
        pages += 1
        lines = b",\n".join(orjson.dumps(r) for r in page)
        head = b'{"odata.metadata":' + orjson.dumps(URL + name) + b',"value":[\n'
        path = folder / (f"{stem}.json" if pages == 1 else f"{stem}__{pages}.json")
        path.write_bytes(head + lines + b"\n]}\n")
    return pages


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Writes the demo snapshot.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ledger", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--lines", type=int, default=2)
    parser.add_argument("--clean", action="store_true", help="plant no risk signs")
    given = parser.parse_args()
    written = generate(given.folder, given.seed, given.scale, given.lines, planted=not given.clean)
    if given.ledger:
        lines = b",\n".join(orjson.dumps(e) for e in written.ledger)
        given.ledger.write_bytes(b"[\n" + lines + b"\n]\n")
    print(
        f"{written.documents} documents, {written.postings} postings, {written.files} files, {len(written.ledger)} ledger entries"
    )


if __name__ == "__main__":
    main()
