"""The looks of the bundled games: accepted, complete, drawn at every value of each option."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import RulewrightError
from rulewright.games.files.catalog import LOOK, load_look
from rulewright.games.files.games import bundled_games, load, load_with
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.games.files.looks import dress, shown_by_look, thumbnail
from rulewright.games.render.piece_drawings import is_path
from rulewright.language.diagnostics import errors
from rulewright.language.reprint import formatted
from rulewright.model.rules import OptionValue
from tests.shared.dressings import HEAD, base
from tests.shared.effort import tries
from tests.shared.sample import chosen

TEXTS = sorted(
    (path.parent.name, path) for path in Path(bundled_games()["go"]).parents[1].glob("*/*.look")
)


def test_every_bundled_game_has_a_look_with_all_that_people_read() -> None:
    assert {game for game, _ in TEXTS} == {*bundled_games()}
    for name in chosen():
        look = load_look(load(name))
        texts = {word for layer in look.layers for word in layer.texts}
        assert texts >= {"title", "tell", "material", "coordinates", "thumbnail"}
        sides = {side.player for layer in look.layers for side in layer.sides}
        assert sides == {*load(name).rules.seats}


@pytest.mark.parametrize(("name", "path"), TEXTS)
def test_bundled_looks_are_accepted_without_a_word(name: str, path: Path) -> None:
    text = path.read_text("utf-8")
    read = check_file(LOOK, path.name, path.read_bytes(), FileContext(None, path.parent))
    assert read.diagnostics == ()
    assert formatted(text) == text
    assert text.splitlines()[3].startswith("# "), "it says in a comment what one will see"


@pytest.mark.parametrize(("name", "path"), TEXTS)
def test_the_thumbnail_is_a_position_within_a_game(name: str, path: Path) -> None:
    game = load(name)
    state = thumbnail(dress(load_look(game), game, base(game)), game)
    is_near_the_end = any(state.play_decision(move).over for move in state.moves.texts)
    assert len(state.decisions()) >= 5 or is_near_the_end
    assert not state.over


def values(option: OptionValue) -> list[int | float | bool]:
    if option.low is None or option.high is None:
        return [True, False]
    low, high = int(option.low), int(option.high)
    return sorted({low, low + 1, (low + high) // 2, high - 1, high} & {*range(low, high + 1)})


@pytest.mark.parametrize(("name", "path"), TEXTS)
def test_a_look_dresses_its_game_at_every_value_of_each_option(name: str, path: Path) -> None:
    for option in load(name).rules.options:
        for value in values(option):
            try:
                game = load_with(Path(bundled_games()[name]), {option.name: value})
            except RulewrightError:
                continue  # no board of this size
            where = FileContext(game, path.parent)
            read = check_file(LOOK, path.name, path.read_bytes(), where)
            assert read.diagnostics == (), (option.name, value)
            dressing = dress(read.loaded(), game, base(game))
            assert thumbnail(dressing, game).game is game
            shown_by_look(read.loaded(), game.start(backend="reference"))


# --- hostile looks ---

LINES = sorted({line for _, path in TEXTS for line in path.read_text("utf-8").splitlines()})
WORDS = sorted({word for line in LINES for word in line.split()})


@settings(max_examples=tries(120), deadline=None)
@given(st.integers(0, 2**32))
def test_no_look_ever_stops_a_game(seed: int) -> None:
    """Lines of looks of other games, words in any order, and texts that are none."""
    chance = random.Random(seed)
    game = load(chance.choice(["tictactoe", "conniption", "dots", "morris"]))
    lines = []
    for _ in range(chance.randint(1, 12)):
        words = chance.choice(LINES).split(" ")
        for _ in range(chance.choice([0, 0, 1, 3])):
            words[chance.randrange(len(words))] = chance.choice(
                [*WORDS, "\u202e", "<svg>", "'", "("]
            )
        lines.append(" ".join(words))
    text = HEAD.format(game.name) + "\n".join(lines) + "\n"
    read = check_file(LOOK, "x.look", text.encode("utf-8"), FileContext(game))
    if read.model is None:
        assert errors(read.diagnostics)
        return
    dressing = dress(read.model, game, base(game))
    start = game.start(backend="reference")
    assert shown_by_look(read.model, start).marks.keys() <= {mark.state for mark in dressing.marks}
    assert thumbnail(dressing, game).game is game


def test_a_long_path_is_read_in_time() -> None:
    """Digits can be split into numbers in many ways; each is tried at most once."""
    assert not is_path("M" + "1" * 3000 + "?")
    assert is_path("M" + "1" * 3000 + "Z")
    assert is_path("M 10.5,-.25 L1.2.3 4 Z")
