"""Calibrated linear heads over one shared row, and the bundle that holds them."""

from models.bundle import Bundle, BundleCorrupt, BundleError, BundleMissing, BundleUnsupported, load_bundle, save_bundle
from models.scorer import Scorer, Scores

__all__ = [
    "Bundle",
    "BundleCorrupt",
    "BundleError",
    "BundleMissing",
    "BundleUnsupported",
    "Scorer",
    "Scores",
    "load_bundle",
    "save_bundle",
]
