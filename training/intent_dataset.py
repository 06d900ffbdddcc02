"""Labelled questions and conversations of CODE + DOCS: JSON lines, read whole or not at all.

Errors: `training.dataset.DatasetError` names file and line.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from training.dataset import LabelledLine, dataset_files, parse_line, read_lines

IntentName = Literal["CODE_QA", "DOCS_QA", "GENERATE_DOCS_FROM_CODE", "PROJECT_MISC"]
ModeName = Literal["START", "CONTINUE", "SWITCH"]
CONVERSATIONS = "conversations.jsonl"


class MarkedAnchor(BaseModel):
    """An anchor as its author marked it; ``start`` and ``end`` are code points of the text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM"]
    start: int = Field(ge=0)
    end: int = Field(ge=1)
    value: str = Field(min_length=1)


class IntentExample(LabelledLine):
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


class Conversation(LabelledLine):
    """One labelled conversation; ``languages`` are those of its repository."""

    languages: tuple[str, ...] = ()
    author: str = Field(min_length=1)
    source: str = "written"
    turns: tuple[Turn, ...] = Field(min_length=1)


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
