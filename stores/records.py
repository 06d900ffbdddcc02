"""One record of an export → rows of canonical tables. Raises ValueError with what is wrong with the record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from stores import entities as known
from stores.analytics import SideReader
from stores.charts import Charts, parent_of
from stores.odata_values import UNDEFINED, composite, flag, integer, kopecks, moment, quantity, ref, short_type, text

Row = tuple[str, tuple[Any, ...]]
Record = dict[str, Any]

_GUID_EPOCH = datetime(1582, 10, 15)  # noqa: DTZ001  # zero of the clock in a GUID, UTC by definition
_UTC = ZoneInfo("UTC")
_CODE = re.compile(r"[0-9A-Za-zА-Яа-я]+(\.[0-9A-Za-zА-Яа-я]+)*")


def created_of(guid: str | None, zone: ZoneInfo) -> datetime | None:
    """Local moment at which a time-based GUID was made; None where its 13th digit is not 1 or its clock makes no sense.

    The variant bits are not looked at: real 1C references often carry other ones.

    >>> created_of("8b9660f6-6332-11ec-ad72-000c29b45b09", ZoneInfo("Europe/Moscow")).isoformat()
    '2021-12-22T17:22:08'
    """
    if guid is None or len(guid) != 36 or guid[14] != "1":
        return None
    ticks = int(guid[15:18] + guid[9:13] + guid[0:8], 16)
    found = (_GUID_EPOCH + timedelta(microseconds=ticks // 10)).replace(microsecond=0)
    if not 1995 <= found.year <= 2100:
        return None
    return found.replace(tzinfo=_UTC).astimezone(zone).replace(tzinfo=None)


def vat_expected(amount: int, rate: str, included: bool) -> int | None:
    """VAT of a row's sum at its rate, in kopecks, half up; None where the rate says nothing."""
    percent = known.VAT_RATES.get(rate)
    if percent is None:
        return None
    top, bottom = (amount * percent, 100 + percent) if included else (amount * percent, 100)
    return (2 * top + bottom) // (2 * bottom)


class RecordReader:
    """Turns records into rows; ``uses`` counts values of субконто over everything read."""

    def __init__(self, charts: Charts, zone: ZoneInfo) -> None:
        self.charts, self._zone = charts, zone
        self.uses: Counter[tuple[str, str, str]] = Counter()
        self._dr, self._cr = SideReader(charts, "Dr", self.uses), SideReader(charts, "Cr", self.uses)
        self._balance = SideReader(charts, "", Counter())

    def count_uses(self) -> None:
        """``uses`` is whole after this."""
        for side in (self._dr, self._cr):
            side.count_uses()

    def read(self, entity: str, record: Record, file: str, position: int, dates: tuple[date, ...]) -> Iterator[Row]:
        """Rows of a record. ``dates`` stood in the file's name: of a balance, or first and last day of turnovers."""
        if entity.startswith(known.DOCUMENT):
            return self.document(entity.removeprefix(known.DOCUMENT), record)
        if entity.startswith(known.LEDGER):
            return self._ledger(entity, record, file, position, dates)
        if entity.startswith(known.ACCUMULATION) and (
            "RecordSet" in record or "Recorder" in record or "Recorder_Key" in record
        ):
            return self.register_records(entity.removeprefix(known.ACCUMULATION), record)
        maker = _CATALOG.get(known.CATALOGS.get(entity, ""))
        if maker is not None:
            return iter([maker(record)])
        if entity.startswith(known.ACCOUNT_CHART):
            return iter([self._account(record)])
        return iter([_other(entity, record, file, position)])

    # Charts ------------------------------------------------------------------------------------------------------

    def chart(self, entity: str, record: Record) -> None:
        """Note a record of a chart; called before anything else is read."""
        own = _own_ref(record)
        if entity.startswith(known.ACCOUNT_CHART):
            code = text(record.get("Code"))
            if not _CODE.fullmatch(code):
                raise ValueError(f"Code {code!r} is no account code")
            self.charts.codes[own] = code
            slots = record.get("ExtDimensionTypes") or []
            self.charts.slot_refs[code] = tuple(
                r
                for r in (
                    ref(s.get("ExtDimensionType_Key"))
                    for s in sorted(slots, key=lambda s: integer(s.get("LineNumber", 0)))
                )
                if r
            )
        else:
            self.charts.kinds[own] = text(record.get("Description"))

    def _account(self, record: Record) -> Row:
        code = text(record.get("Code"))
        nature = {"Active": "A", "Passive": "P", "Активный": "A", "Пассивный": "P"}.get(text(record.get("Type")), "AP")
        return "account", (
            _own_ref(record),
            code,
            parent_of(code),
            text(record.get("Description")),
            nature,
            flag(record.get("OffBalance")),
        )

    # Documents ---------------------------------------------------------------------------------------------------

    def document(self, kind: str, record: Record) -> Iterator[Row]:
        """A document and its rows of goods, services and payments."""
        own = _own_ref(record)
        when = moment(record.get("Date"))
        if when is None:
            raise ValueError("Date is empty")
        included = flag(record.get("СуммаВключаетНДС", True))
        lines = list(_document_lines(own, record, included))
        yield (
            "document",
            (
                own,
                kind,
                text(record.get("Number")),
                when,
                flag(record.get("Posted")),
                flag(record.get("DeletionMark")),
                text(record.get("ВидОперации") or record.get("ВидСчетаФактуры")),
                ref(record.get("Организация_Key")),
                _counterparty(record),
                _contract(record),
                ref(record.get("Склад_Key")),
                ref(record.get("Ответственный_Key")),
                kopecks(record.get("СуммаДокумента")),
                sum(line[7] for line in lines),
                included,
                len(lines),
                flag(record.get("РучнаяКорректировка")),
                text(record.get("Комментарий")),
                text(record.get("НомерВходящегоДокумента")),
                moment(record.get("ДатаВходящегоДокумента")),
                _base(record),
                created_of(own, self._zone),
            ),
        )
        for line in lines:
            yield "document_line", line

    # Registers ---------------------------------------------------------------------------------------------------

    def _ledger(self, entity: str, record: Record, file: str, position: int, dates: tuple[date, ...]) -> Iterator[Row]:
        function = re.split(r"[/_]", entity)[-1]
        if function == "Balance":
            return iter([self._opening(record, dates)])
        if function == "Turnovers" and len(dates) == 2:
            return iter([self._turnover(record, dates[0], dates[1])])
        if "RecordSet" in record:
            shared = {k: v for k, v in record.items() if k in ("Recorder", "Recorder_Key", "Recorder_Type")}
            rows = record["RecordSet"]
            if not isinstance(rows, list):
                raise ValueError("RecordSet is no list")
            return (self.posting({**shared, **row}) for row in rows)
        if "Recorder" in record or "Recorder_Key" in record:
            return iter([self.posting(record)])
        return iter([_other(entity, record, file, position)])

    def posting(self, record: Record) -> Row:
        """A row of the accounting register."""
        recorder = ref(record.get("Recorder") or record.get("Recorder_Key"))
        when = moment(record.get("Period"))
        if recorder is None or when is None:
            raise ValueError(f"{'Recorder' if recorder is None else 'Period'} is empty")
        line = integer(record.get("LineNumber"))
        dr = self.charts.code(ref(record.get("AccountDr_Key")))
        cr = self.charts.code(ref(record.get("AccountCr_Key")))
        if dr is None and cr is None:
            raise ValueError("neither AccountDr_Key nor AccountCr_Key is filled")
        storno = flag(record.get("Сторно"))
        amount = kopecks(record.get("Сумма"))
        dr_dims, dr_text = self._dr.read(record, dr)
        cr_dims, cr_text = self._cr.read(record, cr)
        return "posting", (
            f"{recorder}:{line}",
            recorder,
            short_type(record.get("Recorder_Type")).removeprefix("Document_"),
            line,
            when,
            flag(record.get("Active", True)),
            ref(record.get("Организация_Key")),
            -abs(amount) if storno else amount,
            storno,
            text(record.get("Содержание")),
            dr,
            None if dr is None else dr.partition(".")[0],
            *dr_dims,
            dr_text,
            quantity(record.get("КоличествоDr")),
            cr,
            None if cr is None else cr.partition(".")[0],
            *cr_dims,
            cr_text,
            quantity(record.get("КоличествоCr")),
        )

    def _opening(self, record: Record, dates: tuple[date, ...]) -> Row:
        if not dates:
            raise ValueError("a balance whose date is not known; name the file …__Balance_2020-06-01.json")
        account = self.charts.code(ref(record.get("Account_Key")))
        if account is None:
            raise ValueError("Account_Key is empty")
        if "СуммаBalance" in record:
            amount = kopecks(record["СуммаBalance"])
        else:
            amount = kopecks(record.get("СуммаBalanceDr")) - kopecks(record.get("СуммаBalanceCr"))
        dims, analytics = self._balance.read(record, account)
        return "opening", (
            dates[0], ref(record.get("Организация_Key")), account, parent_of(account), *dims, analytics, amount,
            quantity(record.get("КоличествоBalance", record.get("КоличествоBalanceDr"))),
        )  # fmt: skip

    def _turnover(self, record: Record, start: date, end: date) -> Row:
        account = self.charts.code(ref(record.get("Account_Key")))
        if account is None:
            raise ValueError("Account_Key is empty")
        _, analytics = self._balance.read(record, account)
        return "turnover", (
            start, end, ref(record.get("Организация_Key")), account, parent_of(account), analytics,
            kopecks(record.get("СуммаTurnoverDr")), kopecks(record.get("СуммаTurnoverCr")),
        )  # fmt: skip

    def register_records(self, register: str, record: Record) -> Iterator[Row]:
        """Rows of an accumulation register."""
        rows = record.get("RecordSet", [record])
        if not isinstance(rows, list):
            raise ValueError("RecordSet is no list")
        for row in rows:
            recorder = ref(
                row.get("Recorder") or row.get("Recorder_Key") or record.get("Recorder") or record.get("Recorder_Key")
            )
            when = moment(row.get("Period"))
            if recorder is None or when is None:
                raise ValueError(f"{'Recorder' if recorder is None else 'Period'} is empty")
            yield (
                "register_record",
                (
                    register.partition("/")[0].removesuffix("_RecordType"),
                    recorder,
                    short_type(row.get("Recorder_Type") or record.get("Recorder_Type")).removeprefix("Document_"),
                    integer(row.get("LineNumber")),
                    when,
                    flag(row.get("Active", True)),
                    text(row.get("RecordType")),
                    ref(row.get("Покупатель_Key") or row.get("Поставщик_Key") or row.get("Контрагент_Key")),
                    composite(row.get("СчетФактура"), row.get("СчетФактура_Type")),
                    kopecks(row.get("СуммаБезНДС", row.get("Сумма"))),
                    kopecks(row.get("НДС")),
                    orjson.dumps(row).decode(),
                ),
            )


def _own_ref(record: Record) -> str:
    found = ref(record.get("Ref_Key") or record.get("Ref"))
    if found is None:
        raise ValueError("Ref_Key is empty")
    return found


def _filled(value: str | None) -> str:
    return value or ""


def _counterparty(record: Record) -> str | None:
    if "Контрагент_Key" in record:
        return _filled(ref(record["Контрагент_Key"]))
    if "Контрагент" in record and record.get("Контрагент_Type", UNDEFINED) != UNDEFINED:
        return _filled(composite(record["Контрагент"], record["Контрагент_Type"]))
    return None


def _contract(record: Record) -> str | None:
    if "ДоговорКонтрагента_Key" in record:
        return _filled(ref(record["ДоговорКонтрагента_Key"]))
    for part in known.PAYMENT_PARTS:
        for row in record.get(part) or ():
            if "ДоговорКонтрагента_Key" in row:
                return _filled(ref(row["ДоговорКонтрагента_Key"]))
    return None


def _base(record: Record) -> str | None:
    if "ДокументОснование" in record:
        return composite(record["ДокументОснование"], record.get("ДокументОснование_Type"))
    if "ДокументОснование_Key" in record:
        return ref(record["ДокументОснование_Key"])
    for row in record.get("ДокументыОснования") or ():
        return composite(row.get("ДокументОснование"), row.get("ДокументОснование_Type"))
    return None


def _document_lines(own: str, record: Record, included: bool) -> Iterator[tuple[Any, ...]]:
    for part in (*known.GOODS_PARTS, *known.PAYMENT_PARTS):
        for row in record.get(part) or ():
            payment = part in known.PAYMENT_PARTS
            amount = kopecks(row.get("СуммаПлатежа" if payment else "Сумма"))
            rate = text(row.get("СтавкаНДС"))
            yield (
                own,
                part,
                integer(row.get("LineNumber")),
                ref(row.get("Номенклатура_Key")),
                quantity(row.get("Количество")),
                amount,
                rate,
                0 if payment else kopecks(row.get("СуммаНДС")),
                None if payment or "СуммаНДС" not in row else vat_expected(amount, rate, included),
            )


def _other(entity: str, record: Record, file: str, position: int) -> Row:
    own = record.get("Ref_Key")
    return "other_record", (
        entity, own if isinstance(own, str) else None, text(record.get("Code") or record.get("Number")), text(record.get("Description")), file, position,
        orjson.dumps(record).decode(),
    )  # fmt: skip


def _catalog(record: Record) -> tuple[str, str, str]:
    return _own_ref(record), text(record.get("Code")), text(record.get("Description"))


def _counterparty_row(r: Record) -> Row:
    ref_, code, name = _catalog(r)
    return "counterparty", (
        ref_, code, name, text(r.get("НаименованиеПолное")), text(r.get("ИНН")), text(r.get("КПП")), flag(r.get("IsFolder")), flag(r.get("DeletionMark")),
    )  # fmt: skip


def _contract_row(r: Record) -> Row:
    ref_, code, name = _catalog(r)
    return "contract", (
        ref_, code, name, text(r.get("Номер")), moment(r.get("Дата")), ref(r.get("Owner_Key")), text(r.get("ВидДоговора")),
        flag(r.get("УстановленСрокОплаты")), integer(r.get("СрокОплаты") or 0), flag(r.get("DeletionMark")),
    )  # fmt: skip


def _named(table: str) -> Callable[[Record], Row]:
    return lambda r: (table, (*_catalog(r), flag(r.get("DeletionMark"))))


def _organisation_row(r: Record) -> Row:
    return "organisation", (*_catalog(r), text(r.get("ИНН")), flag(r.get("DeletionMark")))


_CATALOG: dict[str, Callable[[Record], Row]] = {
    "counterparty": _counterparty_row,
    "contract": _contract_row,
    "item": _named("item"),
    "warehouse": _named("warehouse"),
    "employee": _named("employee"),
    "organisation": _organisation_row,
}
