"""What one `bench` measures: which games with which options, and everything about each.

In: names of games and an `Effort`.  Out: rows, one after the other, as they are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulewright.bench import first_move, others, rates
from rulewright.bench.programs import Program, program_for, programs, scalings
from rulewright.bench.rates import Effort, Row
from rulewright.files.games import bundled, load_with

Task = tuple[str, Mapping[str, Any]]
"""A game as the command line names it, and its options."""


def tasks(names: list[str], options: Mapping[str, Any]) -> list[Task]:
    """The games to measure: those named, else all bundled ones.

    Without options a game has those that its C program plays.
    """
    usual = {program.game: program.options for program in programs()}
    return [(n, options or usual.get(n, {})) for n in names or list(bundled())]


def scaling_tasks() -> list[Task]:
    """The games whose cost is measured on growing boards."""
    return [(s.game, {**s.options, s.option: value}) for s in scalings() for value in s.values]


def rows(wanted: list[Task], effort: Effort, say: Callable[[str], None]) -> Iterator[Row]:
    """Measure one game after the other."""
    there = others.installed()
    for name, options in wanted:
        say(f"measuring {name}")
        game = load_with(name, dict(options))
        program = program_for(game, name)
        row = rates.measure(game, program, effort)
        if program is not None and not effort.only_playouts:
            _measure_others(row, program, effort, there)
        if not effort.only_playouts:
            words = tuple(f"{option}={_word(value)}" for option, value in options.items())
            first_move.measure(row, first_move.Command(name, words), min(effort.rounds, 3))
        yield row


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _measure_others(row: Row, program: Program, effort: Effort, there: Mapping[str, bool]) -> None:
    """Note what other systems reach on the same game, where they are installed."""
    for number in range(effort.rounds):
        for system, call in (("openspiel", others.openspiel), ("ludax", others.ludax)):
            name = getattr(program, system)
            if there[system] and name:
                rate = call(name, effort.seconds, effort.seed + number)
                row.add(f"{system}_playouts_per_s", rate)
