"""Matches in text: prompts tell what a seat may know; answers are read, never guessed at."""

import json
import random
import runpy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import droptable
from droptable.core.errors import DroptableError, IllegalMove, OptionError
from droptable.envs.answer_parser import LONGEST, Reader
from droptable.envs.text import TextMatch, Unclear

GAMES = droptable.games()
NAMES = [game.name for game in GAMES]
EXAMPLE = Path(__file__).parents[2] / "examples" / "text_player.py"


def tokens_of(name, **options):
    game = droptable.game(name)
    return game.vocabulary(game.start(**options).options).actions


def after(name, moves, seed=3, **settings):
    """A match after so many random moves."""
    match, chance = TextMatch(name, seed=seed, **settings), random.Random(seed)
    for _ in range(moves):
        if match.over:
            break
        seat = match.to_act[0]
        match.answer(seat, chance.choice(match.state.legal(seat)))
    return match


# -- reading --------------------------------------------------------------------------------------

SITE = Reader(tokens_of("drop-site"))
HEX = Reader(tokens_of("drop"))
DEPOT = Reader(tokens_of("depot"))
POP = Reader(tokens_of("drop-or-pop"), {"drop": "Drop a counter into the red column"})


@pytest.mark.parametrize("name", NAMES)
def test_every_move_can_be_said(name):
    """Each token of each game is understood in the forms that models use."""
    tokens = tokens_of(name)
    reader = Reader(tokens)
    for token in tokens:
        for answer in (
            token,
            f"  {token.upper()}!\n",
            f"move: {token}",
            f"**Move:** `{token}`",
            f"Let me think about the table.\n\nFinal answer: “{token}”.",
            f"MOVE:\n\n{token}\n",
            f"I play {token}.",
            f"I choose '{token}' and hope for the best",
            json.dumps({"why": "it is {good}", "move": token}),
            f'```json\n{{"thought": {{"a": 1}}, "Action": "{token}"}}\n```',
        ):
            assert reader.read(answer) == token, answer


@pytest.mark.parametrize(
    ("reader", "answer", "token"),
    [
        (SITE, "place 6 — that is best", "place 6"),
        (SITE, "place_6", "place 6"),
        (SITE, "place 6. 3 sites are left then", "place 6"),
        (SITE, "place 6 would close a site.\nhide 3 is better. So I hide 3.", "hide 3"),
        (SITE, "move: place 6\nmove: hide 3", "hide 3"),
        (SITE, "- place 6: Place the 6 on the 8", "place 6"),
        (HEX, "(0, -4)", "0,-4"),
        (HEX, "−1,−3", "-1,-3"),
        (DEPOT, "play 3, 3 and 3", "play 3 3 3"),
        (DEPOT, "None of this helps. I pass.", "pass"),
        (POP, "I will drop a counter into the red column.", "drop"),
        (POP, "move: drop it", "drop"),
        (POP, "A pop is too risky.\nI drop.", "drop"),
    ],
)
def test_form_is_forgiven(reader, answer, token):
    """Sentences, lists, dashes and Markdown round a move do no harm."""
    assert reader.read(answer) == token


@pytest.mark.parametrize("name", NAMES)
def test_tags_and_boxes_are_read(name):
    """Each move of each game is understood in a tag or a box, whatever else is said around it."""
    tokens = tokens_of(name)
    reader = Reader(tokens)
    for token, other in zip(tokens, reversed(tokens), strict=True):
        spaced = token.replace(" ", "\\ ")
        for answer in (
            f"<answer>{token}</answer>",
            f"I could play {other}.\n<answer>\n{token}\n</answer>\nThat is all.",
            f"<Action>{token}</Action>",
            f"<answer>{other}</answer> No: <answer> `{token}` </answer>",
            f"<answer>move: {token}</answer>",
            f'<answer>{{"move": "{token}"}}</answer>',
            f"<think>{other}? <answer>{other}</answer></think>\n\n{token}",
            f"So $\\boxed{{{token}}}$.",
            f"\\boxed{{\\text{{{token}}}}}",
            f"\\[ \\boxed{{{spaced}}} \\]",
        ):
            assert reader.read(answer) == token, answer


@pytest.mark.parametrize(
    ("reader", "answer", "message"),
    [
        (SITE, "<answer>place 60</answer> rather than place 6", "no move"),
        (SITE, "<answer>place 6 or hide 3</answer>", "names 2 moves"),
        (SITE, "<answer>not place 6</answer>", "there is 'not'"),
        (SITE, "\\boxed{6}", "no move"),
        (SITE, "<think>place 6</think>", "no move"),
        (SITE, "<answer></answer>", "no move"),
        (SITE, "", "no move"),
        (SITE, "I think about it.", "no move"),
        (SITE, "place 60", "no move"),
        (SITE, "move: place 60", "no move"),
        (SITE, "place 6.5", "no move"),
        (SITE, "place .5", "no move"),
        (SITE, "place -6", "no move"),
        (SITE, "place 6-7", "no move"),
        (SITE, "place 6, 7", "no move"),
        (SITE, "place 6 - 7", "no move"),
        (SITE, "place 1,000", "no move"),
        (SITE, "replace 6", "no move"),
        (SITE, "place six", "no move"),
        (SITE, "place 6 or hide 3", "names 2 moves: hide 3, place 6"),
        (SITE, "place 6 or 7", "there is 'or'"),
        (SITE, "I do not place 6", "there is 'not'"),
        (SITE, '{"move": 6}', "expected a text"),
        (SITE, '{"move": ["place 6"]}', "expected a text"),
        (HEX, "10,-4", "no move"),
        (HEX, "1, 0, -4", "no move"),
        (HEX, "the cell - 1,3", "no move"),
        (DEPOT, "play 3 3 3 3 3 3 3 3 3 3 3 3", "no move"),
        (DEPOT, "play 3 fives", "no move"),
        (DEPOT, "I keep my cards and play 3", "names 2 moves"),
        (POP, "I could drop", "no move"),
        (POP, "the drop was good", "no move"),
        (POP, "I drop because a pop is bad", "names 2 moves"),
        (SITE, "place 6 " * LONGEST, "at most"),
    ],
)
def test_nothing_is_guessed(reader, answer, message):
    """What names no move, several, a choice or a denial is not understood, with the reason."""
    with pytest.raises(Unclear, match=message):
        reader.read(answer)


def test_words_of_a_move_are_no_doubts():
    """A token or label with `no` or `or` in it can be said like any other."""
    reader = Reader(["no trump", "win or lose"], {"no trump": "Play without trumps, or not at all"})
    assert reader.read("I play no trump") == "no trump"
    assert reader.read("win or lose!") == "win or lose"
    assert reader.read("I play without trumps, or not at all.") == "no trump"


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_understood(name):
    """The words that a prompt gives a move can be answered in place of the move."""
    match = after(name, 0)
    for _ in range(12):
        seat = match.to_act[0]
        view = match.state.view(seat)
        labels = [view.label(token) for token in view.legal]
        for token, label in zip(view.legal, labels, strict=True):
            if labels.count(label) == 1:
                assert match.read(seat, f"move: {label}") == token
        match.answer(seat, view.legal[-1])


# Pieces of answers by what they name: nothing, or one move.
NAMING = st.sampled_from(["place 6", "Place 12", "`hide 3`", "CREATE 0.", "(hide 11)", "place 6,"])
DECOYS = st.sampled_from(
    ["place 60", "place 6.5", "replace 6", "place -6", "hide 3 4", "create", "hide", "place6", "6x",
     "hide 13", "place 0x6", "create 1 and 2", "{", "}", '{"move"', "[[", "why", "the best", "**"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(NAMING | DECOYS, max_size=4), max_size=4))
def test_only_what_is_named_is_taken(lines):
    """Whatever stands round it, a move that was not said is never read."""
    text = "\n".join(" . ".join(line) for line in lines)
    said = [{_clean(piece) for piece in line} & set(tokens_of("drop-site")) for line in lines]
    try:
        token = SITE.read(text)
    except Unclear:
        assert len(set().union(*said)) != 1 or '{"move"' in text
    else:
        assert token in set().union(*said)


def _clean(piece):
    return piece.strip("`.,()").lower()


# -- matches --------------------------------------------------------------------------------------

ANSWERS = (
    st.text(max_size=60)
    | st.text("place hide 0123456789.,-\n{}\"':mov", max_size=40)
    | st.sampled_from([token for name in NAMES for token in tokens_of(name)])
    | st.none()
    | st.integers()
    | st.binary(max_size=4)
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 12), st.lists(ANSWERS, max_size=6), st.data())
def test_a_refused_answer_changes_nothing(name, moves, answers, data):
    """No answer raises anything but our own errors; refused, it leaves the state as it was."""
    match = after(name, moves)
    for answer in answers:
        seat = data.draw(st.integers(-1, match.players))
        before, legal = match.state, {s: match.state.legal(s) for s in range(match.players)}
        try:
            token = match.answer(seat, answer)
        except DroptableError:
            assert match.state == before
        else:
            assert token in legal[seat]
            assert match.state != before


def test_a_refusal_names_the_rule():
    """A move that is not legal is refused as at any table; the next prompt says why."""
    match = TextMatch("drop-site", seed=7)
    hand = match.state.legal(0)
    missing = next(t for t in tokens_of("drop-site") if t.startswith("hide") and t not in hand)
    with pytest.raises(IllegalMove, match=r"in your hand \(DS2\)"):
        match.answer(0, f"I play {missing}.")
    assert "Your last answer was refused: you have no" in match.prompt(0)
    match.answer(0, hand[0])
    assert "refused" not in match.prompt(0)


def test_out_of_turn():
    """Who is not to act is told so, whatever the answer; and there is nothing to answer."""
    match = TextMatch("drop-site", seed=7)
    assert match.prompt(1).endswith("There is nothing to answer.")
    with pytest.raises(IllegalMove, match=r"seat 1 is not to act now: seat 0 is \(DS2\)"):
        match.answer(1, "good morning")
    for seat in (2, -1, None, True):
        with pytest.raises(OptionError, match="no seat"):
            match.prompt(seat)


def test_prompts_keep_secrets():
    """A seat's prompt tells its own cards and not what others were dealt or have hidden."""
    match = TextMatch("drop-site", seed=7)
    token = next(t for t in match.state.legal(0) if t.startswith("hide"))
    match.answer(0, token)
    own, other = match.prompt(0), match.prompt(1)
    number = token.split()[1]
    assert f"(Your move: hide {number})" in own
    assert f"Your move: hide {number}" not in other
    assert "Seat 0 hides a card.\n" in other
    assert "Seat 0 is dealt a card" not in other  # one line per deal, not one per card


def test_nobody_is_told_what_is_done_at_the_same_time():
    """While two seats drop together, what one does is not in the other's prompt."""
    match = TextMatch("number-drop", 2, seed=1)
    compared = 0
    while compared < 20:
        seat, *others = match.to_act
        before = [match.prompt(other) for other in others]
        match.answer(seat, match.state.legal(seat)[0])
        if others == list(match.to_act)[-len(others) :]:
            assert [match.prompt(other) for other in others] == before
            compared += len(others)


@pytest.mark.parametrize("name", NAMES)
def test_prompts_are_made_of_views(name):
    """Another world that looks the same to a seat gives it the same question."""
    match = after(name, 9, rules=False, events=0)
    for seat in range(match.players):
        prompt = match.prompt(seat)
        twin = after(name, 9, rules=False, events=0)
        twin._state = match.state.view(seat).determinize(seed=5)
        if seat in match.to_act:
            assert twin.prompt(seat) == prompt
        else:
            assert twin.prompt(seat).rsplit("\n", 1)[0] == prompt.rsplit("\n", 1)[0]


def test_switches():
    """Rules, legal moves and events can be left out of prompts."""
    full = TextMatch("depot", seed=1).prompt(0)
    assert "DP1 The deal" in full and "Your legal moves\n- play" in full and "is dealt" in full
    bare = TextMatch("depot", seed=1, rules=False, moves=False, events=0).prompt(0)
    assert "DP1" not in bare and "Your legal moves" not in bare and "is dealt" not in bare
    assert "move: " in bare
    assert len(bare) < len(full) / 3


def test_news_begin_with_ones_last_move():
    """A prompt tells what has happened since the seat's last decision, that one included."""
    match = TextMatch("drop-or-pop", seed=2, rules=False)
    match.answer(0, "drop")
    assert "Seat 0 drops" in match.prompt(0)
    while match.to_act != (0,):
        match.answer(match.to_act[0], "drop")
    news = match.prompt(0).partition("What has happened\n")[2].partition("\n\n")[0]
    assert [line.split()[:3] for line in news.splitlines() if " drops " in line] == [
        ["Seat", str(seat), "drops"] for seat in range(3)
    ]


def test_a_refusal_repeats_the_news():
    """A move that is refused does not swallow what has happened before it."""
    match = after("drop-site", 6, seed=7)
    seat = match.to_act[0]
    news = match.prompt(seat).partition("What has happened\n")[2].partition("\n\n")[0]
    assert news
    missing = next(t for t in tokens_of("drop-site") if t not in match.state.legal(seat))
    with pytest.raises(IllegalMove):
        match.answer(seat, missing)
    assert news in match.prompt(seat)


def test_the_end_is_told():
    """After the last move prompts bring the verdict, and no answer is taken."""
    match = after("drop-or-pop", 10_000)
    assert match.over and match.winners
    assert "The match is over." in match.prompt(0)
    with pytest.raises(IllegalMove, match="the match is over"):
        match.answer(0, "drop")
    assert match.record.final.scores == match.scores


@pytest.mark.parametrize("name", ["drop-or-pop", "depot"])
def test_the_example_plays(name, capsys):
    """A player that reads only its prompts gets through a whole match without a refusal."""
    match = runpy.run_path(str(EXAMPLE))["play"](name, seed=4)
    assert match.over
    assert "refused" not in capsys.readouterr().out
