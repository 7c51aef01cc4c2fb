"""Lessons over HTTP: rules and pictures in the reader's language, and answers that are checked."""

import pytest

from droptable.core.lessons import answer_path
from droptable.games import OWN


def flat(path):
    return [name for step in path for name in ([step] if isinstance(step, str) else step)]


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_lessons_are_sent_without_their_answers(person, game):
    """A client gets text, pictures, and exercises that it can play but not look up."""
    sent = person().http.get(f"/api/games/{game.name}/lessons", params={"scene": "tall"}).json()
    assert sent["text"] == game.text
    assert len(sent["pictures"]) == len(game.lessons.pictures)
    for shown, exercise in zip(sent["exercises"], game.lessons.exercises, strict=True):
        assert shown["question"] == exercise.question
        assert shown["svg"].startswith("<svg")
        assert set(shown) == {"question", "rule", "svg", "switches", "moves"}
        assert all(set(move) == {"token", "path", "label"} for move in shown["moves"])


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_tries_are_answered(person, game):
    """A right answer shows what it does; a wrong one, even nonsense, gets the rule."""
    http = person().http
    for number, exercise in enumerate(game.lessons.exercises, 1):
        view = exercise.position.state(game).view(exercise.position.seat)
        for answers, right in ((exercise.right, True), (exercise.wrong, False)):
            for answer in answers[:2]:
                body = {"touched": flat(answer_path(view, answer))}
                said = http.post(f"/api/games/{game.name}/exercises/{number}", json=body).json()
                assert (said["right"], said["text"]) == (right, answer.says)
                assert said["rule"] == answer.rule
                assert (said["svg"] is not None) == (right and answer.move != "")
        body = {"touched": ["nonsense"]}
        said = http.post(f"/api/games/{game.name}/exercises/{number}", json=body).json()
        assert said == {
            "right": False, "text": exercise.otherwise, "rule": exercise.rule, "svg": None
        }  # fmt: skip


def test_lessons_and_games_speak_german(person):
    """Summary, options, rules, captions, questions and answers come in the language asked for."""
    http, german = person().http, {"language": "de"}
    game = OWN[0]
    sent = http.get(f"/api/games/{game.name}/lessons", params=german).json()
    assert sent["summary"] != game.summary
    assert sent["text"] != game.text
    assert sent["pictures"][0]["caption"] != game.lessons.pictures[0].caption
    exercise = game.lessons.exercises[0]
    assert sent["exercises"][0]["question"] != exercise.question
    url = f"/api/games/{game.name}/exercises/1"
    said = http.post(url, json={"touched": []}, params=german).json()
    assert said["text"] != exercise.otherwise
    listed = http.get("/api/games", params=german).json()[0]
    assert listed["summary"] == sent["summary"]
    for name, option in game.options.items():
        assert listed["options"][name]["help"] != option.help


def test_what_cannot_be_learned_is_refused(person):
    """Unknown games and exercises are `gone`; unreadable bodies are `syntax` errors."""
    http = person().http
    assert http.get("/api/games/chess/lessons").status_code == 404
    url = f"/api/games/{OWN[0].name}/exercises"
    assert http.post(f"{url}/99", json={"touched": []}).status_code == 404
    assert http.post(f"{url}/0", json={"touched": []}).status_code == 422
    for body in ({}, {"touched": "hand-6"}, {"touched": [6]}, {"touched": [], "more": 1}):
        assert http.post(f"{url}/1", json=body).status_code == 422


def test_refusals_speak_german_and_stored_names_do_not(person):
    """A German request is refused in German; what is shared keeps its English names."""
    german = {"language": "de"}
    stranger = person().http
    asked = {"game": "drop", "seats": ["open", "hard"], "public": True}
    refused = stranger.post("/api/tables", json=asked, params=german)
    assert refused.json()["message"].startswith("wir kennen dich noch nicht")
    assert stranger.post("/api/tables", json=asked).json()["message"].startswith("you are not")
    anna = person("Anna")
    table = anna.http.post("/api/tables", json=asked, params=german).json()["table"]
    envelope = {"id": "1", "seq": None, "command": {"type": "start"}}
    refusal = anna.http.post(f"/api/tables/{table}/commands", json=envelope, params=german).json()
    assert refusal["message"].startswith("die Partie kann noch nicht beginnen")
    seen = [anna.look(table, language=language) for language in ("de", "en")]
    assert [one["seats"][0]["name"] for one in seen] == ["Platz 1", "Seat 1"]
    listed = {one["table"]: one["names"] for one in anna.http.get("/api/tables").json()}
    assert listed[table][0] == "Seat 1"
