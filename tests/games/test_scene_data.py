"""Scenes as data: they survive JSON, and say what clicks on sites can mean."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import NoReturn

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.engine.game import State
from rulewright.games.files.games import load_with
from rulewright.games.render.scene import Scene, SceneMove
from rulewright.games.render.svg import scene_svg
from tests.shared.drawing import SMALL
from tests.shared.effort import tries
from tests.shared.sample import chosen

GAMES = chosen()


@cache
def start(game: str) -> State:
    return load_with(game, SMALL.get(game, {})).start()


def played(game: str, seed: int, moves: int) -> State:
    state, chance = start(game), random.Random(seed)
    for _ in range(moves):
        if state.over:
            break
        state = state.play_decision(chance.choice(state.moves.texts))
    return state


POSITIONS = st.builds(played, st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(0, 40))


@settings(max_examples=tries(60), deadline=None)
@given(POSITIONS)
def test_a_scene_survives_json(state: State) -> None:
    """Nothing that is drawn is lost, and nothing in it is more than JSON has."""
    data = state.scene.as_json()
    assert json.loads(json.dumps(data)) == data
    again = Scene.from_json(data)
    assert again == state.scene
    assert again.moves == state.scene.moves
    assert scene_svg(again) == scene_svg(state.scene)


@settings(max_examples=tries(60), deadline=None)
@given(POSITIONS, st.randoms(use_true_random=False))
def test_clicks_lead_to_every_decision(state: State, chance: random.Random) -> None:
    """Whoever clicks its sites in order keeps a decision, and only what has the same clicks."""
    moves = state.scene.moves
    assert [move.text for move in moves] == state.moves.texts
    if not moves:
        return
    wanted = chance.choice(moves)
    left = list(moves)
    for number, sites in enumerate(wanted.clicks):
        site = chance.choice(sites)
        assert site in {spot.site for spot in state.scene.spots}
        left = [m for m in left if len(m.clicks) > number and site in m.clicks[number]]
    assert wanted in left
    ends = [move for move in left if len(move.clicks) == len(wanted.clicks)]
    assert {move.clicks for move in ends} == {wanted.clicks}


CHESS = "e2e4 a7a6 e4e5 d7d5 g1f3 a6a5 f1e2 a5a4"
CLICKED = [
    ("chess", CHESS, "e1g1", "castle", "e1 g1"),
    ("chess", CHESS, "b2b4", "double", "b2 b4"),
    ("chess", "e2e4 a7a6 e4e5 d7d5", "e5d6", "en_passant", "e5 d6"),
    ("chess", "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6", "b7a8=rook", "promote", "b7 a8"),
    ("amazons", "a4-a5", "/b6", "shoot", "b6"),
    ("loa", "", "b1-d3", "slide", "b1 d3"),
    ("connect4", "4 4", "4", "drop", "d3"),
    ("conniption", "4", "!", "flip", ""),
    ("pentago", "a1", "b2+", "twist", "b2"),
    ("go", "", "pass", "pass", ""),
]


@pytest.mark.parametrize(("game", "before", "text", "name", "sites"), CLICKED)
def test_clicks_are_the_sites_that_the_notation_names(
    game: str, before: str, text: str, name: str, sites: str
) -> None:
    """In its order: an en passant capture begins with the square that it takes on."""
    state = load_with(game, {}).start()
    state = state.play(before) if before else state
    at = state.game.rules.board.by_name
    clicks = tuple((at[site],) for site in sites.split())
    kind = text.partition("=")[2]
    assert SceneMove(text, name, clicks, kind) in state.scene.moves


def test_drawings_list_no_decisions() -> None:
    def refuse() -> NoReturn:
        raise AssertionError("asked for decisions")

    scene = evolve(start("twixt").scene, listed=refuse)
    assert scene_svg(scene) == start("twixt").svg()
