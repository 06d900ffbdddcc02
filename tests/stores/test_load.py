"""Loading: what is taken, what is kept as it is, and that one bad file or record leaves nothing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import ibis
import pytest
from ibis.backends import BaseBackend

from stores.build import build_store
from stores.errors import SnapshotRefused
from stores.load import Loaded, load_snapshot
from stores.versions import published
from tests.stores.conftest import DEMO, ROOT, Folder, june

URL = "http://host/odata/standard.odata/$metadata#"
ZERO = "00000000-0000-0000-0000-000000000000"
SAMPLES = ROOT.parent / "shared" / "spec" / "onec_samples"


def guid(n: int) -> str:
    return f"{n:08x}-0000-4000-a000-000000000000"


def listed(entity: str, *records: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"odata.metadata": URL + entity, **more, "value": list(records)}


ACCOUNTS = listed(
    "ChartOfAccounts_Хозрасчетный",
    {"Ref_Key": guid(51), "Code": "51", "Description": "Расчетные счета", "Type": "Active", "OffBalance": False},
    {
        "Ref_Key": guid(62),
        "Code": "62.01",
        "Description": "Покупатели",
        "Type": "ActivePassive",
        "OffBalance": False,
        "ExtDimensionTypes": [
            {"LineNumber": "2", "ExtDimensionType_Key": guid(102)},
            {"LineNumber": "1", "ExtDimensionType_Key": guid(101)},
        ],
    },
)
KINDS = listed(
    "ChartOfCharacteristicTypes_ВидыСубконтоХозрасчетные",
    {"Ref_Key": guid(101), "Description": "Контрагенты"},
    {"Ref_Key": guid(102), "Description": "Договоры"},
)
SALE = {
    "Ref_Key": guid(1),
    "Number": "0000-000001",
    "Date": june(3),
    "Posted": True,
    "DeletionMark": False,
    "СуммаДокумента": 120,
}


def row(line: str = "1", **more: Any) -> dict[str, Any]:
    return {
        "Recorder": guid(1), "Recorder_Type": "StandardODATA.Document_РеализацияТоваровУслуг", "Period": june(3), "LineNumber": line, "Active": True,
        "AccountDr_Key": guid(62), "AccountCr_Key": guid(51), "Организация_Key": ZERO, "Сумма": 120.05, **more,
    }  # fmt: skip


def load(folder: Path) -> tuple[Loaded, BaseBackend]:
    connection = ibis.duckdb.connect()
    return load_snapshot(folder, connection), connection


def rows_of(connection: BaseBackend, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = connection.table(table).to_pyarrow().to_pylist()
    return found


def test_slots_are_read_by_kind_whatever_their_number(exports: Folder) -> None:
    slots = {
        "ExtDimensionDr1": guid(9), "ExtDimensionDr1_Type": "StandardODATA.Catalog_ДоговорыКонтрагентов", "ExtDimensionTypeDr1_Key": guid(102),
        "ExtDimensionDr2": ZERO, "ExtDimensionDr2_Type": "StandardODATA.Catalog_Контрагенты", "ExtDimensionTypeDr2_Key": guid(101),
    }  # fmt: skip
    folder = exports(
        {
            "a.json": listed("AccountingRegister_Хозрасчетный/RecordsWithExtDimensions", row(**slots)),
            "z.json": ACCOUNTS,
            "y.json": KINDS,
        }
    )
    _, connection = load(folder)
    (posting,) = rows_of(connection, "posting")
    assert (posting["dr_account"], posting["cr_account"], posting["amount"]) == ("62.01", "51", 12005)
    assert (posting["dr_contract"], posting["dr_counterparty"], posting["dr_item"]) == (guid(9), "", None)
    assert posting["dr_analytics"] == f"Договоры={guid(9)}; Контрагенты="


def test_slots_without_a_named_kind_follow_the_account(exports: Folder) -> None:
    balance = {
        "Account_Key": guid(62),
        "ExtDimension1": guid(8),
        "ExtDimension2": guid(9),
        "СуммаBalanceDr": "100",
        "СуммаBalanceCr": None,
    }
    folder = exports(
        {
            "c.json": ACCOUNTS,
            "k.json": KINDS,
            "AccountingRegister_Х__Balance_2020-06-01.json": [balance],
            "d.json": listed("Document_Х", SALE),
        }
    )
    _, connection = load(folder)
    (opening,) = rows_of(connection, "opening")
    assert (opening["counterparty"], opening["contract"], opening["amount"]) == (guid(8), guid(9), 10000)


def test_a_record_set_gives_the_rows_of_its_recorder(exports: Folder) -> None:
    inner = {k: v for k, v in row().items() if not k.startswith("Recorder")}
    outer = {
        "Recorder": guid(1),
        "Recorder_Type": "StandardODATA.Document_РеализацияТоваровУслуг",
        "RecordSet": [inner, {**inner, "LineNumber": "2"}],
    }
    _, connection = load(exports({"c.json": ACCOUNTS, "r.json": listed("AccountingRegister_Хозрасчетный", outer)}))
    assert [p["id"] for p in rows_of(connection, "posting")] == [f"{guid(1)}:1", f"{guid(1)}:2"]


def test_the_same_row_with_and_without_analytics_counts_once(exports: Folder) -> None:
    slots = {
        "ExtDimensionDr1": guid(9),
        "ExtDimensionDr1_Type": "StandardODATA.Catalog_Контрагенты",
        "ExtDimensionTypeDr1_Key": guid(101),
    }
    folder = exports({"c.json": ACCOUNTS, "k.json": KINDS, "r.json": listed("AccountingRegister_Х_RecordType", row()), "s.json": listed("AccountingRegister_Х/RecordsWithExtDimensions", row(**slots))})  # fmt: skip
    loaded, connection = load(folder)
    (posting,) = rows_of(connection, "posting")
    assert (posting["dr_counterparty"], loaded.report.repeated) == (guid(9), {"posting": 1})


def test_a_reversal_flag_turns_the_sum(exports: Folder) -> None:
    _, connection = load(exports({"c.json": ACCOUNTS, "r.json": listed("AccountingRegister_Х", row(Сторно=True))}))
    assert rows_of(connection, "posting")[0]["amount"] == -12005


def test_unknown_entities_are_kept_and_counted(exports: Folder) -> None:
    strange = {"Ref_Key": guid(7), "Description": "Что-то", "УдалитьПоле": 1, "Новое": {"a": [1]}}
    loaded, connection = load(
        exports({"x.json": listed("InformationRegister_Новый", strange, strange), "d.json": listed("Document_Х", SALE)})
    )
    assert loaded.report.entities["InformationRegister_Новый"] == 2
    assert loaded.report.other_entities == ["InformationRegister_Новый"]
    assert [json.loads(r["payload"]) for r in rows_of(connection, "other_record")] == [strange, strange]


def test_overlapping_pages_count_once(exports: Folder) -> None:
    loaded, connection = load(exports({"a.json": listed("Document_Х", SALE), "b.json": listed("Document_Х", SALE)}))
    assert (len(rows_of(connection, "document")), loaded.report.repeated) == (1, {"document": 1})


def test_a_cut_export_is_told(exports: Folder) -> None:
    loaded, _ = load(exports({"a.json": listed("Document_Х", SALE, **{"odata.count": "1103"})}))
    assert loaded.report.cut == ["Document_Х: 1 of 1103 records that 1C counted; export the missing pages"]


def test_references_that_lead_nowhere_are_counted(exports: Folder) -> None:
    loaded, _ = load(exports({"c.json": ACCOUNTS, "d.json": listed("Document_Х", {**SALE, "Контрагент_Key": guid(77)}), "r.json": listed("AccountingRegister_Х", row(AccountCr_Key=guid(99)))}))  # fmt: skip
    assert [(u.table, u.column, u.count, u.example) for u in loaded.report.unresolved] == [
        ("document", "counterparty", 1, guid(77))
    ]
    assert loaded.report.unknown_accounts == 1


@pytest.mark.parametrize(
    ("files", "place", "said"),
    [
        ({"login.json": b"<html>"}, "login.json: ", "HTML page"),
        ({"e.json": {"odata.error": {"code": "8", "message": {"value": "Сущность не найдена"}}}}, "e.json: ", "Сущность не найдена"),
        ({"x.json.gz": gzip.compress(b"[1")}, "x.json.gz: ", "not JSON"),
        ({"d.json": listed("Document_Х", SALE, {**SALE, "Ref_Key": guid(2), "СуммаДокумента": "сто"})}, "d.json, record 2: ", "'сто' is no sum"),
        ({"d.json": listed("Document_Х", SALE, {**SALE, "Posted": False})}, "d.json, record 2: ", "stands twice"),
        ({"d.json": listed("Document_Х", {**SALE, "Date": "0001-01-01T00:00:00"})}, "d.json, record 1: ", "Date is empty"),
        ({"d.json": listed("Document_Х", {**SALE, "Ref_Key": ZERO})}, "d.json, record 1: ", "Ref_Key is empty"),
        ({"d.json": listed("Document_Х", "строка")}, "d.json, record 1: ", "a str, not an object"),  # type: ignore[arg-type]
        ({"r.json": listed("AccountingRegister_Х", row(LineNumber="первая"))}, "r.json, record 1: ", "первая"),
        ({"r.json": listed("AccountingRegister_Х", row(AccountDr_Key=ZERO, AccountCr_Key=ZERO))}, "r.json, record 1: ", "neither AccountDr_Key"),
        ({"r.json": listed("AccountingRegister_Х", row()), "s.json": listed("AccountingRegister_Х", row(Сумма=1))}, "AccountingRegister: ", "different sums"),
        ({"AccountingRegister_Х__Balance.json": [{"Account_Key": guid(62)}]}, "record 1: ", "date is not known"),
        ({"snapshot.json": {"period": {"start": "2020-06-30", "end": "2020-06-01"}}, "d.json": listed("Document_Х", SALE)}, "snapshot.json: ", "ends 2020-06-01 before"),
    ],
)  # fmt: skip
def test_one_bad_place_refuses_all_and_is_named(
    exports: Folder, files: dict[str, Any], place: str, said: str, tmp_path: Path
) -> None:
    folder = exports({"good.json": listed("Document_Y", {**SALE, "Ref_Key": guid(5)}), "c.json": ACCOUNTS, **files})
    with pytest.raises(SnapshotRefused) as refused:
        build_store(folder, tmp_path / "stores")
    (only,) = refused.value.report.refused
    assert place in str(only) and said in only.reason
    assert published(tmp_path / "stores") == []


@pytest.mark.parametrize("files", [{}, {"readme.txt": b"x"}])
def test_an_empty_folder_is_refused(exports: Folder, files: dict[str, Any]) -> None:
    with pytest.raises(SnapshotRefused, match=r"holds no \.json"):
        load(exports(files))


def test_the_demo_loads_the_same_gzipped_and_in_cp1251(tmp_path: Path) -> None:
    """Every file of the demo packed or recoded gives the same rows."""
    for n, path in enumerate(sorted(DEMO.glob("*.json"))):
        content = path.read_bytes()
        if path.name == "snapshot.json" or n % 3 == 0:
            (tmp_path / path.name).write_bytes(content)
        elif n % 3 == 1:
            (tmp_path / f"{path.name}.gz").write_bytes(gzip.compress(content, 1))
        else:
            (tmp_path / path.name).write_bytes(content.decode().encode("cp1251"))
    (as_is, a), (packed, b) = load(DEMO), load(tmp_path)
    assert as_is.report.rows == packed.report.rows
    for table in ("document", "posting", "counterparty", "opening"):
        key = "id" if table == "posting" else "analytics" if table == "opening" else "ref"
        assert sorted(rows_of(a, table), key=lambda r: (r.get("account") or "", r[key])) == sorted(rows_of(b, table), key=lambda r: (r.get("account") or "", r[key]))  # fmt: skip


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the real samples are not beside this work tree")
def test_the_real_samples_load(tmp_path: Path) -> None:
    """Nine answers of a real base: both sales without a contract are unposted, and the purchase was entered backdated."""
    built = build_store(SAMPLES, tmp_path / "stores")
    report = built.manifest["report"]
    assert (report["files"], report["refused_count"], sum(report["entities"].values())) == (9, 0, 10)
    from stores.reader import StoreReader

    reader = StoreReader(tmp_path / "stores")
    sales = reader.rows("document", {"type": "РеализацияТоваровУслуг"}, order="number")
    assert [(d["contract"], d["posted"]) for d in sales] == [("", False), ("", False)] and sales[0][
        "amount"
    ] == 15012900
    assert sorted((s["code"], s["subject"]) for s in reader.signs()) == sorted(
        [("NO_CONTRACT", d["ref"]) for d in sales] + [("BACKDATED", "c5a0384c-e9e4-11e5-4487-000c295e30eb")]
    )
    assert reader.metadata()["snapshot"]["period"] == {"start": "2015-12-01", "end": "2021-12-31"}
