"""Examples of pattern files: small positions in which a pattern must propose a move.

In: a game and patterns without errors.  Out: a diagnostic for each example that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from rulewright.engine.game import Game
from rulewright.language.diagnostics import Diagnostic, Place
from rulewright.language.source import Source
from rulewright.model.board import mask_of
from rulewright.model.patterns import Example, Pattern, Patterns
from rulewright.reference.patterns import Matcher, Reference
from rulewright.reference.position import Position


class Unfounded(Exception):
    """The position of an example cannot be made."""


def failing_patterns(game: Game, file: Patterns, source: Source) -> Iterator[Diagnostic]:
    """A diagnostic for each example that does not hold; none where options change the board."""
    if any(option.value != option.default for option in game.rules.options):
        return  # the sites are those of the game as it comes
    trial = _Trial(game, Matcher(game.play, file))
    for pattern in (p for p in file.patterns if p.file == source.name):
        for example in pattern.examples:
            message = trial.failure(pattern, example)
            if message:
                text = source.line(example.line)
                column = len(text) - len(text.lstrip()) + 1
                end = len(text.partition("#")[0].rstrip()) + 1
                place = Place(source.name, example.line, column, example.line, end, text)
                yield Diagnostic("claim-fails", message, place)


@frozen
class _Trial:
    """Examples of one file on trial."""

    game: Game
    matcher: Matcher

    def failure(self, pattern: Pattern, example: Example) -> str:
        """What is wrong with an example; nothing when its pattern proposes its move."""
        try:
            position, at = example_position(self.game, self.matcher, pattern, example)
        except Unfounded as error:
            return str(error)
        site = self.game.rules.board.by_name[example.move]
        if self.matcher.fires(pattern, at, site, position):
            return ""
        failed = self.matcher.first_failed(pattern, at, site, position)
        return f"`{pattern.name}` does not propose {example.move} here: {failed}"


def example_position(
    game: Game, matcher: Matcher, pattern: Pattern, example: Example
) -> tuple[Position, Reference]:
    """The position of an example with the pattern's user to move, and its reference point."""
    board, play = game.rules.board, game.play
    of = _player(matcher, example)
    own = 1 - of if pattern.defends else of
    sides = (example.own, example.opponents) if own == 0 else (example.opponents, example.own)
    position = play.first
    for player, names in enumerate(sides):
        position = position.put(player, 0, mask_of([board.by_name[n] for n in names]))
    site = board.by_name[example.at]
    if not position.owned[of] >> site & 1:
        whose = "opponent's" if pattern.defends else "own"
        raise Unfounded(f"the reference point {example.at} holds no {whose} piece")
    links = 0
    for one, other in example.links:
        a, b = sorted((board.by_name[one], board.by_name[other]))
        number = play.links[0].number.get((a, b)) if play.links else None
        if number is None:
            raise Unfounded(f"no link can join {one} and {other}")
        links |= 1 << number
    position = evolve(
        position, links=(links, *position.links[1:]) if play.links else (),
        mover=own, ply=2 + own, rest=game.rules.course,
    )  # fmt: skip
    return position, Reference(site, example.direction or matcher.directions[of][0])


def _player(matcher: Matcher, example: Example) -> int:
    """Whose reference point an example has: it tells by the direction."""
    if not matcher.file.path:
        return 0
    if example.direction is None:
        raise Unfounded(f"say in which direction the path leaves {example.at}")
    found = [p for p in (0, 1) if example.direction in matcher.directions[p]]
    if not found:
        raise Unfounded("no path of this game leads in that direction")
    return found[0]
