"""Games and states as pickles: small, read once in a process, refused where rules differ."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from rulewright.errors import RulewrightError
from rulewright.games.engine import parcels
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import check, load, loads
from rulewright.players.personality import Personality
from tests.shared.bundled import GAMES, game

NIM = """format 1
game nim
players first second
board square 5 by 1
pieces stone
move take
  choose s in empty
  put stone at s
turn take
lose when stuck
"""
READ = """
import pickle, sys
states = pickle.load(sys.stdin.buffer)
assert all(state.game is states[0].game for state in states)
print([(state.text(), state.moves.texts, state.turns(), state.decisions()) for state in states])
print(sorted(name for name in sys.modules if name == "rulewright.language.parse"))
"""


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that knows no game yet."""
    monkeypatch.setattr(parcels, "_games", {})


def somewhere(played: Game, seed: int, most: int = 30) -> State:
    """A state after some random decisions."""
    random, state = Random(seed), played.start()
    for _ in range(most):
        if state.over:
            break
        state = state.play_decision(random.choice(state.moves.texts))
    return state


def again(thing: State) -> State:
    found: State = pickle.loads(pickle.dumps(thing))
    return found


def told(state: State) -> list[object]:
    """All that a pickle must keep."""
    return [
        state.text(), state.moves.texts, state.result, state.ply, state.turn_begins, state.swapped,
        state.situation.position, state.situation.position.past, state.decisions(), state.turns(),
        [one.text() for one in state.states()], state.game.options, state.game.backend,
    ]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_a_pickled_state_is_the_same_and_remembers_its_way(name: str, elsewhere: None) -> None:
    for seed in range(3):
        state = somewhere(game(name), seed, 12 + seed)
        found = again(state)
        assert found == state
        assert hash(found) == hash(state)
        assert told(found) == told(state)
        assert told(again(found)) == told(state)
        assert again(again(state)).decisions() == state.decisions()  # nothing was played again


def test_a_state_that_was_read_from_a_text_keeps_its_first_position() -> None:
    chess = load("chess")
    first = chess.read(chess.start().play("e2e4 e7e5").text())
    state = first.play("g1f3 b8c6")
    found = again(state)
    assert (found.decisions(), found.states()[0].text()) == (["g1f3", "b8c6"], first.text())
    assert again(first).before is None
    assert told(again(first)) == told(first)


def test_repetitions_are_remembered() -> None:
    chess = load("chess").start()
    state = chess.play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    assert again(state).play("f6g8").result == state.play("f6g8").result
    assert again(state).play("f6g8") == state.play("f6g8")
    assert again(state) != chess.game.read(state.text())


def test_states_of_a_game_share_it_and_it_is_read_once(elsewhere: None) -> None:
    state = load("twixt", size=12).start().play("f6 g4")
    pickled = [pickle.dumps(one) for one in state.states()]
    assert all(len(one) < 3000 for one in pickled)
    found = [pickle.loads(one) for one in pickled]
    assert all(one.game is state.game for one in found)
    parcels._games.clear()
    found = [pickle.loads(one) for one in pickled]
    assert len({id(one.game) for one in found}) == 1
    assert found[0].game is not state.game
    assert found[-1] == state


@pytest.mark.parametrize("kind", ["bundled", "file", "text", "checked"])
def test_other_processes_read_it(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(NIM, "utf-8")
    checked = check(NIM, "nim.rules").game
    assert checked is not None
    games = {"bundled": game("hex"), "file": load(path), "text": loads(NIM), "checked": checked}
    states = somewhere(games[kind], 3, 3).states()
    path.unlink()  # the text travels
    done = subprocess.run(
        [sys.executable, "-c", READ], input=pickle.dumps(states), capture_output=True, check=True
    )
    lines = done.stdout.decode().splitlines()
    told = [(state.text(), state.moves.texts, state.turns(), state.decisions()) for state in states]
    assert lines[0] == repr(told)


def test_rules_that_are_read_otherwise_are_refused(elsewhere: None) -> None:
    state = loads(NIM).start()
    pickled, known = pickle.dumps(state), parcels.digest(state.game)
    parcels._games.clear()
    other = pickled.replace(known.encode(), ("0" * len(known)).encode())
    with pytest.raises(RulewrightError, match="the rules of nim mean something else here"):
        pickle.loads(other)
    assert pickle.loads(pickled) == state


def test_positions_of_another_version_are_refused() -> None:
    state = loads(NIM).start()
    values, ended = parcels.plain(state.situation)
    for wrong in ({**values, "colour": 3}, {k: v for k, v in values.items() if k != "history"}):
        with pytest.raises(RulewrightError, match="kept by another version"):
            parcels.read_situation(state.game.play, (wrong, ended))


def test_digests_do_not_depend_on_where_the_rules_come_from() -> None:
    for name in GAMES:
        cached = game(name)
        assert cached.again is not None
        assert parcels.digest(cached.again()) == parcels.digest(cached)
    assert parcels.digest(loads(NIM)) != parcels.digest(loads(NIM.replace("5 by 1", "6 by 1")))


def test_a_game_whose_rules_were_changed_is_sent_with_them() -> None:
    changed = evolve(load("tictactoe"), rules=loads(NIM).rules, place=None)  # nor kept kernels
    found = pickle.loads(pickle.dumps(changed))
    assert found.rules == changed.rules
    assert found.start().moves.texts == ["a1", "b1", "c1", "d1", "e1"]


def test_parcels_keep_players_and_files_of_the_game(elsewhere: None) -> None:
    for backend in (None, "reference"):
        sent = pickle.dumps(load("connect4", backend=backend))
        parcels._games.clear()
        found = pickle.loads(sent)
        assert found.backend == backend
        assert Personality.load("eager", found).choose(found.start()) in found.start().moves


def test_what_never_changes_is_its_own_copy() -> None:
    state = load("chess").start().play("e2e4")
    rules = state.game.rules
    for thing in (
        state,
        state.game,
        state.moves[0],
        rules,
        rules.board,
        rules.moves[0],
        rules.course,
    ):
        assert copy.copy(thing) is thing
        assert copy.deepcopy(thing) is thing
        assert copy.deepcopy([thing])[0] is thing
