"""What proofs believe: words of a text that led them are named, and so is the one that is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.search.certificate import Believed, Unproven, check
from rulewright.search.results import Limits
from rulewright.search.solve import Solver, solve
from tests.shared.backends import needs_llvm
from tests.shared.places import RULESETS
from tests.shared.playing import after

pytestmark = needs_llvm

WORDS = ("decided won", "drawn dead", "must some", "hopeless won")
METHODS = ("alphabeta", "proof")
TOLD = """format 1
evaluator told for tictactoe

value position of position for mover = 0
value won of position for mover = 1 if count own > {most} else 0
value dead of position for mover = 1 if count (own or enemy) > {most} else 0
value some of move place for mover = 1 if cell in column({column}) and count own < {most} else 0
"""
TELLING = """format 1
personality telling for tictactoe

use told
search alphabeta, depth 9
{word}
pick best position
"""
NEVER = 9
SMALL = Limits(None, memory=1 << 20)


def telling(folder: Path, word: str, most: int = 2, column: int = 2) -> str:
    """The path of a personality that says one word."""
    (folder / "told.eval").write_text(TOLD.format(most=most, column=column))
    path = folder / "telling.personality"
    path.write_text(TELLING.format(word=word))
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def is_asked(word: str, method: str) -> bool:
    """Proof numbers do not ask what is drawn."""
    return method == "alphabeta" or not word.startswith("drawn")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("word", WORDS)
def test_a_proof_says_what_it_believed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, method: str
) -> None:
    name, value = word.split()
    words = ("solve", "tictactoe", "--method", method, "--personality", telling(tmp_path, word))
    told = [{"word": name, "value": value, "personality": "telling"}]
    assert printed(capsys, *words)["believed"] == told * is_asked(word, method)
    assert main(list(words)) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert (last == f"believed: {name} of telling") == is_asked(word, method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_says_nothing_is_not_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, method: str
) -> None:
    most = 0 if word.startswith("must") else NEVER
    words = ("solve", "tictactoe", "--method", method)
    who = telling(tmp_path, word, most)
    assert printed(capsys, *words, "--personality", who)["believed"] == []
    assert printed(capsys, *words)["believed"] == []


def led(state: State, who: Personality, method: str) -> tuple[list[Solver], tuple[str, ...]]:
    begun = list[Solver]()
    leading = proving(who.model)
    found = solve(state, SMALL, method=method, keep=begun.append, leading=leading)
    return begun, found.believed


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("word", WORDS)
@given(seed=st.integers(0, 99), plies=st.integers(0, 4), most=st.sampled_from((1, 3)))
@settings(
    max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
def test_a_check_names_the_word_that_is_wrong(
    tmp_path: Path, word: str, method: str, seed: int, plies: int, most: int
) -> None:
    """A proof that passes is right; else a word is named, with a position of which it is untrue."""
    game = load_with("tictactoe", {})
    state = after(game, seed, plies) if plies else game.start()
    path = telling(tmp_path, word, most)
    who = Personality.load(path, game)
    (solver,), words = led(state, who, method)
    assert who.judge is not None
    believed = Believed(who.model.beliefs(words), who.judge, who.model.factors)
    failed = ""
    try:
        assert check(solver, believed=believed) > 0
    except Unproven as error:
        failed = str(error)
    if failed:
        line = TELLING.splitlines().index("{word}") + 1
        assert f"`{word}` of telling ({path}:{line}) is wrong" in failed
        _is_true(game, failed)
    else:
        true = {"loss": -1, "draw": 0, "win": 1}[str(solve(state, SMALL).value)]
        assert solver.least == solver.most == true


def test_a_proof_that_rests_on_no_word_is_checked_without_them(tmp_path: Path) -> None:
    """The check tried decisions in their order, and one looked won by a word that is wrong."""
    game = load_with("tictactoe", {})
    who = Personality.load(telling(tmp_path, "decided won", 3), game)
    (solver,), words = led(after(game, 80, 4), who, "alphabeta")
    assert words == ()
    assert check(solver) > 0


def _is_true(game: Game, message: str) -> None:
    """What the message says of the position that it names."""
    where = re.search(r"is wrong after `(.+?)`(, turned as below)?", message)
    assert where is not None
    state, said = game.start().play(where[1]), message.splitlines()[0].rpartition(" ")[2]
    assert said == str(solve(state, SMALL).value)


def test_what_is_forced_in_a_game_names_what_may_have_led_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A win at once rests on the rules alone."""
    who = telling(tmp_path, "must some", most=0)
    told = [{"word": "must", "value": "some", "personality": "telling"}]
    words: tuple[str, ...] = ()
    for moves, distance, believed in (("a1 b1 a2 b2", 1, None), ("b2 b1 a1 c3", 3, told)):
        words = ("tictactoe", "--personality", who, "--moves", moves)
        found = printed(capsys, "best", *words)
        assert (found["proven"], found["distance"]) == ("win", distance)
        assert found.get("believed") == believed
        assert main(["best", *words, "--format", "text"]) == 0
        assert ("believed: must of telling" in capsys.readouterr().out) == bool(believed)
    assert printed(capsys, "explain", *words)["believed"] == told


def test_a_claim_of_who_wins_believes_nothing(tmp_path: Path) -> None:
    """The rules' own claims are proven by the rules alone, whatever texts stand beside them."""
    rules = tmp_path / "tictactoe.rules"
    rules.write_text((RULESETS / "tictactoe" / rules.name).read_text("utf-8"))
    telling(tmp_path, "decided won", most=0)
    assert main(["check", str(rules)]) == 0
