"""Pictures of figures, as SVG: points with their intervals, and lines in bands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from droptable.core.svg import Svg, el, join
from droptable.lab.statistics import Interval

WIDTH, LEFT, RIGHT, TOP, ROW = 640, 214, 112, 34, 28
HEIGHT, BOTTOM = 280, 44
COLOURS = ("#b3541e", "#2f6f8f", "#5b7f2b", "#8a4a8c", "#a8841b", "#50617a")
STYLE = (
    ".plot{font:14px system-ui,sans-serif;fill:#3a332b}.plot .axis{stroke:#8d8375;stroke-width:1}"
    ".plot .grid{stroke:#8d837540;stroke-width:1}.plot .fair{stroke:#3a332b;stroke-dasharray:4 4}"
    ".plot .soft{fill:#6b6257}.plot .title{font-weight:600}"
    "@media(prefers-color-scheme:dark){.plot{fill:#e9e2d6}.plot .soft{fill:#b5ab9c}"
    ".plot .fair{stroke:#e9e2d6}}"
)


@dataclass(frozen=True)
class Plot:
    """A finished picture: a notebook shows it, `save` writes it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture as SVG."""
        Path(path).write_text(self.svg + "\n", "utf-8")


def dots(
    title: str, rows: Sequence[tuple[str, Interval]], *, fair: float | None = None,
    percent: bool = False,
) -> Plot:  # fmt: skip
    """One line per figure: a point, its interval, and the number; `fair` is a dashed line."""
    scale = _scale([i for _, i in rows], LEFT, WIDTH - RIGHT, fair)
    bottom = TOP + ROW * len(rows)
    parts = [el("text", title, x=0, y=18, class_="title")]
    for value in scale.ticks:
        x = scale.place(value)
        parts.append(el("line", x1=x, x2=x, y1=TOP - 6, y2=bottom, class_="grid"))
        label = _told(value, percent)
        parts.append(_text(label, x, bottom + 16, "middle", "soft"))
    if fair is not None:
        x = scale.place(fair)
        parts.append(el("line", x1=x, x2=x, y1=TOP - 6, y2=bottom, class_="fair"))
    for k, (label, found) in enumerate(rows):
        y = TOP + ROW * k + 10
        colour = COLOURS[0]
        low, high = scale.place(found.low), scale.place(found.high)
        parts.append(_text(label, LEFT - 12, y + 5, "end"))
        parts.append(el("line", x1=low, x2=high, y1=y, y2=y, stroke=colour, stroke_width=3))
        parts.append(el("circle", cx=scale.place(found.value), cy=y, r=5, fill=colour))
        told = found.percent() if percent else str(found)
        parts.append(_text(told, WIDTH - RIGHT + 10, y + 5, "start", "soft"))
    return _plot(parts, bottom + 24, title)


def lines(
    title: str, series: Mapping[str, Sequence[tuple[float, Interval]]], *, across: str,
    fair: float | None = None, percent: bool = False, labels: Sequence[str] = (),
) -> Plot:  # fmt: skip
    """A line per series through its points, in the band of their intervals."""
    points = [point for run in series.values() for point in run]
    xs = sorted({x for x, _ in points})
    left, right, bottom = 64, WIDTH - 16, HEIGHT - BOTTOM
    height = _scale([i for _, i in points], bottom, TOP, fair)
    span = (xs[-1] - xs[0]) or 1.0
    parts = [el("text", title, x=0, y=18, class_="title")]

    def across_at(x: float) -> float:
        return left + (right - left) * (x - xs[0]) / span if len(xs) > 1 else (left + right) / 2

    for value in height.ticks:
        y = height.place(value)
        parts.append(el("line", x1=left, x2=right, y1=y, y2=y, class_="grid"))
        parts.append(_text(_told(value, percent), left - 8, y + 5, "end", "soft"))
    if fair is not None:
        y = height.place(fair)
        parts.append(el("line", x1=left, x2=right, y1=y, y2=y, class_="fair"))
    every = max(1, math.ceil(len(xs) / 8))
    for k, x in enumerate(xs):
        if k % every == 0:
            label = labels[k] if labels else f"{x:g}"
            anchor = "middle" if 0 < k < len(xs) - 1 else "start" if k == 0 else "end"
            parts.append(_text(label, across_at(x), bottom + 18, anchor, "soft"))
    parts.append(_text(across, right, bottom + 38, "end"))
    for k, (name, run) in enumerate(series.items()):
        colour = COLOURS[k % len(COLOURS)]
        run = sorted(run, key=lambda point: point[0])
        upper = [(across_at(x), height.place(found.high)) for x, found in run]
        lower = [(across_at(x), height.place(found.low)) for x, found in run]
        band = _path(upper + lower[::-1])
        middle = [(across_at(x), height.place(found.value)) for x, found in run]
        parts.append(el("polygon", points=band, fill=colour, fill_opacity=0.18))
        parts.append(
            el("polyline", points=_path(middle), fill="none", stroke=colour, stroke_width=2)
        )
        parts += [el("circle", cx=x, cy=y, r=3, fill=colour) for x, y in middle]
        if len(series) > 1:
            parts.append(el("circle", cx=left + 4 + 96 * k, cy=bottom + 33, r=5, fill=colour))
            parts.append(_text(name, left + 14 + 96 * k, bottom + 38, "start"))
    return _plot(parts, HEIGHT, title)


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return self.start + (self.end - self.start) * (inside - self.low) / (self.high - self.low)


def _scale(found: Sequence[Interval], start: float, end: float, fair: float | None) -> _Scale:
    """A scale with room for all intervals, and about five round numbers on it."""
    ends = [value for i in found for value in (i.low, i.high, i.value) if math.isfinite(value)]
    ends += [fair] if fair is not None else []
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    spare = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
    low, high = low - spare, high + spare
    rough = (high - low) / 5
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * m for m in (1, 2, 5, 10) if size * m >= rough)
    first = math.ceil(low / step)
    ticks = tuple(k * step for k in range(first, math.floor(high / step) + 1))
    return _Scale(low, high, start, end, ticks)


def _told(value: float, percent: bool) -> str:
    return f"{100 * value:.3g} %" if percent else f"{value:.4g}"


def _text(text: str, x: float, y: float, anchor: str, kind: str | None = None) -> Svg:
    return el("text", text, x=x, y=y, text_anchor=anchor, class_=kind)


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _plot(parts: Sequence[Svg], height: float, title: str) -> Plot:
    drawn = el(
        "svg", el("title", title), el("style", Svg(STYLE)), join(*parts),
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {height:g}", class_="plot",
        role="img",
    )  # fmt: skip
    return Plot(str(drawn))
