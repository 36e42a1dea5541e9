"""`rulewright best`."""

from __future__ import annotations

import time
from argparse import Namespace
from contextvars import copy_context
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from attrs import evolve

from rulewright import budget
from rulewright.cli.common import load_state, print_json
from rulewright.engine.game import State
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.search.beside import Beside
from rulewright.search.best import best, best_turn, share_of_what_is_left
from rulewright.search.results import MEBIBYTE, Limits, person

if TYPE_CHECKING:
    from rulewright.players.choose import Chosen
    from rulewright.players.personality import Personality
    from rulewright.players.searches import Line


_SHORT = 0.1
"""Seconds of thinking when the time is over and nothing has been decided."""


def run(arguments: Namespace) -> int:
    """Print the computer's decision, or its whole turn, for each board that is given."""
    boards = arguments.board or [None]
    if boards.count("-") > 1:
        raise RulewrightError("the standard input holds one board; give - once")
    for number, board in enumerate(boards):
        named = {"board": board} if len(boards) > 1 else {}
        one = Namespace(**{**vars(arguments), "board": board, "named": named})
        with share_of_what_is_left(len(boards) - number):
            _decide(one, load_state(one))
    return 0


def _decide(arguments: Namespace, state: State) -> None:
    if arguments.personality:
        _by_personality(arguments, state)
    else:
        _by_search(arguments, state)


def _by_search(arguments: Namespace, state: State) -> None:
    """Print the decision of the search that knows the rules alone."""
    unlimited = arguments.depth is not None or arguments.nodes is not None
    seconds = arguments.time or (None if unlimited else 1.0)
    limits = Limits(
        seconds, arguments.nodes, arguments.depth, arguments.memory * MEBIBYTE,
        arguments.threads, arguments.unit == "turn",
    )  # fmt: skip
    more = (limits, arguments.seed, arguments.algorithm)
    if arguments.turn:
        decisions, found = best_turn(state, *more, roots=arguments.roots)
        move, line = state.turn_text(decisions), decisions
    else:
        found = best(state, *more, roots=arguments.roots)
        move, line = found.move, list(found.pv)
    if arguments.format == "text":
        sure = f", a proven {found.proven}" if found.proven else ""
        print(f"{move} ({found.value:+.2f} for {found.side}{sure})")
        return
    print_json({
        **arguments.named,
        "move": move,
        "value": found.value,
        "side": found.side,
        "proven": found.proven,
        "distance": found.distance,
        "pv": line,
        "nodes": found.nodes,
        "depth": found.depth,
        "seconds": round(found.seconds, 6),
        "root": [{"move": m, "value": v} for m, v in found.root],
    })  # fmt: skip


def _by_personality(arguments: Namespace, state: State) -> None:
    """Print the decision of a personality, or its whole turn."""
    if arguments.depth is not None or arguments.nodes is not None:
        raise RulewrightError(
            "a personality has its own depth and nodes; NAME@depth=2 changes them"
        )
    from rulewright.players.spent import counted
    from rulewright.protocols.contestant import Contestant  # slow to load, and seldom asked for

    who = Contestant.parse(arguments.personality)
    personality, seconds = who.alone(state.game), arguments.time or who.seconds
    started, chance = time.perf_counter(), Random(arguments.seed)
    with counted() as spent:
        first = _in_time(personality, state, chance, seconds)
        decisions, mover = [first.move], person(state)
        after = state.play_decision(first.move)
        while arguments.turn and not (after.over or after.turn_begins) and person(after) == mover:
            decisions.append(_in_time(personality, after, chance, seconds).move)
            after = after.play_decision(decisions[-1])
    move = state.turn_text(decisions) if arguments.turn else first.move
    proven, distance = _settled(first.line)
    if arguments.format == "text":
        value = f"a {proven} after {distance}" if proven else f"{_first(first.line) or 0:g}"
        print(f"{move} ({value} for {state.mover})" if first.line else move)
        return
    print_json({
        **arguments.named,
        "move": move,
        "value": _first(first.line),
        "side": state.mover,
        "proven": proven,
        "distance": distance,
        "pv": decisions if arguments.turn else list(first.line.moves if first.line else [move]),
        "nodes": spent.nodes,
        "depth": spent.depth,
        "seconds": round(time.perf_counter() - started, 6),
        "root": [_told(move, line) for move, line in first.root.items() if line is not None],
        "personality": personality.name,
    })  # fmt: skip


def _in_time(
    personality: Personality, state: State, chance: Random, seconds: float | None
) -> Chosen:
    """What a personality decides; by the reference, and shortly, where compiling takes too long."""
    left = budget.left()
    if left is None:
        return personality.decide(state, chance, seconds)
    deciding = partial(copy_context().run, personality.decide, state, chance, seconds)
    try:
        return Beside(deciding).result(left)  # in our context, so that its cost is counted
    except OutOfBudget:
        return evolve(personality, native=False).decide(state, chance, _SHORT)


def _told(move: str, line: Line) -> dict[str, object]:
    """A decision of the root: its value, or how the game ends by force after it."""
    proven, distance = _settled(line)
    if proven:
        return {"move": move, "proven": proven, "distance": distance}
    return {"move": move, "value": _first(line)}


def _settled(line: Line | None) -> tuple[str | None, int | None]:
    """Whether a line reaches the end of the game by force, and after how many decisions."""
    from rulewright.players.scores import FAR

    rank = int(line.score[0]) if line else 0
    if not rank:
        return None, None
    return ("win", FAR - rank) if rank > 0 else ("loss", FAR + rank)


def _first(line: Line | None) -> float | None:
    """The value of a line; None where the end of the game says all."""
    return None if line is None or line.score[0] else line.score[1]
