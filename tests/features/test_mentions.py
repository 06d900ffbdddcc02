"""Typed mentions: what an accountant names, and what only looks like it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from features.analysis import Analyser

GUID = "5f0b7c1e-9a3d-11ea-80c1-00155d012345"


def named(analyser: Analyser, text: str, kind: str) -> list[str]:
    """Values of the mentions of one kind, in order."""
    return [str(m.value) for m in analyser.analyse(text).mentions if m.type == kind]


def gap(text: str, expected: Any, reason: str) -> Any:
    return pytest.param(text, expected, marks=pytest.mark.xfail(reason=reason))


LONG_TITLE = pytest.mark.xfail(reason="the rest of 1C's title stands between the kind and the number")


@pytest.mark.parametrize(
    ("text", "accounts"),
    [
        ("счёт 62", ["62"]),
        ("счет 62.01", ["62.01"]),
        ("по счёту 51", ["51"]),
        ("остатки на счетах 50, 51 и 52", ["50", "51", "52"]),
        ("сч. 51", ["51"]),
        ("сч.62", ["62"]),
        ("счёт-51", ["51"]),
        ("счёт №62.01", ["62.01"]),
        ("62 счёт", ["62"]),
        ("62-й счёт", ["62"]),
        ("по 62-му счёту", ["62"]),
        ("account 51", ["51"]),
        ("accounts 60 and 62", ["60", "62"]),
        ("the 51 account", ["51"]),
        # subaccounts need no cue
        ("62.01", ["62.01"]),
        ("90.02.1", ["90.02.1"]),
        ("08.04.2 за июнь", ["08.04.2"]),
        ("76.АВ", ["76.АВ"]),
        ("76.ав", ["76.АВ"]),
        ("76.AB", ["76.АВ"]),
        ("76.ba", ["76.ВА"]),
        ("проводки 62.01-90.01", ["62.01", "90.01"]),
        ("postings to 62.01", ["62.01"]),
        # debit and credit
        ("Дт 62 Кт 90", ["62", "90"]),
        ("Дт62.01 Кт90.01.1", ["62.01", "90.01.1"]),
        ("дебет 51 кредит 62", ["51", "62"]),
        ("Д 62 К 90", ["62", "90"]),
        ("д 62 к 90", ["62", "90"]),
        ("д-т 51 к-т 62", ["51", "62"]),
        ("Dr 62 Cr 90", ["62", "90"]),
        ("debit 51 credit 62", ["51", "62"]),
        # after a preposition
        ("остаток по 62", ["62"]),
        ("остаток на 51", ["51"]),
        ("с 60 на 62", ["60", "62"]),
        ("с 60.01 на 62.01", ["60.01", "62.01"]),
        ("брак повис на 28-м", ["28"]),
        ("субсчета к 68", ["68"]),
        ("balance on 51", ["51"]),
        ("from 60 to 62", ["60", "62"]),
        # off the balance sheet
        ("счёт 001", ["001"]),
        ("счёт 009", ["009"]),
        # beside a period
        ("обороты по 51 за июнь", ["51"]),
        ("по 20 за 2 квартал", ["20"]),
        ("счёт 10.06 за июнь", ["10.06"]),
        ("материалы 10.06", ["10.06"]),
        ("по счёту 10.06", ["10.06"]),
        ("Dt 62 Kt 90", ["62", "90"]),
        gap("проводки 62/90", ["62", "90"], "a bare pair of accounts has no cue"),
        gap("обороты 51", ["51"], "a bare account after a measure has no cue"),
        ("забалансовый 003", ["003"]),
        gap("счета 60,62", ["60", "62"], "without a space it is the number 60,62"),
    ],
)
def test_an_account_is_read(analyser: Analyser, text: str, accounts: list[str]) -> None:
    assert accounts == named(analyser, text, "account")


@pytest.mark.parametrize(
    "text",
    [
        # no account of the chart
        "счёт 00",
        "счёт 13",
        "счёт 622",
        "13.01",
        # a count
        "топ 10 клиентов",
        "топ-10 покупателей",
        "top 10 customers",
        "первые 50 документов",
        "в 62 документах",
        "к 10 клиентам",
        "на 20 контрагентов",
        "по 20 штук",
        "20 suppliers",
        # a length, a share, a sum
        "просрочка 60 дней",
        "за 60 дней",
        "over 90 days",
        "на 20 дней",
        "НДС 20%",
        "НДС 20 процентов",
        "по 20 рублей",
        "на 60 тыс",
        # a date
        "от 10.06",
        "на 10.06",
        "за 10.06",
        "до 10.06",
        "с 01.06 по 10.06",
        "с 01.05 по 10.05",
        "с 10 по 20 июня",
        "с 10 до 20 июня",
        "from June 10 to 20",
        "по 15 июня",
        "к 15 июня",
        "по 10-е",
        "к 20 числу",
        "10 июня",
        "10.06.2020",
        # a number of something else
        "реализация 62",
        "документ № 51",
        "списание с расчётного счёта 77",
        "поступление на расчётный счёт 55",
        "договор К-41",
        "кабинет 51",
        "пункт 76 договора",
        "62 ошибки",
        GUID,
        "0000-000062",
    ],
)
def test_a_number_that_is_no_account(analyser: Analyser, text: str) -> None:
    assert [] == named(analyser, text, "account")


@pytest.mark.parametrize(
    ("text", "kinds", "numbers"),
    [
        ("реализация 45", ["sale"], ["45"]),
        ("Реализация №45 от 15.06.2020", ["sale"], ["45"]),
        ("реализация № 45 от двадцатого", ["sale"], ["45"]),
        ("реализация 0000-000123", ["sale"], ["0000-000123"]),
        ("реализация 00ЦБ-000045", ["sale"], ["00ЦБ-000045"]),
        ("отгрузка 45", ["sale"], ["45"]),
        ("поступление 33", ["purchase"], ["33"]),
        ("накладная 000118", ["waybill"], ["000118"]),
        ("накладная номер 118", ["waybill"], ["118"]),
        ("УПД 55", ["waybill"], ["55"]),
        ("акт 17", ["waybill"], ["17"]),
        ("счёт-фактура 144", ["invoice"], ["144"]),
        ("счет фактура №144", ["invoice"], ["144"]),
        ("сч/ф 144", ["invoice"], ["144"]),
        ("с/ф 144", ["invoice"], ["144"]),
        ("сф 144", ["invoice"], ["144"]),
        ("счёт на оплату 21", ["bill"], ["21"]),
        ("платёжка 118 от 05.06", ["payment_order"], ["118"]),
        ("п/п 118", ["payment_order"], ["118"]),
        ("платёжное поручение № 118 от 5 июня", ["payment_order"], ["118"]),
        ("РКО 12 от третьего", ["cash_order"], ["12"]),
        ("кассовый ордер 12", ["cash_order"], ["12"]),
        ("бухсправка 7", ["manual_entry"], ["7"]),
        ("авансовый отчёт 9", ["expense_report"], ["9"]),
        ("списание с расчётного счёта 77", ["bank_out"], ["77"]),
        ("поступление на расчётный счёт 55", ["bank_in"], ["55"]),
        ("требование-накладная 6", ["writeoff_doc"], ["6"]),
        ("перемещение 5", ["transfer_doc"], ["5"]),
        ("акт сверки № 3", ["reconciliation"], ["3"]),
        ("реализация 2020 от 15 июня", ["sale"], ["2020"]),
        ("invoice 144", ["invoice"], ["144"]),
        ("invoice #144", ["invoice"], ["144"]),
        ("Invoice no. 144", ["invoice"], ["144"]),
        ("invoice INV-00045", ["invoice"], ["INV-00045"]),
        ("sale 45", ["sale"], ["45"]),
        ("payment order 118 dated June 5", ["payment_order"], ["118"]),
        ("act 19 of June 12", ["waybill"], ["19"]),
        ("goods receipt 33", ["purchase"], ["33"]),
        ("write-off 77", ["writeoff_doc"], ["77"]),
        ("credit note 8", ["correction_doc"], ["8"]),
        ("expense report 9", ["expense_report"], ["9"]),
        # the kind of document is not said, or is not of 1C
        ("документ 15", [], ["15"]),
        ("документ № 15", [], ["15"]),
        ("document number 15", [], ["15"]),
        ("договор № 15/2020", [], ["15/2020"]),
        ("договор № К-41", [], ["К-41"]),
        ("договор № 17/06-Д от 1 июня", [], ["17/06-Д"]),
        # a kind without a number
        ("реализации за 2020", ["sale"], []),
        ("реализация 15.06.2020", ["sale"], []),
        ("поступление 15 июня", ["purchase"], []),
        ("поступление 5-го июня", ["purchase"], []),
        ("поступления 20 штук", ["purchase"], []),
        ("накладных 20 дней", ["waybill"], []),
        ("платёжка 1000 рублей", ["payment_order"], []),
        ("приход 3 недели назад", ["purchase"], []),
        ("счета-фактуры без подписи", ["invoice"], []),
        ("invoices of 2019", ["invoice"], []),
        ("ТОРГ-12", ["waybill"], []),
        # no number at all
        ("договор № б/н", [], []),
        ("топ 10 клиентов", [], []),
        ("2018-2020", [], []),
        (GUID[:-1], [], []),
        pytest.param("поступление товаров и услуг 33", ["purchase"], ["33"], marks=LONG_TITLE),
        pytest.param("корректировка долга 4", ["correction_doc"], ["4"], marks=LONG_TITLE),
        pytest.param(
            "АО-9", ["expense_report"], ["9"], marks=pytest.mark.xfail(reason="a hyphen before a short number hides it")
        ),
    ],
)
def test_a_document_is_read_by_its_kind_and_number(
    analyser: Analyser, text: str, kinds: list[str], numbers: list[str]
) -> None:
    found = named(analyser, text, "document_kind"), named(analyser, text, "document_number")
    assert (kinds, numbers) == found


@pytest.mark.parametrize(
    ("text", "guids"),
    [
        (GUID, [GUID]),
        (GUID.upper(), [GUID]),
        (f"{{{GUID}}}", [GUID]),
        (f"документ {GUID}.", [GUID]),
        (f"document {GUID}, posting", [GUID]),
        (f"{GUID} {GUID}", [GUID, GUID]),
        (GUID.replace("-", ""), []),
        (GUID[:-1], []),
        (f"{GUID}0", []),
        (GUID.replace("c", "z"), []),
        (GUID.replace("-", "–"), [GUID]),
    ],
)
def test_a_guid_is_read_whole_or_not_at_all(analyser: Analyser, text: str, guids: list[str]) -> None:
    assert guids == named(analyser, text, "guid")


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("1000000", ["1000000.00"]),
        ("1 000 000", ["1000000.00"]),
        ("1\u00a0000\u00a0000,50", ["1000000.50"]),
        ("1'000'000", ["1000000.00"]),
        ("12 345,67", ["12345.67"]),
        ("12345.67", ["12345.67"]),
        ("150,00", ["150.00"]),
        ("1,250,000", ["1250000.00"]),
        ("84,200.00", ["84200.00"]),
        ("9,480", ["9480.00"]),
        ("на сумму 5000", ["5000.00"]),
        ("500 рублей", ["500.00"]),
        ("500 руб.", ["500.00"]),
        ("500р", ["500.00"]),
        ("500₽", ["500.00"]),
        ("по 20 рублей", ["20.00"]),
        ("платёжка 1000 рублей", ["1000.00"]),
        ("500 roubles", ["500.00"]),
        ("500 USD", ["500.00"]),
        ("$500", ["500.00"]),
        ("EUR 4,800", ["4800.00"]),
        ("5 тыс", ["5000.00"]),
        ("5 тысяч рублей", ["5000.00"]),
        ("100 тыр", ["100000.00"]),
        ("50к", ["50000.00"]),
        ("50k", ["50000.00"]),
        ("1,5 млн", ["1500000.00"]),
        ("1.5m", ["1500000.00"]),
        ("2 миллиона", ["2000000.00"]),
        ("3 million roubles", ["3000000.00"]),
        ("90 thousand", ["90000.00"]),
        ("2,5 млрд руб", ["2500000000.00"]),
        ("50 копеек", ["0.50"]),
        ("500 kopecks", ["5.00"]),
        ("от 1000 до 5000", ["1000.00", "5000.00"]),
        # no money
        ("62.01", []),
        ("30.06.2020", []),
        ("2020 год", []),
        ("в 1,5 раза", []),
        ("1000 штук", []),
        ("1500 дней", []),
        ("12,50 %", []),
        ("проволока 1,2 мм", []),
        ("топ 10", []),
        ("ИНН 7707083893", []),
        ("КПП: 770701001", []),
        ("TIN 7707083893", []),
        ("инв. 000071", []),
        ("р/с 40702810900000012345", []),
        ("декларация 10210200/160620/0041177", []),
        ("ref=80c200155d0a1b0211eaaa4c91d0e7f3", []),
        ("реализация 2207", []),
        ("1" * 400, []),
        gap("пятьсот рублей", ["500.00"], "sums in words are not read"),
        ("открой инвойс 2207", []),
    ],
)
def test_an_amount_is_read_in_roubles(analyser: Analyser, text: str, amounts: list[str]) -> None:
    assert amounts == named(analyser, text, "amount")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # after a word for a counterparty
        ("у поставщика Каравай", ["Каравай"]),
        ("долг покупателя Ромашка за июнь", ["Ромашка"]),
        ("контрагент Альфа", ["Альфа"]),
        ("контрагент альфа", ["альфа"]),
        ("контрагенты Альфа и Бета", ["Альфа", "Бета"]),
        ("клиент Ромашка-Плюс", ["Ромашка-Плюс"]),
        ("supplier Orion", ["Orion"]),
        ("customer Orion Trading", ["Orion Trading"]),
        # in quotes
        ("сальдо «Ромашка»", ["Ромашка"]),
        ('сальдо "Ромашка"', ["Ромашка"]),
        ("долг „Торговый дом Восход“", ["Торговый дом Восход"]),
        ("аванс «Каменск-Бумаге»", ["Каменск-Бумаге"]),
        ("debt of “Orion Trading”", ["Orion Trading"]),
        # beside a legal form
        ("ООО Каравай", ["Каравай"]),
        ("ООО «Каравай»", ["Каравай"]),
        ("ооо каравай", ["каравай"]),
        ("ИП Иванов", ["Иванов"]),
        ("ПАО Сбербанк", ["Сбербанк"]),
        ("по ООО «Вектор» и ООО «Прогресс»", ["Вектор", "Прогресс"]),
        ("LLC Orion", ["Orion"]),
        ("how much does Orion Ltd owe", ["Orion"]),
        ("Did Sever-Trans GmbH pay", ["Sever-Trans"]),
        ("invoices Frigotec GmbH issued", ["Frigotec"]),
        # after a preposition
        ("сальдо с Ромашкой", ["Ромашкой"]),
        ("оплаты от Каравая", ["Каравая"]),
        ("акты для Уютного Дома", ["Уютного Дома"]),
        ("акт сверки с Диван-Холлом", ["Диван-Холлом"]),
        ("между Ромашкой и Караваем", ["Ромашкой", "Караваем"]),
        ("from Orion and Vega", ["Orion", "Vega"]),
        ("owed by Orion", ["Orion"]),
        ("any of Nordhaus's invoices", ["Nordhaus"]),
        # no name
        ("контрагенты", []),
        ("контрагент должен", []),
        ("какие ооо должны", []),
        ("клиенты с долгами", []),
        ("Поставщики", []),
        ("от Покупателя", []),
        ("по НДС", []),
        ("с НДФЛ", []),
        ("for VAT", []),
        ("for June", []),
        ("in May", []),
        ("по Договору", []),
        ("на Складе", []),
        ("«»", []),
        ("«Ромашка", []),
        ("Ltd owes us", []),
        gap("поставщик Рога и Копыта", ["Рога и Копыта"], "«и» joins two names, also where it is part of one"),
        gap("'Ромашка'", ["Ромашка"], "single quotes are read as apostrophes"),
        gap("vendor orion", ["orion"], "an English name in small letters has no mark"),
    ],
)
def test_a_name_is_read(analyser: Analyser, text: str, names: list[str]) -> None:
    assert names == named(analyser, text, "counterparty")


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("document", "документ|документы|доки|первичка|бумаги|documents|voucher|paperwork"),
        ("posting", "проводки|корреспонденция счетов|записи|postings|journal entries|entries"),
        ("account", "счёт|счета|субсчета|cчёт|account|accounts|ledger account"),
        (
            "counterparty",
            "контрагенты|поставщик|покупателям|клиенты|подрядчик|должники|suppliers|customers|vendor|counterparties",
        ),
        ("contract", "договор|договоры|контракт|соглашение|contracts|agreement"),
        ("register_record", "регистр|книга покупок|книге продаж|register records|purchase ledger|sales book"),
        ("subconto", "субконто|аналитика|subconto|dimension"),
        ("item", "номенклатура|товары|материалы|сырьё|items|goods|products"),
        ("warehouse", "склад|складам|кладовая|warehouse|depot"),
        ("employee", "сотрудник|работники|подотчётник|подотчётные лица|employees|staff"),
        ("organisation", "организация|юрлицо|организации|organisations|legal entity"),
    ],
)
def test_a_kind_of_thing_is_read_in_both_languages(analyser: Analyser, kind: str, texts: str) -> None:
    found = {text: named(analyser, text, "entity_kind") for text in texts.split("|")}
    assert {key: [kind] for key in texts.split("|")} == found


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("счёт-фактура", ["invoice"]),
        ("счёт на оплату", ["bill"]),
        ("книга продаж", ["register_record"]),
        ("goods receipt", ["purchase"]),
        ("cash voucher", ["cash_order"]),
        ("акт сверки", ["reconciliation"]),
        ("документы и проводки по договорам", ["document", "posting", "contract"]),
        ("customers and their contracts", ["counterparty", "contract"]),
        ("customs declaration", []),
        ("accounting policy", []),
        ("good morning", []),
    ],
)
def test_of_kinds_on_the_same_words_the_longest_is_meant(analyser: Analyser, text: str, kinds: list[str]) -> None:
    mentions = analyser.analyse(text).mentions
    assert kinds == [m.value for m in mentions if m.type in ("entity_kind", "document_kind")]


@pytest.mark.parametrize(
    ("measure", "texts"),
    [
        ("balance", "остаток|сальдо|balance|closing balance"),
        ("turnover", "обороты|оборотка|ОСВ|turnover|trial balance"),
        ("receivable", "дебиторка|дебиторская задолженность|ДЗ|receivables|accounts receivable|AR"),
        ("payable", "кредиторка|кредиторская задолженность|payables|accounts payable"),
        ("debt", "долг|задолженность|должен|debt|owes|unpaid"),
        ("revenue", "выручка|доходы|revenue|income"),
        ("expense", "расходы|затраты|издержки|expenses|costs"),
        ("cost_of_sales", "себестоимость|COGS|cost of sales|cost of goods sold"),
        ("profit", "прибыль|маржа|убыток|profit|margin|loss"),
        ("vat", "НДС|вычет|VAT|input VAT"),
        ("salary", "зарплата|зп|премия|оплата труда|salary|wages"),
        ("advance", "аванс|предоплата|advance|prepayment"),
        ("payment", "оплата|платежи|payment|payments"),
        ("money", "деньги|касса|расчётный счёт|cash|bank"),
        ("stock", "запасы|недостача|inventory|shortage"),
        ("fixed_asset", "амортизация|станки|ОС|fixed assets|depreciation"),
        ("currency", "валюта|курсовые разницы|currency"),
        ("price", "цена|скидка|price|discount"),
    ],
)
def test_a_measure_is_read_in_both_languages(analyser: Analyser, measure: str, texts: str) -> None:
    found = {text: named(analyser, text, "measure") for text in texts.split("|")}
    assert {key: [measure] for key in texts.split("|")} == found


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("остаток и оборот", ["balance", "turnover"]),
        ("налог на прибыль", ["tax"]),
        ("balance of account 51", ["balance"]),
        ("cost of goods sold", ["cost_of_sales"]),
        ("invoices received", []),
        ("документы", []),
        ("основные средства", ["fixed_asset"]),
        ("paid invoices", ["payment"]),
        ("who has not paid", ["payment"]),
    ],
)
def test_only_what_is_measured_is_a_measure(analyser: Analyser, text: str, measures: list[str]) -> None:
    assert measures == named(analyser, text, "measure")


@pytest.mark.parametrize(
    ("text", "pointed"),
    [
        ("откуда эта проводка", ["эта проводка"]),
        ("этот документ", ["этот документ"]),
        ("эту накладную", ["эту накладную"]),
        ("этой самой проводки", ["этой самой проводки"]),
        ("данный документ", ["данный документ"]),
        ("данного документа", ["данного документа"]),
        ("указанный акт", ["указанный акт"]),
        ("вот эта реализация", ["вот эта реализация"]),
        ("тот платёж", ["тот платёж"]),
        ("эта сумма и эта строка", ["эта сумма", "эта строка"]),
        ("this entry", ["this entry"]),
        ("why this posting", ["this posting"]),
        ("that payment", ["that payment"]),
        ("these invoices", ["these invoices"]),
        ("this very document", ["this very document"]),
        # nothing is pointed at
        ("документ", []),
        ("этот месяц", []),
        ("эта компания", []),
        ("this month", []),
        ("this customer", []),
        ("это проводка", []),
        ("этот, документ", []),
        ("этот клиент заплатил за все наши документы", []),
        ("данная проводка", ["данная проводка"]),
        gap("the document above", ["document above"], "a pointer is looked for before the thing only"),
        ("this balance", ["this balance"]),
    ],
)
def test_a_thing_is_pointed_at(analyser: Analyser, text: str, pointed: list[str]) -> None:
    analysis = analyser.analyse(text)
    assert pointed == [text[slice(*analysis.span(m))] for m in analysis.mentions if m.type == "pointing"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Остаток по счёту 51 на 30.06.2020",
            [("measure", "Остаток"), ("entity_kind", "счёту"), ("account", "51"), ("period", "30.06.2020")],
        ),
        (
            "почему реализация №45 ООО «Каравай» от 15 июня на 84 200,00 не закрыта",
            [
                ("document_kind", "реализация"),
                ("document_number", "45"),
                ("counterparty", "Каравай"),
                ("period", "15 июня"),
                ("amount", "84 200,00"),
            ],
        ),
        (
            "эта проводка Дт 62.01 Кт 90.01 за июнь",
            [
                ("pointing", "эта проводка"),
                ("entity_kind", "проводка"),
                ("account", "62.01"),
                ("account", "90.01"),
                ("period", "июнь"),
            ],
        ),
        (
            "Which payments to Orion Ltd on 62.02 exceeded $1,250.00 in Q2?",
            [
                ("measure", "payments"),
                ("counterparty", "Orion"),
                ("account", "62.02"),
                ("amount", "$1,250.00"),
                ("period", "Q2"),
            ],
        ),
        (
            "долг\u00a0Ромашки\u00a0по\u00a0сче\u0308ту\u200b 62.01",
            [("measure", "долг"), ("entity_kind", "сче\u0308ту"), ("account", "62.01")],
        ),
    ],
)
def test_a_question_is_read_whole(analyser: Analyser, text: str, expected: list[tuple[str, str]]) -> None:
    analysis = analyser.analyse(text)
    assert expected == [(m.type, text[slice(*analysis.span(m))]) for m in analysis.mentions]


@pytest.mark.parametrize(
    "text",
    [
        "Дт 62.01 Кт 90.01 за июнь 2020 на 1 000 000 руб.",
        f"реализация №45 от 15 июня {GUID}",
        "ООО «Каравай» 10.06 и договор № 15/2020",
        "с 1 по 15 июня 20 рублей по 20 счёту",
        "Orion Ltd invoice 144 of June 12 for $500",
    ],
)
def test_a_number_or_a_name_belongs_to_one_mention(analyser: Analyser, text: str) -> None:
    owned = [
        (m.first, m.last)
        for m in analyser.analyse(text).mentions
        if m.type in ("period", "account", "document_number", "guid", "amount", "counterparty")
    ]
    assert len(owned) > 1
    assert all(a[1] < b[0] for a, b in itertools.pairwise(owned))
