"""Runs the rules, in one visible list, and keeps signs, evidence, what each sign touches, and scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import ibis

from stores.engine import schema_of
from stores.facts import Facts, total
from stores.risk import amount_rules, balance_rules, document_rules, partner_rules
from stores.risk.shape import EVIDENCE_COLUMNS, SIGN_COLUMNS
from stores.risk.signs import MAX_SCORE

Rule = Callable[[Facts], ibis.Table]

RULES: Final[tuple[tuple[int, Rule], ...]] = (
    (1, balance_rules.negative_active),
    (2, balance_rules.negative_passive),
    (3, balance_rules.advance_not_set_off),
    (4, document_rules.unposted_with_moves),
    (4, document_rules.posted_no_moves),
    (5, document_rules.deleted_with_moves),
    (6, partial(document_rules.empty_settlement_document, code="NO_COUNTERPARTY", column="counterparty")),
    (6, partial(document_rules.empty_settlement_document, code="NO_CONTRACT", column="contract")),
    (6, partial(document_rules.empty_settlement_posting, code="NO_COUNTERPARTY", column="counterparty")),
    (6, partial(document_rules.empty_settlement_posting, code="NO_CONTRACT", column="contract")),
    (7, document_rules.out_of_period),
    (7, document_rules.incoming_date),
    (8, document_rules.backdated),
    (9, document_rules.duplicate_documents),
    (10, partner_rules.duplicate_partners),
    (11, amount_rules.vat_amount),
    (11, amount_rules.vat_no_invoice),
    (11, balance_rules.vat_19_credit),
    (11, amount_rules.vat_90_03),
    (12, document_rules.manual_operation),
    (12, document_rules.manual_edit),
    (13, amount_rules.reversal_of_nothing),
    (14, amount_rules.posting_outlier),
    (14, amount_rules.document_outlier),
    (14, amount_rules.round_sum),
    (15, balance_rules.overdue),
    (16, balance_rules.unclosed_month),
    (17, document_rules.broken_link),
    (17, document_rules.broken_base),
    (18, balance_rules.advance_vat),
    (19, balance_rules.turnover_jump),
)

LEVELS: Final = (
    "posting",
    "document",
    "account",
    "counterparty",
    "contract",
    "item",
    "warehouse",
    "employee",
    "organisation",
)
EVIDENCE_SHOWN: Final = 20


def find_signs(facts: Facts, tick: Callable[[str], None] | None = None) -> None:
    """Create ``risk_sign``, ``risk_evidence``, ``risk_subject``, ``risk_score`` and ``risk_level``."""
    c = facts.connection
    c.create_table("risk_sign", schema=schema_of(SIGN_COLUMNS))
    for number, rule in RULES:
        c.insert("risk_sign", rule(facts).select(*SIGN_COLUMNS))
        if tick:
            tick(f"rule {number}")
    c.create_table("risk_evidence", schema=schema_of(EVIDENCE_COLUMNS))
    c.insert("risk_evidence", evidence(facts))
    c.create_table("risk_subject", touched(facts.table("risk_sign")))
    c.create_table("risk_score", scores(facts.table("risk_subject")))
    c.create_table("risk_level", looked_at(facts))


def evidence(facts: Facts) -> ibis.Table:
    """What each sign rests on: its posting or document, or the largest rows of its balance, at most 20."""
    s = facts.table("risk_sign")
    own_postings = s.filter(s.posting.notnull()).select(sign=s.id, kind=ibis.literal("posting"), evidence=s.posting)
    own_documents = s.filter(s.document.notnull()).select(sign=s.id, kind=ibis.literal("document"), evidence=s.document)
    partners = s.filter(s.code == "DUP_COUNTERPARTY").select(
        sign=s.id, kind=ibis.literal("counterparty"), evidence=s.subject
    )
    sides, debts = facts.sides, facts.table("debt")
    on_balance = s.filter(s.code.isin(("NEG_ACTIVE", "NEG_PASSIVE", "VAT_19_CREDIT"))).select(
        risk=s.id, s_account=s.account, s_analytics=s.detail, s_organisation=s.organisation.coalesce("")
    )
    rows = _largest(
        sides.join(
            on_balance,
            (sides.account == on_balance.s_account)
            & (sides.analytics == on_balance.s_analytics)
            & (sides.organisation.coalesce("") == on_balance.s_organisation),
        )
    )
    on_contract = s.filter(s.code.isin(("ADVANCE_NOT_OFFSET", "ADVANCE_VAT"))).select(
        risk=s.id, s_counterparty=s.counterparty, s_contract=s.contract.coalesce("")
    )
    settled = sides.filter(sides.parent.isin(("60", "62", "76")))
    settled = _largest(
        settled.join(
            on_contract,
            (settled.counterparty == on_contract.s_counterparty)
            & ((on_contract.s_contract == "") | (settled.contract == on_contract.s_contract)),
        )
    )
    whole = s.filter(s.code.isin(("UNCLOSED_MONTH",))).select(risk=s.id, s_parent=s.subject)
    whole = _largest(sides.join(whole, sides.parent == whole.s_parent))
    jump = s.filter(s.code == "TURNOVER_JUMP").select(
        risk=s.id, s_account=s.subject, s_sign=(s.detail == "debit").ifelse(1, -1)
    )
    jump = _largest(sides.join(jump, (sides.account == jump.s_account) & (sides.sign == jump.s_sign)))
    late = s.filter(s.code == "OVERDUE").select(sign=s.id, s_contract=s.subject)
    shipments = debts.join(late, debts.contract == late.s_contract).filter(lambda t: t.shipment != "")
    shipments = shipments.select("sign", kind=ibis.literal("document"), evidence=shipments.shipment).distinct()
    found = own_postings
    for more in (own_documents, partners, rows, settled, whole, jump, shipments):
        found = found.union(more)
    return found


def _largest(rows: ibis.Table) -> ibis.Table:
    place = ibis.row_number().over(group_by=rows.risk, order_by=[rows.amount.abs().desc(), rows.posting])
    rows = rows.mutate(place=place)
    rows = rows.filter(rows.place < EVIDENCE_SHOWN)
    return rows.select(sign=rows.risk, kind=ibis.literal("posting"), evidence=rows.posting)


def touched(s: ibis.Table) -> ibis.Table:
    """Which subjects each sign concerns, at every level."""
    found = None
    for level in LEVELS:
        for column in (level, "account2") if level == "account" else (level,):
            part = s.filter(s[column].notnull() & (s[column] != "")).select(
                sign=s.id, code=s.code, weight=s.weight, topic=s.topic, level=ibis.literal(level), subject=s[column]
            )
            found = part if found is None else found.union(part)
    assert found is not None  # noqa: S101  # there are levels
    return found.distinct()


def scores(subjects: ibis.Table) -> ibis.Table:
    """A subject's score: weights of its different signs, at most 100; ``signs`` counts them all."""
    once = subjects.group_by(["level", "subject", "code"]).aggregate(
        weight=subjects.weight.max(), signs=subjects.count()
    )
    g = once.group_by(["level", "subject"]).aggregate(
        weights=total(once.weight), codes=once.count(), signs=total(once.signs)
    )
    return g.select(
        "level",
        "subject",
        score=ibis.least(g.weights, ibis.literal(MAX_SCORE, "int64")).cast("int64"),
        codes=g.codes.cast("int64"),
        signs="signs",
    )


def looked_at(facts: Facts) -> ibis.Table:
    """How many subjects of each level the rules could look at; a level without any has no row."""
    found = None
    for level in LEVELS:
        t = facts.table(level).aggregate(subjects=facts.table(level).count().cast("int64"))
        part = t.select(level=ibis.literal(level), subjects=t.subjects)
        found = part if found is None else found.union(part)
    assert found is not None  # noqa: S101  # there are levels
    return found.filter(found.subjects > 0)
