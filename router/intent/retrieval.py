"""Layers, filters and evidence: sections 7 and 8, by the catalogue ``data/intent/layers.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import orjson

from features.code.reading import CodeReading
from features.code.terms import ROLES
from features.code.wordlists import code_words
from router.intent.contract import DOMAINS, RERANK_PROFILES, EvidencePolicy, PlanAnchor, RetrievalSpec
from router.intent.inputs import RepoContext

MOST_SCOPES = 24
_MOST_MATCHES = 5
"""Places of a repository that a bare file name may stand for; more of them say nothing."""

_TEST_WORDS = code_words("test_words")
_BASE_EVIDENCE = {
    "CODE_QA": EvidencePolicy(require_def=True, require_flow=True),
    "DOCS_QA": EvidencePolicy(require_spec=True),
    "GENERATE_DOCS_FROM_CODE": EvidencePolicy(require_def=True),
    "PROJECT_MISC": EvidencePolicy(allow_answer_without_evidence=True),
}
_WITH_FLOW = {"GENERATE_DOCS_FROM_CODE": EvidencePolicy(require_def=True, require_flow=True)}


class Catalogue:
    """The layers that a retriever may hold, and what intents, key terms and anchors ask of them."""

    def __init__(self, data: Mapping[str, Any], languages: Mapping[str, Any]) -> None:
        self.layers: list[dict[str, str]] = data["layers"]
        self.order = [layer["id"] for layer in self.layers]
        self.domain_of = {layer["id"]: layer["domain"] for layer in self.layers}
        self.base: dict[str, dict[str, int]] = data["intents"]
        self.terms: dict[str, dict[str, Any]] = data["key_terms"]
        self.anchors: dict[str, dict[str, int]] = data["anchors"]
        self.language_of_extension: dict[str, str] = languages["extensions"]
        self.aliases: dict[str, str] = languages["aliases"]


@lru_cache(maxsize=1)
def load_catalogue() -> Catalogue:
    """The catalogue that ships."""
    folder = files("data").joinpath("intent")
    return Catalogue(
        orjson.loads(folder.joinpath("layers.json").read_bytes()),
        orjson.loads(folder.joinpath("languages.json").read_bytes()),
    )


def term_of(anchor: PlanAnchor) -> str:
    """Id of the key term that an anchor is, of this turn or an earlier one."""
    return (
        ROLES.get(anchor.value.lower().replace("ё", "е"), "").removeprefix("term:") if anchor.type == "KEY_TERM" else ""
    )


def build_retrieval(
    intent: str, in_focus: Sequence[PlanAnchor], reading: CodeReading, repo: RepoContext, catalogue: Catalogue
) -> RetrievalSpec:
    """Which layers to ask and under which filters."""
    return RetrievalSpec(
        domains=DOMAINS[intent],
        layer_queries=_layers(intent, in_focus, repo, catalogue),
        test_policy="INCLUDE" if about_tests(in_focus, reading) else "EXCLUDE",
        path_scope=path_scope(in_focus, repo),
        language=languages(in_focus, repo, catalogue),
        rerank_profile=RERANK_PROFILES[intent],
    )


def _layers(
    intent: str, in_focus: Sequence[PlanAnchor], repo: RepoContext, catalogue: Catalogue
) -> list[tuple[str, int]]:
    """(layer, top_k) in the order of the catalogue: what the intent asks for, more where terms and anchors point, nothing that the repository lacks."""
    wanted = dict(catalogue.base[intent])
    domains = DOMAINS[intent]
    asked: set[str] = set()
    for anchor in in_focus:
        name = term_of(anchor) or anchor.type
        if name in asked:
            continue
        asked.add(name)
        table = catalogue.terms[name]["layers"] if name in catalogue.terms else catalogue.anchors.get(name, {})
        for layer, more in table.items():
            if catalogue.domain_of[layer] in domains:
                wanted[layer] = wanted.get(layer, 0) + more
    have = repo.available_layers
    return [(layer, wanted[layer]) for layer in catalogue.order if layer in wanted and (have is None or layer in have)]


def build_evidence(intent: str, in_focus: Sequence[PlanAnchor], catalogue: Catalogue) -> EvidencePolicy:
    """Section 8's minimum, and what the table of key terms adds."""
    for anchor in in_focus:
        term = term_of(anchor)
        if term and "require_flow" in catalogue.terms[term]["evidence"].get(intent, ()):
            return _WITH_FLOW[intent]
    return _BASE_EVIDENCE[intent]


def about_tests(in_focus: Sequence[PlanAnchor], reading: CodeReading) -> bool:
    """Whether a query is about tests: by a term, a path, a name, or a word of testing."""
    for anchor in in_focus:
        if anchor.type == "KEY_TERM":
            if term_of(anchor) in ("test", "unit_test"):
                return True
        elif anchor.type == "FILE_PATH":
            low = anchor.value.lower().replace("\\", "/")
            if any(_names_tests(segment) for segment in low.split("/")):
                return True
        elif anchor.type == "SYMBOL":
            last = anchor.value.rsplit(".", 1)[-1].rsplit("::", 1)[-1]
            if last.startswith(("test_", "Test_")) or last.endswith(("Test", "Tests", "TestCase", "Spec", "_test")) or (last.startswith("Test") and last[4:5].isupper()):  # fmt: skip
                return True
    return any(lemma in _TEST_WORDS for lemma in reading.lemmas)


def _names_tests(segment: str) -> bool:
    """Whether a folder or file of a path, in small letters, is one of tests."""
    stem = segment.split(".", 1)[0]
    return (
        segment.startswith("test")
        or stem.endswith(("test", "tests", "spec", "specs"))
        or ".test." in segment
        or ".spec." in segment
    )


def path_scope(in_focus: Sequence[PlanAnchor], repo: RepoContext) -> list[str]:
    """Paths as they were named; with forward slashes too; and where a bare name stands in the repository, when it is known."""
    found: dict[str, None] = {}
    for anchor in in_focus:
        if anchor.type != "FILE_PATH":
            continue
        found.setdefault(anchor.value)
        forward = anchor.value.replace("\\", "/")
        found.setdefault(forward)
        if len(found) > MOST_SCOPES:
            break
        if repo.paths:
            tail = "/" + forward.removeprefix("./").strip("/")
            matches = [p for p in repo.paths if ("/" + p.rstrip("/")).endswith(tail)]
            if len(matches) <= _MOST_MATCHES:
                found.update(dict.fromkeys(matches))
    return list(found)[:MOST_SCOPES]


def languages(in_focus: Sequence[PlanAnchor], repo: RepoContext, catalogue: Catalogue) -> list[str]:
    """Languages that the anchors tell, spelled as the repository spells them; where they tell none, the repository's."""
    told: dict[str, None] = {}
    for anchor in in_focus:
        if anchor.type == "FILE_PATH":
            extension = anchor.value.rsplit(".", 1)[-1].lower() if "." in anchor.value else ""
            if language := catalogue.language_of_extension.get(extension):
                told.setdefault(language)
        elif anchor.type == "SYMBOL" and any("\u0400" <= c <= "\u04ff" for c in anchor.value):
            told.setdefault("1c")
    if not told:
        return list(dict.fromkeys(repo.languages))
    spelled = {catalogue.aliases.get(name.lower(), name.lower()): name for name in repo.languages}
    return [spelled.get(language, language) for language in told]
