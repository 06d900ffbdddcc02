"""One contract over every live server: the reference one and two public ones in their real shapes. Statuses stay apart, references are verified, every call is bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from mcp.server import MCPServer

from executors.live.connect import live_over
from executors.live.reference_base import ReferenceBase
from executors.live.reference_server import reference_server
from executors.live.system import MAX_RECORDS, LiveSystem
from executors.lookup import hex_of_guid
from tests.executors.fake_servers import Calls, mcp35, odata

SALE, PURCHASE = "Document_РеализацияТоваровУслуг", "Document_ПоступлениеТоваровУслуг"
JUNE = (date(2020, 6, 1), date(2020, 6, 30))
SERVERS: dict[str, Callable[[ReferenceBase, Calls], MCPServer]] = {
    "switchman": lambda base, _calls: reference_server(base),
    "mcp35": mcp35,
    "odata": odata,
}


@dataclass
class Wired:
    """A live system, its server's data, and what reached the server."""

    live: LiveSystem
    base: ReferenceBase
    calls: Calls = field(default_factory=list)


@pytest.fixture(params=SERVERS, ids=list(SERVERS))
def wired(request: pytest.FixtureRequest, base: ReferenceBase) -> Iterator[Wired]:
    calls: Calls = []
    live = live_over(request.param, lambda: SERVERS[request.param](base, calls))
    yield Wired(live, base, calls)
    live.close()


def sale_17(base: ReferenceBase) -> dict[str, Any]:
    (_, record), *_ = base.by_number([SALE], "0000-000017", None, None)
    return record


def test_a_document_by_reference(wired: Wired) -> None:
    record = sale_17(wired.base)
    answer = wired.live.document(SALE, record["Ref_Key"])
    assert answer.status == "found", answer.note
    own = answer.records[0]
    assert (own["ref"], own["number"], own["posted"], own["amount_kopecks"]) == (
        record["Ref_Key"],
        "0000-000017",
        True,
        19206236,
    )


def test_a_document_by_number_and_day(wired: Wired) -> None:
    answer = wired.live.by_number([SALE], "0000-000017", date(2020, 6, 11), date(2020, 6, 11))
    assert (answer.status, [r["ref"] for r in answer.records]) == ("found", [sale_17(wired.base)["Ref_Key"]])


def test_a_number_of_several_documents_is_ambiguous(wired: Wired) -> None:
    answer = wired.live.by_number([SALE, PURCHASE], "0000-000017", *JUNE)
    assert (answer.status, {r["entity"] for r in answer.records}) == ("ambiguous", {SALE, PURCHASE})


def test_a_number_that_is_not_there_is_not_found(wired: Wired) -> None:
    assert wired.live.by_number([SALE], "0000-999999", date(2020, 6, 11), date(2020, 6, 11)).status == "not_found"


def test_a_document_by_a_link_of_1c(wired: Wired) -> None:
    record = sale_17(wired.base)
    answer = wired.live.by_link(f"e1cib/data/Документ.РеализацияТоваровУслуг?ref={hex_of_guid(record['Ref_Key'])}")
    assert (answer.status, answer.records[0]["ref"]) == ("found", record["Ref_Key"])


def test_a_reference_that_is_not_there_is_not_found(wired: Wired) -> None:
    assert wired.live.document(SALE, "11111111-2222-3333-4444-555555555555").status == "not_found"


def test_a_kind_that_is_not_published_is_not_the_same_as_not_found(wired: Wired) -> None:
    assert wired.live.document("Document_ПутевойЛист", "11111111-2222-3333-4444-555555555555").status == "not_published"


def test_postings_of_a_document(wired: Wired) -> None:
    record = sale_17(wired.base)
    answer = wired.live.postings(SALE, record["Ref_Key"])
    expected = [
        (r["line"], r["debit"], r["credit"], r["amount"])
        for r in map(wired.base.described_row, wired.base.rows(record["Ref_Key"]))
    ]
    assert answer.status == "found", answer.note
    assert [
        (r["line"], r["debit"], r["credit"], f"{r['amount_kopecks'] / 100:.2f}") for r in answer.records
    ] == expected


def test_postings_of_a_document_that_is_not_there(wired: Wired) -> None:
    assert wired.live.postings(SALE, "11111111-2222-3333-4444-555555555555").status == "not_found"


def test_documents_of_days_are_bounded_and_say_that_they_were_cut(wired: Wired) -> None:
    answer = wired.live.documents(SALE, *JUNE, 10)
    assert (answer.status, len(answer.records), answer.truncated) == ("found", 10, True)


def test_what_was_reposted_there_is_what_it_says(wired: Wired) -> None:
    wired.base.repost(SALE, "0000-000017", amount=5_000_000)
    guid = sale_17(wired.base)["Ref_Key"]
    assert wired.live.document(SALE, guid).records[0]["amount_kopecks"] == 5_000_000
    assert wired.live.postings(SALE, guid).records[0]["amount_kopecks"] < 5_000_000


def test_what_a_server_cannot_do_is_unsupported_and_never_empty(wired: Wired) -> None:
    guid = sale_17(wired.base)["Ref_Key"]
    answers = [
        wired.live.register_records(SALE, guid),
        wired.live.by_guid(guid),
        wired.live.by_number([], "0000-000123", None, None),
    ]
    assert {a.status for a in answers} <= {"found", "unsupported"}
    assert all(a.note for a in answers if a.status == "unsupported")


def test_no_call_asks_for_more_than_the_bound(wired: Wired) -> None:
    wired.live.documents(SALE, *JUNE, 10**9)
    wired.live.by_number([SALE], "0000-999999", *JUNE)
    asked = [a.get("top") or a.get("limit") for _, a in wired.calls if "top" in a or "limit" in a]
    assert all(n is not None and n <= MAX_RECORDS for n in asked)
