"""What is shown of the library's objects where nobody asked how: one short line each."""

from __future__ import annotations

import json

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.vendor.pretty import pretty

import rulewright
from rulewright.games.engine.game import State
from rulewright.ground.records import as_json, fields_as_json
from rulewright.matches.protocols.recorded import Recorded
from rulewright.reference.play import ReferencePlay

LONGEST = 300


@pytest.fixture(scope="module")
def state() -> State:
    return rulewright.load("connect4", width=5).start().play("4 4 3")


def shown(thing: object) -> str:
    """The one line that `repr` and the printer of Hypothesis and notebooks agree on."""
    text = repr(thing)
    assert pretty(thing) == text
    assert "\n" not in text
    assert len(text) <= LONGEST
    return text


def test_states_and_games_are_one_line(state: State) -> None:
    assert shown(state.game) == "<Game connect4 width=5>"
    assert shown(state) == "<State <Game connect4 width=5> after 4 4 3: red>"
    assert shown(state.game.start()) == "<State <Game connect4 width=5>: yellow>"
    assert shown(state.play("4 3 4 3 5 3")).endswith(": ended>")


@given(seed=st.integers(0, 1000))
def test_a_long_way_is_cut(seed: int) -> None:
    here = rulewright.load("connect4").start()
    while not here.over:
        here = here.play_decision(here.moves.texts[seed % len(here.moves)])
        seed = seed // 2 + 3
    assert len(shown(here)) <= LONGEST


def test_answers_are_one_line(state: State) -> None:
    found = rulewright.search(state, depth=2)
    assert shown(found).startswith(f"<SearchResult {found.move}: ")
    solved = rulewright.solve(state)
    assert solved.value
    assert solved.value in shown(solved)
    player = rulewright.Personality.load("counter", state.game)
    assert "counter of connect4" in shown(player)
    assert shown(rulewright.explain(state, player)).startswith("<Explanation counter plays ")
    assert "0 diagnostics" not in shown(rulewright.check("game x"))
    assert "3 decisions" in shown(Recorded("connect4", state))


def test_every_public_name_is_listed() -> None:
    assert set(rulewright.__all__) <= set(dir(rulewright))
    assert all(hasattr(rulewright, name) for name in dir(rulewright))


def test_a_personality_is_explained_by_its_name(state: State) -> None:
    player = rulewright.Personality.load("counter", state.game)
    assert rulewright.explain(state, "counter") == rulewright.explain(state, player)
    with pytest.raises(rulewright.errors.RulewrightError, match="countr"):
        rulewright.explain(state, "countr")


def test_what_is_shown_lists_no_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position that takes long, or has a fault, can be shown all the same."""

    def refuse(*_: object) -> None:
        raise AssertionError("a decision was asked for")

    monkeypatch.setattr(ReferencePlay, "options", refuse)
    monkeypatch.setattr(ReferencePlay, "ends_met", refuse)
    shown(rulewright.load("tictactoe").start())


@frozen
class _Told:
    name: str
    sites: frozenset[int]
    parts: tuple[object, ...] = ()
    more: dict[int, object] = field(factory=dict)


def test_records_tell_json_their_fields() -> None:
    """In the order asked for; what is empty is null where that is asked for."""
    inner = _Told("b", frozenset({3, 1}))
    outer = _Told("", frozenset(), (inner, (1, None)), {4: inner})
    told = {"name": "b", "sites": [1, 3], "parts": [], "more": {}}
    assert as_json(outer) == {
        "name": "", "sites": [], "parts": [told, [1, None]], "more": {"4": told},
    }  # fmt: skip
    assert list(fields_as_json(outer, "sites name?").items()) == [("sites", []), ("name", None)]
    assert json.loads(json.dumps(as_json(outer))) == as_json(outer)
