"""The score when both players stop: dead pieces, and by how much who wins.

In: a state of a game that a score ends.  Out: the sites of dead pieces, which are taken off, and
the score of the first player.  A piece is dead if it is gone at the end of most games that are
played on from there.  In these every decision is drawn from those that raise the score of whoever
decides; who has none passes.  Refuses games without a score.
"""

from __future__ import annotations

import time
from random import Random

from rulewright.games.engine.game import State
from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Expr
from rulewright.model.rules import Rules
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Position

_ROUND, _ROUNDS = 16, 4
"""Games between two looks at what is clear, and how many such rounds there are at most."""
_DOUBTFUL = (0.3, 0.7)
"""Shares of games between which it is not clear whether a piece is dead."""
_LENGTH = 4
"""Decisions of a game for each site of the board at most."""
SECONDS = 10.0
"""Seconds of a processor after which no further game is begun."""


def score_rule(rules: Rules) -> Expr | None:
    """The score that decides games by these rules; None if no rule has one."""
    return next((end.score for end in rules.ends if end.score is not None), None)


def score_of(state: State, position: Position, player: int = 0) -> float:
    """The score of a player in a position of the game of *state*."""
    rule = score_rule(state.game.rules)
    assert rule is not None
    return float(evaluate(rule, state.game.play.context(position, player)))


def dead_pieces(state: State, seconds: float = SECONDS) -> Mask:
    """The sites whose pieces are gone at the end of most games that go on from *state*."""
    until, begun = time.thread_time() + seconds, state.situation.position.owned
    gone, games = dict.fromkeys(bits(begun[0] | begun[1]), 0), 0
    for number in range(_ROUND * _ROUNDS):
        last = _played_out(state, Random(number), passes=number % 2 == 1)
        games += 1
        for site in bits((begun[0] & ~last[0]) | (begun[1] & ~last[1])):
            gone[site] += 1
        is_clear = not any(_DOUBTFUL[0] < n / games < _DOUBTFUL[1] for n in gone.values())
        if time.thread_time() > until or (games % _ROUND == 0 and is_clear):
            break
    return sum(1 << site for site, count in gone.items() if 2 * count > games)


def _played_out(state: State, random: Random, passes: bool) -> tuple[Mask, ...]:
    """The sites of each player after a game in which decisions raise the score of who decides.

    Who is to move passes first if *passes*, so that either player begins.
    """
    word = _pass(state)
    if passes and word:
        state = state.play_decision(word)
    for _ in range(_LENGTH * state.game.rules.board.sites.bit_count()):
        if state.over:
            break
        after = _raised(state, random)
        word = _pass(state)
        if after is None and not word:
            break
        state = after or state.play_decision(word)
    return state.situation.position.owned


def _raised(state: State, random: Random) -> State | None:
    """The state after a random decision that raises the score of the player to move."""
    position = state.situation.position
    player, names = position.mover, state.game.rules.board.by_name
    score = score_of(state, position, player)
    texts = [text for text in state.moves.texts if text in names]
    random.shuffle(texts)
    for text in texts:
        after = state.play_decision(text)
        if score_of(state, after.situation.position, player) > score:
            return after
    return None


def _pass(state: State) -> str:
    """The decision that names no site; empty if there is none."""
    names = state.game.rules.board.by_name
    return next((text for text in state.moves.texts if text not in names), "")
