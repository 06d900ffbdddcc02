"""Rules over sums: VAT of 11, reversals of 13, outliers and round sums of 14."""

from __future__ import annotations

from collections.abc import Sequence

import ibis

from stores import entities as known
from stores.facts import Facts, total
from stores.risk.document_rules import without_invoice
from stores.risk.shape import document_touch, posting_touch, roubles, signs

VAT_TOLERANCE = 1  # kopecks
FEW, SPREADS, TIMES, FLOOR = 3, 8, 10, 100_000
ROUND_FROM, ROUND_STEP = 10_000_000, 1_000_000


def vat_amount(facts: Facts) -> ibis.Table:
    """11: VAT of a row differs from its sum at its rate by more than a kopeck."""
    d, rows = facts.documents, facts.table("document_line")
    d = d.filter(d.type.isin((*known.SALES, *known.PURCHASES)) & ~d.deleted)
    rows = rows.filter(rows.vat_expected.notnull() & ((rows.vat - rows.vat_expected).abs() > VAT_TOLERANCE))
    wrong = rows.group_by("document").aggregate(off=total(rows.vat - rows.vat_expected), first=rows.line.min())
    j = d.join(wrong, d.ref == wrong.document)
    return signs(
        j, "VAT_AMOUNT", "document", j.ref, text=(j.type, " ", j.number, ", строка ", j["first"].cast("string"), ", разница ", roubles(j.off)), amount=j.off,
        **document_touch(j),
    )  # fmt: skip


def vat_no_invoice(facts: Facts) -> ibis.Table:
    """11: a posted purchase with VAT and no posted invoice."""
    d = without_invoice(facts, known.PURCHASES)
    return signs(
        d,
        "VAT_NO_INVOICE",
        "document",
        d.ref,
        text=(d.type, " ", d.number, ", НДС ", roubles(d.vat)),
        amount=d.vat,
        **document_touch(d),
    )


def vat_90_03(facts: Facts) -> ibis.Table:
    """11: what a sale posted from 90.03 to 68.02 is not the VAT of its rows. A sale without rows in the register is rule 4's."""
    d, p = facts.documents, facts.table("posting")
    d = d.filter(d.type.isin(known.SALES) & d.posted & ~d.deleted)
    p = p.filter(p.active)
    accrued = (p.dr_account.startswith("90.03") & p.cr_account.startswith("68.02")).coalesce(False)
    posted = p.group_by("recorder").aggregate(accrued=total(accrued.ifelse(p.amount, 0)))
    j = d.join(posted, d.ref == posted.recorder)
    j = j.filter(j.accrued != j.vat)
    return signs(
        j, "VAT_90_03", "document", j.ref, text=(j.type, " ", j.number, ", начислено ", roubles(j.accrued), ", в документе ", roubles(j.vat)), amount=j.accrued - j.vat,
        **document_touch(j),
    )  # fmt: skip


def reversal_of_nothing(facts: Facts) -> ibis.Table:
    """13: a negative row with no earlier row of the same accounts, analytics and opposite sum."""
    p = facts.postings
    back = p.filter(p.amount < 0).mutate(opposite=-p.amount)
    all_rows = facts.table("posting")
    forth = all_rows.filter(all_rows.active & (all_rows.amount > 0)).select(
        f_dr=all_rows.dr_account, f_cr=all_rows.cr_account, f_dr_analytics=all_rows.dr_analytics, f_cr_analytics=all_rows.cr_analytics,
        f_amount=all_rows.amount, f_period=all_rows.period,
    )  # fmt: skip
    lone = back.anti_join(
        forth,
        (back.dr_account == forth.f_dr)
        & (back.cr_account == forth.f_cr)
        & (back.dr_analytics == forth.f_dr_analytics)
        & (back.cr_analytics == forth.f_cr_analytics)
        & (back.opposite == forth.f_amount)
        & (back.period >= forth.f_period),
    )
    text = (lone.recorder_type, ", Дт ", lone.dr_account, " Кт ", lone.cr_account, " ", roubles(lone.amount))
    return signs(lone, "STORNO", "posting", lone.id, text=text, amount=lone.amount, **posting_touch(lone))


def posting_outlier(facts: Facts) -> ibis.Table:
    """14: a sum far above the others of its pair of accounts. Month-end rows gather a month and are no single operation, so they stay out."""
    p = facts.postings
    p = p.filter((p.amount > 0) & p.recorder_type.notin(known.MONTH_END))
    far = _far_above(p, ["dr_account", "cr_account"])
    text = (
        far.recorder_type,
        ", Дт ",
        far.dr_account,
        " Кт ",
        far.cr_account,
        " ",
        roubles(far.amount),
        " при медиане ",
        roubles(far.middle.cast("int64")),
    )
    return signs(far, "AMOUNT_OUTLIER", "posting", far.id, text=text, amount=far.amount, **posting_touch(far))


def document_outlier(facts: Facts) -> ibis.Table:
    """14: a document far above the others of its kind, operation and counterparty."""
    d = facts.documents
    d = d.filter((d.amount > 0) & ~d.deleted & (d.counterparty.coalesce("") != ""))
    far = _far_above(d, ["type", "operation", "counterparty"])
    text = (far.type, " ", far.number, " на ", roubles(far.amount), " при медиане ", roubles(far.middle.cast("int64")))
    return signs(far, "AMOUNT_OUTLIER", "document", far.ref, text=text, amount=far.amount, **document_touch(far))


def _far_above(t: ibis.Table, group: Sequence[str]) -> ibis.Table:
    """Rows above max(median + 8·MAD, 10·median, 1000 roubles) of a group of three or more.

    Nothing can be above ten medians in a group whose largest is not: only the others are looked at a second time for their spread.
    """
    size = t.amount.cast("float64")
    middles = t.group_by(list(group)).aggregate(middle=size.median(), many=t.count(), top=t.amount.max())
    middles = middles.filter((middles.many >= FEW) & (middles.top > middles.middle * TIMES) & (middles.top > FLOOR))
    keys = [f"g_{name}" for name in group]
    middles = middles.rename(dict(zip(keys, group, strict=True)))
    j = t.join(middles, [t[name] == middles[key] for name, key in zip(group, keys, strict=True)])
    j = j.mutate(distance=(j.amount.cast("float64") - j.middle).abs())
    spreads = j.group_by(keys).aggregate(spread=j.distance.median())
    spreads = spreads.rename({f"s_{key}": key for key in keys})
    both = j.join(spreads, [j[key] == spreads[f"s_{key}"] for key in keys])
    limit = ibis.greatest(both.middle + both.spread * SPREADS, both.middle * TIMES, ibis.literal(float(FLOOR)))
    return both.filter(both.amount.cast("float64") > limit)


def round_sum(facts: Facts) -> ibis.Table:
    """14: at least 100 000 roubles, and a multiple of 10 000."""
    p = facts.postings
    p = p.filter((p.amount >= ROUND_FROM) & (p.amount % ROUND_STEP == 0))
    text = (p.recorder_type, ", Дт ", p.dr_account, " Кт ", p.cr_account, " ", roubles(p.amount))
    return signs(p, "ROUND_SUM", "posting", p.id, text=text, amount=p.amount, **posting_touch(p))
