"""The reference live system's own data: records of an OData export, and on top of them what was re-posted here and only here.

Changes are lines of a JSON file beside the stores (``live/changes.jsonl``); the last one of a document holds. A running server sees a new line at its next call.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from executors.money import roubles
from stores.odata_file import UnreadableFile, read_export
from stores.odata_values import composite, flag, integer, kopecks, moment, ref, short_type, text

LEDGER: Final = "AccountingRegister_Хозрасчетный"
_LEDGER_FILE: Final = "RecordsWithExtDimensions"
_CATALOG: Final = ("Catalog_", "ChartOfAccounts_", "ChartOfCharacteristicTypes_")
Record = dict[str, Any]


class NoSuchDocument(Exception):
    """A document that is to be re-posted is not there, or its number names several."""


class ReferenceBase:
    """Read when first asked. Threads may share it."""

    def __init__(self, folder: Path, changes: Path) -> None:
        self.folder, self.changes = folder, changes
        self._lock = threading.Lock()
        self._loaded = False
        self._seen = (-1, -1)
        self.documents: dict[str, dict[str, Record]] = defaultdict(dict)
        self.ledger: dict[str, list[Record]] = defaultdict(list)
        self.registers: dict[str, list[Record]] = defaultdict(list)
        self._names: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        self._changed: dict[str, Record] = {}
        self._entities: dict[str, str] = {}
        self._by_tail: dict[str, list[str]] = defaultdict(list)
        self._based_on: dict[str, list[str]] = defaultdict(list)
        self._settled_by: dict[str, set[str]] = defaultdict(set)

    def load(self) -> None:
        """Read the exports once, and the changes whenever their file has another size or time."""
        with self._lock:
            if not self._loaded:
                for path in sorted(p for p in self.folder.rglob("*.json") if p.name != "snapshot.json"):
                    self._take(path)
                self._index()
                self._loaded = True
            try:
                stat = self.changes.stat()
                seen = (stat.st_mtime_ns, stat.st_size)
            except FileNotFoundError:
                seen = (0, 0)
            if seen != self._seen:
                lines = self.changes.read_bytes().splitlines() if seen != (0, 0) else []
                self._changed = {c["ref"]: c for c in map(orjson.loads, lines)}
                self._seen = seen

    def document(self, entity: str, guid: str) -> Record | None:
        """The record as it stands here."""
        self.load()
        own = self.documents.get(entity, {}).get(guid)
        return None if own is None else {**own, **self._changed.get(guid, {}).get("document", {})}

    def entity_of(self, guid: str) -> str | None:
        """Kind of the document with this reference."""
        self.load()
        return self._entities.get(guid)

    def rows(self, guid: str) -> list[Record]:
        """Rows of a document in the ledger."""
        self.load()
        changed = self._changed.get(guid)
        return list(changed["postings"]) if changed else self.ledger.get(guid, [])

    def name(self, guid: str | None) -> str | None:
        """Name of a catalogue's entry, presentation of a document."""
        if not guid:
            return None
        found = self._names.get(guid)
        if found is None and (entity := self.entity_of(guid)):
            return self.presentation(entity, self.documents[entity][guid])
        return found

    def code(self, guid: str | None) -> str | None:
        """Code of an account."""
        return self._codes.get(guid or "", guid)

    def described(self, entity: str, record: Record) -> Record:
        """A document in the words of the reference server."""
        counterparty = ref(record.get("Контрагент_Key") or record.get("Контрагент")) or None
        contract = ref(record.get("ДоговорКонтрагента_Key")) or None
        return {
            "entity": entity,
            "ref": record["Ref_Key"],
            "number": text(record.get("Number")),
            "date": record["Date"],
            "posted": flag(record.get("Posted")),
            "deleted": flag(record.get("DeletionMark")),
            "amount": roubles(kopecks(record.get("СуммаДокумента"))),
            "counterparty": counterparty,
            "counterparty_name": self.name(counterparty),
            "contract": contract,
            "contract_name": self.name(contract),
            "base": ref(record.get("ДокументОснование")) or None,
            "presentation": self.presentation(entity, record),
            "reposted_at": self._changed.get(record["Ref_Key"], {}).get("at"),
            "fields": {k: v for k, v in record.items() if not k.endswith("navigationLinkUrl")},
        }

    def presentation(self, entity: str, record: Record) -> str:
        """«РеализацияТоваровУслуг 0000-000017 от 11.06.2020»."""
        when = moment(record.get("Date"))
        return f"{entity.removeprefix('Document_')} {text(record.get('Number'))} от {when:%d.%m.%Y}" if when else entity

    def described_row(self, row: Record) -> Record:
        """A row of the ledger in the words of the reference server."""
        return {
            "recorder": row["Recorder"],
            "recorder_entity": f"Document_{short_type(row['Recorder_Type']).removeprefix('Document_')}",
            "line": integer(row["LineNumber"]),
            "period": row["Period"],
            "active": flag(row["Active"]),
            "debit": self.code(ref(row["AccountDr_Key"])),
            "credit": self.code(ref(row["AccountCr_Key"])),
            "amount": roubles(kopecks(row["Сумма"])),
            "content": text(row.get("Содержание")),
            "debit_analytics": self._analytics(row, "Dr"),
            "credit_analytics": self._analytics(row, "Cr"),
        }

    def related(self, entity: str, guid: str) -> list[Record]:
        """Documents it names, documents that name it as their base, and those its rows settle."""
        record = self.document(entity, guid)
        if record is None:
            return []
        found: dict[str, str] = {}
        base = ref(record.get("ДокументОснование"))
        if base:
            found[base] = "base"
        found.update(dict.fromkeys(self._based_on.get(guid, ()), "based_on_it"))
        for row in self.rows(guid):
            for settled in (v["ref"] for side in ("Dr", "Cr") for v in self._analytics(row, side)):
                if settled and settled != guid and self.entity_of(settled):
                    found.setdefault(settled, "settles")
        for recorder in sorted(self._settled_by.get(guid, ())):
            found.setdefault(recorder, "settled_by")
        result = []
        for other_guid, relation in found.items():
            other_entity = self.entity_of(other_guid)
            named = self.document(other_entity, other_guid) if other_entity else None
            if other_entity and named:
                found_one = self.described(other_entity, named)
                found_one.pop("fields")
                result.append({**found_one, "relation": relation})
        return sorted(result, key=lambda r: (r["date"], r["ref"]))

    def register_rows(self, guid: str) -> list[Record]:
        """Rows of a document in accumulation registers."""
        self.load()
        record = next((d for e in self.documents.values() if (d := e.get(guid))), {})
        unposted = guid in self._changed and not flag(
            self._changed[guid]["document"].get("Posted", record.get("Posted"))
        )
        if unposted:
            return []
        return [
            {
                "register": r["register"],
                "recorder": guid,
                "line": integer(r["LineNumber"]),
                "period": r["Period"],
                "active": flag(r.get("Active", True)),
                "record_type": text(r.get("RecordType")),
                "document": composite(r.get("СчетФактура"), r.get("СчетФактура_Type")),
                "document_presentation": self.name(ref(r.get("СчетФактура"))),
                "counterparty_name": self.name(ref(r.get("Покупатель_Key") or r.get("Поставщик_Key"))),
                "rate": text(r.get("СтавкаНДС")),
                "amount": roubles(kopecks(r.get("СуммаБезНДС"))),
                "vat": roubles(kopecks(r.get("НДС"))),
            }
            for r in self.registers.get(guid, [])
        ]

    def by_number(
        self, entities: list[str], number: str, first: date | None, last: date | None
    ) -> list[tuple[str, Record]]:
        """Documents with a number, also by its tail («17» for «0000-000017»), of any kind for none named."""
        self.load()
        found = []
        for guid in self._by_tail.get(_tail(number), ()):
            entity = self._entities[guid]
            record = self.document(entity, guid) if not entities or entity in entities else None
            if record is not None and _same_number(text(record.get("Number")), number) and _within(record, first, last):
                found.append((entity, record))
        return sorted(found, key=lambda f: (f[1]["Date"], f[0]))

    def within(self, entity: str, first: date, last: date) -> list[Record]:
        """Documents of a kind dated in these days, oldest first."""
        self.load()
        own = [
            d
            for guid in self.documents.get(entity, {})
            if (d := self.document(entity, guid)) and _within(d, first, last)
        ]
        return sorted(own, key=lambda d: (d["Date"], d["Ref_Key"]))

    def _analytics(self, row: Record, side: str) -> list[Record]:
        found = []
        for slot in (1, 2, 3):
            value = composite(row.get(f"ExtDimension{side}{slot}"), row.get(f"ExtDimension{side}{slot}_Type"))
            kind = self._names.get(row.get(f"ExtDimensionType{side}{slot}_Key") or "", "")
            if kind or value:
                found.append({"kind": kind or f"Субконто{slot}", "ref": value, "name": self.name(value)})
        return found

    def _take(self, path: Path) -> None:
        try:
            export = read_export(path.read_bytes(), path.name)
        except UnreadableFile as error:
            raise UnreadableFile(f"{path}: {error}") from error
        for record in export.records:
            if export.entity.startswith("Document_"):
                self.documents[export.entity][record["Ref_Key"]] = record
            elif export.entity.startswith(_CATALOG):
                self._names[record["Ref_Key"]] = text(record.get("Description"))
                if export.entity.startswith("ChartOfAccounts_"):
                    self._codes[record["Ref_Key"]] = text(record.get("Code"))
            elif _LEDGER_FILE in export.entity:
                self.ledger[record["Recorder"]].append(record)
            elif export.entity.startswith("AccumulationRegister_"):
                register = export.entity.removeprefix("AccumulationRegister_")
                for row in record.get("RecordSet", [record]):
                    self.registers[row["Recorder"]].append({"register": register, **row})

    def _index(self) -> None:
        for entity, own in self.documents.items():
            for guid, record in own.items():
                self._entities[guid] = entity
                self._by_tail[_tail(text(record.get("Number")))].append(guid)
                base = ref(record.get("ДокументОснование"))
                if base:
                    self._based_on[base].append(guid)
        for recorder, rows in self.ledger.items():
            for row in rows:
                for side in ("Dr", "Cr"):
                    for slot in (1, 2, 3):
                        settled = row.get(f"ExtDimension{side}{slot}")
                        if settled in self._entities and settled != recorder:
                            self._settled_by[settled].add(recorder)

    # What a person does in the live system ------------------------------------------------------------------------

    def repost(
        self, entity: str, number: str, *, amount: int | None = None, unpost: bool = False, day: date | None = None
    ) -> Record:
        """Post a document again here, with another sum in kopecks or none, or take its posting back. Gives the change.

        Rows are its own, or, where it has none, those of the last document of its kind, scaled to its sum and put on its counterparty. Raises `NoSuchDocument`.
        """
        found = self.by_number([entity], number, day, day)
        if len(found) != 1:
            which = ", ".join(self.presentation(e, d) for e, d in found[:5]) or "none"
            raise NoSuchDocument(
                f"{entity} {number}: {len(found)} documents ({which}); name the kind, the number and, of several, the date"
            )
        _, record = found[0]
        guid = record["Ref_Key"]
        old = kopecks(record.get("СуммаДокумента"))
        new = old if amount is None else amount
        rows = self.rows(guid) or self.ledger.get(guid, [])
        base = old
        if not rows:
            pattern = next(
                (d for d in reversed(self.within(entity, date.min, date.max)) if self.ledger.get(d["Ref_Key"])), None
            )
            if pattern is not None:
                rows, base = (
                    self._as_own(self.ledger[pattern["Ref_Key"]], pattern, record),
                    kopecks(pattern.get("СуммаДокумента")),
                )
        scaled = (
            [] if unpost else [{**r, "Сумма": float(roubles(_share(kopecks(r["Сумма"]), new, base)))} for r in rows]
        )
        change = {
            "entity": entity,
            "ref": guid,
            "at": datetime.now().astimezone().isoformat(timespec="seconds"),
            "document": {"Posted": not unpost, "СуммаДокумента": float(roubles(new))},
            "postings": scaled,
        }
        self.changes.parent.mkdir(parents=True, exist_ok=True)
        with self.changes.open("ab") as stream:
            stream.write(orjson.dumps(change) + b"\n")
        return change

    def _as_own(self, rows: list[Record], pattern: Record, record: Record) -> list[Record]:
        """Rows of another document put on this one: its reference, moment, counterparty and contract."""
        swap = {
            pattern[k]: record[k]
            for k in ("Ref_Key", "Контрагент_Key", "ДоговорКонтрагента_Key", "Date")
            if pattern.get(k) and record.get(k)
        }
        return [{k: swap.get(v, v) if isinstance(v, str) else v for k, v in row.items()} for row in rows]


def _share(part: int, new: int, whole: int) -> int:
    return part if not whole else (2 * part * new + whole) // (2 * whole)


def _tail(number: str) -> str:
    return number.rpartition("-")[2].lstrip("0")


def _same_number(own: str, asked: str) -> bool:
    return own == asked or (asked.isdigit() and _tail(own) == _tail(asked))


def _within(record: Record, first: date | None, last: date | None) -> bool:
    day = record["Date"][:10]
    return (first is None or day >= first.isoformat()) and (last is None or day <= last.isoformat())
