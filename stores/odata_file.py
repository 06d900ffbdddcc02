"""One file of an OData export → its entity and records.

>>> read_export(b'{"odata.metadata": "http://h/odata/$metadata#Catalog_X", "value": [{"Ref_Key": "1"}]}').records
[{'Ref_Key': '1'}]
"""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import dataclass
from typing import Any

import orjson

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_ENTITY = re.compile(r"\$metadata#([^\"/()]+)(?:/([^\"/]+))?")
_TAIL = re.compile(r"(?:[_.\- ]+(?:\d{4}-\d\d-\d\d|\d+))+$")  # dates and a page's number
_ENTITY_BYTES = re.compile(rb"\$metadata#([^\"()]+)")


class UnreadableFile(Exception):
    """The file is no export; the message says what it is and what to do."""


@dataclass(frozen=True, slots=True)
class Export:
    """Records of one entity (or function, as in ``AccountingRegister_Хозрасчетный/Balance``), in the file's order."""

    entity: str
    records: list[Any]
    told_count: int | None = None


def read_export(content: bytes, name: str = "") -> Export:
    """Decode and unwrap. ``name`` gives the entity where the answer does not. Raises `UnreadableFile`."""
    text = decode(content)
    start = text[:200].lstrip().lower()
    if start.startswith(b"<"):
        kind = (
            "an Atom or XML answer; ask with $format=json"
            if start.startswith((b"<?xml", b"<feed", b"<entry"))
            else ("an HTML page, as a login page answers with HTTP 200; check user and password and export again")
        )
        raise UnreadableFile(kind)
    if not start:
        raise UnreadableFile("empty; export it again")
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UnreadableFile(
            f"not JSON at line {error.lineno} column {error.colno} ({error.msg}); export it again"
        ) from error
    return _unwrap(found, name)


def decode(content: bytes) -> bytes:
    """UTF-8 bytes of what may be gzipped, marked with a BOM, or CP1251. Raises `UnreadableFile`."""
    if content[:2] == b"\x1f\x8b":
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise UnreadableFile(f"broken gzip ({error}); copy it again") from error
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            try:
                return content[len(mark) :].decode(encoding).encode()
            except UnicodeDecodeError as error:
                raise UnreadableFile(
                    f"marked as {encoding} but is not at byte {error.start}; export it again"
                ) from error
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as not_utf8:
        try:
            return content.decode("cp1251").encode()
        except UnicodeDecodeError as error:
            raise UnreadableFile(
                f"neither UTF-8 (byte {not_utf8.start}) nor CP1251 (byte {error.start}); save it as UTF-8"
            ) from error
    return content


def peek_entity(content: bytes, name: str = "") -> str:
    """Entity by the first bytes, without parsing; by the file's name where they do not say."""
    found = _ENTITY_BYTES.search(content[:4096])
    if found:
        try:
            return _clean(found.group(1).decode("utf-8"))
        except UnicodeDecodeError:
            return _clean(found.group(1).decode("cp1251", "replace"))
    return entity_of_name(name)


def entity_of_name(name: str) -> str:
    """``Catalog_Банки_2.json.gz`` → ``Catalog_Банки``."""
    stem = name.split("/")[-1].removesuffix(".gz").removesuffix(".json")
    return _TAIL.sub("", stem).replace("__", "/")


def _clean(entity: str) -> str:
    return entity.removesuffix("/@Element").removesuffix("@Element").rstrip("/")


def _unwrap(found: Any, name: str) -> Export:
    if isinstance(found, list):
        return Export(entity_of_name(name), found)
    if not isinstance(found, dict):
        raise UnreadableFile(f"a JSON {type(found).__name__}; an OData answer is an object")
    error = found.get("odata.error") or found.get("error")
    if isinstance(error, dict) and "value" not in found:
        message = error.get("message")
        said = message.get("value") if isinstance(message, dict) else message
        raise UnreadableFile(f"an error answer, code {error.get('code')}: {said}; mend the request and export again")
    context = found.get("odata.metadata") or found.get("@odata.context") or ""
    match = _ENTITY.search(context) if isinstance(context, str) else None
    entity = (
        _clean(f"{match.group(1)}/{match.group(2)}" if match and match.group(2) else match.group(1))
        if match
        else entity_of_name(name)
    )
    count = found.get("odata.count")
    told = int(count) if isinstance(count, str | int) and str(count).isdigit() else None
    if "value" in found:
        records = found["value"]
        if not isinstance(records, list):
            raise UnreadableFile(f"its value is a {type(records).__name__}, not a list")
        return Export(entity, records, told)
    single = {key: value for key, value in found.items() if key not in ("odata.metadata", "@odata.context")}
    return Export(entity, [single] if single else [], told)
