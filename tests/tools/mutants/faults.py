"""The list of faults, and what finds one."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

from attrs import frozen

from rulewright.checks.compare import Comparison
from rulewright.checks.cover_rules import cover_rules
from rulewright.checks.coverage import UnusedLine
from rulewright.checks.findings import Finding
from rulewright.checks.mutants import BY_CHANCE, FOUND, REFUSED, MutationSubject, judge
from rulewright.checks.mutations import Mutation
from rulewright.checks.run import CheckRequest, try_file
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games, load_with

NO_GAME = ("perft", "start", "ends")
"""Properties whose findings show the first position or a whole random game."""
SEEDS = (0, 1, 2)
"""Runs of `cover`: what only one of them misses was left out by chance."""
LIST = Path(__file__).with_name("mutants.toml")


@frozen
class Mutant:
    """A fault: what stands in the rules of a game, and what takes its place."""

    game: str
    name: str
    old: str
    new: str
    shortest: int | None = None
    uncaught: bool = False
    """Whether no claim of the rules and no count finds it yet."""

    def write(self, folder: Path) -> Path:
        """A copy of the game's folder with the fault in its rules; where these are."""
        source = bundled_games()[self.game]
        place = folder / self.game
        shutil.copytree(source.parent, place)
        text = source.read_text("utf-8")
        assert text.count(self.old) == 1, f"{self.game}: `{self.old}` does not stand there once"
        path = place / source.name
        path.write_text(text.replace(self.old, self.new), "utf-8")
        return path


@frozen
class Outcome:
    """What was found: the properties that fail, the shortest game shown, rules never used."""

    mutant: Mutant
    properties: tuple[str, ...] = ()
    moves: tuple[str, ...] | None = None
    dead: tuple[str, ...] = ()
    refused: str = ""

    @property
    def found(self) -> bool:
        """Whether anything was said that the unchanged rules do not cause."""
        return bool(self.properties or self.dead or self.refused)


def mutants() -> list[Mutant]:
    """All of the list."""
    with LIST.open("rb") as file:
        return [Mutant(**entry) for entry in tomllib.load(file)["mutant"]]


def claimed(mutant: Mutant) -> Outcome:
    """What finds a fault as `rulewright mutate` looks for it, but for what chance finds."""
    source = bundled_games()[mutant.game]
    text = source.read_text("utf-8")
    start = text.index(mutant.old)
    change = Mutation(start, start + len(mutant.old), mutant.new, mutant.name)
    verdict = judge(MutationSubject(source.name, str(source), text), change)
    by = (verdict.by,) if verdict.kind == FOUND and verdict.by not in BY_CHANCE else ()
    return Outcome(mutant, by, refused=verdict.by if verdict.kind == REFUSED else "")


def tried(mutant: Mutant, folder: Path, effort: float = 1.0) -> Outcome:
    """Test a mutant; what is dead in it counts if it is not so in the game itself."""
    path = mutant.write(folder)
    try:
        report = try_file(path, CheckRequest(effort=effort))
    except RulewrightError as error:
        return Outcome(mutant, refused=str(error).splitlines()[0])
    failed = tuple(dict.fromkeys(f.name for f in report.findings))
    games = [f.moves for f in report.findings if f.moves is not None and _is_game(f)]
    moves = min(games, key=len) if games else None
    if failed:
        return Outcome(mutant, failed, moves)
    return Outcome(mutant, failed, moves, _newly_dead(mutant, path, effort))


def _is_game(found: Finding) -> bool:
    """Whether the moves of a finding are a game that shows the fault."""
    return found.name not in NO_GAME and (found.name != "wins" or bool(found.moves))


def _newly_dead(mutant: Mutant, path: Path, effort: float) -> tuple[str, ...]:
    """What no run of the mutant has used, and every run of the game itself has."""
    games = load_with(path, {}), load_with(mutant.game, {})
    dead: list[str] | None = None
    for seed in SEEDS:
        here = [_line(one) for one in cover_rules(games[0], effort, seed).dead]
        dead = here if dead is None else [text for text in dead if text in here]
        if dead:
            there = {_line(one) for one in cover_rules(games[1], effort, seed).dead}
            dead = [text for text in dead if text not in there]
        if not dead:
            return ()
    return tuple(dead or ())


def _line(one: UnusedLine) -> str:
    """The line of the file, whatever the fault has made of its text."""
    return f"line {one.place.rpartition(':')[2]}"


def shortest(mutant: Mutant, folder: Path) -> int | None:
    """The least number of decisions after which the mutant and its game differ."""
    path = mutant.write(folder)
    games = load_with(mutant.game, {}), load_with(path, {})
    found = Comparison(*games, effort=3).run().difference
    return None if found is None else len(found.moves)
