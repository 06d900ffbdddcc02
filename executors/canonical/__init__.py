"""``store_canonical``: plain facts of the loaded slice."""

from executors.canonical.execute import execute

__all__ = ["execute"]
