"""Bar charts as SVG text, for the figures of `gainsay tailor bench`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

COLORS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d")
GREEN, ORANGE, RED = "#54a24b", "#f2b45c", "#d9534f"  # the thesis's: better, equal, worse
ROW, GAP, LEFT, WIDE, TOP = 18, 10, 170, 560, 56


def text(x: float, y: float, words: str, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def bar(x: float, y: float, width: float, color: str, height: float = ROW - 3) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height}" fill="{color}"/>'


def page(title: str, names: Sequence[str], colors: Sequence[str], body: Sequence[str], height: float) -> str:
    """The title, a legend, and what is drawn below it."""
    legend, x = [], 10.0
    for name, color in zip(names, colors, strict=False):
        legend += [bar(x, 30, 12, color, 12), text(x + 16, 40, name)]
        x += 30 + 7 * len(name)
    width = max(LEFT + WIDE + 80, x + 20)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="white"/>'
    )
    return "\n".join([head, text(10, 20, title, size=15), *legend, *body, "</svg>"]) + "\n"


def grouped(title: str, series: Sequence[str], groups: Mapping[str, Sequence[float]], unit: str = "") -> str:
    """For each group one bar of each series, with its value behind it."""
    most = max((v for values in groups.values() for v in values), default=1) or 1
    body, y = [], float(TOP)
    for name, values in groups.items():
        body.append(text(LEFT - 8, y + ROW * len(values) / 2 + 4, name, "end"))
        for value, color in zip(values, COLORS, strict=False):
            width = WIDE * value / most
            body += [bar(LEFT, y, width, color), text(LEFT + width + 5, y + 12, f"{value:,.0f}{unit}", size=11)]
            y += ROW
        y += GAP
    return page(title, series, COLORS, body, y + 10)


def stacked(
    title: str, parts: Sequence[str], rows: Mapping[str, Sequence[float]], colors: Sequence[str] = (GREEN, ORANGE, RED)
) -> str:
    """One bar for each row, cut into parts, with the value of each part in it where there is room."""
    most = max((sum(values) for values in rows.values()), default=1) or 1
    body, y = [], float(TOP)
    for name, values in rows.items():
        body.append(text(LEFT - 8, y + 12, name, "end"))
        x = float(LEFT)
        for value, color in zip(values, colors, strict=False):
            width = WIDE * value / most
            body.append(bar(x, y, width, color))
            if width > 24:
                body.append(text(x + width / 2, y + 12, f"{value:,.0f}", "middle", 11))
            x += width
        y += ROW + GAP / 2
    return page(title, parts, colors, body, y + 10)
