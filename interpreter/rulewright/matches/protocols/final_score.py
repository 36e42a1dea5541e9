"""The score when both players stop: dead pieces, and by how much who wins.

In: a state of a game that a score ends.  Out: the sites of dead pieces, which are taken off, and
the score of the first player.  A piece is dead if it is gone at the end of most random games that
go on from there, half of them begun by either player.  In these every decision raises the score of
whoever decides, and the best player of the game leads them as it leads its own random games.  Who
can raise nothing passes.  The number of games is fixed, so that every machine says the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from attrs import evolve

from rulewright.compiler.layout import Unsupported
from rulewright.games.engine.game import State
from rulewright.games.engine.kernels import load_engine
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.gtp_positions import turn_of
from rulewright.model.board import Mask, bits
from rulewright.model.evaluation import Evaluator, ValueOf
from rulewright.model.expressions import MOVER, Expr
from rulewright.model.rules import Rules
from rulewright.players.machine import led_trees, native_evaluator
from rulewright.players.personality import Personality
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Position
from rulewright.search.gaining import GainingKernels, gaining_games

_GAMES, _REFERENCE_GAMES = 1000, 16
"""Games that each player begins on 81 sites, by machine code and by the reference."""
_LEAST = 4
"""Games that each player begins on any board; their number falls as that of sites, squared."""
_LENGTH = 4
"""Decisions of a game for each site of the board at most, where the reference plays."""


def score_rule(rules: Rules) -> Expr | None:
    """The score that decides games by these rules; None if no rule has one."""
    return next((end.score for end in rules.ends if end.score is not None), None)


def score_of(state: State, position: Position, player: int = 0) -> float:
    """The score of a player in a position of the game of *state*."""
    rule = score_rule(state.game.rules)
    assert rule is not None
    return float(evaluate(rule, state.game.play.context(position, player)))


def dead_pieces(state: State) -> Mask:
    """The sites whose pieces are gone at the end of most games that go on from *state*."""
    begun, mover = state.situation.position.owned, state.situation.position.mover
    second = turn_of(state, 1 - mover)
    kernels, gone, games = _kernels(state), Counter[int](), 0
    for start in (turn_of(second, mover), second):
        for last in _ends(start, kernels):
            gone.update(bits((begun[0] & ~last[0]) | (begun[1] & ~last[1])))
            games += 1
    return sum(1 << site for site, count in gone.items() if 2 * count > games)


def _ends(state: State, kernels: GainingKernels | None) -> Iterator[tuple[Mask, ...]]:
    """The sites of each player at the ends of games that go on from a state."""
    share = (81 / state.game.rules.board.sites.bit_count()) ** 2
    usual = _REFERENCE_GAMES if kernels is None else _GAMES
    games = range(max(_LEAST, min(usual, int(usual * share))))
    if kernels is not None:
        yield from gaining_games(state, kernels, _pass(state), games)
        return
    for number in games:
        yield _played_out(state, Random(number))


# --- by machine code ---


def _kernels(state: State) -> GainingKernels | None:
    """What plays the games; None where the reference does."""
    game, best = state.game, formats(state.game).play.best
    leader = Personality.load(best, game).model if best else None
    options = led_trees(state, leader, 0) if leader is not None else None
    engine = load_engine(game, quick=True)
    if isinstance(engine, str):
        return None
    if options is not None:
        engine = engine.apart(options.apart)
    evaluator = _score_evaluator(game.rules)
    try:
        judge = native_evaluator(engine, evaluator, evaluator.values[0], (), judges_ends=True)
    except Unsupported:
        return None
    if judge is None:
        return None
    if options is None or options.evaluator is None:
        return GainingKernels(engine, judge)
    return GainingKernels(engine, evolve(judge, factors=options.evaluator.factors), options.guide)


def _score_evaluator(rules: Rules) -> Evaluator:
    """The evaluator that values a position by the score of the rules."""
    rule = score_rule(rules)
    assert rule is not None
    return Evaluator(
        name="score", game=rules.name, factors=(), functions=rules.functions, scans=(), paths=(),
        values=(ValueOf("value", (), MOVER, (rule,), ()),), examples=(), view=MOVER,
        origins=rules.origins,
    )  # fmt: skip


# --- by the reference ---


def _played_out(state: State, random: Random) -> tuple[Mask, ...]:
    """The sites of each player after a game in which decisions raise the score of who decides."""
    for _ in range(_LENGTH * state.game.rules.board.sites.bit_count()):
        if state.over:
            break
        after, word = _raised(state, random), _pass(state)
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
