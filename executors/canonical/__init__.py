"""``store_canonical``: plain facts of the loaded slice."""
