"""The computer's decision (`best`)."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from attrs import evolve

from rulewright.app.cli import arguments as a
from rulewright.app.cli import last_word
from rulewright.app.cli.common import believed_lines, load_state, print_json, tell
from rulewright.errors import GameOver, OutOfBudget, RulewrightError
from rulewright.games.engine.game import State
from rulewright.ground import budget
from rulewright.search import results
from rulewright.search.background import BackgroundWork
from rulewright.search.best import (
    best,
    best_turn,
    first_decision,
    share_of_what_is_left,
    whole_turn,
)
from rulewright.search.results import MEBIBYTE, Limits, SearchResult

if TYPE_CHECKING:
    from rulewright.players.choose import ChosenDecision
    from rulewright.players.personality import Personality
    from rulewright.search.results import Line


# --- best ---


_SHORT = 0.1
"""Seconds of thinking if the time is over and nothing has been decided."""
_UNSEARCHED = "no time for a search: the first legal decision"
Say: TypeAlias = Callable[[], None]
"""Prints an answer."""


def best_decision(arguments: Namespace) -> int:
    """Print the computer's decision, or its whole turn, for each board that is given."""
    boards = arguments.board or [None]
    if boards.count("-") > 1:
        raise RulewrightError("the standard input holds one board; give - once")
    labels = ({"board": board} if len(boards) > 1 else {} for board in boards)
    boards_left = [
        Namespace(**{**vars(arguments), "board": board, "named": name, "state": None})
        for board, name in zip(boards, labels, strict=True)
    ]
    while boards_left:
        with share_of_what_is_left(len(boards_left)):
            boards_left[0].state = _loaded(boards_left[0])
            last_word.is_known(partial(_print_first, boards_left))
            say = _decided(boards_left[0], boards_left[0].state)
        with last_word.spoken():
            say()
            del boards_left[0]
    return 0


def _loaded(arguments: Namespace) -> State:
    """Load the position, without a time limit if the command has to answer in any case."""
    try:
        return load_state(arguments)
    except OutOfBudget:
        if not last_word.expected:
            raise
        with budget.regardless():
            return load_state(arguments)


def _decided(arguments: Namespace, state: State) -> Say:
    """Decide on a board; returns the function that prints the decision."""
    try:
        return (_by_personality if arguments.personality else _by_search)(arguments, state)
    except OutOfBudget:
        return partial(_print_first_legal, arguments, state)


def _print_first(boards: list[Namespace]) -> None:
    """Print the first legal decisions for all boards that are left."""
    for board in boards:
        _print_first_legal(board, board.state or load_state(board))


def _print_first_legal(arguments: Namespace, state: State) -> None:
    """Print the first legal decision, or turn: there was no time for anything else."""
    with budget.regardless():
        if state.over:
            raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
        result = first_decision(state)
        turn = whole_turn(state, first_decision) if arguments.turn else [result]
        decisions = [decision.move for decision in turn]
        move = state.turn_text(decisions) if arguments.turn else result.move
    if arguments.format == "text":
        tell(f"{move} ({_UNSEARCHED})")
        return
    by = {"personality": arguments.personality} if arguments.personality else {}
    _print_result(arguments, evolve(result, move=move), decisions, by)


def _by_search(arguments: Namespace, state: State) -> Say:
    """Decide by the search that knows the rules alone."""
    unlimited = arguments.depth is not None or arguments.nodes is not None
    seconds = arguments.time or (None if unlimited else 1.0)
    limits = Limits(
        seconds, arguments.nodes, arguments.depth, arguments.memory * MEBIBYTE,
        arguments.threads, arguments.unit == "turn",
    )  # fmt: skip
    more = (limits, arguments.seed, arguments.algorithm)
    if arguments.turn:
        decisions, result = best_turn(state, *more, roots=arguments.roots)
        move, line = state.turn_text(decisions), decisions
    else:
        result = best(state, *more, roots=arguments.roots)
        move, line = result.move, list(result.pv)
    if arguments.format == "text":
        sure = f", a proven {result.proven}" if result.proven else ""
        verdict = f"{result.value:+.2f} for {result.side}{sure}" if result.searched else _UNSEARCHED
        return partial(tell, f"{move} ({verdict})")
    return partial(_print_result, arguments, evolve(result, move=move), line, {})


def _print_result(
    arguments: Namespace, result: SearchResult, line: list[str], more: dict[str, str]
) -> None:
    """Print the result of a search as JSON."""
    print_json({
        **arguments.named,
        "move": result.move,
        "value": results.plain_value(result.value),
        "side": result.side,
        **_proof(result.proven, result.distance),
        **({"result": f"{result.proven} in {result.distance}"} if result.distance else {}),
        "pv": line,
        "nodes": result.nodes,
        "depth": result.depth,
        "seconds": round(result.seconds, 6),
        "root": [{"move": m, "value": results.plain_value(v)} for m, v in result.root],
        "searched": result.searched,
        **more,
    })  # fmt: skip


def _by_personality(arguments: Namespace, state: State) -> Say:
    """Decide by a personality, on a decision or a whole turn."""
    from rulewright.matches.protocols.contestant import (
        Contestant,  # slow to load, and seldom needed
    )
    from rulewright.players.player import GameLimits

    player = Contestant.parse(arguments.personality)
    limits = GameLimits(nodes=arguments.nodes, depth=arguments.depth, threads=arguments.threads)
    personality, seconds = player.alone(state.game, limits), arguments.time or player.seconds
    started, chance = time.perf_counter(), Random(arguments.seed)

    def decide(state: State) -> ChosenDecision:
        return _in_time(personality, state, chance, seconds)

    with results.counting_searches() as effort:
        turn = whole_turn(state, decide) if arguments.turn else [decide(state)]
    first, decisions = turn[0], [decision.move for decision in turn]
    move = state.turn_text(decisions) if arguments.turn else first.move
    proven, distance = _settled(first.line)
    beliefs = personality.model.believed_in_play if (distance or 0) > 1 else ()
    if arguments.format == "text":
        value = f"a {proven} after {distance}" if proven else _value_text(first.line)
        value = ", ".join((value, *believed_lines(beliefs)))
        if not first.searched:
            return partial(tell, f"{move} ({_UNSEARCHED if not first.line else first.settled})")
        return partial(tell, f"{move} ({value} for {state.mover})" if first.line else move)
    return partial(print_json, {
        **arguments.named,
        "move": move,
        **({"value": _first(first.line), **_result(first.line)} if first.line else {}),
        "side": state.mover,
        **_proof(proven, distance),
        **({"believed": [belief.as_data() for belief in beliefs]} if beliefs else {}),
        "pv": decisions if arguments.turn else list(first.line.moves if first.line else [move]),
        "nodes": effort.nodes,
        "depth": effort.depth,
        "seconds": round(time.perf_counter() - started, 6),
        "root": [_root_data(move, line) for move, line in first.root.items() if line is not None],
        "searched": first.searched,
        "personality": personality.name,
    })  # fmt: skip


def _in_time(
    personality: Personality, state: State, chance: Random, seconds: float | None
) -> ChosenDecision:
    """Let a personality decide; by a short search of the reference if compiling takes too long."""
    span = budget.seconds_left()
    if span is None:
        return personality.decide(state, chance, seconds)
    deciding = partial(copy_context().run, personality.decide, state, chance, seconds)
    try:
        return BackgroundWork(deciding).result(
            span
        )  # in this context, so that its nodes are counted
    except OutOfBudget:
        return personality.stopgap(state, chance, _SHORT)


def _root_data(move: str, line: Line) -> dict[str, object]:
    """A decision of the root: its value, or how the game ends by force after it."""
    proof = _proof(*_settled(line))
    return {"move": move, **(proof or {"value": _first(line)}), **_result(line)}


def _result(line: Line) -> dict[str, str]:
    """The result in words of a line, proven or as far as it was searched; empty if it has none."""
    result = results.told_result(line.score)
    return {"result": result} if result else {}


def _proof(proven: str | None, distance: int | None) -> dict[str, object]:
    """The proven result, and the number of decisions to the end of the game; empty if unknown."""
    proof = {"proven": proven, "distance": distance}
    return {name: value for name, value in proof.items() if value is not None}


def _settled(line: Line | None) -> tuple[str | None, int | None]:
    """The result that a line reaches by force, and its number of decisions; None if it does not."""
    rank = int(line.score[0]) if line else 0
    if not rank:
        return None, None
    return ("win", results.FAR - rank) if rank > 0 else ("loss", results.FAR + rank)


def _value_text(line: Line | None) -> str:
    """The value of a line for people."""
    return (results.told_result(line.score) if line else "") or f"{_first(line) or 0:g}"


def _first(line: Line | None) -> float | None:
    """The value of a line; None if it ends with a result."""
    return None if line is None or line.score[0] else results.plain_value(line.score[1])


COMMANDS: dict[str, a.Command] = {
    "best": (best_decision, [
        *a.GAME, *a.position(several=True),
        a.whole_time("default: 1 second of thinking"),
        a.depth("decisions of the full-width search"), a.nodes("decisions played at the most"),
        a.seed(), a.memory(),
        a.value("--personality", "P", "the player that decides: a name, a path, NAME@depth=2"),
        a.flag("--turn", "decide a whole turn"),
        a.choice(
            "--algorithm", ("auto", "alphabeta", "exact", "montecarlo"), "auto",
            "auto: forced results by alpha-beta, then random games; exact: all with a full window",
        ),
        a.flag("--roots", "print a value for every decision"),
        a.choice("--unit", ("decision", "turn"), "decision", "the unit of --depth"),
        a.threads(),
        a.choice("--format", ("text", "json"), "json", "how data is printed"),
    ]),
}  # fmt: skip
