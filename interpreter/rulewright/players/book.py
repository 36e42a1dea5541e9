"""What a book plays: decisions after some moves, wherever the same position comes.

In: the lines of a book, a state.  Out: the legal decisions that the book has there, with their
weights; none where it has no line.  Positions are the same by whatever moves they came, and up to
the symmetries that the rules claim.  A line that cannot be played says nothing; `check`
tells it.
"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from attrs import frozen

from rulewright.errors import Fault, MoveError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.mirror_images import Map, canonical, symmetries
from rulewright.model.personality import BookLine
from rulewright.reference.play import ReferencePlay


@frozen(eq=False)
class OpeningBook:
    """A book on its game: for each position the positions that its decisions lead to, weighed."""

    weights: dict[object, dict[object, int]]
    plies: frozenset[int]
    """How many turns go before some line: nothing is looked up elsewhere."""
    maps: list[Map]

    @classmethod
    def of(cls, lines: Iterable[BookLine], game: Game) -> OpeningBook:
        """Play the lines of a book."""
        maps, plies = symmetries(game), set[int]()
        weights = dict[object, dict[object, int]]()
        for line in lines:
            state = _state_after(game, line.after)
            if state is None:
                continue
            plies.add(state.ply)
            choices = weights.setdefault(canonical(state, maps), {})
            for decision, weight in line.choices:
                if decision in state.moves.texts:
                    key = canonical(state.play_decision(decision), maps)
                    choices[key] = choices.get(key, 0) + weight
        return cls(weights, frozenset(plies), maps)

    def choices(self, state: State) -> dict[str, int]:
        """Return the legal decisions that the book has in a position, with their weights."""
        if state.ply not in self.plies:
            return {}
        following = self.weights.get(canonical(state, self.maps), {})
        if not following:
            return {}
        keys = {text: canonical(state.play_decision(text), self.maps) for text in state.moves.texts}
        return {text: following[key] for text, key in keys.items() if key in following}


_BOOKS: WeakKeyDictionary[ReferencePlay, dict[tuple[BookLine, ...], OpeningBook]] = (
    WeakKeyDictionary()
)


def book_choices(lines: tuple[BookLine, ...], state: State) -> dict[str, int]:
    """Return the legal decisions that a book has in a position, with their weights."""
    books = _BOOKS.setdefault(state.game.play, {})
    if lines not in books:
        books[lines] = OpeningBook.of(lines, state.game)
    return books[lines].choices(state)


def _state_after(game: Game, moves: str) -> State | None:
    try:
        state = game.start().play(moves) if moves else game.start()
    except (MoveError, Fault):
        return None
    return None if state.over else state
