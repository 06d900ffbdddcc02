"""What people read of an intent decision, in Russian and English. Codes in records never change with the language."""

from __future__ import annotations

from features.language import Language

_WORDS: dict[str, tuple[str, str]] = {
    "CODE_QA": ("вопрос по коду", "question about code"),
    "DOCS_QA": ("вопрос по документации", "question about documentation"),
    "GENERATE_DOCS_FROM_CODE": ("написать документацию по коду", "documentation to be written from code"),
    "PROJECT_MISC": ("прочее по проекту", "anything else of the project"),
    "START": ("начало темы", "a topic begins"),
    "CONTINUE": ("тема продолжается", "the topic goes on"),
    "SWITCH": ("тема меняется", "the topic changes"),
    "no_active_intent": ("активной темы не было", "no intent was active"),
    "greeting": ("приветствие или благодарность темы не меняет", "a greeting or thanks changes nothing"),
    "unreadable": ("читать нечего", "there is nothing to read"),
    "kept": ("реплика остаётся в теме", "the turn stays with the topic"),
    "explicit_signal": ("в реплике названа другая задача", "the turn names another task"),
    "hard_mismatch": ("реплика не может быть на эту тему", "the turn cannot be of that topic"),
    "intent": ("Намерение", "Intent"),
    "mode": ("Режим", "Mode"),
    "why": ("Почему", "Why"),
    "anchors": ("Якоря", "Anchors"),
    "earlier": ("Из разговора", "From earlier"),
    "layers": ("Слои", "Layers"),
    "filters": ("Фильтры", "Filters"),
    "evidence": ("Нужно", "Evidence"),
    "expansions": ("Расширения", "Expansions"),
    "decision": ("решение", "decision"),
    "truncated": ("прочитано", "read"),
    "kept_probability": ("вероятность продолжения", "probability of going on"),
    "missing_layers": ("нет слоёв", "missing layers"),
    "problems": ("не прочитано", "not used"),
    "FILE_PATH": ("путь", "path"),
    "SYMBOL": ("имя", "symbol"),
    "DOC_REF": ("документ", "document"),
    "KEY_TERM": ("термин", "term"),
    "chat_hint": (
        "пустая строка или Ctrl-D завершает; /new начинает разговор заново",
        "an empty line or Ctrl-D ends; /new begins anew",
    ),
}


def intent_word(code: str, language: Language) -> str:
    """Plain words for a code, the code itself where there are none."""
    pair = _WORDS.get(code)
    return code if pair is None else pair[0 if language == "ru" else 1]
