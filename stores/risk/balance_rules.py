"""Rules over balances: 1, 2, 3, 15, 16, 18, 19, and the credit balance of account 19."""

from __future__ import annotations

from datetime import timedelta

import ibis

from stores.facts import Facts, counted, total
from stores.risk.shape import balance_touch, roubles, signs

ACTIVE = ("10", "19", "20", "26", "41", "43", "50", "51")
PASSIVE = ("02", "42", "66", "67", "80")
CLOSED_AT_MONTH_END = ("25", "26", "44", "90", "91", "000")
CLOSED_AT_YEAR_END = ("99",)
JUMP_RATIO, JUMP_KOPECKS = 20, 100_000_000


def negative_active(facts: Facts) -> ibis.Table:
    """1: an active account in credit at the period's end, by organisation, account and analytics."""
    b = facts.table("balance")
    return _balance_sign(b.filter(b.parent.isin(ACTIVE) & (b.closing < 0)), "NEG_ACTIVE")


def negative_passive(facts: Facts) -> ibis.Table:
    """2: a passive account in debit."""
    b = facts.table("balance")
    return _balance_sign(b.filter(b.parent.isin(PASSIVE) & (b.closing > 0)), "NEG_PASSIVE")


def vat_19_credit(facts: Facts) -> ibis.Table:
    """11: more input VAT deducted than presented."""
    b = facts.table("balance")
    return _balance_sign(b.filter((b.parent == "19") & (b.closing < 0)), "VAT_19_CREDIT")


def _balance_sign(b: ibis.Table, code: str) -> ibis.Table:
    text = ("счёт ", b.account, ", остаток ", roubles(b.closing))
    return signs(b, code, "account", b.account, detail=b.analytics, amount=b.closing, text=text, **balance_touch(b))


def advance_not_set_off(facts: Facts) -> ibis.Table:
    """3: a debt and an advance of one counterparty and contract at once: 62.01 with 62.02, 60.01 with 60.02. Without a contract the counterparty is named."""
    b = facts.table("balance")
    b = b.filter(b.parent.isin(("60", "62")) & (b.counterparty.coalesce("") != ""))
    sign = (b.parent == "62").ifelse(1, -1)  # what buyers owe stands in debit, what we owe in credit
    g = b.group_by(["organisation", "parent", "counterparty", "contract"]).aggregate(
        debt=total(b.account.endswith(".01").ifelse(b.closing * sign, 0)),
        advance=total(b.account.endswith(".02").ifelse(-b.closing * sign, 0)),
    )
    g = g.filter((g.debt > 0) & (g.advance > 0))
    named = g.contract.coalesce("") != ""
    return signs(
        g, "ADVANCE_NOT_OFFSET", named.ifelse("contract", "counterparty"), named.ifelse(g.contract, g.counterparty), detail=g.parent,
        amount=ibis.least(g.debt, g.advance), text=("долг ", roubles(g.debt), ", аванс ", roubles(g.advance), " на счёте ", g.parent),
        counterparty=g.counterparty, contract=g.contract, organisation=g.organisation,
    )  # fmt: skip


def overdue(facts: Facts) -> ibis.Table:
    """15: what is left unpaid of shipments older than the contract's term; contracts without a term are never overdue."""
    d, c = facts.table("debt"), facts.table("contract")
    c = c.filter(c.has_term).select(term_contract=c.ref, term_days=c.term_days)
    j = d.join(c, d.contract == c.term_contract)
    j = j.filter(j.age_days > j.term_days)
    g = j.group_by(["organisation", "counterparty", "contract"]).aggregate(
        late=total(j.left), oldest=j.age_days.max(), term=j.term_days.max()
    )
    return signs(
        g, "OVERDUE", "contract", g.contract, amount=g.late,
        text=(roubles(g.late), ", возраст до ", g.oldest.cast("string"), " дн. при сроке ", g.term.cast("string")),
        counterparty=g.counterparty, contract=g.contract, organisation=g.organisation.nullif(""),
    )  # fmt: skip


def unclosed_month(facts: Facts) -> ibis.Table:
    """16: accounts that a month's end must leave empty; 99 only at a year's end. Nothing is said of a period that ends within a month."""
    b = facts.table("balance")
    parents = (
        (*CLOSED_AT_MONTH_END, *(CLOSED_AT_YEAR_END if facts.end.month == 12 else ())) if facts.whole_months else ()
    )
    b = b.filter(b.parent.isin(parents) if parents else ibis.literal(False))
    g = b.group_by(["organisation", "parent"]).aggregate(left=total(b.closing))
    g = g.filter(g.left != 0)
    return signs(g, "UNCLOSED_MONTH", "account", g.parent, amount=g.left, text=("счёт ", g.parent, ", остаток ", roubles(g.left)), account=g.parent, organisation=g.organisation)  # fmt: skip


def advance_vat(facts: Facts) -> ibis.Table:
    """18: an advance of a buyer without VAT accrued on it, or VAT still on 76.АВ when the advance is gone. The pair 60.02 and 76.ВА tells nothing."""
    b = facts.table("balance")
    b = b.filter((b.counterparty.coalesce("") != "") & (b.account.startswith("62.02") | b.account.startswith("76.АВ")))
    vat = b.account.startswith("76.АВ")
    g = b.group_by(["organisation", "counterparty"]).aggregate(
        advance=total(vat.ifelse(0, -b.closing)), vat_rows=counted(vat), vat_left=total(vat.ifelse(b.closing, 0))
    )
    missing = (g.advance > 0) & (g.vat_rows == 0)
    kept = (g.vat_left > 0) & (g.advance == 0)
    g = g.mutate(
        detail=missing.ifelse("no_76av", kept.ifelse("not_restored", "")), size=missing.ifelse(g.advance, g.vat_left)
    )
    g = g.filter(g.detail != "")
    what = (g.detail == "no_76av").ifelse("нет движений 76.АВ по авансу ", "аванс зачтён, на 76.АВ остаётся ")
    return signs(
        g, "ADVANCE_VAT", "counterparty", g.counterparty, detail=g.detail, amount=g["size"], text=(what, roubles(g["size"])),
        counterparty=g.counterparty, organisation=g.organisation,
    )  # fmt: skip


def turnover_jump(facts: Facts) -> ibis.Table:
    """19: a turnover at least 20 times that of the month before, and at least a million roubles. Silent where the month before is not in the snapshot."""
    b, t = facts.table("balance"), facts.table("turnover")
    before_end = facts.start - timedelta(days=1)
    before_start = before_end.replace(day=1)
    t = t.filter((t.start == ibis.date(before_start.isoformat())) & (t.end == ibis.date(before_end.isoformat())))
    before = t.group_by(before_organisation=t.organisation.coalesce(""), before_account=t.account).aggregate(
        before_dr=total(t.dr), before_cr=total(t.cr)
    )
    now = b.group_by(organisation=b.organisation.coalesce(""), account=b.account).aggregate(
        dr=total(b.dr), cr=total(b.cr)
    )
    j = now.join(before, (now.organisation == before.before_organisation) & (now.account == before.before_account))
    debit = j.select("organisation", "account", detail=ibis.literal("debit"), now=j.dr, before=j.before_dr)
    credit = j.select("organisation", "account", detail=ibis.literal("credit"), now=j.cr, before=j.before_cr)
    both = debit.union(credit)
    both = both.filter((both.before > 0) & (both.now >= JUMP_KOPECKS) & (both.now >= both.before * JUMP_RATIO))
    side = (both.detail == "debit").ifelse("дебет", "кредит")
    return signs(
        both, "TURNOVER_JUMP", "account", both.account, detail=both.detail, amount=both.now,
        text=("счёт ", both.account, ", ", side, " ", roubles(both.now), " против ", roubles(both.before)), account=both.account, organisation=both.organisation.nullif(""),
    )  # fmt: skip
