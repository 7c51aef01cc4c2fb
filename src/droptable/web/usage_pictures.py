"""How much a server is used, drawn as SVG: bars by day and game, bars by hour."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from html import escape

from droptable.core.language import _
from droptable.tables.retention import DAY
from droptable.tables.statistics import Statistics

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 44, 24
COLOURS = ("#c8553d", "#2f7f93", "#d9a441", "#5b7f4b", "#8a5a9e", "#7d7467", "#b3476e", "#3d5a9e")
MOST_SERIES = len(COLOURS)
PICTURES = ("matches", "people", "commands", "present", "busy")


def draw(picture: str, usage: Statistics, titles: Mapping[str, str]) -> str:
    """One of the pictures; `titles` are those of the games by name."""
    days = [_date(usage.first + index) for index in range(len(usage.people))]
    hours = [str(index - 23) for index in range(24)]
    match picture:
        case "matches":
            games = {titles.get(name, name): row for name, row in usage.matches.items()}
            return bars(_("Matches that ended, by day"), days, games)
        case "people":
            back = [max(0, all_ - new) for all_, new in zip(usage.people, usage.new, strict=True)]
            series = {_("known before"): back, _("new"): usage.new}
            return bars(_("People by day"), days, series)
        case "commands":
            return bars(_("Commands per second, by hour"), hours, {"": usage.commands})
        case "present":
            return bars(_("People at tables at once, by hour"), hours, {"": usage.present})
    shares = [100 * share for share in usage.busy]
    return bars(_("Load in % of the processors, by hour"), hours, {"": shares})


def bars(title: str, labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """Bars upon each other, with a legend where there is more than one series."""
    rows = list(series.items())
    if len(rows) > MOST_SERIES:
        others = [row for _name, row in rows[MOST_SERIES - 1 :]]
        rest = [sum(column) for column in zip(*others, strict=True)]
        rows = [*rows[: MOST_SERIES - 1], (_("others"), rest)]
    totals = [sum(row[index] for _name, row in rows) for index in range(len(labels))]
    top = _round_up(max(totals, default=0.0))
    step = (WIDTH - LEFT - RIGHT) / len(labels)
    scale = (HEIGHT - TOP - BOTTOM) / top
    parts = [_text(LEFT, 16, title, "start", "bold"), *_axis(top, scale)]
    for index, label in enumerate(labels):
        x, y = LEFT + index * step, float(HEIGHT - BOTTOM)
        for colour, (name, row) in zip(COLOURS, rows, strict=False):
            height = row[index] * scale
            y -= height
            if height:
                told = f"{label} {name}: {row[index]:g}" if name else f"{label}: {row[index]:.3g}"
                parts.append(
                    f'<rect x="{x + 1:.1f}" y="{y:.1f}" width="{step - 2:.1f}"'
                    f' height="{height:.1f}" fill="{colour}"><title>{escape(told)}</title></rect>'
                )
        if index % max(1, len(labels) // 6) == 0:
            parts.append(_text(x + step / 2, HEIGHT - 8, label, "middle"))
    if len(rows) > 1:
        parts += _legend([name for name, _row in rows])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' font-family="sans-serif" font-size="11"><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fffdf8"/>{"".join(parts)}</svg>\n'
    )


def _axis(top: float, scale: float) -> list[str]:
    parts = []
    for share in (0, 0.5, 1):
        y = HEIGHT - BOTTOM - share * top * scale
        line = f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        parts += [line, _text(LEFT - 6, y + 4, f"{share * top:g}", "end")]
    return parts


def _legend(names: Sequence[str]) -> list[str]:
    parts, x = [], float(LEFT)
    for colour, name in zip(COLOURS, names, strict=False):
        parts.append(f'<rect x="{x:.0f}" y="24" width="10" height="10" fill="{colour}"/>')
        parts.append(_text(x + 14, 33, name, "start"))
        x += 26 + 6.5 * len(name)
    return parts


def _text(x: float, y: float, text: str, anchor: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}"'
        f' fill="#333">{escape(text)}</text>'
    )


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20 …, at least 1 unless it is smaller than that itself."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (1, 2, 5, 10) if power * step >= value * 0.999)


def _date(day: int) -> str:
    return time.strftime("%m-%d", time.gmtime(day * DAY))
