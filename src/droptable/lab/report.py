"""A study as one page of HTML that needs nothing else: words first, then pictures, then numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from droptable.lab.drawing import Plot, dots, lines
from droptable.lab.experiment import Result
from droptable.lab.measures import ALL_CONTESTS, MEASURES
from droptable.lab.plan import Plan
from droptable.lab.sentences import findings, setting, side_of
from droptable.lab.statistics import Interval

STYLE = """
body{font:17px/1.5 system-ui,sans-serif;color:#3a332b;background:#faf5ea;margin:0 auto;
max-width:46rem;padding:1rem 1.2rem 4rem}
h1,h2,h3{line-height:1.2}h2{margin-top:2.2rem}.soft{color:#6b6257}
.plot{width:100%;min-width:33rem;height:auto;margin:.8rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;width:100%}
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid #d9cfbd}
td.n{text-align:right;white-space:nowrap}code{font-size:.85em;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e9e2d6;background:#211d19}.soft{color:#b5ab9c}
th,td{border-color:#4a4238}}
"""
LABEL = 26  # characters, for which a picture has room
Point = tuple[float, Interval]


def report(plan: Plan, results: Sequence[Result], manifest: dict[str, Any]) -> str:
    """The page."""
    parts = [f"<h1>{escape(plan.title)}</h1>", "<h2>What was found</h2>"]
    for result in results:
        parts.append(f"<h3>{escape(setting(result))}</h3><ul>")
        parts += [f"<li>{escape(sentence)}</li>" for sentence in findings(result)]
        parts.append("</ul>")
    parts.append("<h2>Pictures</h2>")
    parts += [f"<div class='wide'>{plot.svg}</div>" for plot in plots(results)]
    parts.append("<h2>All figures</h2>")
    for result in results:
        matches = f"{len(result.sample):,} matches"
        parts.append(f"<h3>{escape(setting(result))}</h3><p class='soft'>{matches}</p>")
        parts.append(_table(result))
    parts.append("<h2>What the measures say</h2>")
    parts += list(_definitions(plan, results))
    parts.append("<h2>How it was played</h2>")
    told = {"seed": plan.seed, **manifest["versions"], **manifest["digests"]}
    rows = "".join(
        f"<tr><td>{escape(str(name))}</td><td><code>{escape(str(value))}</code></td></tr>"
        for name, value in told.items()
    )
    parts.append(f"<div class='wide'><table>{rows}</table></div>")
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(plan.title)}</title><style>{STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


def _table(result: Result) -> str:
    rows = []
    for f in result.figures:
        named = MEASURES.get(f.measure) or ALL_CONTESTS[f.measure]
        rows.append(
            f"<tr><td>{escape(named.title)}</td><td>{escape(f.label)}</td>"
            f"<td class='n'>{escape(f.text)}</td></tr>"
        )
    return f"<div class='wide'><table>{''.join(rows)}</table></div>"


def _definitions(plan: Plan, results: Sequence[Result]) -> Iterator[str]:
    taken = dict.fromkeys(f.measure for result in results for f in result.figures)
    for name in taken:
        measure = MEASURES.get(name) or ALL_CONTESTS[name]
        source = f" <span class='soft'>({escape(measure.source)})</span>" if measure.source else ""
        yield f"<p><b>{escape(measure.title)}</b>: {escape(measure.tells)}{source}</p>"
    if plan.precision is not None:
        yield (
            "<p>Cells were stopped as soon as each seat's share was known to ± "
            f"{100 * plan.precision:g} %; the intervals of these shares allow for that.</p>"
        )
    yield "<p>All intervals are of 95 %.</p>"


# -- pictures -------------------------------------------------------------------------------------


def plots(results: Sequence[Result]) -> list[Plot]:
    """Everything worth drawing: seats, length, decisions, ladders, effects, sweeps."""
    drawn = [seats_plot(result) for result in results if len(result.of("seats")) > 1][:12]
    if len(results) > 1:
        drawn += [
            comparison(results, "length", "moves", "Moves per match"),
            comparison(results, "real-decisions", "", "Share of real decisions"),
        ]
    if any(result.of("exploitability") for result in results):
        title = "Exploitability: what a learned response wins above a fair share"
        drawn.append(comparison(results, "exploitability", "", title, fair=0.0))
    for result in results:
        if result.of("ladder"):
            drawn.append(ladder_plot(result))
        for name in ("restricted", "luck", "carries", "dealt"):
            if result.of(name):
                drawn.append(effects_plot(result, name))
    return [*drawn, *sweeps(results)]


def seats_plot(result: Result) -> Plot:
    """Each seat's share of the victories."""
    rows = [(side_of(result, f), f.interval) for f in result.of("seats")]
    title = f"Share of victories: {setting(result)}"
    return dots(title, rows, fair=1 / result.cell.seats, percent=True)


def comparison(
    results: Sequence[Result], measure: str, label: str, title: str, fair: float | None = None
) -> Plot:
    """One figure of all cells."""
    found = zip(_differences(results), (r.figure(measure, label) for r in results), strict=True)
    figures = [(told, f) for told, f in found if f is not None]
    rows = [(told, f.interval) for told, f in figures]
    percent = any(f.unit == "share" for _, f in figures)
    return dots(title, rows, fair=fair, percent=percent)


def ladder_plot(result: Result) -> Plot:
    """What each step of thinking wins."""
    steps = result.of("ladder")
    rows = [(f.label, f.interval) for f in steps]
    alone = result.cell.seats == 1
    fair = None if alone else 1 / result.cell.seats
    return dots(f"Skill ladder: {setting(result)}", rows, fair=fair, percent=not alone)


def effects_plot(result: Result, name: str) -> Plot:
    """The figures of a measure or a contest, beside no effect at all."""
    rows = [(f.label, f.interval) for f in result.of(name)]
    title = f"{(MEASURES.get(name) or ALL_CONTESTS[name]).title}: {setting(result)}"
    percent = result.of(name)[0].unit == "share"
    return dots(title, rows, fair=0.0, percent=percent)


def sweeps(results: Sequence[Result]) -> list[Plot]:
    """For each number that varies while all else is the same: seats and length by it."""
    drawn = []
    for axis, runs in _axes(results):
        where = setting(runs[0][1])
        seats: dict[str, list[Point]] = {}
        moves: list[Point] = []
        for value, result in runs:
            for f in result.of("seats") if result.cell.seats > 1 else ():
                seats.setdefault(side_of(result, f), []).append((value, f.interval))
            length = result.figure("length", "moves")
            if length is not None:
                moves.append((value, length.interval))
        fair = None if axis == "players" else 1 / runs[0][1].cell.seats
        if seats:
            title = f"Share of victories by {axis}: {where}"
            drawn.append(lines(title, seats, across=axis, fair=fair, percent=True))
        if moves:
            drawn.append(lines(f"Moves by {axis}: {where}", {"moves": moves}, across=axis))
    return drawn


def _axes(results: Sequence[Result]) -> Iterator[tuple[str, list[tuple[float, Result]]]]:
    """Numbers that vary over three cells or more, everything else being equal."""
    families: dict[tuple[str, str], list[tuple[float, Result]]] = {}
    for result in results:
        document = result.cell.to_dict()
        for kind in ("options", "constants"):
            for name, value in document[kind].items():
                if isinstance(value, int | float) and not isinstance(value, bool):
                    rest = document | {kind: document[kind] | {name: None}}
                    key = (name, repr(sorted(rest.items())))
                    families.setdefault(key, []).append((float(value), result))
    for (name, _), runs in families.items():
        if len({value for value, _ in runs}) > 2:
            yield name, sorted(runs, key=lambda run: run[0])


def _differences(results: Sequence[Result]) -> list[str]:
    """Each cell in as many words as tell it from the others."""
    told = [setting(result).replace(" players", "p").split(", ") for result in results]
    common = set(told[0]).intersection(*told[1:])
    short = [", ".join([part for part in parts if part not in common] or parts) for parts in told]
    return [text if len(text) <= LABEL else text[: LABEL - 1] + "…" for text in short]
