"""Metadata: the reference's structure from what is really there, and what the router makes of it."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from router.store_metadata import read_metadata
from stores.build import build_store
from stores.errors import StoresError
from stores.metadata import MANIFEST, store_metadata
from stores.reader import StoreReader
from tests.stores.conftest import DEMO, ROOT, Folder, june

REFERENCE = json.loads((ROOT / "data" / "reference_store.json").read_text("utf-8"))
IDS_AND_TIMES = {"snapshot_id", "run_id", "source_run_id", "built_at", "loaded_at", "as_of", "data_as_of"}


def without_ids_and_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_ids_and_times(v) for k, v in value.items() if k not in IDS_AND_TIMES}
    return [without_ids_and_times(v) for v in value] if isinstance(value, list) else value


def keys(value: Any) -> Any:
    return (
        {k: keys(v) for k, v in value.items()}
        if isinstance(value, dict)
        else [keys(v) for v in value]
        if isinstance(value, list)
        else None
    )


def test_a_freshly_loaded_demo_gives_the_reference(demo_stores: Path) -> None:
    found = store_metadata(demo_stores)
    assert without_ids_and_times(found) == without_ids_and_times(REFERENCE)
    assert keys(found) == keys(REFERENCE)
    assert found["snapshot"]["data_as_of"] == REFERENCE["snapshot"]["data_as_of"]


def test_the_router_trusts_it(demo_stores: Path) -> None:
    read = read_metadata(store_metadata(demo_stores))
    assert (read.problem, read.detail) == (None, "")


def test_as_of_is_configuration(demo_stores: Path) -> None:
    assert store_metadata(demo_stores)["as_of"] == "2020-07-01T06:00:00+03:00"
    later = store_metadata(demo_stores, datetime.fromisoformat("2020-07-05T03:00:00+00:00"))
    assert later["as_of"] == "2020-07-05T06:00:00+03:00"
    assert later["snapshot"] == store_metadata(demo_stores)["snapshot"]


def test_it_says_only_what_is_there(exports: Folder, tmp_path: Path) -> None:
    """One counterparty and one document: no employees, no series, no organisation."""
    folder = exports(
        {
            "Catalog_Контрагенты.json": [{"Ref_Key": "b7569bcd-f670-11ea-8591-000c29b45b09", "Description": "Альфа", "ИНН": "", "КПП": ""}],
            "Document_СчетНаОплатуПокупателю.json": [{"Ref_Key": "8b9660f6-6332-11ec-ad72-000c29b45b09", "Number": "1", "Date": june(3)}],
        }
    )  # fmt: skip
    build_store(folder, tmp_path / "stores")
    found = store_metadata(tmp_path / "stores")
    assert found["snapshot"]["entity_kinds"] == ["document", "counterparty"]
    assert found["stores"]["risk"]["levels"] == ["document", "counterparty"]
    assert found["stores"]["feature"]["groupings"] == ["document", "counterparty"]
    assert found["snapshot"]["period"] == {"start": "2020-06-01", "end": "2020-06-30"}


def test_versions_follow_each_other_and_a_reader_moves_when_told(tmp_path: Path) -> None:
    build_store(DEMO, tmp_path)
    reader = StoreReader(tmp_path)
    build_store(DEMO, tmp_path)
    assert reader.metadata()["stores"]["risk"]["run_id"] == "risk-0001"
    assert (reader.refresh(), reader.refresh()) == (True, False)
    assert reader.metadata()["stores"]["risk"]["run_id"] == "risk-0002"
    manifest = tmp_path / "v000002" / MANIFEST
    manifest.write_text(manifest.read_text("utf-8").replace('"format": 1', '"format": 99'), "utf-8")
    with pytest.raises(StoresError, match="format 99, this program reads up to 1"):
        store_metadata(tmp_path)
