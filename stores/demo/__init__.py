"""The demo company: its June of 2020 as OData would give it, with planted risk signs and the ledger of them."""
