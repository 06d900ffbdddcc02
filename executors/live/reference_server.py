"""The reference MCP server over `ReferenceBase`: nine reading tools, each bounded, each answer saying whether it was cut.

An answer is ``{status, records, returned, total, truncated, next_offset, source, data_is_untrusted}``; statuses are found, not_found, not_published, ambiguous.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from executors.live.reference_base import ReferenceBase
from executors.lookup import guid_of_hex

NAME: Final = "switchman-live"
MOST: Final = 200
TOOLS: Final = frozenset(
    ("get_object", "find_by_guid", "find_by_number", "get_object_by_link", "get_postings", "get_register_records", "get_related", "get_surroundings", "list_documents")
)  # fmt: skip
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LINK = re.compile(r"e1cib/data/(?P<kind>Документ)\.(?P<name>\w+)\?ref=(?P<hex>[0-9a-fA-F]{32})")


def reference_server(base: ReferenceBase) -> MCPServer:  # noqa: C901  # nine short tools, registered by closures
    """A server whose tools read ``base``. Nothing here writes."""
    server = MCPServer(NAME, log_level="WARNING", instructions="Reads documents, their postings and register records by reference, number or link. Read-only.")  # fmt: skip

    def answer(records: list[dict[str, Any]], limit: int = MOST, offset: int = 0, status: str = "") -> dict[str, Any]:
        shown = records[offset : offset + limit]
        cut = offset + len(shown) < len(records)
        return {
            "status": status or ("found" if records else "not_found"),
            "records": shown,
            "returned": len(shown),
            "total": len(records),
            "truncated": cut,
            "next_offset": offset + len(shown) if cut else None,
            "source": NAME,
            "data_is_untrusted": True,
        }

    def published(entity: str) -> bool:
        base.load()
        return entity in base.documents

    @server.tool(annotations=_READS)
    async def get_object(entity: str, ref: str) -> dict[str, Any]:
        """A document by its kind (Document_…) and reference (GUID)."""
        if not published(entity):
            return answer([], status="not_published")
        found = base.document(entity, _guid(ref))
        return answer([base.described(entity, found)] if found else [])

    @server.tool(annotations=_READS)
    async def find_by_guid(ref: str) -> dict[str, Any]:
        """A document by its reference where its kind is not known."""
        entity = base.entity_of(_guid(ref))
        found = base.document(entity, _guid(ref)) if entity else None
        return answer([base.described(entity, found)] if entity and found else [])

    @server.tool(annotations=_READS)
    async def find_by_number(
        number: str,
        entities: list[str] | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        limit: int = 20,
    ) -> dict[str, Any]:
        """Documents with a number, maybe of given kinds and days (YYYY-MM-DD). Several are ambiguous."""
        wanted = list(entities or [])
        if wanted and not any(published(e) for e in wanted):
            return answer([], status="not_published")
        found = base.by_number(wanted, number, _day(date_from), _day(date_to))
        records = [base.described(entity, record) for entity, record in found]
        return answer(records, _limit(limit), status="ambiguous" if len(records) > 1 else "")

    @server.tool(annotations=_READS)
    async def get_object_by_link(link: str) -> dict[str, Any]:
        """A document by a link of 1C: e1cib/data/Документ.X?ref=32 hexadecimal digits."""
        match = _LINK.search(link)
        if not match:
            raise ToolError("the link is not of the form e1cib/data/Документ.X?ref=32 hexadecimal digits")
        return await get_object(f"Document_{match['name']}", guid_of_hex(match["hex"]))

    @server.tool(annotations=_READS)
    async def get_postings(entity: str, ref: str, limit: int = 100, offset: int = 0) -> dict[str, Any]:
        """Rows that a document made in the ledger."""
        if base.document(entity, _guid(ref)) is None:
            return answer([], status="not_found" if published(entity) else "not_published")
        rows = [base.described_row(row) for row in base.rows(_guid(ref))]
        return answer(rows, _limit(limit), max(0, offset), status="found")

    @server.tool(annotations=_READS)
    async def get_register_records(entity: str, ref: str, limit: int = 100) -> dict[str, Any]:
        """Rows that a document made in accumulation registers."""
        if base.document(entity, _guid(ref)) is None:
            return answer([], status="not_found" if published(entity) else "not_published")
        return answer(base.register_rows(_guid(ref)), _limit(limit), status="found")

    @server.tool(annotations=_READS)
    async def get_related(entity: str, ref: str, limit: int = 50) -> dict[str, Any]:
        """Documents it names, that name it, and that its rows settle."""
        if base.document(entity, _guid(ref)) is None:
            return answer([], status="not_found" if published(entity) else "not_published")
        return answer(base.related(entity, _guid(ref)), _limit(limit), status="found")

    @server.tool(annotations=_READS)
    async def get_surroundings(entity: str, ref: str, limit: int = 100) -> dict[str, Any]:
        """Postings, register records and related documents of a document in one answer, each in its own envelope."""
        return {
            "postings": await get_postings(entity, ref, limit),
            "register_records": await get_register_records(entity, ref, limit),
            "related": await get_related(entity, ref, limit),
        }

    @server.tool(annotations=_READS)
    async def list_documents(
        entity: str, date_from: str, date_to: str, limit: int = 100, offset: int = 0
    ) -> dict[str, Any]:
        """Documents of a kind dated within days (YYYY-MM-DD), oldest first, at most 200."""
        if not published(entity):
            return answer([], status="not_published")
        first, last = _day(date_from), _day(date_to)
        if first is None or last is None:
            raise ToolError("date_from and date_to are needed")
        records = [base.described(entity, d) for d in base.within(entity, first, last)]
        for record in records:
            record.pop("fields")
        return answer(records, _limit(limit), max(0, offset))

    return server


def _guid(text: str) -> str:
    found = text.strip("{} ").lower()
    if not _GUID.fullmatch(found):
        raise ToolError(f"{text[:60]!r} is no reference; a reference is a GUID")
    return found


def _day(text: str | None) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError as error:
        raise ToolError(f"{text[:30]!r} is no day; write YYYY-MM-DD") from error


def _limit(limit: int) -> int:
    return max(1, min(limit, MOST))
