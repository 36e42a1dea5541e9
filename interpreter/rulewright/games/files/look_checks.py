"""What `check` says of a look that reads well: what nobody could see, or tell apart.

In: a look of a game.  Out: warnings at its lines: pieces that are lost on their ground in a theme,
sides of one form, kinds of pieces that were forgotten; and mistakes that show only in a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from attrs import frozen

from rulewright.errors import Fault, MoveError, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.games.files.kinds import Reading
from rulewright.games.files.looks import LessonPositions, owners, value_at
from rulewright.games.render.dressing import Colour
from rulewright.games.render.palette import THEMES, contrast, palette
from rulewright.ground.budget import within_steps
from rulewright.ground.limits import LOOKING_STEPS
from rulewright.language.source import Span
from rulewright.model import look as k

LEAST_CONTRAST = 3.0
"""Of a piece on its ground, by the WCAG."""
_DARK = 1.6
"""The contrast with black below which a piece has a pale rim in the dark."""


@frozen
class LookCheck:
    """Tries a look on its game, and complains where it is read."""

    look: k.Look
    game: Game
    reading: Reading
    drawings: frozenset[str]
    """The kinds of pieces that have a bundled drawing by their name."""

    def run(self) -> None:
        """Report everything."""
        self._contrast()
        self._forms()
        self._forgotten()
        for state in self._positions():
            self._values(state)
        positions = LessonPositions(self.game)
        for lesson in (*self.look.lessons, *self.look.puzzles):
            self._lesson(lesson, positions)

    def _complain(self, code: str, origin: int, message: str, hint: str = "") -> None:
        source, line = self.reading.source, self.look.origins[origin].line
        if self.look.origins[origin].file != source.name or not line:
            return
        start = source.line_starts[line - 1]
        text = source.line(line).partition("#")[0].rstrip()
        self.reading.complain(code, Span(start, start + max(1, len(text))), message, hint)

    # --- colours and forms ---

    def _contrast(self) -> None:
        grounds = [colour for name in self.look.colours for colour in self._named(name)]
        worn = [(s.colour, s.origin) for s in self.look.sides]
        worn += [(p.colour, p.origin) for p in self.look.pieces if p.colour]
        worn += [(n.colour, n.origin) for n in self.look.numbers if n.colour]
        for name, origin in dict(reversed(worn)).items():
            for piece in self._named(name):
                self._contrast_of(piece, grounds, origin)

    def _contrast_of(self, piece: Colour, grounds: list[Colour], origin: int) -> None:
        for theme in THEMES:
            for ground in grounds:
                best = max(contrast(shade, ground, theme) for shade in _shades(piece, theme))
                if best < LEAST_CONTRAST:
                    message = (
                        f"`{piece.name}` is hard to see on `{ground.name}` in the {theme} theme: "
                        f"the contrast is {best:.1f}, and {LEAST_CONTRAST:.0f} is needed"
                    )
                    advice = "take another colour, for the pieces or for the board"
                    self._complain("low-contrast", origin, message, advice)
                    return

    def _named(self, name: str) -> list[Colour]:
        own = {c.name: Colour(c.name, c.light, c.dark)
               for layer in self.look.layers for c in layer.own_colours}  # fmt: skip
        colour = own.get(name) or palette().get(name)
        return [colour] if colour is not None else []

    def _forms(self) -> None:
        """Report outlines of a look's own that are the same for both sides."""
        for kind in self.game.rules.kinds:
            if not all(kind.letters[:2]):
                continue  # one of the sides has none
            last = [self._last(kind.name, owner) for owner in (0, 1)]
            first, second = last
            if first is None or second is None or "path" not in (first.drawing, second.drawing):
                continue
            if (first.drawing, first.path) == (second.drawing, second.path):
                message = f"both sides have the same outline of a {kind.name}"
                advice = "give each side its own: `piece ... for PLAYER as path ...`"
                self._complain("colour-alone", second.origin, message, advice)

    def _last(self, kind: str, owner: int) -> k.PieceDrawn | None:
        """The line that holds for the pieces of a player, wherever they stand."""
        lines = [p for layer in self.look.layers for p in layer.pieces]
        whole = [p for p in lines if p.sites is None and p.now is None]
        fitting = [p for p in whole if p.kind == kind and p.owner in (None, owner)]
        return fitting[-1] if fitting else None

    def _forgotten(self) -> None:
        kinds = {p.kind for layer in self.look.layers for p in layer.pieces}
        lines = [p.origin for p in self.look.pieces]
        for kind in self.game.rules.kinds if lines else ():
            if kind.name not in kinds | self.drawings:
                message = f"the `{kind.name}` has no drawing, and other pieces have: it is a letter"
                advice = f"add a line `piece {kind.name} as ...`"
                self._complain("no-drawing", lines[-1], message, advice)

    # --- positions ---

    def _positions(self) -> Iterator[State]:
        """The start and the position of the thumbnail, whose mistakes are reported."""
        with suppress(Fault, OutOfBudget), within_steps(LOOKING_STEPS, ""):
            yield self.game.start()
        moves = self.look.texts.get("thumbnail", "")
        if not moves and "thumbnail" not in self.look.lines:
            return
        try:
            with within_steps(LOOKING_STEPS, "the position takes too many steps"):
                state = self.game.start().play(moves)
        except (MoveError, Fault, OutOfBudget) as error:
            if self._is_usual:  # on a smaller board a look has the first position
                line = self.look.lines["thumbnail"]
                self._complain("illegal-move", line, f"the thumbnail cannot be shown: {error}")
            return
        yield state

    @property
    def _is_usual(self) -> bool:
        return all(option.value == option.default for option in self.game.rules.options)

    def _lesson(self, lesson: k.Lesson, positions: LessonPositions) -> None:
        """Report a position to learn from that the usual game never has, or an answer like it."""
        noun = "puzzle" if lesson.answer else "picture"
        try:
            with within_steps(LOOKING_STEPS, "the position takes too many steps"):
                state = positions.of(lesson)
                if lesson.answer:
                    state.play(lesson.answer)
        except (MoveError, Fault, OutOfBudget) as error:
            if self._is_usual:
                self._complain(
                    "illegal-move", lesson.origin, f"the {noun} cannot be shown: {error}"
                )

    def _values(self, state: State) -> None:
        """Report values that a position does not have."""
        position = state.situation.position
        expressions = [(m.sites, position.mover, m.origin) for m in self.look.marks if m.sites]
        expressions += [(die.value, position.mover, die.origin) for die in self.look.dice]
        for line in self.look.beside:
            for owner in owners(line, self.game, position):
                view = position.mover if owner is None else owner
                expressions.append((line.value, view, line.origin))
        for value, view, origin in expressions:
            try:
                value_at(self.look, self.game, position, value, view)
            except Fault as fault:
                where = "at the start" if not state.decisions() else "in the thumbnail"
                self._complain("arithmetic", origin, f"{where}: {fault.message}")
            except OutOfBudget:
                message = f"this takes more than {LOOKING_STEPS:,} steps in one position"
                self._complain("too-large", origin, message)


def _shades(piece: Colour, theme: str) -> Iterator[Colour]:
    """The colour of a piece, that of its edge, and the pale rim of dark pieces in the dark."""
    yield piece
    colours = palette()
    for shade in ("edge", "deep"):
        if f"{piece.name}_{shade}" in colours:
            yield colours[f"{piece.name}_{shade}"]
    if theme == "dark" and contrast(piece, Colour("", "#000000", "#000000"), theme) < _DARK:
        yield colours["white"]
