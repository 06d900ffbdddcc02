"""The live half: documents of days the store has not, and a second look at what the store cannot explain. Every call is counted against a cap."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any, Final

from executors.coverage import shown_days
from executors.document_kinds import type_name
from executors.hybrid.focus import Focus
from executors.live.plain_text import plain
from executors.live.system import LiveAnswer, LiveSystem
from executors.live_sentences import told
from executors.lookup import Lookup
from executors.money import money

MOST_CALLS: Final = 12
"""Calls of one fragment to the live system."""
MOST_DOCUMENTS: Final = 100
"""Documents asked for in one call about days the store has not."""
_SEEN_LIVE: Final = {
    "no_postings": "",
    "postings_of_unposted": "posted",
    "no_counterparty": "counterparty",
    "no_contract": "contract",
}
"""Gaps that the document itself can have closed since, and the field of the live document that says so."""
_DEFAULT_TYPES: Final = (
    "РеализацияТоваровУслуг",
    "ПоступлениеТоваровУслуг",
    "СписаниеСРасчетногоСчета",
    "ПоступлениеНаРасчетныйСчет",
)
Row = dict[str, Any]


class LiveHalf:
    """Asks the live system for one fragment. ``notes`` are sentences about what it could not have, ``calls`` how often it asked."""

    def __init__(self, live: LiveSystem, lookup: Lookup) -> None:
        self._live, self._lookup = live, lookup
        self.calls = 0
        self.notes: list[str] = []
        self.failed = False

    def explain(self, gap: Row) -> None:
        """Look at a document with a gap, by one call: what the live system says of it is put beside."""
        if gap["gap"] not in _SEEN_LIVE or self._spent() or self.failed:
            return
        say = self._lookup.say
        if gap["gap"] == "no_postings":
            rows = self._asked(self._live.postings(gap["entity"], gap["source_id"]), str(gap["text"]))
            if rows is None:
                return
            active = [r for r in rows.records if r["active"]]
            known = rows.status in ("found", "not_found")
            gap["live"] = {"postings": len(active), **money("turnover", sum(r["amount_kopecks"] or 0 for r in active))} if known else rows.status  # fmt: skip
            closed, seen = bool(active), say(f"проводок {len(active)}", f"{len(active)} postings")
        else:
            answer = self._asked(self._live.document(gap["entity"], gap["source_id"]), str(gap["text"]))
            if answer is None:
                return
            if answer.status != "found":
                gap["live"] = answer.status
                return
            record = answer.records[0]
            gap["live"] = {
                "posted": record.get("posted"),
                **money("amount", record.get("amount_kopecks")),
                "counterparty": record.get("counterparty_name"),
                "contract": record.get("contract_name"),
            }
            closed = bool(record.get(_SEEN_LIVE[gap["gap"]]))
            seen = plain(
                record.get("counterparty_name") or record.get("contract_name") or say("проведён", "posted"), 60
            )
        if closed:
            gap["closed_in_live"] = True
            gap["text"] += say(f"; в живой базе разрыва уже нет ({seen})", f"; closed in the live system ({seen})")

    def compare(self, sample: Row, entity: str) -> Row | None:
        """A pinned document as the live system has it, where that differs from the store."""
        if self._spent() or self.failed:
            return None
        answer = self._asked(self._live.document(entity, sample["source_id"]), str(sample["document"]))
        if answer is None or answer.status != "found":
            return {"status": answer.status} if answer else None
        rows = (
            None
            if self._spent()
            else self._asked(self._live.postings(entity, sample["source_id"]), str(sample["document"]))
        )
        record = answer.records[0]
        active = [r for r in rows.records if r["active"]] if rows is not None and rows.status == "found" else None
        differs = record.get("amount_kopecks") not in (None, sample["amount_kopecks"]) or (
            active is not None and len(active) != sample["postings"]
        )
        return {
            "status": "found",
            "posted": record.get("posted"),
            **money("amount", record.get("amount_kopecks")),
            "postings": len(active) if active is not None else None,
            **money("turnover", sum(r["amount_kopecks"] or 0 for r in active) if active is not None else None),
            "differs_from_store": differs,
        }

    def documents(self, focus: Focus, days: tuple[date, date]) -> list[Row]:
        """Chains of days the store has not, from the live system alone: by counterparty, at most so many documents a kind."""
        gathered: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for kind in self._lookup.document_types or focus.types or _DEFAULT_TYPES:
            if self._spent() or self.failed:
                break
            entity = f"Document_{kind}"
            answer = self._asked(self._live.documents(entity, *days, MOST_DOCUMENTS), f"{type_name(kind, self._lookup.language)} {shown_days(*days, self._lookup.language)}")  # fmt: skip
            if answer is None or answer.status not in ("found", "not_found"):
                continue
            if answer.truncated:
                self.notes.append(
                    self._lookup.say(
                        f"Из живой базы взяты первые {len(answer.records)} документов вида «{type_name(kind, 'ru')}»: таков предел. Сузьте период.",
                        f"The first {len(answer.records)} documents of the kind {type_name(kind, 'en')} were taken from the live system, its bound. Narrow the period.",
                    )
                )
            wanted = {p.ref for p in self._lookup.partners}
            for record in answer.records:
                if not wanted or record.get("counterparty") in wanted:
                    gathered[str(record.get("counterparty") or ""), str(record.get("counterparty_name") or "")].append(
                        record
                    )
        return [self._chain(partner, name, records) for (partner, name), records in sorted(gathered.items())]

    def _chain(self, partner: str, name: str, records: list[Row]) -> Row:
        language = self._lookup.language
        samples = [
            {
                "source_id": r["ref"],
                "document": f"{type_name(str(r['entity']).removeprefix('Document_'), language)} {plain(r['number'], 40)}",
                "period": r["date"],
                **money("amount", r.get("amount_kopecks")),
                "postings": None,
                "contract": r.get("contract_name"),
            }
            for r in records[:3]
        ]
        return {
            "counterparty_id": partner or None,
            "counterparty": plain(name, 120) or self._lookup.say("без контрагента", "no counterparty"),
            "source": "live",
            "operations_count": None,
            "document_refs_count": len(records),
            "relation_types": ["document→counterparty"] if partner else [],
            **money("amount", sum(r.get("amount_kopecks") or 0 for r in records)),
            "samples": samples,
        }

    def _spent(self) -> bool:
        return self.calls >= MOST_CALLS

    def _asked(self, answer: LiveAnswer, said: str) -> LiveAnswer | None:
        """Count the call; a server that fails is not asked again for this fragment."""
        self.calls += 1
        if answer.status == "error":
            self.failed = True
            self.notes.append(told(self._lookup, answer, self._live.name, said)[1])
            return None
        return answer
