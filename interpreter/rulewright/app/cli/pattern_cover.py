"""`rulewright patterns cover`: counts how often patterns were of use in games, on any board."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from rulewright.app.cli.check import guessed_game
from rulewright.app.cli.common import (
    answer,
    refuse_other_options,
    say,
    settings,
    tell_damaged,
)  # fmt: skip
from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.games import load_with
from rulewright.games.files.kinds import FileContext, check_path, is_path, load_file
from rulewright.ground.printable import amount
from rulewright.ground.records import fields_as_json
from rulewright.matches.game_files import FileHints, shown_name
from rulewright.matches.game_lines import games_or_lines
from rulewright.matches.protocols.recorded import Recorded
from rulewright.model.patterns import Patterns
from rulewright.players.pattern_use import PatternCoverage, Workbench, cover
from rulewright.players.personality import Personality


def pattern_file(
    name: str, options: Mapping[str, str] | None = None, game: Game | None = None
) -> tuple[Game, Patterns]:
    """Load a pattern file by `GAME/NAME` or by its path, and its game, unless *game* is known."""
    folder, slash, rest = name.partition("/")
    if not is_path(PATTERNS, name):
        if not slash:
            raise RulewrightError(f"say which game `{name}` is for: `GAME/{name}`, or give a path")
        game = game or load_with(folder, dict(options or {}))
        return game, load_file(PATTERNS, game, rest)
    path, own = Path(name), dict[str, Any](options or {})
    report = check_path(PATTERNS, path, FileContext(game, path.parent, own), name)
    file = report.loaded()
    assert report.game is not None
    if report.guessed:
        say(guessed_game(name, report.game))
    return report.game, file


def given_game(arguments: Namespace) -> Game | None:
    """Load the game that `--game` names, if there is one."""
    return load_with(arguments.game, dict(settings(arguments.set))) if arguments.game else None


def cover_patterns(arguments: Namespace) -> int:
    """Count over games how often each pattern was of use."""
    game, file = pattern_file(arguments.file, settings(arguments.set), given_game(arguments))
    boards = _Boards(arguments.file, arguments.personality)
    damaged = list[Recorded]()
    games = (state for name in arguments.games for state in _games(game, name, arguments, damaged))
    judged = arguments.personality is not None
    best = boards.best if judged else None
    coverage = cover(Workbench(game, file), games, best, boards.bench)
    answer(arguments, _cover_data(coverage), _cover_lines(coverage, file, judged))
    return tell_damaged(damaged)


@define
class _Boards:
    """The patterns and the judging personality, for each game with its options."""

    file: str
    personality: str | None
    benches: list[Workbench] = field(factory=list)
    judges: list[tuple[Game, Personality]] = field(factory=list)

    def bench(self, state: State) -> Workbench:
        """The patterns for the board of a state."""
        for bench in self.benches:
            if bench.game.rules == state.game.rules:
                return bench
        self.benches.append(Workbench(*pattern_file(self.file, None, state.game)))
        return self.benches[-1]

    def best(self, state: State, moves: list[str]) -> str:
        """The move that the personality values most; empty if it judges none."""
        root = self._judge(state.game).root(state)
        scores = [(line.score, move) for move in moves if (line := root.get(move)) is not None]
        return max(scores, key=lambda pair: pair[0])[1] if scores else ""

    def _judge(self, game: Game) -> Personality:
        for own_game, judge in self.judges:
            if own_game.rules == game.rules:
                return judge
        self.judges.append((game, Personality.load(self.personality or "", game)))
        return self.judges[-1][1]


def _games(game: Game, name: str, arguments: Namespace, damaged: list[Recorded]) -> Iterator[State]:
    """Read the games of a file of any format, or lines of moves of *game*."""
    folder = "" if is_path(PATTERNS, arguments.file) else arguments.file.partition("/")[0]
    hints = FileHints(arguments.game or folder)
    for number, (place, entry) in enumerate(games_or_lines(Path(name), hints)):
        if isinstance(entry, str):
            yield _played(game, place, entry)
            continue
        damaged += [entry] if not number else []
        if entry.game.name != game.name:
            mistake = f"a game of {entry.game.name}, not of {game.name}"
            raise RulewrightError(f"{shown_name(name)} is {mistake}")
        refuse_other_options(shown_name(name), entry, arguments.set)
        yield entry.end


def _played(game: Game, place: str, moves: str) -> State:
    """The position after a line of moves."""
    try:
        return game.start().play(moves)
    except (MoveError, Fault) as error:
        raise RulewrightError(f"{place}: {error}") from None


def _names(coverage: PatternCoverage, indices: set[int]) -> list[str]:
    return [coverage.counts[i].pattern.title for i in sorted(indices)]


def _cover_data(coverage: PatternCoverage) -> dict[str, object]:
    return {
        **fields_as_json(coverage, "games positions empty"), "played": coverage.proposed,
        "patterns": [
            {
                **fields_as_json(c.pattern, "name kind line"),
                "fired": c.fired, "chosen": c.matches, "best": c.best,
                "covered_by": _names(coverage, c.covered),
            }
            for c in coverage.counts
        ],
    }  # fmt: skip


def _cover_lines(coverage: PatternCoverage, file: Patterns, judged: bool) -> Iterator[str]:
    share = coverage.proposed / coverage.positions if coverage.positions else 0
    games = amount(coverage.games, "game")
    yield f"{games}, {amount(coverage.positions, 'position')}; nothing fired in {coverage.empty}"
    yield f"{share:.0%} of the moves played were proposed"
    width = max(len(p.title) for p in file.patterns)
    yield f"{'pattern':{width}}  fired  chosen" + ("  best" if judged else "")
    for count in sorted(coverage.counts, key=lambda c: -c.matches):
        best = f"  {count.best:4}" if judged else ""
        yield f"{count.pattern.title:{width}}  {count.fired:5}  {count.matches:6}{best}"
    never = [c.pattern.title for c in coverage.counts if not c.fired]
    if never:
        yield f"never fired: {', '.join(never)}"
    for count in coverage.counts:
        if count.fired and count.covered:
            names = ", ".join(_names(coverage, count.covered))
            yield f"{count.pattern.title} proposed nothing without {names}"
