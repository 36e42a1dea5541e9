"""The value of a position with proof (`solve`)."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, believed_lines, load_state, say
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.game import State
from rulewright.ground import budget
from rulewright.ground.printable import amount
from rulewright.ground.records import fields_as_json
from rulewright.search.equilibrium import equilibrium
from rulewright.search.expected import ExpectedValue, expected_value
from rulewright.search.results import MEBIBYTE, Limits, Solved
from rulewright.search.solve import METHODS, Led, Solver, solve

if TYPE_CHECKING:
    from rulewright.compiler.engine import Engine
    from rulewright.model.personality import Belief
    from rulewright.players.personality import Personality


def solve_position(arguments: Namespace) -> int:
    """Print the value of a position with its proof; 1 if it, or a check of it, is missing."""
    state = load_state(arguments)
    if state.game.rules.has_secrets:
        return _solve_secret(arguments, state)
    if state.game.lots or state.game.rules.has_several:
        return _solve_expected(arguments, state)
    memory = arguments.memory * MEBIBYTE
    limits = Limits(arguments.time, arguments.nodes, None, memory, arguments.threads)
    solvers: list[Solver] = []
    leader = _leader(arguments, state)
    try:
        solved = solve(
            state, limits, shortest=arguments.shortest, method=arguments.method,
            keep=solvers.append, leading=_leading(leader),
        )  # fmt: skip
    except KeyboardInterrupt:
        for solver in solvers:
            beliefs = leader.model.beliefs(solver.believed) if leader else ()
            lines = (_so_far(solver.result_so_far()), *believed_lines(beliefs))
            say("\n".join(lines))
        raise
    beliefs = leader.model.beliefs(solved.believed) if leader else ()
    texts = [
        _so_far(solved) if solved.value is None else _sentence(solved),
        *believed_lines(beliefs),
    ]
    if arguments.format == "text":  # before a check, which may take longer
        answer(arguments, {}, texts)
        sys.stdout.flush()
    check = arguments.check and solved.value is not None
    outcome = _checked(solvers[0], leader, beliefs) if check else None
    checked, obstacle = (None, outcome) if isinstance(outcome, str) else (outcome, None)
    data = {
        "game": state.game.name, "options": dict(state.game.options), "checked": checked,
        "unchecked": obstacle, "believed": [belief.as_data() for belief in beliefs],
        **fields_as_json(solved, "value side least most move distance pv nodes depth"),
        "seconds": round(solved.seconds, 6), "reason": solved.reason or None,
    }  # fmt: skip
    if arguments.format == "json" or check:
        answer(arguments, data, [_of_check(outcome)])
    return int(solved.value is None or obstacle is not None)


def _of_check(outcome: int | str | None) -> str:
    """The line about a check: how many positions it took, or why there is none."""
    if isinstance(outcome, str):
        return f"not checked: {outcome}"
    return f"checked: the reference has played through {amount(outcome or 0, 'position')}"


def _leader(arguments: Namespace, state: State) -> Personality | None:
    """Load the personality whose words lead a proof, if one is named."""
    if not arguments.personality:
        return None
    from rulewright.players.personality import Personality  # slow to load, and seldom needed

    return Personality.load(arguments.personality, state.game)


def _leading(personality: Personality | None) -> Callable[[Engine], Led] | None:
    """The function that leads a proof by the words of a personality; None without one."""
    from rulewright.players.machine import proving  # slow to load, and seldom needed

    return proving(personality.model) if personality else None


_DIGITS, _LONG = 6, 10**12
"""Decimals of the bounds of a value, which are rounded outward; denominators that are not shown."""


def _solve_secret(arguments: Namespace, state: State) -> int:
    """Print what each player of a game with secrets can be sure of on the average."""
    _refuse_proof(arguments, "a game with secrets has bounds instead of a proof")
    started = time.perf_counter()
    value, scale = equilibrium(state, width=10.0**-_DIGITS), 10**_DIGITS
    least, most = floor(value.least * scale) / scale, ceil(value.most * scale) / scale
    is_exact = value.least == value.most
    data = {
        "game": state.game.name, "options": dict(state.game.options),
        "side": state.game.players[0], "least": least, "most": most,
        "value": str(value.least) if is_exact else None,
        "simplest": str(value.simplest), "rounds": value.rounds, "sets": value.sets,
        "positions": value.positions, "seconds": round(time.perf_counter() - started, 6),
    }  # fmt: skip
    effort = amount(value.sets, "information set")
    text = f"{data['side']} gets {_fraction(value.least)} on the average ({effort})"
    if not is_exact:
        text = (
            f"{data['side']} gets between {least} and {most} on the average, simplest: "
            f"{value.simplest} ({amount(value.rounds, 'round')} over {effort})"
        )
    answer(arguments, data, [text])
    return 0


def _solve_expected(arguments: Namespace, state: State) -> int:
    """Print what each player of a game of chance, or of several, can be sure of on the average."""
    _refuse_proof(arguments, "by chance or among several players a value takes no proof")
    started = time.perf_counter()
    worth = expected_value(state)
    each = None if worth.each is None else [*map(str, worth.each)]
    data = {
        "game": state.game.name, "options": dict(state.game.options),
        "players": worth.players, "sure": [*map(str, worth.sure)], "each": each,
        "move": worth.move, "positions": worth.positions,
        "seconds": round(time.perf_counter() - started, 6),
    }  # fmt: skip
    answer(arguments, data, _expected_lines(worth))
    return 0


def _expected_lines(worth: ExpectedValue) -> list[str]:
    """The value of a position in words."""
    effort = amount(worth.positions, "position")
    move = f": {worth.move}" if worth.move else ""
    if len(worth.players) <= 2:
        share = _fraction(worth.sure[0])
        return [f"{worth.players[0]} gets {share} on the average ({effort}){move}"]
    lines = [f"whatever the others do: {_shares(worth.players, worth.sure)} ({effort}){move}"]
    if worth.each is None:
        return [*lines, "all for themselves: not worked out, as positions come again"]
    return [*lines, f"all for themselves: {_shares(worth.players, worth.each)}"]


def _shares(players: Sequence[str], worths: Sequence[Fraction]) -> str:
    pairs = zip(players, worths, strict=True)
    return ", ".join(f"{player} {_fraction(worth)}" for player, worth in pairs)


def _fraction(value: Fraction) -> str:
    """A fraction, and about how much it is: as a number alone where it is too long to read."""
    near = f"{float(value):.{_DIGITS}f}"
    if value.denominator == 1:
        return str(value)
    return near if value.denominator > _LONG else f"{value} (about {near})"


def _refuse_proof(arguments: Namespace, why: str) -> None:
    """Refuse options that ask for something of a proof, where there is none."""
    for option, value in (
        ("--shortest", arguments.shortest), ("--check", arguments.check),
        ("--personality", arguments.personality), ("--nodes", arguments.nodes),
        ("--method", arguments.method != METHODS[0]),
    ):  # fmt: skip
        if value:
            raise RulewrightError(f"{why}: leave {option} out")


def _checked(solver: Solver, leader: Personality | None, beliefs: tuple[Belief, ...]) -> int | str:
    """Check a proof by the reference; the positions that it has played, or why it has not."""
    from rulewright.search.certificate import Believed, Uncheckable, check  # seldom needed

    believed = None
    if leader is not None and leader.judge is not None and beliefs:
        believed = Believed(beliefs, leader.judge, leader.model.factors)
    try:
        return check(solver, budget.over, believed)
    except (OutOfBudget, Uncheckable) as error:
        return str(error)


def _sentence(solved: Solved) -> str:
    """The value of a position in words: `a win for cross in 7 decisions: b3 a3 c3`."""
    how = "a draw" if solved.value == "draw" else f"a {solved.value} for {solved.side}"
    if solved.distance is not None:
        how += f" in {amount(solved.distance, 'decision')}"
    return f"{how}: {' '.join(solved.pv)}" if solved.pv else how


def _so_far(solved: Solved) -> str:
    """The bounds that are proven for a position that is not solved."""
    if solved.least == solved.most:
        return f"already proven: {_sentence(solved)}"
    between = f"at least a {solved.least}, at most a {solved.most} for {solved.side}"
    effort = f"({amount(solved.nodes, 'node')}, depth {solved.depth})"
    return f"not solved: {between} {effort}; {solved.reason}"


COMMANDS: dict[str, a.Command] = {
    "solve": (solve_position, [
        *a.GAME, *a.position(),
        a.flag("--shortest", "find the shortest win too"),
        a.choice(
            "--method", METHODS, METHODS[0],
            "proof: proof numbers, for sharp positions with many decisions; connections: where"
            " players race to connect sites (the default there)",
        ),
        a.value(
            "--personality", "P",
            "the personality whose `must`, `order`, `drawn`, `decided`, `hopeless` lead the proof",
        ),
        a.flag("--check", "let the reference play through the proof, with every answer"),
        a.whole_time("default: as long as it takes"),
        a.nodes("decisions played at the most"), a.memory(), a.threads(), a.FORM,
    ]),
}  # fmt: skip
