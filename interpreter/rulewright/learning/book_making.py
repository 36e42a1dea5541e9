"""Opening books from recorded games.

In: a personality, recorded games.  Out: lines of a book with what is known of them, and a new
personality file.  Positions are joined wherever they are the same, by whatever moves they came and
up to the symmetries that the rules claim; a decision weighs as much as it has scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from attrs import define, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.mirror_images import Map, canonical, symmetries
from rulewright.ground.disk import write_whole
from rulewright.ground.printable import amount
from rulewright.ground.records import Record
from rulewright.language.reprint import formatted
from rulewright.learning.samples import finished_games, points_of_first
from rulewright.matches.protocols.recorded import Recorded
from rulewright.model.personality import BookLine
from rulewright.players.personality import Personality, whole_text
from rulewright.search.results import person

LEAST, DEPTH = 3, 8


@frozen
class BookTerms:
    """Which decisions come into a book.

    `least`: games in which each was played.  `depth`: decisions from the beginning of a game.
    """

    least: int = LEAST
    depth: int = DEPTH


@frozen
class MadeLine:
    """A line of a book, with a reason for each of its decisions: in words, and as data."""

    line: BookLine
    reasons: tuple[str, ...]
    facts: tuple[Mapping[str, object], ...]

    def __str__(self) -> str:
        pairs = zip(self.line.choices, self.reasons, strict=True)
        return f"{self.line}  # {', '.join(f'{text} {reason}' for (text, _), reason in pairs)}"


@define(eq=False)
class _Crossing(Record):
    """A position of the games: how it was first reached, and the scores of what follows."""

    state: State
    scores: dict[object, tuple[float, int]] = field(factory=dict, init=False)


@define(eq=False)
class BookMaking(Record):
    """A book while games are read."""

    game: Game
    terms: BookTerms
    maps: list[Map] = field(init=False)
    crossings: dict[object, _Crossing] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.maps = symmetries(self.game)

    def add(self, recorded: Recorded) -> None:
        """Take the beginning of a finished game, unless it begins from another position."""
        end, first = recorded.end, points_of_first(recorded)
        of_beginner = 1 - first if end.swapped else first
        states = [] if recorded.is_set_up else end.states()[: self.terms.depth + 1]
        for before, after in pairwise(states):
            points = of_beginner if person(before) == 0 else 1 - of_beginner
            crossing = self.crossings.setdefault(canonical(before, self.maps), _Crossing(before))
            key = canonical(after, self.maps)
            sum_before, games = crossing.scores.get(key, (0.0, 0))
            crossing.scores[key] = sum_before + points, games + 1

    def lines(self) -> list[MadeLine]:
        """Return the lines, the shortest first; decisions that never scored are left out."""
        lines = (self._line(crossing) for crossing in self.crossings.values())
        kept_lines = [line for line in lines if line.reasons]
        return sorted(
            kept_lines, key=lambda entry: (len(entry.line.after.split()), entry.line.after)
        )

    def _line(self, crossing: _Crossing) -> MadeLine:
        """Return what is good enough, as it is written after the moves that came first."""
        texts = dict[object, str]()
        for text in crossing.state.moves.texts:
            texts.setdefault(canonical(crossing.state.play_decision(text), self.maps), text)
        played = [
            (texts[key], points, games)
            for key, (points, games) in crossing.scores.items()
            if games >= self.terms.least and points > 0
        ]
        played.sort(key=lambda choice: (-choice[1], choice[0]))
        choices = tuple((text, max(1, round(points))) for text, points, _ in played)
        line = BookLine(" ".join(crossing.state.decisions()), choices)
        reasons = tuple(f"{points:g} of {games}" for _, points, games in played)
        facts = tuple({"points": points, "games": games} for _, points, games in played)
        return MadeLine(line, reasons, facts)


def make_book(game: Game, files: Iterable[str], terms: BookTerms) -> tuple[list[MadeLine], int]:
    """Return the lines of a book of recorded games, and how many games there were.

    Raises `RulewrightError` where nothing was played often enough.
    """
    making, count = BookMaking(game, terms), 0
    for recorded in finished_games(game, files):
        making.add(recorded)
        count += 1
    lines = making.lines()
    if not lines:
        message = f"{amount(count, 'finished game')}: no decision scored in {terms.least} of them"
        raise RulewrightError(message)
    return lines, count


def write_book(
    personality: Personality, lines: Iterable[MadeLine], path: Path, source: str
) -> None:
    """Write a personality that plays a book, with the reasons beside its lines."""
    if path.suffix != ".personality":
        raise RulewrightError(f"{path}: a personality is a file NAME.personality")
    opening = evolve(personality.model.opening, book=())
    model = evolve(personality.model, name=source, opening=opening)
    text = whole_text(model, path.stem).rstrip()
    book = "\n".join(map(str, lines))
    write_whole(path, formatted(f"{text}\n\n{book}\n").encode())
