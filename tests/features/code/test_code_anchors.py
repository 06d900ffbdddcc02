"""Anchors of developers' questions, by the labelling guide. ⟦F:…⟧ marks a path, S a symbol, D a document, K a key term."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from features.code import CodeReader
from features.lemmas import Lemmatiser

_MARK = re.compile("⟦([FSDK]):([^⟦⟧]*)⟧")
_TYPES = {"F": "FILE_PATH", "S": "SYMBOL", "D": "DOC_REF", "K": "KEY_TERM"}


@pytest.fixture(scope="module")
def reader() -> CodeReader:
    return CodeReader(Lemmatiser())


def unmark(marked: str) -> tuple[str, list[tuple[str, int, int, str]]]:
    """The plain text, and (type, start, end, value) of its marks."""
    text, anchors = "", []
    position = 0
    for match in _MARK.finditer(marked):
        text += marked[position : match.start()]
        anchors.append((_TYPES[match.group(1)], len(text), len(text) + len(match.group(2)), match.group(2)))
        text += match.group(2)
        position = match.end()
    return text + marked[position:], anchors


def assert_marked(reader: CodeReader, marked: str) -> None:
    text, expected = unmark(marked)
    found = [(a.type, a.start, a.end, a.value) for a in reader.read(text).anchors]
    assert expected == found


PATHS = [
    "что в ⟦F:src/app/main.py⟧?",
    "what is in ⟦F:src\\app\\main.py⟧?",
    "открой ⟦F:README.md⟧ и ⟦F:docs/⟧",
    "all of ⟦F:src/**/*.py⟧ please",
    'прочитай "⟦F:my dir/a b.txt⟧" целиком',
    "цель lint в ⟦F:Makefile⟧, ⟦F:Dockerfile⟧ и ⟦F:CODEOWNERS⟧",
    "падает ⟦F:app/main.py⟧:42 и ⟦F:app/main.py⟧:42:7, см. ⟦F:app/db.py⟧#L88-L90",
    "see https://github.com/acme/shop/blob/main/⟦F:src/cart.py⟧#L88",
    "https://gitlab.example.com/acme/shop/-/blob/dev/⟦F:docs/a.md⟧",
    "конфиг лежит в ⟦F:/etc/nginx/nginx.conf⟧ или в ⟦F:C:\\work\\app.ini⟧",
    "в папке ⟦F:billing/invoices⟧ пусто",
    "⟦F:.github/workflows/ci.yml⟧ и ⟦F:.env⟧",
    "(⟦F:web/grid.tsx⟧), «⟦F:go.mod⟧».",
    "⟦F:src/CommonModules/ОбменДанными/Module.bsl⟧",
    "the pages under ⟦F:pages/[id].tsx⟧",
]
NO_PATHS = [
    "и/или, 24/7, TCP/IP, CI/CD, client/server, read/write",
    "GET /api/v1/users/{id} отдаёт 500",
    "версия 3.11.2 или v2.8.1-rc1, e.g. 10.0.4.17:5432",
    "пиши на dev@example.com, сайт https://example.com/docs/index",
    "Node.js, ASP.NET и Vue.js",
    "т.е. и т.д., i.e. так",
]
SYMBOLS = [
    "зачем ⟦S:UserService⟧ зовёт ⟦S:parse_query⟧",
    "why does ⟦S:app.core.Config.load⟧ raise ⟦S:ValueError⟧",
    "⟦S:ns::Class::method⟧ and ⟦S:std::vector⟧<int>",
    "⟦S:pkg.Func⟧ in Go, ⟦S:com.acme.Foo#bar⟧ in Java",
    "⟦S:App\\Http\\UserController⟧ и ⟦S:App\\Acl::can⟧ на PHP",
    "⟦S:$order->total⟧".replace("⟦S:$", "$⟦S:"),
    "⟦S:Order#paid!⟧ на Ruby",
    "⟦S:crate::net::TcpPool⟧ on Rust, ⟦S:Acme.Http.OneCClient⟧ on C#",
    "⟦S:dbo.fn_close_day⟧ и ⟦S:orders.customer_id⟧",
    "⟦S:Справочники.Контрагенты.НайтиПоКоду⟧ возвращает пустую ссылку",
    "где меняется ⟦S:УровеньИзоляции⟧ и ⟦S:ПолучитьJSON⟧",
    "⟦S:__init__⟧, ⟦S:DATABASE_URL⟧, ⟦S:operator<<⟧ and ⟦S:Weight::operator==⟧",
    "⟦F:tests/test_api.py⟧::⟦S:test_ok⟧ падает",
    "⟦F:tests/test_api.py⟧::⟦S:TestUsers::test_ok⟧[case-1]",
    "у ⟦S:UserService⟧'а и ⟦S:Config_v⟧ом всё плохо",
    "⟦K:методе⟧⟦S:parse_query⟧ и ⟦S:DataLoader⟧ами",
    "⟦K:метод⟧ ⟦S:approve⟧ и ⟦K:package⟧ ⟦S:spooler⟧",
    "⟦K:класс⟧ ⟦S:Order⟧ и ⟦K:class⟧ ⟦S:Group⟧",
    "what does the ⟦S:qr⟧ ⟦K:module⟧ do",
    "`⟦S:draft⟧` и ⟦S:reconcile⟧()",
    "у интерфейса ⟦S:Backend⟧, the ⟦S:Stage⟧ enum, the ⟦S:Hold⟧ and ⟦S:Order⟧ ⟦K:classes⟧",
    "файл ⟦F:project.moth⟧".replace("файл", "⟦K:файл⟧"),
]
NO_SYMBOLS = [
    "GitHub, PostgreSQL, JavaScript, macOS и gRPC",
    "ABC-123, --dry-run, -v, @ivanov, login d.sokolov",
    "`async` и `await`",
    "цена в кГц, mTLS, APIs и IDs",
    "мой логин kolya_fe",
    "Сделал.Потом пошёл",
    "⟦K:which⟧".replace("⟦K:which⟧", "which") + " ⟦K:module⟧ decides",
    "the ⟦K:method⟧ that loads",
]
DOCUMENTS = [
    "что в ⟦D:разделе «Установка»⟧?",
    "в ⟦D:раздел „Установка“⟧",
    "⟦D:ADR-007⟧ и ⟦D:section 3.2⟧",
    "⟦D:§5.1⟧, ⟦D:§ 5.1⟧, ⟦D:п. 2.4⟧, ⟦D:главе 7⟧, ⟦D:chapter IV⟧",
    "in ⟦D:#quick-start⟧ of the guide",
    '⟦D:chapter "Rollback"⟧ says',
    "⟦D:README⟧, ⟦D:CHANGELOG⟧ и ⟦D:FAQ⟧",
    "⟦F:docs/install.md⟧⟦D:#ports⟧",
    "⟦D:раздела 8 «Ограничения»⟧ нет",
]
NO_DOCUMENTS = ["issue #123, C#, #include, ветка #L88", "раздел про установку", "section about ports"]
TERMS = [
    "⟦K:классов⟧, ⟦K:методе⟧, ⟦K:функциями⟧, ⟦K:модуля⟧, ⟦K:пакетах⟧, ⟦K:файлу⟧, ⟦K:тесты⟧, ⟦K:юнит-тестов⟧",
    "⟦K:classes⟧, ⟦K:methods⟧, ⟦K:function⟧, ⟦K:modules⟧, ⟦K:package⟧, ⟦K:files⟧, ⟦K:test⟧ and ⟦K:unit tests⟧",
]
NO_TERMS = [
    "Класс, спасибо!",
    "Class, thanks!",
    "please file a bug",
    "we need to test it",
    "тестирование, подкласс, testing и filename",
    "в ⟦F:tests/test_file.py⟧",
]


@pytest.mark.parametrize("marked", PATHS)
def test_paths_are_found_whole_without_quotes_brackets_and_line_suffixes(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.parametrize("marked", NO_PATHS)
def test_routes_versions_numbers_mails_and_alternatives_are_no_paths(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.parametrize("marked", SYMBOLS)
def test_identifiers_of_many_languages_are_found_with_their_case(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.parametrize("marked", NO_SYMBOLS)
def test_products_tickets_logins_flags_and_keywords_are_no_symbols(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.parametrize("marked", DOCUMENTS)
def test_documents_run_from_the_mark_to_the_closing_quote_or_number(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.parametrize("marked", NO_DOCUMENTS)
def test_without_an_explicit_mark_there_is_no_document(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.parametrize("marked", TERMS)
def test_key_terms_are_found_in_every_inflection(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.parametrize("marked", NO_TERMS)
def test_exclamations_verbs_and_derived_words_are_no_key_terms(reader: CodeReader, marked: str) -> None:
    assert_marked(reader, marked)


@pytest.mark.xfail(strict=True, reason="a class name of one capital and no company reads as any proper name")
def test_a_plain_capitalised_name_alone_is_a_symbol(reader: CodeReader) -> None:
    assert_marked(reader, "почему ⟦S:Signer⟧ берёт чужой ключ")


def test_of_anchors_that_meet_the_longer_one_wins(reader: CodeReader) -> None:
    assert_marked(reader, "в ⟦D:разделе «Файл main.py и класс Foo»⟧")


_LETTERS = "abAB_./\\:#-`'\"«»„“()[]{}<>*@$!?,;~ \n0я1§"
_STRETCHES = ("::", "->", "main.py", "раздел ", "класс ", "operator", "http://", "README")


@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(st.lists(st.sampled_from((*_LETTERS, *_STRETCHES)), max_size=30).map("".join) | st.text(max_size=60))
def test_spans_hold_their_values_in_code_points_and_never_meet(text: str) -> None:
    anchors = _READER.read(text).anchors
    end = 0
    for anchor in anchors:
        assert text[anchor.start : anchor.end] == anchor.value != ""
        assert end <= anchor.start
        end = anchor.end


_READER = CodeReader(Lemmatiser())


def test_code_points_beyond_the_basic_plane_count_as_one(reader: CodeReader) -> None:
    text = "👩‍💻 𝔘 где parse_query"
    (anchor,) = reader.read(text).anchors
    assert "parse_query" == text[anchor.start : anchor.end]


def test_reading_stops_at_the_cap_and_says_so(reader: CodeReader) -> None:
    reading = reader.read("a " * 10_000 + "UserService")
    assert (reading.truncated, reading.raw_length, len(reading.raw), list(reading.anchors)) == (True, 20_011, 4000, [])
