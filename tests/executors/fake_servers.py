"""Two public servers as they answer: their tools, arguments, envelopes, plain sentences and error words, over the demo's records. ``calls`` counts what reached them."""

from __future__ import annotations

import inspect
import json
from datetime import date
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import Field

from executors.live.reference_base import ReferenceBase

Calls = list[tuple[str, dict[str, Any]]]


def text(value: Any) -> CallToolResult:
    """JSON or a sentence in the only text block, no structured content: how both servers answer."""
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return CallToolResult(content=[TextContent(type="text", text=said)])


def mcp35(base: ReferenceBase, calls: Calls) -> MCPServer:
    """infaton/MCP35: full names of metadata, dates YYYYMMDD, not-found as a sentence without an error mark, and tools that write beside those that read."""
    server = MCPServer("INFATON MCP")

    def entity(full_name: str) -> str:
        return full_name.replace("Документ.", "Document_")

    @server.tool()
    async def get_object_by_ref(full_name: str, guid: str) -> CallToolResult:
        calls.append(("get_object_by_ref", {"full_name": full_name, "guid": guid}))
        base.load()
        if entity(full_name) not in base.documents:
            return text(f"Не удалось получить менеджер для: {full_name}")
        found = base.document(entity(full_name), guid)
        if found is None:
            return text(f"Объект не существует в базе: {guid}")
        own = base.described(entity(full_name), found)
        attributes = {
            "Номер": own["number"], "Дата": own["date"], "Проведен": own["posted"], "ПометкаУдаления": own["deleted"], "СуммаДокумента": float(own["amount"]),
            "Контрагент": {"guid": own["counterparty"], "presentation": own["counterparty_name"]},
            "ДоговорКонтрагента": {"guid": own["contract"], "presentation": own["contract_name"]},
        }  # fmt: skip
        return text({"full_name": full_name, "guid": guid, "attributes": attributes, "tabular_sections": {}})

    @server.tool()
    async def get_document_list(
        full_name: str, date_from: str = "", date_to: str = "", posted_only: bool = False, top: int = 50
    ) -> CallToolResult:
        calls.append(("get_document_list", {"full_name": full_name, "top": top}))
        base.load()
        if entity(full_name) not in base.documents:
            return text(f"Объект метаданных не найден: {full_name}")
        first, last = (date(int(d[:4]), int(d[4:6]), int(d[6:])) for d in (date_from, date_to))
        rows = [d for d in reversed(base.within(entity(full_name), first, last)) if d["Posted"] or not posted_only]
        return text(
            [{"GUID": d["Ref_Key"], "Номер": d["Number"] + "  ", "Дата": d["Date"], "Проведен": d["Posted"], "ПометкаУдаления": d["DeletionMark"]} for d in rows[:top]]
        )  # fmt: skip

    @server.tool()
    async def get_accounting_entries(document_ref: str, register_name: str = "") -> CallToolResult:
        calls.append(("get_accounting_entries", {"document_ref": document_ref}))
        full_name, _, guid = document_ref.rpartition(":")
        if base.document(entity(full_name), guid) is None:
            return text(f"Документ не найден: {guid}")
        rows = [base.described_row(r) for r in base.rows(guid)]
        entries = [
            {"debit_account": r["debit"], "credit_account": r["credit"], "amount": float(r["amount"]), "quantity": None, "description": r["content"], "period": r["period"]} for r in rows
        ]  # fmt: skip
        return text({"document": document_ref, "register": register_name, "entries": entries, "count": len(entries)})

    @server.tool()
    async def get_related_documents(document_ref: str, direction: str = "both", max_depth: int = 1) -> CallToolResult:
        calls.append(("get_related_documents", {"document_ref": document_ref, "max_depth": max_depth}))
        full_name, _, guid = document_ref.rpartition(":")
        found = base.related(entity(full_name), guid)
        return text(
            {"documents": [{"type": "Документ." + r["entity"].removeprefix("Document_"), "guid": r["ref"], "number": r["number"], "date": r["date"], "direction": direction} for r in found]}
        )  # fmt: skip

    @server.tool()
    async def post_document(full_name: str, guid: str) -> CallToolResult:
        calls.append(("post_document", {"full_name": full_name, "guid": guid}))
        return text({"success": True})

    @server.tool()
    async def execute_code(code: str) -> CallToolResult:
        calls.append(("execute_code", {"code": code}))
        return text("")

    return server


def odata(base: ReferenceBase, calls: Calls) -> MCPServer:
    """1c-odata-mcp with its fork's postings: entity sets, ``rows`` with ``truncated`` and ``note``, errors marked and headed by their kind in brackets."""
    server = MCPServer("1c-odata-mcp")

    def published(entity: str) -> None:
        base.load()
        if entity not in base.documents:
            raise ToolError(f"{entity} не опубликован в OData. Откройте «Состав OData» и включите его.")

    async def search(arguments: dict[str, Any]) -> CallToolResult:
        entity, limit = arguments["entitySet"], int(arguments.get("limit", 50))
        calls.append(("read.document.search_documents", arguments))
        published(entity)
        found = list(
            reversed(base.within(entity, date.fromisoformat(arguments["from"]), date.fromisoformat(arguments["to"])))
        )
        rows = [
            {"ref": d["Ref_Key"], "type": entity, "entitySet": entity, "number": d["Number"], "date": d["Date"], "posted": d["Posted"], "deletionMark": d["DeletionMark"], "amount": float(d.get("СуммаДокумента") or 0)}
            for d in found[:limit]
        ]  # fmt: skip
        cut = len(found) > limit
        return text(
            {
                "rows": rows,
                "count": len(rows),
                "truncated": cut,
                **({"note": f"Результат усечён до {limit} строк. Уточните фильтр или период."} if cut else {}),
            }
        )

    _raw_tool(server, "read.document.search_documents", search)

    @server.tool(name="read.document.get_document")
    async def get_document(entitySet: str, ref: str) -> CallToolResult:  # noqa: N803
        calls.append(("read.document.get_document", {"entitySet": entitySet, "ref": ref}))
        published(entitySet)
        found = base.document(entitySet, ref)
        if found is None:
            return CallToolResult(
                content=[TextContent(type="text", text=f"[not_found] Экземпляр сущности не найден: {entitySet}")],
                is_error=True,
            )
        return text(
            {
                "odata.metadata": f"http://h/$metadata#{entitySet}/@Element",
                **{k: v for k, v in found.items() if k != "DataVersion"},
            }
        )

    @server.tool(name="read.accounting.get_document_postings")
    async def get_document_postings(documentEntity: str, documentRef: str) -> CallToolResult:  # noqa: N803
        calls.append(
            ("read.accounting.get_document_postings", {"documentEntity": documentEntity, "documentRef": documentRef})
        )
        published(documentEntity)
        if base.document(documentEntity, documentRef) is None:
            return CallToolResult(
                content=[TextContent(type="text", text="[not_found] Экземпляр сущности не найден")], is_error=True
            )
        rows = [base.described_row(r) for r in base.rows(documentRef)]

        def side(row: dict[str, Any], name: str) -> dict[str, Any]:
            dimensions = [{"kind": a["kind"], "ref": a["ref"], "name": a["name"]} for a in row[f"{name}_analytics"]]
            return {"accountCode": row[name], "accountName": "", "accountRef": "", "dimensions": dimensions}

        postings = [
            {"period": r["period"], "lineNumber": r["line"], "active": r["active"], "amount": float(r["amount"]), "debit": side(r, "debit"), "credit": side(r, "credit")} for r in rows
        ]  # fmt: skip
        total = sum(p["amount"] for p in postings)
        value = {
            "document": {"entity": documentEntity, "ref": documentRef},
            "postings": postings,
            "debitTotal": total,
            "creditTotal": total,
            "byCorrespondence": [],
            "source": "RecordsWithExtDimensions",
            "scan": {},
        }
        return CallToolResult(
            content=[TextContent(type="text", text=json.dumps(value, ensure_ascii=False))], structured_content=value
        )

    return server


def _raw_tool(server: MCPServer, name: str, answer: Any) -> None:
    """A tool one of whose arguments is named ``from``, which Python keeps for itself: its signature is told apart from its code."""

    async def tool(**arguments: Any) -> CallToolResult:
        return await answer(arguments)

    kind = inspect.Parameter.KEYWORD_ONLY
    wanted = (
        ("entitySet", str),
        ("from_", Annotated[str, Field(alias="from")]),
        ("to", str),
        ("postedOnly", bool),
        ("limit", int),
    )
    parameters = [inspect.Parameter(n, kind, annotation=t) for n, t in wanted]
    tool.__signature__ = inspect.Signature(parameters, return_annotation=CallToolResult)  # type: ignore[attr-defined]
    tool.__annotations__ = {**dict(wanted), "return": CallToolResult}
    server.add_tool(tool, name=name)
