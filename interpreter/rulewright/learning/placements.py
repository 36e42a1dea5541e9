"""Decisions of recorded games that put a piece on a site, for mining patterns.

In: a game, files of recorded games.  Out: `PlacedDecision`s: the position, the site that was played
and all sites that could have been.  Decisions of other kinds (an exchange of sides, a pass) are
passed over, and so are positions with a single way to go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from attrs import frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.printable import amount
from rulewright.matches.game_files import read_games
from rulewright.matches.protocols.recorded import Recorded
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.reference.matching import placements, places_one
from rulewright.reference.position import Position

FEWEST = 4
"""Games below which nothing is mined: some are held out, and the rest has to repeat itself."""


@frozen(eq=False)
class PlacedDecision:
    """A decision that was played: `site` in `position`, of the `legal` sites.

    `game` counts the recorded games from 0, `after` the decisions before this one.
    """

    position: Position
    site: int
    legal: tuple[int, ...]
    game: int
    after: int


@frozen(eq=False)
class PlacementReader:
    """Reads which sites the decisions of a state put pieces on."""

    game: Game
    is_plain: bool
    """Whether each text of a placement is the name of its site, and no other text is one."""

    @classmethod
    def of(cls, game: Game) -> PlacementReader:
        """Return a reader; raises `RulewrightError` where no decision puts a piece on one site."""
        moves = game.rules.moves
        if not any(map(places_one, moves)):
            raise RulewrightError(f"no decision of {game.name} puts a piece on one site")
        is_plain = all(_names_its_site(move) == places_one(move) for move in moves)
        return cls(game, is_plain)

    def sites(self, state: State) -> dict[int, str]:
        """Return the sites that a piece may be put on, each with the text of the decision."""
        if not self.is_plain:
            return placements(self.game.play, state.situation.position)
        names = self.game.rules.board.by_name
        return {names[text]: text for text in state.moves.texts if text in names}


def _names_its_site(move: r.MoveKind) -> bool:
    """Whether a decision is written as the name of a site that was chosen."""
    match [s.notation for s in move.body if isinstance(s, r.Write)]:
        case [m.Text(parts=(m.Local(type=Type.SITE),))]:
            return True
    return False


@frozen
class ReadingTerms:
    """Which decisions are read.

    `skipped`: decisions at the beginning of each game that are left out.  `winners`: decisions of
    the player who won alone.
    """

    skipped: int = 0
    winners: bool = False


def read_placements(
    game: Game, files: Iterable[str], terms: ReadingTerms | None = None
) -> list[PlacedDecision]:
    """Read the placements of all games of files.

    Raises `RulewrightError` for games of other rules, and where there are too few games.
    """
    terms, reader, number = terms or ReadingTerms(), PlacementReader.of(game), -1
    decisions = list[PlacedDecision]()
    for number, recorded in enumerate(_games(game, files)):
        decisions += _of_game(reader, recorded, number, terms)
    if number + 1 < FEWEST or not decisions:
        games, placed = amount(number + 1, "game"), amount(len(decisions), "placement")
        raise RulewrightError(f"{games} with {placed}; at least {FEWEST} games are needed")
    return decisions


def _games(game: Game, files: Iterable[str]) -> Iterator[Recorded]:
    for file in files:
        for recorded in read_games(Path(file)):
            if recorded.game.rules != game.rules:
                raise RulewrightError(f"{file}: a game of {recorded.game!r}, and not of {game!r}")
            yield recorded


def _of_game(
    reader: PlacementReader, recorded: Recorded, number: int, terms: ReadingTerms
) -> Iterator[PlacedDecision]:
    states: Sequence[State] = recorded.end.states()
    for after, (state, following) in enumerate(pairwise(states)):
        if after < terms.skipped or (terms.winners and not _won(recorded, state)):
            continue
        sites = reader.sites(state)
        played = next((site for site, text in sites.items() if text == following.move), None)
        if played is not None and len(sites) > 1:
            yield PlacedDecision(state.situation.position, played, tuple(sites), number, after)


def _won(recorded: Recorded, state: State) -> bool:
    """Whether whoever moves in a state has won the game in the end."""
    result = recorded.end.result
    if result is not None:
        return result.winner == state.mover
    return recorded.ending is not None and recorded.ending.loser not in (None, state.mover)
