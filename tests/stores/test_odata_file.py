"""Files as 1C's OData really gives them."""

from __future__ import annotations

import gzip
import json

import pytest

from stores.odata_file import Export, UnreadableFile, entity_of_name, peek_entity, read_export

URL = "http://host/1c/odata/standard.odata/$metadata#"
ONE = {"Ref_Key": "b7569bcd-f670-11ea-8591-000c29b45b09", "Description": "Ёлка № 1"}


def wrapped(entity: str = "Catalog_Банки", **more: object) -> bytes:
    return json.dumps({"odata.metadata": URL + entity, "value": [ONE], **more}, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("content", "entity", "records"),
    [
        (wrapped(), "Catalog_Банки", [ONE]),
        (b"\xef\xbb\xbf" + wrapped(), "Catalog_Банки", [ONE]),
        (wrapped().decode().encode("utf-16"), "Catalog_Банки", [ONE]),
        (wrapped().decode().encode("cp1251"), "Catalog_Банки", [ONE]),
        (gzip.compress(wrapped()), "Catalog_Банки", [ONE]),
        (gzip.compress(wrapped().decode().encode("cp1251")), "Catalog_Банки", [ONE]),
        (json.dumps({**ONE, "odata.metadata": URL + "Catalog_Банки/@Element"}).encode(), "Catalog_Банки", [ONE]),
        (wrapped("AccountingRegister_Хозрасчетный/Balance"), "AccountingRegister_Хозрасчетный/Balance", [ONE]),
        (json.dumps([ONE]).encode(), "Catalog_Файл", [ONE]),
        (json.dumps({"odata.metadata": URL + "Catalog_Банки", "value": []}).encode(), "Catalog_Банки", []),
    ],
    ids=["list", "bom", "utf-16", "cp1251", "gzip", "gzipped cp1251", "single", "function", "bare list", "empty"],
)
def test_an_answer_is_unwrapped(content: bytes, entity: str, records: list[object]) -> None:
    assert Export(entity, records) == read_export(content, "Catalog_Файл.json")


def test_a_count_is_read_though_it_is_a_string() -> None:
    assert read_export(wrapped(**{"odata.count": "1103"})).told_count == 1103


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<!DOCTYPE html><html><body>login</body></html>", "HTML page"),
        (b'<?xml version="1.0"?><feed/>', "ask with $format=json"),
        (b'{"odata.error":{"code":"9","message":{"lang":"ru","value":"\xd0\x9d\xd0\xb5\xd1\x82"}}}', "code 9: Нет"),
        (b"", "empty"),
        (b'{"value":[{"a":1},', "not JSON at line 1"),
        (b'{"value": 5}', "value is a int"),
        (b"17", "a JSON int"),
        (gzip.compress(wrapped())[:-9], "broken gzip"),
        (b"\xef\xbb\xbf\xff\xff", "marked as utf-8"),
        (b"\x98\xff", "neither UTF-8"),
    ],
    ids=["login page", "atom", "error", "empty", "cut", "value", "number", "gzip", "bom", "bytes"],
)
def test_what_is_no_answer_is_named(content: bytes, said: str) -> None:
    with pytest.raises(UnreadableFile, match=said.replace("$", r"\$")):
        read_export(content, "x.json")


@pytest.mark.parametrize(
    ("name", "entity"),
    [
        ("Catalog_Банки.json", "Catalog_Банки"),
        ("Catalog_ДоговорыКонтрагентов_2.json.gz", "Catalog_ДоговорыКонтрагентов"),
        ("AccountingRegister_Хозрасчетный__Balance_2020-06-01.json", "AccountingRegister_Хозрасчетный/Balance"),
        ("AccountingRegister_Хозрасчетный__Turnovers_2020-05-01_2020-05-31.json", "AccountingRegister_Хозрасчетный/Turnovers"),
        ("AccountingRegister_Хозрасчетный__RecordsWithExtDimensions__3.json", "AccountingRegister_Хозрасчетный/RecordsWithExtDimensions"),
    ],
)  # fmt: skip
def test_a_file_name_gives_the_entity(name: str, entity: str) -> None:
    assert entity == entity_of_name(name)


def test_the_first_bytes_give_the_entity() -> None:
    assert peek_entity(wrapped()[:100]) == "Catalog_Банки"
    assert (
        peek_entity(wrapped("ChartOfAccounts_Хозрасчетный").decode().encode("cp1251")) == "ChartOfAccounts_Хозрасчетный"
    )
