"""Labelled questions: JSON lines, read whole or not at all.

Errors: `DatasetError` names file and line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from models.heads import LEARNED_FLAGS, QUESTION_CLASSES


class DatasetError(Exception):
    """A line cannot be read; the message begins with file:line."""


def _one_of(names: tuple[str, ...], value: str) -> str:
    if value not in names:
        raise ValueError(f"{value!r} is not one of {', '.join(names)}")
    return value


class LabelledLine(BaseModel):
    """What every line has; ``file`` and ``line`` say where it stood and are no part of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(min_length=1)
    file: str = Field(default="", exclude=True)
    line: int = Field(default=0, exclude=True)

    @property
    def where(self) -> str:
        """file:line."""
        return f"{self.file}:{self.line}"


L = TypeVar("L", bound=LabelledLine)


class Example(LabelledLine):
    """One labelled question.

    ``flags``: those that are true. ``other_period``: a period outside the reference slice is named. ``ready_summary``: just the ready posting-level
    summary is asked for. ``route``: expected under the reference store. ``group``: questions that are rewordings or a minimal pair share it.
    """

    text: str = Field(min_length=1)
    question_class: Annotated[str, AfterValidator(partial(_one_of, QUESTION_CLASSES))]
    flags: tuple[Annotated[str, AfterValidator(partial(_one_of, LEARNED_FLAGS))], ...]
    other_period: bool = False
    ready_summary: bool = False
    route: str
    group: str | None = None
    author: str = Field(min_length=1)
    voice: str = ""
    source: str = "written"


def default_dataset() -> Path:
    """The folder of the accounting questions in this source tree or installation."""
    return Path(__file__).resolve().parent.parent / "data" / "accounting"


def dataset_files(path: Path) -> list[Path]:
    """``path`` itself, or the ``*.jsonl`` of a folder by name. Raises `DatasetError` where there is nothing."""
    if path.is_file():
        return [path]
    found = sorted(path.glob("*.jsonl"))
    if not found:
        raise DatasetError(f"{path}: no *.jsonl here; give a file or a folder of labelled questions")
    return found


def read_lines(file: Path) -> Iterable[tuple[int, bytes]]:
    """(line number, content) of the lines that are not empty."""
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, line


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


def parse_example(line: bytes, file: str, number: int) -> Example:
    """One line as an example. Raises `DatasetError` that names it."""
    return parse_line(Example, line, file, number)


def read_dataset(path: Path) -> list[Example]:
    """All examples of a file or folder, in the order of file names and lines. Raises `DatasetError` at the first bad line."""
    return [parse_example(line, str(file), number) for file in dataset_files(path) for number, line in read_lines(file)]


def dataset_digest(lines: Sequence[LabelledLine]) -> str:
    """SHA-256 over the content of labelled lines in their order."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(orjson.dumps(line.model_dump(), option=orjson.OPT_SORT_KEYS))
    return digest.hexdigest()
