"""The demo's books read with the json module alone: no code of stores or executors stands behind any figure here."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

ZERO = "00000000-0000-0000-0000-000000000000"
Row = dict[str, Any]


def cents(value: Any) -> int:
    return int(Decimal(value) * 100)


class RawBooks:
    """Documents by kind, rows of the ledger with account codes, catalogues by reference; June is the period."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = {a["Ref_Key"]: a["Code"] for a in self.read("ChartOfAccounts_Хозрасчетный")}
        self.kind = {
            k["Ref_Key"]: k["Description"] for k in self.read("ChartOfCharacteristicTypes_ВидыСубконтоХозрасчетные")
        }
        self.rows = [r for r in self.read("AccountingRegister_Хозрасчетный__RecordsWithExtDimensions") if r["Active"]]
        self.june = [r for r in self.rows if r["Period"][:7] == "2020-06"]
        self.ledger: list[Row] = json.loads((folder.parent / "snapshot-ledger.json").read_text("utf-8"))

    def read(self, name: str) -> list[Row]:
        found: list[Row] = []
        for path in sorted(self.folder.glob(f"{name}*.json")):
            found += json.loads(path.read_text("utf-8"), parse_float=Decimal)["value"]
        return found

    @cached_property
    def documents(self) -> dict[str, Row]:
        """Every document by reference, with its kind under ``type``."""
        found = {}
        for path in self.folder.glob("Document_*.json"):
            kind = path.stem.removeprefix("Document_")
            for d in json.loads(path.read_text("utf-8"), parse_float=Decimal)["value"]:
                found[d["Ref_Key"]] = {**d, "type": kind}
        return found

    def of(self, *kinds: str, june: bool = True) -> list[Row]:
        """Documents of kinds, all for none, of June, not marked for deletion."""
        return [
            d
            for d in self.documents.values()
            if (not kinds or d["type"] in kinds) and not d["DeletionMark"] and (not june or d["Date"][:7] == "2020-06")
        ]

    def partner(self, name: str) -> str:
        return next(c["Ref_Key"] for c in self.read("Catalog_Контрагенты") if c["Description"] == name)

    def partner_of(self, d: Row) -> str:
        """Counterparty of a document, empty where it has none."""
        found = d.get("Контрагент_Key") or d.get("Контрагент") or ""
        return "" if found == ZERO else str(found)

    def contract_of(self, d: Row) -> str | None:
        """Contract of a document: None without such a field, empty where nothing stands in it."""
        if "ДоговорКонтрагента_Key" in d:
            found = d["ДоговорКонтрагента_Key"]
        else:
            rows = d.get("РасшифровкаПлатежа") or []
            if not rows:
                return None
            found = rows[0]["ДоговорКонтрагента_Key"]
        return "" if found == ZERO else str(found)

    def account(self, row: Row, side: str) -> str:
        return self.code[row[f"Account{side}_Key"]]

    def slots(self, row: Row, side: str) -> dict[str, str]:
        """Субконто of a side by the name of their kind."""
        return {
            self.kind[row[f"ExtDimensionType{side}{n}_Key"]]: row.get(f"ExtDimension{side}{n}") or ""
            for n in (1, 2, 3)
            if row.get(f"ExtDimensionType{side}{n}_Key")
        }

    def made_by(self, guid: str) -> list[Row]:
        return sorted((r for r in self.rows if r["Recorder"] == guid), key=lambda r: int(r["LineNumber"]))

    @cached_property
    def closing(self) -> dict[str, int]:
        """Balance of every account at June's end, debit positive."""
        found: dict[str, int] = defaultdict(int)
        for b in self.read("AccountingRegister_Хозрасчетный__Balance"):
            found[self.code[b["Account_Key"]]] += cents(b["СуммаBalance"])
        for r in self.june:
            found[self.account(r, "Dr")] += cents(r["Сумма"])
            found[self.account(r, "Cr")] -= cents(r["Сумма"])
        return dict(found)

    def standing(self, account: str, *kinds: str) -> dict[tuple[str, ...], int]:
        """Closing balances of an account by the values of субконто of these kinds."""
        found: dict[tuple[str, ...], int] = defaultdict(int)
        slots_of = {
            a["Ref_Key"]: [
                s["ExtDimensionType_Key"] for s in sorted(a["ExtDimensionTypes"], key=lambda s: int(s["LineNumber"]))
            ]
            for a in self.read("ChartOfAccounts_Хозрасчетный")
        }
        for b in self.read("AccountingRegister_Хозрасчетный__Balance"):
            if self.code[b["Account_Key"]].startswith(account):
                own = {
                    self.kind[k]: b.get(f"ExtDimension{n}") or "" for n, k in enumerate(slots_of[b["Account_Key"]], 1)
                }
                found[tuple(own.get(k, "") for k in kinds)] += cents(b["СуммаBalance"])
        for r in self.june:
            for side, sign in (("Dr", 1), ("Cr", -1)):
                if self.account(r, side).startswith(account):
                    own = self.slots(r, side)
                    found[tuple(own.get(k, "") for k in kinds)] += sign * cents(r["Сумма"])
        return dict(found)

    def turnover(self, side: str, prefix: str) -> dict[str, int]:
        """Turnover of a side by day."""
        found: dict[str, int] = defaultdict(int)
        for r in self.june:
            if self.account(r, side).startswith(prefix):
                found[r["Period"][:10]] += cents(r["Сумма"])
        return dict(found)

    def planted(self, codes: Iterable[str] | None = None, level: str | None = None) -> list[Row]:
        """Signs of the planter's ledger."""
        wanted = None if codes is None else set(codes)
        return [
            e for e in self.ledger if (wanted is None or e["code"] in wanted) and (level is None or e["level"] == level)
        ]

    def touches(self, entry: Row) -> dict[str, set[str]]:
        """What a planted sign concerns: accounts and counterparties, followed through the raw records."""
        accounts: set[str] = set()
        partners: set[str] = set()
        level, subject = entry["level"], entry["subject"]
        owners = {c["Ref_Key"]: c["Owner_Key"] for c in self.read("Catalog_ДоговорыКонтрагентов")}
        if level == "posting":
            guid, _, line = subject.partition(":")
            row = next(r for r in self.rows if r["Recorder"] == guid and r["LineNumber"] == line)
            accounts |= {self.account(row, "Dr"), self.account(row, "Cr")}
            named = [
                v for side in ("Dr", "Cr") if (v := self.slots(row, side).get("Контрагенты", "")) not in ("", ZERO)
            ]
            partners |= set(named[:1])
        elif level == "document":
            partners |= {self.partner_of(self.documents[subject])} - {""}
        elif level == "account":
            accounts.add(subject)
            partners |= {v for k, v in entry.get("analytics", {}).items() if k == "Контрагенты"}
        elif level == "contract":
            partners.add(owners[subject])
        elif level == "counterparty":
            partners.add(subject)
        return {"account": accounts, "counterparty": partners}
