"""Which link a fragment asks for, and which documents it concerns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from executors.canonical.postings import register_names
from executors.lookup import Lookup

DOCUMENTS_POSTINGS: Final = "documents_postings"
CONTRACTS_POSTINGS: Final = "counterparties_contracts_postings"
REGISTER_DOCUMENTS: Final = "register_documents"
PAYMENTS_DOCUMENTS: Final = "payments_documents"
CONSISTENCY: Final = "consistency"

_SIDE_TYPES: Final = {
    "customer": ("РеализацияТоваровУслуг", "ПоступлениеНаРасчетныйСчет", "СчетФактураВыданный", "СчетНаОплатуПокупателю"),
    "supplier": ("ПоступлениеТоваровУслуг", "СписаниеСРасчетногоСчета", "СчетФактураПолученный", "ПлатежноеПоручение"),
}  # fmt: skip
_SIDE_KINDS: Final = {"customer": "СПокупателем", "supplier": "СПоставщиком"}
_PAYMENTS: Final = {"customer": ("62", "ПоступлениеНаРасчетныйСчет", "РеализацияТоваровУслуг"), "supplier": ("60", "СписаниеСРасчетногоСчета", "ПоступлениеТоваровУслуг")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Focus:
    """``name`` of the link; ``types`` of documents (any for none); ``parent`` the settlement account of payments; ``registers`` whose records are asked for."""

    name: str
    types: tuple[str, ...] = ()
    contract_kind: str | None = None
    parent: str | None = None
    payment: str | None = None
    shipment: str | None = None
    registers: tuple[str, ...] = ()


def focus_of(lookup: Lookup) -> Focus:
    """The link that is asked for: register and document, payment and document, contract and posting, document and posting, else whether all agrees."""
    kinds = lookup.kinds
    role = lookup.role
    side = _SIDE_KINDS.get(role or "")
    if "register_record" in kinds:
        return Focus(REGISTER_DOCUMENTS, registers=register_names(lookup))
    if "payment" in lookup.measures or {"bank_in", "bank_out", "payment_order"} & set(lookup.document_kinds):
        incoming = role == "customer" or (role is None and bool({"sale", "bank_in"} & set(lookup.document_kinds)))
        parent, payment, shipment = _PAYMENTS["customer" if incoming else "supplier"]
        return Focus(PAYMENTS_DOCUMENTS, types=(payment, shipment), parent=parent, payment=payment, shipment=shipment)
    if "contract" in kinds and ("posting" in kinds or "counterparty" in kinds):
        return Focus(CONTRACTS_POSTINGS, types=lookup.document_types, contract_kind=side)
    if lookup.document_types:
        return Focus(DOCUMENTS_POSTINGS, types=lookup.document_types)
    if kinds or lookup.partners or lookup.numbers or lookup.guids or lookup.accounts:
        return Focus(DOCUMENTS_POSTINGS, types=_SIDE_TYPES.get(role or "", ()))
    return Focus(CONSISTENCY)
