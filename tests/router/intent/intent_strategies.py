"""Hypothesis strategies of this folder, each named for what it draws."""

from __future__ import annotations

import os

from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("SWITCHMAN_FUZZ", "2000"))
"""Generated inputs a property: 2,000 in ``make test``, 100,000 in ``make fuzz``."""

PIECES = (
    "где", "реализован", "класс", "метод", "функции", "тесты", "UserService", "parse_query", "src/app/main.py", "src\\app", "README", "ADR-007",
    "раздел «Установка»", "section 3.2", "#quick-start", "`Cart.total`", "напиши", "докстринг", "спасибо", "привет", "а подробнее?", "what does",
    "the docs", "write", "unit test", "Справочники.Контрагенты.НайтиПоКоду", "https://github.com/a/b/blob/main/x.py#L1", "main.py:42", "и/или", "ns::f",
    "--dry-run", "v1.2.3", "UserService'а", "«", "»", "“", "”", '"', "'", "`", "```", "\u200b", "\ufeff", "\u0301", "é", "😀", "\ud800", "\x00", "\n", "\t", "  ", "1С",
)  # fmt: skip

any_text = st.text(st.characters(exclude_categories=[]), max_size=80)
"""Every code point there is, lone surrogates included."""

talk = st.lists(st.sampled_from(PIECES) | any_text, max_size=12).map(" ".join)
glued_talk = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
queries = any_text | talk | glued_talk
"""Anything that could be typed, pasted or sent."""

odd_values = st.sampled_from(
    (
        None,
        True,
        0,
        -1,
        1.5,
        float("nan"),
        "",
        "x",
        [],
        [None],
        {},
        {"a": 1},
        ["x", 3],
        [[[]]],
        {"type": 1},
        {"type": "SYMBOL"},
    )
)
"""What a broken caller sends where something else is expected."""

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
intents = st.sampled_from(("CODE_QA", "DOCS_QA", "GENERATE_DOCS_FROM_CODE", "PROJECT_MISC"))
state_anchors = st.fixed_dictionaries(
    {"type": st.sampled_from(("FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM", "OTHER")), "value": st.text(max_size=12)},
    optional={"subtype": st.text(max_size=6), "confidence": st.floats(0, 1), "turn": st.integers(0, 9)},
)
states = st.none() | odd_values | st.fixed_dictionaries(
    {}, optional={"active_intent": intents | odd_values, "turns": st.integers(0, 30) | odd_values, "anchors": st.lists(state_anchors | odd_values, max_size=3) | odd_values}
)  # fmt: skip
"""States as earlier turns return them, and as broken callers send them."""

repos = st.none() | odd_values | st.fixed_dictionaries(
    {}, optional={
        "languages": st.lists(st.sampled_from(("python", "go", "1c", "c++")), max_size=3) | odd_values,
        "available_layers": st.lists(st.sampled_from(("C0", "C1", "C2", "C3", "D1", "D2", "D3", "D4", "X9")), max_size=8) | odd_values,
        "structure": st.lists(st.sampled_from(("src/app/main.py", "docs/README.md")), max_size=3) | odd_values,
    }
)  # fmt: skip
