"""What a study found, in words."""

from __future__ import annotations

from droptable.bots.instincts import Habit, habit_of
from droptable.lab.experiment import Result
from droptable.lab.measures import Figure

OFTEN = 0.1  # of the matches that repeat an earlier one: worth telling


def setting(result: Result) -> str:
    """What was played, in a few words."""
    cell = result.cell
    defaults = {name: option.default for name, option in cell.subject.options.items()}
    changed = [f"{n}={v}" for n, v in cell.options.items() if v != defaults[n]]
    changed += [f"{name}={value}" for name, value in cell.constants.items()]
    bots = " and ".join(dict.fromkeys(cell.lineup))
    players = "alone" if cell.seats == 1 else f"{cell.seats} players"
    title = cell.subject.title
    if cell.subject.variant_of is not None:  # what differs is told behind it
        title = cell.subject.variant_of.partition(":")[0]
    return ", ".join([title, players, *changed, bots])


def findings(result: Result) -> list[str]:
    """The main findings about a cell, most important first."""
    told = [
        _seats(result), _strength(result), _length(result), _choices(result), _ends(result),
        _repeats(result), _luck(result), _ladder(result), *_restricted(result), _exploited(result),
        _story(result), *_carries(result),
    ]  # fmt: skip
    return [sentence for sentence in told if sentence]


def _seats(result: Result) -> str:
    shares = result.of("seats")
    if len(shares) < 2 or len(set(result.cell.lineup)) > 1:
        return ""
    fair = 1 / len(shares)
    odd = [f for f in shares if not f.interval.holds(fair)]
    between = players_of(result.cell.lineup[0])
    if not odd:
        widest = max(f.interval.margin for f in shares)
        return (
            f"No seat is clearly favoured between {between}: all shares may be the fair "
            f"{100 * fair:.3g} % (± {100 * widest:.2g})."
        )
    best = max(odd, key=lambda f: (round(abs(f.interval.value - fair), 9), f.interval.value))
    word = "wins" if best.interval.value > fair else "wins only"
    sentence = f"{side_of(result, best).capitalize()} {word} {best.text} between {between}"
    lead = result.figure("first-mover", "lead over the others")
    if best.label == "seat 0" and lead and not lead.interval.holds(0):
        unit = result.cell.subject.words.unit
        sentence += f": the first move is worth {lead.interval} {unit}"
    others = [f for f in odd if f is not best]
    if others:
        sentence += "; " + ", ".join(f"{side_of(result, f)} {f.text}" for f in others)
    return f"{sentence}. A fair share is {100 * fair:.3g} %."


def players_of(bot: str) -> str:
    """Who plays, in words: whoever looks at more than what is legal is a good player."""
    habit = habit_of(bot)
    return f"good players ({bot})" if habit is None or habit == Habit(0.0) else f"{bot} players"


def side_of(result: Result, figure: Figure) -> str:
    """A seat by the name that the game has for it: black, white."""
    sides = result.cell.subject.words.sides
    return sides[int(figure.label.removeprefix("seat "))] if sides else figure.label


def _strength(result: Result) -> str:
    told = [f"{f.label} {f.text}" for f in result.of("strength")]
    return f"Per seat, the bots win: {', '.join(told)}." if told else ""


def _length(result: Result) -> str:
    moves, decisions = result.figure("length", "moves"), result.figure("length", "decisions")
    if moves is None or decisions is None:
        return ""
    minutes = result.figure("table-time")
    about = f", about {minutes.interval.value:.0f} minutes at the table" if minutes else ""
    return f"A match has {moves.text}, {decisions.text} among them{about}."


def _choices(result: Result) -> str:
    real, choices = result.figure("real-decisions"), result.figure("branching")
    if real is None or choices is None:
        return ""
    return f"{real.text} of the moves are real decisions, between {choices.text} each."


def _ends(result: Result) -> str:
    shared, limit = result.figure("draws", "shared victories"), result.figure("limits")
    if shared is None or limit is None:
        return ""
    ended = "no match was" if limit.interval.value == 0 else f"{limit.text} were"
    return f"{shared.text} of the victories are shared; {ended} ended by a limit."


def _repeats(result: Result) -> str:
    repeats = result.figure("repeats")
    if repeats is None or repeats.interval.value < OFTEN:
        return ""
    return (
        f"{repeats.text} of the matches went exactly as an earlier one: these bots leave so little "
        "to chance that further matches tell nothing new."
    )


def _luck(result: Result) -> str:
    skill, luck = result.figure("luck", "skill"), result.figure("luck", "luck of the deal")
    if skill is None or luck is None:
        return ""
    label = result.contests["luck"][0][0]
    return (
        f"Between {label}, who plays explains {skill.text} of the results; what is dealt, "
        f"{luck.text}."
    )


def _ladder(result: Result) -> str:
    steps = result.of("ladder")
    if not steps:
        return ""
    fair = 1 / result.cell.seats
    alone = result.cell.seats == 1
    gains = [f for f in steps if alone or f.interval.low > fair]
    if not gains:
        widest = max(f.interval.margin for f in steps)
        return (
            "Does thinking pay? No step of the ladder wins clearly more than "
            f"{100 * fair:.3g} % (± {100 * widest:.2g})."
        )
    told = "; ".join(f"{f.label} {f.text}" for f in steps)
    if alone:
        return f"Scores by thinking time: {told}."
    share = f"{len(gains)} of {len(steps)} steps win clearly more than {100 * fair:.3g} %"
    return f"Does thinking pay? {share}: {told}."


def _restricted(result: Result) -> list[str]:
    told = [f"{f.label} {_signed(f)}" for f in result.of("restricted")]
    sentences = [f"Restricted bots against free ones: {'; '.join(told)}."] if told else []
    free = [f.label for f in result.of("dominated")]
    if free:
        sentences.append(f"Nothing is lost by never making these moves: {', '.join(free)}.")
    return sentences


def _exploited(result: Result) -> str:
    found = result.figure("exploitability")
    if found is None:
        return ""
    bot, least = result.cell.lineup[0], found.interval.low
    if least <= 0:
        return (
            f"No response clearly beats {bot} players: it wins {_signed(found)} above a fair share."
        )
    return (
        f"Who has learned to beat {bot} players wins {_signed(found)} above a fair share: they can "
        "be exploited at least so far."
    )


def _story(result: Result) -> str:
    changes, back = result.figure("lead-changes"), result.figure("comebacks")
    killer = result.figure("killer-moves")
    if changes is None or back is None or killer is None:
        return ""
    return (
        f"The lead changes {changes.text} times a match; {back.text} are won from far behind, and "
        f"the winner's best turn gains {killer.text} of the victory."
    )


def _carries(result: Result) -> list[str]:
    clear = [f for f in result.of("carries") if not f.interval.holds(0)][:3]
    told = [f"each {f.label} {_signed(f)}" for f in clear]
    sentences = [f"What goes with winning: {'; '.join(told)}."] if told else []
    dealt = [f for f in result.of("dealt") if not f.interval.holds(0)]
    dealt.sort(key=lambda f: -abs(f.interval.value))
    dealt = dealt[:5]
    if dealt:
        sentences.append(f"What is dealt: {'; '.join(f'{f.label} {_signed(f)}' for f in dealt)}.")
    return sentences


def _signed(figure: Figure) -> str:
    return f"{'+' if figure.interval.value >= 0 else ''}{figure.text}"
