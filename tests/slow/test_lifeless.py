"""Boards that nobody can win any more: told by a value, seen by searches and by the referee."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load
from rulewright.matches.referee import GameTerms, Lifeless, play_game
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision
from tests.shared.matches import Scripted

SMALL = [
    ("connect4:dead", load("connect4", width=4, height=4)),
    ("chains:dead", load("twixt", size=5, pie=False)),
]
"""Games in which many boards die long before they are full."""


def dead_state(text: str, game: Game, seed: int) -> State | None:
    """The first position of a random game that the value calls dead."""
    told, random, state = Lifeless(game, text), Random(seed), game.start()
    while not state.over:
        if told(state):
            return state
        state = state.play(random.choice(state.moves.texts))
    return None


@pytest.mark.parametrize(("text", "game"), SMALL)
def test_a_dead_board_is_drawn_whatever_is_played(text: str, game: Game) -> None:
    random, found = Random(1), 0
    for seed in range(16):
        state = dead_state(text, game, seed)
        if state is None:
            continue
        found += 1
        while not state.over:
            state = state.play(random.choice(state.moves.texts))
        assert state.result is not None
        assert state.result.winner is None
    assert found > 1


@pytest.mark.parametrize(("text", "game"), SMALL)
def test_the_referee_ends_it_and_says_why(text: str, game: Game) -> None:
    """And earlier than the rules would; without the option they do."""
    lengths = []
    for seed in range(14):
        for told in (Lifeless(game, text), None):
            chance = Random(seed)

            def any_move(state: State, _: Clock, chance: Random = chance) -> Decision:
                return Decision(chance.choice(state.moves.texts))

            players = (Scripted(any_move), Scripted(any_move))
            played = play_game(game, players, terms=GameTerms(lifeless=told))
            lengths.append((played.turns, played.reason))
            if played.reason == "adjudicated":
                assert played.winner is None
                assert played.detail == f"nobody can win any more, by {text}"
    early = [
        a[0] < b[0]
        for a, b in zip(lengths[::2], lengths[1::2], strict=True)
        if a[1] == "adjudicated"
    ]
    assert early
    assert all(early)
    assert {reason for _, reason in lengths[1::2]} == {"rules"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("chains", "--drawn takes EVALUATOR:VALUE"),
        ("chains:start", "no value of positions called `start`"),
        ("chains:none", "`balance`, `dead`"),
    ],
)
def test_what_cannot_tell_is_refused(text: str, says: str) -> None:
    with pytest.raises(RulewrightError, match=says):
        Lifeless(load("twixt", size=5), text)


PLAYER = """format 1
personality {name} for connect4

use connect4
search minimax, depth 2
ties first
{drawn}
"""


def scores(player: Personality, state: State) -> dict[str, object]:
    """What a player says of each decision."""
    found = player.root(state, exact=True)
    return {text: None if line is None else line.score for text, line in found.items()}


def test_a_search_looks_into_no_dead_board(tmp_path: Path) -> None:
    """Machine code and the reference alike; without the word the end is looked for."""
    game = load("connect4", width=4, height=4)
    drawn, plain = tmp_path / "drawn.personality", tmp_path / "plain.personality"
    drawn.write_text(PLAYER.format(name="drawn", drawn="drawn dead"))
    plain.write_text(PLAYER.format(name="plain", drawn=""))
    lifeless, other = Personality.load(drawn, game), Personality.load(plain, game)
    slow, nothing = evolve(lifeless, native=False), {(0, 0)}
    seen = 0
    for seed in range(30):
        state = dead_state("connect4:dead", game, seed)
        if state is None or state.ply > 13:
            continue
        seen += 1
        assert set(scores(lifeless, state).values()) - {None} == nothing
        assert scores(lifeless, state) == scores(slow, state)
        assert set(scores(other, state).values()) - {None} != nothing
    assert seen
    alive = game.start().play("1 2 1 2 3 4 3 4")
    assert scores(lifeless, alive) == scores(slow, alive)
