"""Labelled questions and conversations of CODE + DOCS: JSON lines, read whole or not at all.

Errors: `training.dataset.DatasetError` names file and line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from training.dataset import DatasetError, dataset_files, read_lines

IntentName = Literal["CODE_QA", "DOCS_QA", "GENERATE_DOCS_FROM_CODE", "PROJECT_MISC"]
ModeName = Literal["START", "CONTINUE", "SWITCH"]
CONVERSATIONS = "conversations.jsonl"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(min_length=1)
    file: str = Field(default="", exclude=True)
    line: int = Field(default=0, exclude=True)

    @property
    def where(self) -> str:
        """file:line."""
        return f"{self.file}:{self.line}"


class MarkedAnchor(BaseModel):
    """An anchor as its author marked it; ``start`` and ``end`` are code points of the text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM"]
    start: int = Field(ge=0)
    end: int = Field(ge=1)
    value: str = Field(min_length=1)


class IntentExample(_Line):
    """One labelled question. ``group``: rewordings of one question share it. ``lang``: ``ru``, ``en`` or ``mixed``."""

    text: str = Field(min_length=1)
    intent: IntentName
    anchors: tuple[MarkedAnchor, ...] = ()
    author: str = Field(min_length=1)
    lang: Literal["ru", "en", "mixed"]
    voice: str = ""
    source: str = "written"
    group: str | None = None


class Turn(BaseModel):
    """One labelled turn. ``greeting``: a pure greeting or thanks. ``false_switch``: it sounds like a change and is none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(min_length=1)
    intent: IntentName
    mode: ModeName
    anchors: tuple[MarkedAnchor, ...] = ()
    greeting: bool = False
    false_switch: bool = False


class Conversation(_Line):
    """One labelled conversation; ``languages`` are those of its repository."""

    languages: tuple[str, ...] = ()
    author: str = Field(min_length=1)
    source: str = "written"
    turns: tuple[Turn, ...] = Field(min_length=1)


L = TypeVar("L", bound=_Line)


def parse_line(model: type[L], line: bytes, file: str, number: int) -> L:
    """One line as an object of ``model``. Raises `DatasetError` that names it."""
    try:
        raw = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DatasetError(f"{file}:{number}: not JSON ({error}); one object a line is expected") from error
    if not isinstance(raw, dict):
        raise DatasetError(f"{file}:{number}: a {type(raw).__name__}, not an object")
    if ours := {"file", "line"} & set(raw):
        raise DatasetError(f"{file}:{number}: {', '.join(sorted(ours))}: not a field of a line; take it out")
    try:
        return model(**raw).model_copy(update={"file": file, "line": number})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise DatasetError(f"{file}:{number}: {field}: {first['msg']}") from error


def question_files(path: Path) -> list[Path]:
    """The files of a folder that hold questions; ``path`` itself where it is a file. Raises `DatasetError` where there is none."""
    return [f for f in dataset_files(path) if f.name not in (CONVERSATIONS, "scorings.jsonl")]


def conversation_files(path: Path) -> list[Path]:
    """The file of a folder that holds conversations, if any."""
    file = path / CONVERSATIONS
    return [file] if path.is_dir() and file.exists() else []


def read_questions(path: Path) -> list[IntentExample]:
    """All questions of a file or folder. Raises `DatasetError` at the first bad line."""
    return [parse_line(IntentExample, line, str(f), n) for f in question_files(path) for n, line in read_lines(f)]


def read_conversations(path: Path) -> list[Conversation]:
    """All conversations of a folder. Raises `DatasetError` at the first bad line."""
    return [parse_line(Conversation, line, str(f), n) for f in conversation_files(path) for n, line in read_lines(f)]


def intent_dataset_digest(examples: Sequence[IntentExample], conversations: Sequence[Conversation]) -> str:
    """SHA-256 over the content of both in their order."""
    digest = hashlib.sha256()
    for item in (*examples, *conversations):
        digest.update(orjson.dumps(item.model_dump(), option=orjson.OPT_SORT_KEYS))
    return digest.hexdigest()
