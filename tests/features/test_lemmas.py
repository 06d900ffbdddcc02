"""Words to dictionary forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import features.lemmas
from features.lemmas import MAX_WORD_CHARS, Lemmatiser

russian_words = st.text("абвгдежзийклмнопрстуфхцчшщъыьэюя", min_size=1, max_size=50)
english_words = st.text("abcdefghijklmnopqrstuvwxyz'", min_size=1, max_size=50)


@pytest.fixture(scope="module")
def lemmatiser() -> Lemmatiser:
    return Lemmatiser()


@pytest.mark.parametrize(
    ("lemma", "forms"),
    [
        ("проводка", "проводка проводки проводкой проводками проводок субпроводка"),
        ("счет", "счет счета счету счетом счетам счетов"),
        ("контрагент", "контрагент контрагента контрагентам контрагентов контрагентами"),
        ("поставщик", "поставщик поставщика поставщиков поставщикам"),
        ("накладная", "накладная накладной накладные накладных накладную"),
        ("остаток", "остаток остатка остатки остатков остаткам"),
        ("документ", "документ документа документы документов документами"),
        ("договор", "договор договора договоры договоров"),
        ("платежка", "платежка платежки платежку платежек"),
        ("должный", "должен должна должны"),
        ("кто", "кто кого кому кем"),
        ("весь", "весь все всех всем"),
        ("аванс", "аванс аванса авансы авансов"),
        ("выручка", "выручка выручки выручку"),
        ("июнь", "июнь июня июне июню"),
        ("прошлый", "прошлый прошлая прошлые прошлой"),
        ("закрыть", "закрыть закрыли закрыл"),
        ("прошлый", "прошлого прошлом"),
        ("закрыть", "закрыт закрыта закрыты"),
        ("данный", "данный данная"),
        ("ндс", "ндс"),
        ("сальдо", "сальдо сальды"),
    ],
)
def test_every_form_of_a_russian_word_has_one_lemma(lemmatiser: Lemmatiser, lemma: str, forms: str) -> None:
    assert dict.fromkeys(forms.split(), lemma) == {form: lemmatiser.lemma(form, "ru") for form in forms.split()}


@pytest.mark.parametrize(
    "forms",
    [
        "invoice invoices",
        "supplier suppliers supplier's",
        "balance balances",
        "posting postings post posted",
        "entry entries",
        "owe owed owes owing",
        "pay paid pays paying",
        "buy bought",
        "sell sold",
        "be is are was were been",
        "do does did done",
        "go went gone",
        "grow grew grown",
        "write wrote written",
        "find found",
        "close closed closing",
        "goods goods'",
        "receivable receivables",
        "accountant accountants accountant's",
        "person people",
    ],
)
def test_all_forms_of_an_english_word_have_one_lemma(lemmatiser: Lemmatiser, forms: str) -> None:
    assert len({lemmatiser.lemma(form.rstrip("'"), "en") for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("account", "accountable", "en"),
        ("account", "accountant", "en"),
        ("account", "accounting", "en"),
        ("customer", "customs", "en"),
        ("good", "goods", "en"),
        ("received", "receivable", "en"),
        ("счет", "счетчик", "ru"),
        ("счет", "сч", "ru"),
        ("поставка", "поставщик", "ru"),
        ("закрыть", "закрытие", "ru"),
    ],
)
def test_words_of_different_meaning_keep_apart(lemmatiser: Lemmatiser, one: str, other: str, kind: str) -> None:
    assert lemmatiser.lemma(one, kind) != lemmatiser.lemma(other, kind)


@pytest.mark.parametrize(
    ("key", "kind", "lemma"),
    [
        ("62.01", "code", "62.01"),
        ("30.06.2020", "date", "30.06.2020"),
        ("№", "mark", "№"),
        ("שלום", "other", "שלום"),
        ("счетq", "mixed", "счетq"),
    ],
)
def test_what_is_no_word_of_one_language_comes_back_as_it_is(
    lemmatiser: Lemmatiser, key: str, kind: str, lemma: str
) -> None:
    assert lemma == lemmatiser.lemma(key, kind)


def test_the_table_comes_before_the_dictionary() -> None:
    assert "шахта" == Lemmatiser({"шахматка": "шахта"}).lemma("шахматка", "ru")
    assert "шахматка" == Lemmatiser().lemma("шахматка", "ru")


@pytest.mark.parametrize(
    ("word", "known"),
    [("проводками", True), ("должен", True), ("каравай", True), ("каравая", False), ("ghbdtn", False)],
)
def test_words_of_the_domain_are_those_of_the_table_and_of_the_overrides(word: str, known: bool) -> None:
    assert known == Lemmatiser({"каравай": "каравай"}).knows_russian(word)


@pytest.mark.parametrize("kind", ["ru", "en", "mixed"])
def test_a_word_is_read_up_to_forty_characters(lemmatiser: Lemmatiser, kind: str) -> None:
    head = ("переосвидетельствование" * 2)[:MAX_WORD_CHARS] if kind == "ru" else "interdenominational" * 2 + "ab"
    assert MAX_WORD_CHARS == len(head)
    assert lemmatiser.lemma(head, kind) == lemmatiser.lemma(head + "ами", kind) == lemmatiser.lemma(head * 100, kind)


def test_memory_stays_bounded_whatever_words_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features.lemmas, "_CACHE_SIZE", 10)
    lemmatiser = Lemmatiser({"счет": "счет"})
    for number in range(200):
        lemmatiser.lemma(f"word{number}", "en")
    assert len(lemmatiser._cache) <= 11
    assert "счет" == lemmatiser.lemma("счет", "ru")


@given(russian_words | english_words)
def test_a_lemma_does_not_depend_on_what_was_asked_before(word: str) -> None:
    kind = "ru" if word[0] >= "а" else "en"
    busy = Lemmatiser()
    for other in ("проводками", "owed", word, "счета"):
        busy.lemma(other, "ru" if other[0] >= "а" else "en")
    assert Lemmatiser().lemma(word, kind) == busy.lemma(word, kind)


@given(russian_words)
def test_a_table_made_of_the_dictionary_changes_no_lemma(word: str) -> None:
    plain = Lemmatiser()
    assert plain.lemma(word, "ru") == Lemmatiser({word: plain.lemma(word, "ru")}).lemma(word, "ru")
