"""Trees that a text leads: both forms of kernels agree, and random games follow the text."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load_with
from rulewright.model.evaluation import REMEMBERED
from rulewright.model.personality import Setting
from rulewright.players import machine
from rulewright.players.choose import choose
from rulewright.players.opening import line_decisions, remembered_sites
from rulewright.players.personality import Personality
from rulewright.search.best import decide
from rulewright.search.decide import Decider, SearchOptions
from rulewright.search.results import Limits, SearchResult
from rulewright.search.solve import solve
from rulewright.search.thread_arrays import Root, ThreadArrays
from rulewright.search.trees import ThreadTree
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.playing import after

pytestmark = needs_llvm

slicings = st.lists(st.sampled_from([1, 2, 3, 7, 40, 300]), min_size=1, max_size=40)
PLAYERS = {"hex": ("pathfinder", {"size": 4}), "go": ("hunter", {"size": 5})}


@cache
def game(name: str) -> Game:
    return load_with(name, dict(PLAYERS[name][1]))


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


def options(name: str, monkeypatch: pytest.MonkeyPatch, backend: str) -> SearchOptions:
    """How the personality searches, with the kernels of a backend."""
    monkeypatch.setattr(machine, "load_engine", lambda _, **_more: engine(name, backend))
    model = Personality.load(PLAYERS[name][0], game(name)).model
    found = machine.led_trees(game(name).start(), model, 5)
    assert found is not None
    return found


def decider(name: str, options: SearchOptions, backend: str, nodes: int, seed: int = 1) -> Decider:
    state = after(game(name), seed, 5)
    machinery = engine(name, backend)
    limits = Limits(None, nodes)
    return Decider(engine=machinery, limits=limits, root=Root(state, machinery), options=options)


def facts(found: SearchResult) -> tuple[Any, ...]:
    return found.move, found.value, found.proven, found.nodes, found.root, found.pv


@pytest.mark.parametrize("name", PLAYERS)
def test_python_and_machine_code_grow_the_same_tree(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {b: options(name, monkeypatch, b) for b in ("python", "native")}
    found = [decider(name, told[b], b, 160).run() for b in told]
    assert facts(found[0]) == facts(found[1])


@pytest.mark.parametrize("name", PLAYERS)
@given(
    st.lists(st.sampled_from([1, 2, 3, 7, 40, 300]), min_size=1, max_size=40), st.integers(0, 99)
)
@settings(max_examples=tries(8), deadline=None)
def test_slices_change_nothing(name: str, slices: list[int], seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        told = options(name, patch, "native")
    whole = decider(name, told, "native", 1500, seed).run()
    cut = decider(name, told, "native", 1500, seed)
    for nodes in [*slices, 5000, 5000]:
        cut.step(nodes)
    assert facts(cut.result()) == facts(whole)


def test_what_the_tree_settles_is_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wins and losses that come up the tree are those of the solver."""
    told = options("hex", monkeypatch, "native")
    for seed in range(6):
        found = decider("hex", told, "native", 60_000, seed).run()
        if found.proven is not None:
            assert solve(after(game("hex"), seed, 5)).value == found.proven


def drawn(options: SearchOptions, moves: str, games: int, name: str = "go") -> Counter[str]:
    """How often random games go on with each decision after these."""
    machinery, state = engine(name, "native"), game(name).start().play(moves)
    assert options.guide is not None
    assert options.guide.grown is not None
    here = evolve(options.guide.grown, last=remembered_sites(state))
    options = evolve(options, guide=evolve(options.guide, grown=here))
    search = Decider(
        engine=machinery, limits=Limits(None, 1), root=Root(state, machinery), options=options
    )
    search.run()
    worker, grown = search.workers[0], options.guide.grown if options.guide else None
    assert grown is not None
    tree = ThreadTree(search.root, worker, 1 << 16, 3, grown=grown)
    search.root.place(worker)
    words = {
        worker.call("decision_mark", row) * 2 + search.root.person: text
        for row, text in enumerate(search.root.moves)
    }
    assert len(words) == len(search.root.moves)
    found = Counter[str]()
    for _ in range(games):
        trail, last = tree._arrays["trail"], tree._arrays["last"]
        trail[0] = 0
        last[:REMEMBERED] = last[REMEMBERED:]
        assert worker.call("play_led", *tree._arrays.values()) == 1
        worker.call("back", 0)
        found[words[trail[1]]] += 1
    return found


def test_random_games_follow_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An own eye is never filled; where no reply says anything all else is as likely."""
    told = options("go", monkeypatch, "native")
    found = drawn(told, "a2 e5 b1 e4 b2 e3", 2000)
    assert found["a1"] == 0
    assert found["c3"] > 0
    found = drawn(told, "a1 e5", 6900)
    assert len(found) == 23
    assert 200 < min(found.values()) <= max(found.values()) < 400


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("b1 a1", "a2"),  # the last stone can be taken
        ("a1 b1", "a2"),  # an own one can run
        ("a2 b2 c2 e5 b1 a3", "b3"),  # it is saved by taking
    ],
)
def test_random_games_reply_first(moves: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(drawn(options("go", monkeypatch, "native"), moves, 50)) == {said}


def test_replies_are_made_as_often_as_the_policy_weighs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reply on e4 could be taken at once, so it weighs an eighth (of the 80 %)."""
    found = drawn(options("go", monkeypatch, "native"), "d4 d2 c1 d3 e3", 2000)
    assert 100 < found["e4"] < 400


def replied(worker: ThreadArrays, root: Root, line: int, last: tuple[int, ...]) -> set[str]:
    """The legal decisions that a line of replies is found to say, in many draws."""
    rows = dict(zip(worker.decision_words(0, worker.rows), root.moves, strict=True))
    sites, chance = worker.ints(len(last)), worker.ints(16)
    for i, site in enumerate(last):
        sites[i] = site
    chance[0], found = 12345, set[str]()
    for _ in range(60):
        at = worker.kernels["answer"](*worker.arrays[:7], sites, chance, line, worker.rows)
        if at >= 0:
            assert at == worker.rows * worker.engine.row
            found.add(rows.get(worker.decision_words(worker.rows, worker.rows + 1)[0], ""))
    return found - {""}


POSITIONS = {
    "hex": ["a1", "a2 c1 b3 b2", "a2 a4 b3 a3", "b2 d1 c4 b3"],
    "go": ["a1", "a1 b1", "b1 a1", "a2 b2 c2 e5 b1 a3", "c3 c2 b3", "a1 pass e5 b1 pass"],
}


@pytest.mark.parametrize("backend", ["python", "native"])
@pytest.mark.parametrize("name", PLAYERS)
def test_replies_say_what_the_reference_says(
    name: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernels draw from the sets that the reference evaluates, and from the whole of them."""
    told = options(name, monkeypatch, backend)
    player, spoken = Personality.load(PLAYERS[name][0], game(name)), set[str]()
    assert player.judge is not None
    worker = None
    for moves in POSITIONS[name]:
        state, machinery = game(name).start().play(moves), engine(name, backend)
        root = Root(state, machinery)
        if worker is None:
            search = Decider(engine=machinery, limits=Limits(None, 1), root=root, options=told)
            search.run()
            worker = search.workers[0]
        root.place(worker)
        for number, line in enumerate(player.model.guidance.replies):
            said = player.judge.evaluator.reply(line)
            assert said is not None
            wanted = set(line_decisions(said, player.judge, player.model, state))
            assert replied(worker, root, number, remembered_sites(state)) == wanted
            spoken |= {line} if wanted else set()
    assert spoken == set(player.model.guidance.replies)


def test_where_nothing_else_is_left_moves_that_are_not_judged_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Black has two eyes and nothing else to fill: it passes."""
    told = options("go", monkeypatch, "native")
    sites = [f"{x}{y}" for x in "abcde" for y in range(1, 6)]
    filled = " ".join(f"{site} pass" for site in sites if site not in ("a1", "e5"))
    assert drawn(told, filled, 50) == {"pass": 50}


NARROW = """format 1
personality narrow for go
use shapes
search mcts, nodes 3000, explore 10%
consider first, most 3 else all
"""


def test_a_value_narrows_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what a value leaves the tree tells, by the names of those decisions."""
    monkeypatch.setattr(machine, "load_engine", lambda _, **_more: engine("go", "native"))
    path = tmp_path / "narrow.personality"
    path.write_text(NARROW)
    state = game("go").start().play("a1 b1 e5")
    told = machine.led_trees(state, Personality.load(path, game("go")).model, 1)
    assert told is not None
    root = Root(state, engine("go", "native"))
    limits = Limits(None, 3000)
    found = Decider(engine=root.engine, limits=limits, root=root, options=told).run()
    assert found.move == "a2"  # the one stone that takes
    assert [text for text, value in found.root if value is not None] == ["a2"]
    assert found.pv == ("a2",)


@pytest.mark.parametrize("name", PLAYERS)
def test_what_most_games_say_is_played(name: str) -> None:
    """Whatever a few games say of others: no chance chooses between them."""
    personality = Personality.load(PLAYERS[name][0], game(name))
    settings_ = (*personality.model.search.settings, Setting("nodes", 2000))
    search = evolve(personality.model.search, settings=settings_[1:])
    personality = evolve(personality, model=evolve(personality.model, search=search))
    state = after(game(name), 1, 5)
    random = Random(7)
    seed = Random(7).getrandbits(32)
    told = machine.led_trees(state, personality.model, seed)
    assert told is not None
    most = decide(state, Limits(None, 2000), told)
    found = choose(
        personality.model, state, lambda value: personality.root(state, value, random), random
    )
    assert found.move == most.move
    assert found.tied == (most.move,)


def test_settings_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """`rave`, `explore` and `policy` reach the search."""
    told = options("go", monkeypatch, "native")
    assert told.guide is not None
    grown = told.guide.grown
    assert grown is not None
    assert grown.replies == 3
    assert (grown.rave, grown.explore, grown.policy) == (1000, 0.03, 8)
    model = Personality.load("hunter", game("go")).model
    more = evolve(model, search=evolve(model.search, settings=(Setting("rave", 7, "games"),)))
    led = machine.led_trees(game("go").start(), more, 1)
    assert led is not None
    assert led.guide is not None
    assert led.guide.grown is not None
    assert led.guide.grown.rave == 7
