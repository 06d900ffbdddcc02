"""Pictures of a run: reliability and confusion, as files or as SVG inside a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.heads import ROUTES
from training.evaluation import equal_mass_bins, expected_calibration_error

SHORT = {
    "live_mcp_drilldown": "live",
    "batch_refresh_then_store": "batch",
    "hybrid_store_plus_live": "hybrid",
    "store_feature_risk": "feature",
    "store_canonical": "canonical",
    "no_route": "none",
}
_BLUE, _ORANGE = "#3465a4", "#e07b00"


def _pyplot() -> Any:
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "switchman"  # equal pictures, equal bytes
    import matplotlib.pyplot as plt

    return plt


def confusion_figure(confusions: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Any:
    """One panel a version: routes needed in rows, chosen in columns."""
    plt = _pyplot()
    figure, axes = plt.subplots(
        1, len(confusions), figsize=(5.2 * len(confusions), 4.6), layout="constrained", squeeze=False
    )
    for axis, (title, confusion) in zip(axes.flat, confusions.items(), strict=True):
        counts = np.array([[confusion.get(e, {}).get(c, 0) for c in ROUTES] for e in ROUTES])
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        axis.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        for row, column in np.ndindex(*counts.shape):
            if counts[row, column]:
                axis.text(
                    column,
                    row,
                    counts[row, column],
                    ha="center",
                    va="center",
                    color="white" if shares[row, column] > 0.5 else "black",
                    fontsize=9,
                )
        names = [SHORT[r] for r in ROUTES]
        axis.set_xticks(range(len(names)), names, rotation=35, ha="right")
        axis.set_yticks(range(len(names)), names)
        axis.set_xlabel("chosen")
        axis.set_ylabel("needed")
        axis.set_title(title)
    return figure


def reliability_figure(curves: Mapping[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]]) -> Any:
    """Stated probability of the chosen route against how often it was right, a line a version."""
    plt = _pyplot()
    figure, axis = plt.subplots(figsize=(5, 4.6), layout="constrained")
    axis.plot([0, 1], [0, 1], color="0.8", linewidth=1)
    for (name, (probability, right)), colour in zip(curves.items(), (_BLUE, _ORANGE), strict=False):
        parts = equal_mass_bins(probability)
        label = f"{name}, ECE {expected_calibration_error(probability, right):.3f}"
        axis.plot(
            [probability[p].mean() for p in parts],
            [right[p].mean() for p in parts],
            marker="o",
            color=colour,
            label=label,
        )
    axis.set_xlabel("stated probability of the chosen route")
    axis.set_ylabel("share that was right")
    axis.legend(loc="upper left", frameon=False)
    return figure


def bars_figure(rows: Sequence[str], versions: Mapping[str, Sequence[tuple[float, float, float]]], label: str) -> Any:
    """Horizontal bars: a group a row, a bar a version, each (value, low, high)."""
    plt = _pyplot()
    figure, axis = plt.subplots(figsize=(8, 0.42 * len(rows) + 1.2), layout="constrained")
    height = 0.8 / len(versions)
    for i, ((name, values), colour) in enumerate(zip(versions.items(), (_BLUE, _ORANGE), strict=False)):
        places = np.arange(len(rows)) + i * height
        middle = np.array([v[0] for v in values])
        spread = np.array([[max(v[0] - v[1], 0), max(v[2] - v[0], 0)] for v in values]).T
        axis.barh(
            places,
            middle,
            height=height,
            color=colour,
            label=name,
            xerr=spread,
            error_kw={"ecolor": "0.35", "elinewidth": 1},
        )
    axis.set_yticks(np.arange(len(rows)) + 0.4 - height / 2, rows)
    axis.invert_yaxis()
    axis.set_xlim(0, 1.0)
    axis.set_xlabel(label)
    axis.legend(loc="lower left", frameon=True)
    return figure


def save_figure(figure: Any, path: Path) -> None:
    """Write a PNG and forget the figure."""
    figure.savefig(path, dpi=110)
    _pyplot().close(figure)


def svg_of(figure: Any) -> str:
    """The figure as an SVG element that needs nothing from elsewhere."""
    out = StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    _pyplot().close(figure)
    text = out.getvalue()
    return text[text.index("<svg") :]
