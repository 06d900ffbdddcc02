"""For every benchmark question the executor's figures equal what the raw JSON gives, counted here without stores or executors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.dispatch import execute_route
from router.parsed_intent import read_parsed_intent
from router.question_router import QuestionRouter
from tests.executors.conftest import DEMO
from tests.executors.raw_books import ZERO, RawBooks, Row, cents

SALE, PURCHASE = "РеализацияТоваровУслуг", "ПоступлениеТоваровУслуг"
INVOICES = ("СчетФактураВыданный", "СчетФактураПолученный")
CUSTOMER_SIDE = (SALE, "ПоступлениеНаРасчетныйСчет", "СчетФактураВыданный", "СчетНаОплатуПокупателю")
MAKING_ROWS = (
    SALE,
    PURCHASE,
    "ОперацияБух",
    "РегламентнаяОперация",
    "ПоступлениеНаРасчетныйСчет",
    "СписаниеСРасчетногоСчета",
    "НачислениеЗарплаты",
    "ТребованиеНакладная",
)
WEIGHTS = {
    "NEG_ACTIVE": 40, "NEG_PASSIVE": 35, "ADVANCE_NOT_OFFSET": 25, "UNPOSTED_WITH_MOVES": 45, "POSTED_NO_MOVES": 40, "DELETED_WITH_MOVES": 50, "NO_COUNTERPARTY": 30, "NO_CONTRACT": 20,
    "OUT_OF_PERIOD": 30, "INCOMING_DATE": 15, "BACKDATED": 25, "DUP_DOC": 40, "DUP_COUNTERPARTY": 20, "VAT_AMOUNT": 30, "VAT_NO_INVOICE": 30, "VAT_19_CREDIT": 35, "VAT_90_03": 40,
    "MANUAL_OP": 15, "STORNO": 25, "AMOUNT_OUTLIER": 20, "ROUND_SUM": 10, "OVERDUE": 35, "UNCLOSED_MONTH": 45, "BROKEN_LINK": 25, "ADVANCE_VAT": 35, "TURNOVER_JUMP": 20,
}  # fmt: skip
VAT_SIGNS = {"VAT_AMOUNT", "VAT_NO_INVOICE", "VAT_19_CREDIT", "VAT_90_03", "BROKEN_LINK", "ADVANCE_VAT"}


@pytest.fixture(scope="module")
def raw() -> RawBooks:
    return RawBooks(DEMO)


Check = Callable[[UnifiedResult, RawBooks], None]
CHECKS: dict[str, Check] = {}


def check(*ids: str) -> Callable[[Check], Check]:
    def keep(function: Check) -> Check:
        for question_id in ids:
            CHECKS[question_id] = function
        return function

    return keep


def test_every_benchmark_question_has_its_figures_checked(benchmark_questions: list[dict[str, Any]]) -> None:
    assert sorted(CHECKS) == [q["question_id"] for q in benchmark_questions]


@pytest.mark.parametrize("number", range(1, 36))
def test_figures_equal_the_raw_books(
    number: int,
    benchmark_questions: list[dict[str, Any]],
    router: QuestionRouter,
    context: ExecutorContext,
    raw: RawBooks,
) -> None:
    question = benchmark_questions[number - 1]
    intent = read_parsed_intent(question["parsed_intent"])
    own = replace(
        context,
        analyser=router.classifier.analyser,
        analysis=router.classifier.analyse(question["text"], intent),
        objects=intent.objects,
    )
    result = execute_route(question["expected_route"], question["text"], context=own)
    assert result.status in ("ok", "partial"), result.errors
    CHECKS[question["question_id"]](result, raw)


def by_source(result: UnifiedResult) -> dict[str, int]:
    return {i["source_id"]: i["amount_kopecks"] for i in result.items}


def sums(documents: list[Row]) -> dict[str, int]:
    return {d["Ref_Key"]: cents(d["СуммаДокумента"]) for d in documents}


@check("Q01")
def sales_of_june_15th(result: UnifiedResult, raw: RawBooks) -> None:
    expected = sums([d for d in raw.of(SALE) if d["Date"][:10] == "2020-06-15" and d["Posted"]])
    assert by_source(result) == expected
    assert (result.summary["returned_records"], result.summary["total_amount_kopecks"]) == (
        len(expected),
        sum(expected.values()),
    )


@check("Q02")
def balance_of_51(result: UnifiedResult, raw: RawBooks) -> None:
    assert [i["amount_kopecks"] for i in result.items] == [raw.closing["51"]]


@check("Q03")
def contracts_of_alpha(result: UnifiedResult, raw: RawBooks) -> None:
    alpha = raw.partner("Альфа ООО")
    expected = {c["Ref_Key"]: c["Номер"] for c in raw.read("Catalog_ДоговорыКонтрагентов") if c["Owner_Key"] == alpha}
    assert {i["source_id"]: i["number"] for i in result.items} == expected


@check("Q04")
def purchases_of_vector_on_june_10th(result: UnifiedResult, raw: RawBooks) -> None:
    vector = raw.partner("Вектор ООО")
    assert by_source(result) == sums(
        [d for d in raw.of(PURCHASE) if d["Date"][:10] == "2020-06-10" and d["Контрагент_Key"] == vector]
    )


@check("Q05")
def payment_orders_to_vector(result: UnifiedResult, raw: RawBooks) -> None:
    vector = raw.partner("Вектор ООО")
    assert by_source(result) == sums([d for d in raw.of("ПлатежноеПоручение") if d["Контрагент_Key"] == vector])


def one(raw: RawBooks, kind: str, number: str) -> Row:
    return next(d for d in raw.documents.values() if d["type"] == kind and d["Number"] == number)


def drilled(result: UnifiedResult, raw: RawBooks, document: Row) -> dict[str, Any]:
    """The one object: reference, sum, and every posting with its accounts, sum and субконто by kind."""
    (item,) = result.items
    assert result.summary["query_guids"] == [document["Ref_Key"]]
    assert (item["guid"], item["amount_kopecks"]) == (document["Ref_Key"], cents(document["СуммаДокумента"]))
    expected = [
        (int(r["LineNumber"]), raw.account(r, "Dr"), raw.account(r, "Cr"), cents(r["Сумма"]), *({k: v for k, v in raw.slots(r, s).items() if v} for s in ("Dr", "Cr")))
        for r in raw.made_by(document["Ref_Key"])
    ]  # fmt: skip
    found = [
        (p["line"], p["debit"], p["credit"], p["amount_kopecks"], *({a["kind"]: a["ref"] for a in p[f"{s}_analytics"] if a["ref"]} for s in ("debit", "credit")))
        for p in item["postings"]
    ]  # fmt: skip
    assert found == expected
    return item


@check("Q06")
def why_a_posting_of_a_sale(result: UnifiedResult, raw: RawBooks) -> None:
    drilled(result, raw, one(raw, SALE, "0000-000017"))


@check("Q07")
def source_of_a_register_row(result: UnifiedResult, raw: RawBooks) -> None:
    sale = one(raw, SALE, "0000-000017")
    item = drilled(result, raw, sale)
    row = next(
        r
        for s in raw.read("AccumulationRegister_НДСПродажи")
        for r in s["RecordSet"]
        if r["Recorder"] == sale["Ref_Key"] and r["LineNumber"] == "1"
    )
    focus = item["focus"]
    assert (focus["register"], focus["line"], focus["amount_kopecks"], focus["vat_kopecks"]) == (
        "НДСПродажи",
        1,
        cents(row["СуммаБезНДС"]),
        cents(row["НДС"]),
    )


@check("Q08")
def chain_of_a_purchase(result: UnifiedResult, raw: RawBooks) -> None:
    drilled(result, raw, one(raw, PURCHASE, "0000-000042"))


@check("Q09")
def subconto_of_a_posting(result: UnifiedResult, raw: RawBooks) -> None:
    purchase = one(raw, PURCHASE, "0000-000042")
    item = drilled(result, raw, purchase)
    row = raw.made_by(purchase["Ref_Key"])[1]
    assert (item["focus"]["debit"], item["focus"]["credit"], item["focus"]["amount_kopecks"]) == (
        raw.account(row, "Dr"),
        raw.account(row, "Cr"),
        cents(row["Сумма"]),
    )


@check("Q10")
def a_document_by_its_number(result: UnifiedResult, raw: RawBooks) -> None:
    document = next(d for d in raw.documents.values() if d["Number"] == "0000-000123")
    item = drilled(result, raw, document)
    a, b, c, d, e = document["Ref_Key"].split("-")
    assert item["link"] == f"e1cib/data/Документ.{document['type']}?ref={d}{e}{c}{b}{a}"


def chains(result: UnifiedResult, raw: RawBooks, documents: list[Row]) -> None:
    """Documents and their rows by counterparty."""
    rows = Counter(r["Recorder"] for r in raw.rows)
    expected: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for d in documents:
        own = expected[raw.partner_of(d)]
        own[0] += 1
        own[1] += rows[d["Ref_Key"]]
    assert {
        i["counterparty_id"] or "": [i["document_refs_count"], i["operations_count"]] for i in result.items
    } == dict(expected)
    assert result.summary["matched_counterparties"] == len([p for p in expected if p])
    assert gaps_of(result) == gaps(raw, documents)


def gaps_of(result: UnifiedResult) -> set[tuple[str, str]]:
    return {(g["source_id"], g["gap"]) for g in result.summary["gaps"]}


def gaps(raw: RawBooks, documents: list[Row]) -> set[tuple[str, str]]:
    """Documents without the link they should have."""
    recorders = {r["Recorder"] for r in raw.rows}
    invoiced = {d["ДокументОснование"] for d in raw.of(*INVOICES, june=False) if d["Posted"]}
    found = set()
    for d in documents:
        guid, kind = d["Ref_Key"], d["type"]
        vat = sum(cents(r["СуммаНДС"]) for part in ("Товары", "Услуги") for r in d.get(part, ()))
        found |= {(guid, "no_postings")} if d["Posted"] and kind in MAKING_ROWS and guid not in recorders else set()
        found |= {(guid, "postings_of_unposted")} if not d["Posted"] and guid in recorders else set()
        found |= {(guid, "no_counterparty")} if (d.get("Контрагент_Key") or d.get("Контрагент")) == ZERO else set()
        found |= {(guid, "no_contract")} if raw.contract_of(d) == "" else set()
        found |= (
            {(guid, "no_invoice")}
            if d["Posted"] and kind in (SALE, PURCHASE) and vat and guid not in invoiced
            else set()
        )
        found |= (
            {(guid, "no_base_document")} if kind in INVOICES and d["ДокументОснование"] not in raw.documents else set()
        )
    return found


@check("Q11")
def customers_documents_and_postings(result: UnifiedResult, raw: RawBooks) -> None:
    chains(result, raw, raw.of(*CUSTOMER_SIDE))


@check("Q12", "Q35")
def everything_and_its_postings(result: UnifiedResult, raw: RawBooks) -> None:
    chains(result, raw, raw.of())


@check("Q13")
def purchase_register_and_its_documents(result: UnifiedResult, raw: RawBooks) -> None:
    expected: dict[str, dict[str, Any]] = defaultdict(lambda: {"rows": 0, "papers": set(), "vat": 0})
    for s in raw.read("AccumulationRegister_НДСПокупки"):
        for r in s["RecordSet"]:
            own = expected[r["Поставщик_Key"]]
            own["rows"] += 1
            own["vat"] += cents(r["НДС"])
            own["papers"] |= {r["Recorder"], raw.documents[r["Recorder"]]["ДокументОснование"]}
    found = {
        i["counterparty_id"]: (i["operations_count"], i["document_refs_count"], i["vat_kopecks"]) for i in result.items
    }
    assert found == {p: (o["rows"], len(o["papers"]), o["vat"]) for p, o in expected.items()}


@check("Q14")
def payments_to_suppliers_and_purchases(result: UnifiedResult, raw: RawBooks) -> None:
    paid: dict[str, int] = defaultdict(int)
    tied: dict[str, int] = defaultdict(int)
    shipped: dict[str, int] = defaultdict(int)
    offset: dict[str, int] = defaultdict(int)
    for r in raw.june:
        kind = r["Recorder_Type"].rpartition("Document_")[2]
        dr, cr, amount = raw.account(r, "Dr"), raw.account(r, "Cr"), cents(r["Сумма"])
        if kind == "СписаниеСРасчетногоСчета" and dr.startswith("60"):
            slots = raw.slots(r, "Dr")
            paid[slots["Контрагенты"]] += amount
            settled = raw.documents.get(slots.get("Документы расчетов с контрагентами", ""))
            tied[slots["Контрагенты"]] += amount if settled and settled["type"] == PURCHASE else 0
        if kind == PURCHASE and cr.startswith("60"):
            shipped[raw.slots(r, "Cr")["Контрагенты"]] += amount
        if dr.startswith("60") and cr.startswith("60"):
            offset[raw.slots(r, "Dr")["Контрагенты"]] += amount
    found = {
        i["counterparty_id"]: tuple(
            i[f"{n}_kopecks"] for n in ("paid", "tied_to_documents", "shipped", "offset_advances")
        )
        for i in result.items
    }
    assert found == {p: (paid[p], tied[p], shipped[p], offset[p]) for p in paid}


@check("Q15")
def counterparties_with_contracts(result: UnifiedResult, raw: RawBooks) -> None:
    names = {c["Ref_Key"]: c["Description"] for c in raw.read("Catalog_Контрагенты")}
    expected = {(names[c["Owner_Key"]], c["Description"]) for c in raw.read("Catalog_ДоговорыКонтрагентов")}
    assert {(i["counterparty"], i["contract"]) for i in result.items} == expected


@check("Q16")
def revenue_by_week(result: UnifiedResult, raw: RawBooks) -> None:
    weeks: dict[str, int] = defaultdict(int)
    for day, amount in raw.turnover("Cr", "90.01").items():
        d = date.fromisoformat(day)
        weeks[(d - timedelta(days=d.weekday())).isoformat()] += amount
    assert {i["start"]: i["value_kopecks"] for i in result.items} == weeks
    assert result.summary["total_value_kopecks"] == sum(weeks.values())


@check("Q17")
def negative_balances_of_10(result: UnifiedResult, raw: RawBooks) -> None:
    negative = [v for v in raw.standing("10", "Номенклатура", "Склады").values() if v < 0]
    assert sum(i["amount_kopecks"] for i in result.items) == sum(negative)
    assert result.summary["signs"] == len(negative) == 1


@check("Q18")
def documents_without_a_contract(result: UnifiedResult, raw: RawBooks) -> None:
    assert {i["entity"] for i in result.items} == {d["Ref_Key"] for d in raw.of() if raw.contract_of(d) == ""}


@check("Q19")
def round_sums(result: UnifiedResult, raw: RawBooks) -> None:
    expected = {
        f"{r['Recorder']}:{r['LineNumber']}": cents(r["Сумма"])
        for r in raw.june
        if r["Сумма"] >= 100_000 and r["Сумма"] % 10_000 == 0
    }
    assert {i["entity"]: i["amount_kopecks"] for i in result.items} == expected


@check("Q20")
def duplicate_purchases_of_vector(result: UnifiedResult, raw: RawBooks) -> None:
    own = [d for d in raw.of(PURCHASE) if d["Контрагент_Key"] == raw.partner("Вектор ООО")]
    same = {
        a["Ref_Key"]
        for a in own
        for b in own
        if a is not b
        and (
            (
                a["СуммаДокумента"] == b["СуммаДокумента"]
                and abs((date.fromisoformat(a["Date"][:10]) - date.fromisoformat(b["Date"][:10])).days) <= 1
            )
            or (
                a["НомерВходящегоДокумента"]
                and (a["НомерВходящегоДокумента"], a["ДатаВходящегоДокумента"])
                == (b["НомерВходящегоДокумента"], b["ДатаВходящегоДокумента"])
            )
        )
    }
    assert {i["entity"] for i in result.items} == same


@check("Q21")
def advances_of_customers_not_set_off(result: UnifiedResult, raw: RawBooks) -> None:
    debt, advance = (raw.standing(a, "Контрагенты", "Договоры") for a in ("62.01", "62.02"))
    expected = {k[1]: min(v, -advance.get(k, 0)) for k, v in debt.items() if v > 0 and advance.get(k, 0) < 0}
    assert {i["entity"]: i["amount_kopecks"] for i in result.items} == expected


@check("Q22")
def input_vat_on_19(result: UnifiedResult, raw: RawBooks) -> None:
    negative = [v for v in raw.standing("19", "Контрагенты", "СФ полученные").values() if v < 0]
    on_19 = {r["Recorder"] for r in raw.june if raw.account(r, "Dr").startswith("19")}
    invoiced = {d["ДокументОснование"] for d in raw.of(*INVOICES, june=False) if d["Posted"]}
    papers = {d["Ref_Key"] for d in raw.of(PURCHASE) if d["Posted"] and d["Ref_Key"] in on_19 - invoiced}
    assert [i["amount_kopecks"] for i in result.items if i["level"] == "account"] == negative
    assert {i["entity"] for i in result.items if i["level"] == "document"} == papers


@check("Q23")
def overdue_debt_of_alpha(result: UnifiedResult, raw: RawBooks) -> None:
    alpha, end = raw.partner("Альфа ООО"), date(2020, 6, 30)
    expected = {}
    for c in raw.read("Catalog_ДоговорыКонтрагентов"):
        if c["Owner_Key"] != alpha or not c["УстановленСрокОплаты"]:
            continue
        owed = raw.standing("62.01", "Контрагенты", "Договоры").get((alpha, c["Ref_Key"]), 0)
        shipped = sorted(
            (
                (d["Date"], cents(d["СуммаДокумента"]))
                for d in raw.of(SALE, june=False)
                if d["ДоговорКонтрагента_Key"] == c["Ref_Key"]
            ),
            reverse=True,
        )
        late = 0
        for when, amount in shipped:
            left = min(amount, owed)
            owed -= left
            late += left if (end - date.fromisoformat(when[:10])).days > int(c["СрокОплаты"]) else 0
        if late:
            expected[c["Ref_Key"]] = late
    assert {i["entity"]: i["amount_kopecks"] for i in result.items} == expected


@check("Q24")
def manual_operations_on_26(result: UnifiedResult, raw: RawBooks) -> None:
    watched = ("50", "51", "60", "62", "68", "90")
    manual = [r for r in raw.june if r["Recorder_Type"].endswith("ОперацияБух")]
    accounts: dict[str, set[str]] = defaultdict(set)
    for r in manual:
        accounts[r["Recorder"]] |= {raw.account(r, "Dr"), raw.account(r, "Cr")}
    assert {i["entity"] for i in result.items} == {
        g for g, a in accounts.items() if any(x.startswith("26") for x in a) and any(x.startswith(watched) for x in a)
    }


@check("Q25")
def payables_by_day(result: UnifiedResult, raw: RawBooks) -> None:
    dr, cr = raw.turnover("Dr", "60.01"), raw.turnover("Cr", "60.01")
    opening = -sum(
        cents(b["СуммаBalance"])
        for b in raw.read("AccountingRegister_Хозрасчетный__Balance")
        if raw.code[b["Account_Key"]] == "60.01"
    )
    expected = {}
    for n in range(30):
        day = (date(2020, 6, 1) + timedelta(days=n)).isoformat()
        opening += cr.get(day, 0) - dr.get(day, 0)
        expected[day] = opening
    assert {i["start"]: i["value_kopecks"] for i in result.items} == expected


@check("Q26", "Q30")
def risks_of_the_company(result: UnifiedResult, raw: RawBooks) -> None:
    counted = Counter(e["code"] for e in raw.planted())
    assert {i["entity"]: i["records_count"] for i in result.items} == counted
    assert [i["rank"] for i in result.items] == list(range(1, len(counted) + 1))
    assert [i["score"] for i in result.items] == sorted((WEIGHTS[c] for c in counted), reverse=True)


def rated(raw: RawBooks, level: str) -> dict[str, tuple[int, int]]:
    """Score and number of signs of every member that a planted sign concerns."""
    found: dict[str, list[str]] = defaultdict(list)
    for e in raw.planted():
        for member in raw.touches(e)[level]:
            found[member].append(e["code"])
    return {m: (min(100, sum(WEIGHTS[c] for c in set(codes))), len(codes)) for m, codes in found.items()}


@check("Q27")
def rating_of_accounts(result: UnifiedResult, raw: RawBooks) -> None:
    compare_rating(result, rated(raw, "account"))


@check("Q28")
def rating_of_counterparties(result: UnifiedResult, raw: RawBooks) -> None:
    compare_rating(result, rated(raw, "counterparty"))


def compare_rating(result: UnifiedResult, expected: dict[str, tuple[int, int]]) -> None:
    assert {i["entity"]: (i["score"], i["records_count"]) for i in result.items} == expected
    order = [(-i["score"], -i["records_count"], i["entity"]) for i in result.items]
    assert order == sorted(order)
    assert [i["rank"] for i in result.items] == list(range(1, len(expected) + 1))
    assert result.summary["ranked_entities"] == len(expected)


@check("Q29")
def ready_summary_of_postings(result: UnifiedResult, raw: RawBooks) -> None:
    assert {i["entity"]: i["records_count"] for i in result.items} == Counter(
        e["code"] for e in raw.planted(level="posting")
    )


def risky(result: UnifiedResult, raw: RawBooks, codes: set[str]) -> None:
    """Records with exactly the planted signs of these codes; the average is of all scores, from all of a record's signs."""
    expected: dict[tuple[str, str], list[str]] = defaultdict(list)
    for e in raw.planted(codes):
        expected[e["level"], e["subject"]].append(e["code"])
    assert {(i["level"], i["entity"]): i["indicators"]["codes"] for i in result.items} == {
        k: sorted(set(v)) for k, v in expected.items()
    }
    assert result.summary["risky_records"] == len(expected)


@check("Q31")
def what_is_wrong_with_vat(result: UnifiedResult, raw: RawBooks) -> None:
    risky(result, raw, VAT_SIGNS)


@check("Q32")
def tax_risks(result: UnifiedResult, raw: RawBooks) -> None:
    risky(result, raw, VAT_SIGNS | {"UNCLOSED_MONTH"})


@check("Q33")
def suspicious_advances(result: UnifiedResult, raw: RawBooks) -> None:
    risky(result, raw, {"ADVANCE_NOT_OFFSET", "ADVANCE_VAT"})


@check("Q34")
def problems_with_suppliers(result: UnifiedResult, raw: RawBooks) -> None:
    suppliers = {c["Owner_Key"] for c in raw.read("Catalog_ДоговорыКонтрагентов") if c["ВидДоговора"] == "СПоставщиком"}
    expected = {m: s for m, s in rated(raw, "counterparty").items() if m in suppliers}
    assert {i["entity"]: (i["risk_score"], i["indicators"]["signs"]) for i in result.items} == expected
    assert result.summary["average_risk_score"] == round(sum(s for s, _ in expected.values()) / len(expected), 2)
