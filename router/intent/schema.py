"""The contract as pydantic models: what is published as JSON Schema, and what validates a contract that comes from elsewhere.

``data/intent/contract-1.1.schema.json`` is written by ``python -m router.intent.schema`` and checked against what the router returns.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

Domain = Literal["CODE", "DOCS"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Span(_Part):
    """Code points of ``query_plan.raw``; empty for an anchor of an earlier turn."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)


class AnchorModel(_Part):
    """Section 6."""

    type: Literal["FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM"]
    value: str = Field(min_length=1)
    subtype: str | None = None
    span: Span
    confidence: float = Field(ge=0, le=1)


class QueryPlanModel(_Part):
    """Section 4."""

    raw: str
    normalized: str
    expansions: list[str]
    keyword_hints: list[str]
    anchors: list[AnchorModel]


class LayerQuery(_Part):
    """Section 7.1."""

    layer_id: Annotated[str, Field(pattern=r"^[CD][0-9]+$")]
    top_k: int = Field(ge=1)


class Filters(_Part):
    """Section 7.1."""

    test_policy: Literal["EXCLUDE", "INCLUDE"]
    path_scope: list[str]
    language: list[str]


class RetrievalSpecModel(_Part):
    """Section 7."""

    domains: list[Domain] = Field(min_length=1)
    layer_queries: list[LayerQuery]
    filters: Filters
    rerank_profile: Literal["code", "docs", "generate", "project"]


class EvidencePolicyModel(_Part):
    """Section 8."""

    require_def: bool
    require_flow: bool
    require_spec: bool
    allow_answer_without_evidence: bool


class IntentContractModel(_Part):
    """Section 5: what the intent router returns for one turn."""

    schema_version: Literal["1.1"]
    intent: Literal["CODE_QA", "DOCS_QA", "GENERATE_DOCS_FROM_CODE", "PROJECT_MISC"]
    graph_id: Literal["CodeQAGraph", "DocsQAGraph", "GenerateDocsFromCodeGraph", "ProjectMiscGraph"]
    conversation_mode: Literal["START", "CONTINUE", "SWITCH"]
    query_plan: QueryPlanModel
    retrieval_spec: RetrievalSpecModel
    evidence_policy: EvidencePolicyModel


def contract_schema() -> dict[str, Any]:
    """JSON Schema of the contract, draft 2020-12."""
    schema = IntentContractModel.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def published_schema() -> dict[str, Any]:
    """The schema that ships."""
    found: dict[str, Any] = orjson.loads(files("data").joinpath("intent/contract-1.1.schema.json").read_bytes())
    return found


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "data/intent/contract-1.1.schema.json").write_bytes(
        orjson.dumps(contract_schema(), option=orjson.OPT_INDENT_2) + b"\n"
    )
