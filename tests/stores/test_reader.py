"""The demo answers what the 35 benchmark questions name."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from stores.errors import StoresError
from stores.reader import Row, StoreReader

SALE, PURCHASE = "РеализацияТоваровУслуг", "ПоступлениеТоваровУслуг"


def partner(demo: StoreReader, name: str) -> str:
    (found,) = demo.rows("counterparty", {"name__starts": name + " "})
    ref: str = found["ref"]
    return ref


def one(demo: StoreReader, kind: str, number: str) -> Row:
    (found,) = demo.rows("document", {"type": kind, "number": number})
    return found


def test_q01_sales_of_june_15th(demo: StoreReader) -> None:
    found = demo.rows(
        "document",
        {
            "type": SALE,
            "posted": True,
            "date__from": datetime(2020, 6, 15),
            "date__to": datetime(2020, 6, 15, 23, 59, 59),
        },
    )
    assert found and {d["date"].date() for d in found} == {date(2020, 6, 15)}


def test_q03_contracts_of_alpha(demo: StoreReader) -> None:
    found = demo.rows("contract", {"owner": partner(demo, "Альфа")}, order="number")
    assert [c["number"] for c in found] == ["П-1", "П-1/2", "П-1/3"]


def test_q04_q05_q20_vector(demo: StoreReader) -> None:
    vector = partner(demo, "Вектор")
    on_10th = demo.rows(
        "document",
        {
            "type": PURCHASE,
            "counterparty": vector,
            "date__from": datetime(2020, 6, 10),
            "date__to": datetime(2020, 6, 10, 23, 59, 59),
        },
    )
    orders = demo.rows("document", {"type": "ПлатежноеПоручение", "counterparty": vector})
    twins = [s for s in demo.signs(code="DUP_DOC", level="counterparty", subject=vector) if PURCHASE in s["text"]]
    assert (len(on_10th) >= 3, len(orders) >= 3, len(twins)) == (True, True, 2)


def test_q06_q07_sale_17_of_june_11th_with_its_register_row(demo: StoreReader) -> None:
    sale = one(demo, SALE, "0000-000017")
    assert sale["date"].date() == date(2020, 6, 11)
    postings = demo.postings_of(sale["ref"])
    assert {(p["dr_account"], p["cr_account"]) for p in postings} >= {
        ("62.01", "90.01.1"),
        ("90.03", "68.02"),
        ("90.02.1", "41.01"),
    }
    rows = demo.rows("register_record", {"register": "НДСПродажи", "recorder": sale["ref"], "line": 1})
    assert [r["document"] for r in rows] == [sale["ref"]]


def test_q08_q09_purchase_42_and_its_second_posting(demo: StoreReader) -> None:
    bought = one(demo, PURCHASE, "0000-000042")
    second = demo.postings_of(bought["ref"])[1]
    assert (second["line"], second["cr_account"], second["cr_counterparty"]) == (2, "60.01", bought["counterparty"])
    assert demo.by_ref("posting", second["id"]) == second


def test_q10_document_123_is_one(demo: StoreReader) -> None:
    (found,) = demo.rows("document", {"number": "0000-000123"})
    assert demo.by_ref("document", found["ref"]) == found


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("Где есть отрицательные остатки по счёту 10?", {"code": "NEG_ACTIVE", "level": "account", "subject": "10.01"}),
        ("Документы без договора за июнь", {"code": "NO_CONTRACT"}),
        ("Проводки с подозрительно круглыми суммами", {"code": "ROUND_SUM"}),
        ("Какие авансы покупателей не зачтены по счёту 62.02?", {"code": "ADVANCE_NOT_OFFSET"}),
        ("Отклонения входящего НДС по счёту 19", {"topic": "vat", "level": "account", "subject": "19.03"}),
        ("Ручные операции с признаками ошибки на счёте 26", {"topic": "manual", "level": "account", "subject": "26"}),
        ("Что не так с НДС?", {"topic": "vat"}),
        ("Посмотри подозрительное по авансам", {"topic": "advance"}),
    ],
)
def test_the_signs_a_question_asks_for_are_there(demo: StoreReader, question: str, where: dict[str, str]) -> None:
    found = demo.signs(**where)  # type: ignore[arg-type]
    assert found and all(s["text"] and s["evidence"] for s in found), question


def test_q23_alpha_is_overdue(demo: StoreReader) -> None:
    alpha = partner(demo, "Альфа")
    assert [s["code"] for s in demo.signs(code="OVERDUE", level="counterparty", subject=alpha)] == ["OVERDUE"]
    assert demo.score("counterparty", alpha) == 35
    features = demo.feature("counterparty", alpha)
    assert features and features["debt_0_30"] == features["receivable"] > 0


def test_q29_the_ready_summary_and_no_other(demo: StoreReader) -> None:
    ready = demo.aggregate("summary", "posting", "anomaly")
    assert ready and [r["score"] for r in ready] == sorted((r["score"] for r in ready), reverse=True)
    assert {r["member"]: r["signs"] for r in ready}["ROUND_SUM"] == 1
    assert demo.aggregate("ranking", "account", "anomaly") is None


def test_unknown_names_are_refused(demo: StoreReader) -> None:
    for table, where in (
        ("document", {"пароль": 1}),
        ("document; drop", {}),
        ("nowhere", {}),
        ("document", {"date__like": 1}),
    ):
        with pytest.raises(StoresError):
            demo.rows(table, where)
    with pytest.raises(StoresError, match="has no x"):
        demo.rows("document", {}, order="x")
