"""Totals of the stores beside the same totals counted from the raw JSON.

This file shares no code with the loader: it reads the exports with the json module alone and knows their fields by itself.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from stores.demo.generate import generate
from stores.reader import StoreReader

DEMO = Path(__file__).resolve().parents[2] / "data" / "snapshot"


def records(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted(folder.glob(f"{name}*.json")):
        found += json.loads(path.read_text("utf-8"), parse_float=Decimal)["value"]
    return found


def cents(value: Any) -> int:
    return int(Decimal(value) * 100)


class Raw:
    """The ledger as it stands in the files: openings and the active rows of June."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = {a["Ref_Key"]: a["Code"] for a in records(folder, "ChartOfAccounts_Хозрасчетный")}
        entries = records(folder, "AccountingRegister_Хозрасчетный__RecordsWithExtDimensions")
        self.rows = [r for r in entries if r["Active"] and r["Period"][:7] == "2020-06"]
        self.opening: Counter[str] = Counter()
        for b in records(folder, "AccountingRegister_Хозрасчетный__Balance"):
            self.opening[self.code[b["Account_Key"]]] += cents(b["СуммаBalance"])
        self.dr: Counter[str] = Counter()
        self.cr: Counter[str] = Counter()
        for r in self.rows:
            self.dr[self.code[r["AccountDr_Key"]]] += cents(r["Сумма"])
            self.cr[self.code[r["AccountCr_Key"]]] += cents(r["Сумма"])

    def closing(self) -> dict[str, int]:
        codes = {*self.opening, *self.dr, *self.cr}
        return {c: self.opening[c] + self.dr[c] - self.cr[c] for c in codes}

    def turnover(self, side: str, prefix: str, by: str) -> dict[Any, int]:
        """Turnover of accounts on a side, by a slot's value or by the row's date."""
        found: dict[Any, int] = defaultdict(int)
        for r in self.rows:
            if self.code[r[f"Account{side}_Key"]].startswith(prefix):
                found[date.fromisoformat(r["Period"][:10]) if by == "day" else r[f"ExtDimension{side}{by}"]] += cents(
                    r["Сумма"]
                )
        return dict(found)


@pytest.fixture(scope="module")
def raw() -> Raw:
    return Raw(DEMO)


def test_balances_and_turnovers_of_every_account(raw: Raw, demo: StoreReader) -> None:
    features = {f["subject"]: f for f in demo.rows("feature_account", {})}
    assert {a: f["closing"] for a, f in features.items()} == raw.closing()
    assert {a: f["dr"] for a, f in features.items() if f["dr"]} == {a: v for a, v in raw.dr.items() if v}
    assert {a: f["cr"] for a, f in features.items() if f["cr"]} == {a: v for a, v in raw.cr.items() if v}
    assert sum(raw.closing().values()) == 0 == sum(f["closing"] for f in features.values())


def test_the_balance_of_51_on_june_30th_and_on_june_10th(raw: Raw, demo: StoreReader) -> None:
    assert demo.balance("51") == demo.balance("51", date(2020, 6, 30)) == raw.closing()["51"]
    until = sum(
        cents(r["Сумма"]) * ((raw.code[r["AccountDr_Key"]] == "51") - (raw.code[r["AccountCr_Key"]] == "51")) for r in raw.rows if r["Period"] < "2020-06-11"
    )  # fmt: skip
    assert demo.balance("51", date(2020, 6, 10)) == raw.opening["51"] + until
    assert demo.balance("90") == sum(v for a, v in raw.closing().items() if a.startswith("90."))


def test_counts_of_everything(demo: StoreReader) -> None:
    counted = {
        p.name: len(json.loads(p.read_text("utf-8"))["value"]) for p in DEMO.glob("*.json") if p.name != "snapshot.json"
    }
    report = demo.manifest["report"]
    assert sum(report["entities"].values()) == sum(counted.values())
    assert report["rows"]["document"] == sum(n for name, n in counted.items() if name.startswith("Document_"))
    assert report["rows"]["posting"] == counted["AccountingRegister_Хозрасчетный__RecordsWithExtDimensions.json"]
    by_type = Counter(
        name.removeprefix("Document_").removesuffix(".json")
        for name, n in counted.items()
        for _ in range(n)
        if name.startswith("Document_")
    )
    assert Counter(d["type"] for d in demo.rows("document", {})) == by_type


def test_revenue_by_day_week_and_month(raw: Raw, demo: StoreReader) -> None:
    days = raw.turnover("Cr", "90.01", "day")
    weeks: dict[date, int] = defaultdict(int)
    for day, amount in days.items():
        weeks[day - timedelta(days=day.weekday())] += amount
    assert {r["start"]: r["value"] for r in demo.series("revenue", "day") if r["value"]} == days
    assert {r["start"]: r["value"] for r in demo.series("revenue", "week")} == weeks
    assert [r["value"] for r in demo.series("revenue", "month")] == [sum(days.values())]


def test_payables_day_by_day(raw: Raw, demo: StoreReader) -> None:
    dr, cr = raw.turnover("Dr", "60.01", "day"), raw.turnover("Cr", "60.01", "day")
    left, expected = -raw.opening["60.01"], {}
    for n in range(30):
        day = date(2020, 6, 1) + timedelta(days=n)
        left += cr.get(day, 0) - dr.get(day, 0)
        expected[day] = left
    assert {r["start"]: r["value"] for r in demo.series("payable", "day")} == expected


def test_counterparties_items_and_people(raw: Raw, demo: StoreReader) -> None:
    def features(grouping: str, column: str) -> dict[str, int]:
        return {f["subject"]: f[column] for f in demo.rows(f"feature_{grouping}", {}) if f[column]}

    zero = "00000000-0000-0000-0000-000000000000"
    assert features("counterparty", "sales") == raw.turnover("Dr", "62.01", "1")
    purchases = {k: v for k, v in raw.turnover("Cr", "60.01", "1").items() if k != zero}
    assert features("counterparty", "purchases") == purchases
    assert features("employee", "accrued") == raw.turnover("Cr", "70", "1")
    received: Counter[str] = Counter()
    for prefix in ("10", "41"):
        received.update(raw.turnover("Dr", prefix, "1"))
    assert features("item", "received") == dict(received)


def test_vat_of_every_sale(demo: StoreReader) -> None:
    expected = {}
    for d in records(DEMO, "Document_РеализацияТоваровУслуг"):
        expected[d["Ref_Key"]] = sum(cents(r["СуммаНДС"]) for part in ("Товары", "Услуги") for r in d[part])
    assert {d["ref"]: d["vat"] for d in demo.rows("document", {"type": "РеализацияТоваровУслуг"})} == expected


def test_a_clean_month_obeys_the_cross_checks_of_accounting(tmp_path: Path) -> None:
    """Issued = turnover of 62.01; issued less paid = its balance; received = turnover of 60.01; header = rows; purchases fill 19 with their VAT."""
    generate(tmp_path, 11, planted=False)
    raw = Raw(tmp_path)
    sales, bought = (
        records(tmp_path, "Document_РеализацияТоваровУслуг"),
        records(tmp_path, "Document_ПоступлениеТоваровУслуг"),
    )
    june = [d for d in sales if d["Date"][:7] == "2020-06"]
    assert sum(cents(d["СуммаДокумента"]) for d in june) == raw.dr["62.01"]
    assert raw.closing()["62.01"] == raw.opening["62.01"] + raw.dr["62.01"] - raw.cr["62.01"] > 0
    assert sum(cents(d["СуммаДокумента"]) for d in bought) == raw.cr["60.01"]
    rows_of: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for r in raw.rows:
        rows_of[r["Recorder"]].append((raw.code[r["AccountDr_Key"]], raw.code[r["AccountCr_Key"]], cents(r["Сумма"])))
    for d in (*june, *bought):
        lines = [r for part in ("Товары", "Услуги") for r in d[part]]
        vat = sum(cents(r["СуммаНДС"]) for r in lines)
        assert cents(d["СуммаДокумента"]) == sum(cents(r["Сумма"]) for r in lines) + (
            0 if d["СуммаВключаетНДС"] else vat
        )
        made = rows_of[d["Ref_Key"]]
        if d in bought:
            assert sum(a for _, cr, a in made if cr == "60.01") == cents(d["СуммаДокумента"])
            assert sum(a for dr, _, a in made if dr.startswith("19")) == vat
        else:
            assert sum(a for dr, cr, a in made if (dr, cr) == ("62.01", "90.01.1")) == cents(d["СуммаДокумента"])
            assert sum(a for dr, cr, a in made if (dr, cr) == ("90.03", "68.02")) == vat
    closing = raw.closing()
    assert (closing["26"], closing["44.01"], closing["20.01"]) == (0, 0, 0)
    assert sum(v for a, v in closing.items() if a.startswith("90.")) == 0
