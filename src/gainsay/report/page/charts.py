"""Charts as SVG, drawn here: lines over the hours of a hunt. Colours and fonts are the page's."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from gainsay.campaign.events import Pulse

WIDTH, HEIGHT = 360, 150
LEFT, RIGHT, TOP, BOTTOM = 46, 8, 8, 22
MOST = 48  # points of a line: each is what happened in its share of the hunt


class Line(NamedTuple):
    """A line of a chart: its name and its values, one for each moment; None where there is none."""

    name: str
    values: Sequence[float | None]


class Chart(NamedTuple):
    """A chart with its title, as SVG."""

    title: str
    lines: tuple[str, ...]  # the names of the lines, as a legend
    svg: str


class Moment(NamedTuple):
    """A pulse on the axis of all runs: seconds of hunting so far, and CPU-seconds."""

    at_s: float
    cpu_s: float
    pulse: Pulse


def moments(pulses: Sequence[Pulse]) -> list[Moment]:
    """Pulses of several runs in the same folder, one after the other."""
    found: list[Moment] = []
    before_s = before_cpu_s = 0.0
    last: Pulse | None = None
    for pulse in pulses:
        if last is not None and pulse.run_s < last.run_s:  # another run began
            before_s, before_cpu_s = found[-1].at_s, found[-1].cpu_s
        found.append(Moment(before_s + pulse.run_s, before_cpu_s + pulse.cpu_s, pulse))
        last = pulse
    return thinned(found)


def thinned(found: list[Moment]) -> list[Moment]:
    """Those at even distances in time, and the last: what happens between two is told as one rate."""
    if not found:
        return []
    apart_s = found[-1].at_s / MOST
    kept = found[:1]
    for moment in found[1:-1]:
        if moment.at_s - kept[-1].at_s >= apart_s:
            kept.append(moment)
    return [*kept, *found[-1:]] if len(found) > 1 else kept


def charts(pulses: Sequence[Pulse]) -> list[Chart]:
    """How a hunt went. None where it kept no pulse, or only one."""
    found = moments(pulses)
    if len(found) < 2:
        return []
    steps = list(itertools.pairwise(found))
    times = [later.at_s for _, later in steps]
    return [
        chart("checks a second", times, [Line("", [speed(a, b) for a, b in steps])]),
        chart(
            "found so far",
            times,
            [
                Line("findings", [b.pulse.findings for _, b in steps]),
                Line("wait to be looked at", [b.pulse.waiting for _, b in steps]),
            ],
        ),
        chart("share of answers, %", times, shares(steps), top=100.0),
        chart("CPU-seconds a second", times, spent(steps)),
    ]


def speed(one: Moment, two: Moment) -> float | None:
    seconds = two.at_s - one.at_s
    return (two.pulse.counts.checks - one.pulse.counts.checks) / seconds if seconds > 0 else None


def shares(steps: Sequence[tuple[Moment, Moment]]) -> list[Line]:
    """Accepted, and not empty."""
    taken: list[float | None] = []
    told: list[float | None] = []
    for one, two in steps:
        a, b = one.pulse.counts, two.pulse.counts
        asks, answered = b.asks - a.asks, b.answered - a.answered
        taken.append(100 - 100 * (b.refused - a.refused) / asks if asks > 0 else None)
        told.append(100 * (b.nonempty - a.nonempty) / answered if answered > 0 else None)
    return [Line("accepted", taken), Line("not empty", told)]


def spent(steps: Sequence[tuple[Moment, Moment]]) -> list[Line]:
    """Time in engines, and ours."""
    engine: list[float | None] = []
    ours: list[float | None] = []
    for one, two in steps:
        seconds = two.at_s - one.at_s
        # Sampled, so what is told of a moment may be more than that moment had
        whole = max(two.cpu_s - one.cpu_s, 0.0)
        inside = min(max(two.pulse.counts.engine_s - one.pulse.counts.engine_s, 0.0), whole)
        engine.append(inside / seconds if seconds > 0 else None)
        ours.append((whole - inside) / seconds if seconds > 0 else None)
    return [Line("engines", engine), Line("gainsay", ours)]


def chart(title: str, times: Sequence[float], lines: Sequence[Line], top: float = 0.0) -> Chart:
    """Lines over time, from zero to a round number above the largest value."""
    values = [v for line in lines for v in line.values if v is not None]
    top = top or rounded(max(values, default=1.0))
    end = max(times[-1], 1e-9)
    drawn = "".join(
        f'<path class="l{number}" d="{path(times, line.values, end, top)}"/>' for number, line in enumerate(lines)
    )
    middle = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) / 2
    axes = (
        f'<path class="grid" d="M{LEFT} {TOP}H{WIDTH - RIGHT}M{LEFT} {middle:.0f}H{WIDTH - RIGHT}'
        f'M{LEFT} {HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
    )
    words = (
        text(LEFT - 5, TOP + 4, figure(top), "end")
        + text(LEFT - 5, middle + 4, figure(top / 2), "end")
        + text(LEFT - 5, HEIGHT - BOTTOM + 4, "0", "end")
        + text(LEFT, HEIGHT - 6, "0 s", "start")
        + text(WIDTH - RIGHT, HEIGHT - 6, duration(end), "end")
    )
    label = escape(f"{title}: {'; '.join(summed(line) for line in lines)}", quote=True)
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{axes}{drawn}{words}</svg>'
    return Chart(title, tuple(line.name for line in lines if line.name), svg)


def summed(line: Line) -> str:
    """A line in words, for who can't see it."""
    values = [v for v in line.values if v is not None]
    if not values:
        return f"{line.name} nothing"
    return f"{line.name} {figure(min(values))} to {figure(max(values))}, at last {figure(values[-1])}".strip()


def path(times: Sequence[float], values: Sequence[float | None], end: float, top: float) -> str:
    """A line, interrupted where there is no value."""
    found, is_down = [], False
    for at_s, value in zip(times, values, strict=True):
        if value is None:
            is_down = False
            continue
        x = LEFT + (WIDTH - LEFT - RIGHT) * at_s / end
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(value / top, 1.0)
        found.append(f"{'L' if is_down else 'M'}{x:.1f} {y:.1f}")
        is_down = True
    return "".join(found)


def text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(words)}</text>'


def rounded(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    unit = 1e-3
    while True:
        for factor in (1, 2, 5):
            if value <= factor * unit:
                return factor * unit
        unit *= 10


def figure(value: float) -> str:
    if value >= 10_000:
        return f"{value / 1000:,.0f}k"
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"


def duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
