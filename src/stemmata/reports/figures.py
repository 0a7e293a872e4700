"""Figures for papers and pages: the same bytes each time, readable in print and without colour."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stemmata.model import ErrorCode, StemmataError
from stemmata.model.reproduction import Figure, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 200
WIDTH = 6.6
"""Inches: the text of a page in print."""
ROW_HEIGHT = 2.1


@dataclass(frozen=True)
class Look:
    """Colours of a rendition, those of the pages it stands on."""

    paper: str
    ink: str
    soft: str
    rule: str
    before: str
    after: str
    mock: str
    kinds: tuple[str, ...] = ()


LOOKS: Mapping[str, Look] = {
    "": Look(
        *("#ffffff", "#1a1d21", "#5b6470", "#dfe3e8", "#0072b2", "#1a1d21", "#d55e00"),
        ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#5b6470"),
    ),
    "-dark": Look(
        *("#14171a", "#e4e7ea", "#98a2ad", "#2d333a", "#56b4e9", "#e4e7ea", "#e69f00"),
        ("#56b4e9", "#f08a4b", "#2cc29a", "#e08fbd", "#f0d24a", "#9db7ff", "#98a2ad"),
    ),
}
"""By what is added to a file's name. In grey, shapes still tell the series apart."""


def require_matplotlib() -> None:
    """Say which extra is missing before anything long is begun."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        details = {"what": "drawing figures", "package": "matplotlib", "extra": "figures"}
        raise StemmataError(ErrorCode.MISSING_EXTRA, **details) from None


def draw(figure: Figure, kinds: Sequence[str] = ("png", "svg")) -> dict[str, bytes]:
    """Return the pictures of a figure by the end of their file names, such as ``-dark.svg``."""
    require_matplotlib()
    return {f"{name}.{kind}": _picture(figure, look, kind) for name, look in LOOKS.items() for kind in kinds}


def _picture(figure: Figure, look: Look, kind: str) -> bytes:
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    settings: Any = {
        "svg.hashsalt": figure.name + look.paper,
        "svg.fonttype": "path",
        "font.family": "DejaVu Sans",
        "font.size": 8,
        # What folders are called is no formula, even with dollar signs.
        "text.parse_math": False,
        "axes.edgecolor": look.soft,
        "axes.facecolor": look.paper,
        "axes.labelcolor": look.ink,
        "axes.linewidth": 0.6,
        "axes.titlesize": 8.5,
        "axes.titleweight": "bold",
        "axes.titlecolor": look.ink,
        "axes.titlelocation": "left",
        "xtick.color": look.soft,
        "ytick.color": look.soft,
        "xtick.labelsize": 7,
        "ytick.labelsize": 7,
        "grid.color": look.rule,
        "grid.linewidth": 0.5,
        "text.color": look.ink,
        "legend.frameon": False,
        "legend.fontsize": 7.5,
        "figure.facecolor": look.paper,
        "savefig.facecolor": look.paper,
    }
    # The settings of a user's own matplotlibrc must not change a figure.
    with mpl.rc_context(mpl.rcParamsDefault), mpl.rc_context(settings):
        wide = max(map(len, figure.rows))
        height = ROW_HEIGHT * len(figure.rows) + 0.3
        canvas = Canvas(figsize=(WIDTH, height), layout="constrained")
        for axes, panel in zip(
            canvas.subplots(len(figure.rows), wide, squeeze=False).flat,
            (panel for row in figure.rows for panel in row),
            strict=True,
        ):
            _plot(axes, panel, look)
        _legend(canvas, figure)
        stream = io.BytesIO()
        metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        canvas.savefig(stream, format=kind, dpi=DPI, metadata=metadata)
    return stream.getvalue()


def _plot(axes: Axes, panel: Panel, look: Look) -> None:
    shapes: dict[str, dict[str, Any]] = {
        "circle": {"marker": "o", "s": 13, "facecolors": "none", "edgecolors": look.before},
        "cross": {"marker": "+", "s": 20, "color": look.after},
        "diamond": {"marker": "D", "s": 11, "facecolors": "none", "edgecolors": look.mock},
    }
    for series in panel.series:
        axes.scatter(
            series.x, series.y, label=series.label, linewidths=0.8, zorder=2, **shapes[series.marker]
        )
    _boxes(axes, panel, look)
    for callout in panel.callouts:
        for point in callout.points:
            line = {"arrowstyle": "-", "color": look.soft, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 3}
            axes.annotate("", point, xytext=callout.place, arrowprops=line)
        side = "top" if callout.place[1] < callout.points[0][1] else "bottom"
        # The patch keeps a grid line from running through the words.
        patch = {"facecolor": look.paper, "edgecolor": "none", "pad": 0.8}
        axes.text(*callout.place, callout.text, ha="center", va=side, fontsize=7, color=look.soft, bbox=patch)
    axes.set_title(panel.title, pad=_room_for_legend(panel))
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", ".25", ".5", ".75", "1"])
    axes.grid(axis="y", zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _room_for_legend(panel: Panel) -> float | None:
    """Return how far above a panel its title stands, where the legend beside it would not find room."""
    letters = len(panel.title) + sum(len(boxes.label) + 5 for boxes in panel.boxes)
    return LEGEND if panel.boxes and letters > LINE else None


LEGEND, LINE = 18.0, 82
"""Points that a line of a legend takes, and letters that a line above a panel holds."""
GROUP = 0.8
"""What the boxes of all kinds at one place take of its width."""


def _boxes(axes: Axes, panel: Panel, look: Look) -> None:
    """Draw a box of each kind at each place, side by side in the order of the legend."""
    from matplotlib.colors import to_rgb

    if not panel.boxes:
        return
    width = GROUP / len(panel.boxes)
    places = np.arange(1, len(panel.boxes[0].middle) + 1)
    for number, boxes in enumerate(panel.boxes):
        colour = look.kinds[number % len(look.kinds)]
        left = places - GROUP / 2 + number * width
        known = np.isfinite(boxes.middle)
        axes.bar(
            *(left[known], (boxes.high - boxes.low)[known], 0.84 * width, boxes.low[known]),
            align="edge",
            facecolor=(*to_rgb(colour), 0.3),
            edgecolor=colour,
            linewidth=0.7,
            zorder=2,
            label=boxes.label,
        )
        # Where the box has no height, its median alone is to be seen.
        axes.hlines(
            *(boxes.middle[known], left[known], left[known] + 0.84 * width),
            colors=colour,
            linewidth=1.8,
            zorder=3,
        )
    axes.set_xlim(0.4, len(places) + 0.6)
    axes.set_xticks(places)
    axes.tick_params(axis="x", length=0)
    # Above the panel, where no box can be.
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 0.98),
        ncols=len(panel.boxes),
        handlelength=1,
        columnspacing=1.2,
        borderpad=0,
    )


def _legend(canvas: Any, figure: Figure) -> None:
    """Explain the shapes once for all panels, where there is more than one."""
    shown: dict[str, Any] = {}
    for axes in canvas.axes:
        handles, labels = axes.get_legend_handles_labels()
        shown |= {label: handle for label, handle in zip(labels, handles, strict=True) if label not in shown}
    if any(len(panel.series) > 1 for row in figure.rows for panel in row):
        order = sorted(shown, key=lambda label: label not in {s.label for s in figure.rows[-1][-1].series})
        canvas.legend([shown[label] for label in order], order, loc="outside lower center", ncols=len(order))
