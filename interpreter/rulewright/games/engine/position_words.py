"""Converting positions and their histories between the reference and the words of machine code.

In: an engine's layout, positions and histories of the reference, words.  Out: words, keys, and
positions of the reference; the choices in the row of a decision.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from operator import or_

from attrs import evolve, frozen

from rulewright.compiler import layout as p
from rulewright.compiler.engine import Engine
from rulewright.compiler.passes.choices import choice_places, chosen_steps
from rulewright.compiler.seats import players_of
from rulewright.games.engine.interpreted import choices, history_chain
from rulewright.games.engine.memory import MASK, WORD, Past, packed_words
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Type, Value
from rulewright.reference.position import History, Position


@frozen(eq=False, slots=False)
class Words:
    """Converts positions of a game to words, and words to positions."""

    engine: Engine

    def packed(self, position: Position) -> tuple[bytes, Past | None]:
        """Convert a position of the reference to words, and its history to a chain of keys."""
        past: Past | None = None
        for key, history in reversed(list(history_chain(position.history))):
            past = Past(past, packed_words(self.engine.key_of(key)), history)
        return packed_words(self.engine.encode(position)), past

    def position(self, packed: bytes, past: Past | None) -> Position:
        """Convert words and a chain of keys to a position of the reference."""
        words = struct.unpack(f"={len(packed) // WORD}q", packed)
        return evolve(self._bare(words), history=self._history(past) if past else None)

    @cached_property
    def _choices(self) -> list[list[tuple[str, int, Type, int, int, r.Effect]]]:
        """The choices of each move: name, slot, type, place and length in its row, statement."""
        rows, layout = [], self.engine.plan
        for move in layout.rules.moves:
            places = choice_places(move, layout.words)
            pairs = ((s, choice) for s in move.body for choice in choices(s))
            rows.append([(n, slot, kind, *places[slot][1:], s) for s, (n, slot, kind) in pairs])
        return rows

    def choices(self, row: Sequence[int], mover: int) -> Iterator[tuple[str, int, Type, Value]]:
        """The choices in the row of a decision: name, slot, type and value of each."""
        if row[0] < 0:
            return
        for name, slot, type_, at, size, statement in self._choices[row[0]]:
            words = row[at : at + size]
            if type_ is Type.STEP and isinstance(statement, r.Choose):
                yield name, slot, type_, (self._steps[row[0]][mover][slot][words[0]],)
            else:
                yield name, slot, type_, self._value(words, type_)

    @cached_property
    def _steps(self) -> list[list[dict[int, tuple[Step, ...]]]]:
        """For every move and mover the steps that can be chosen, by slot and by number in rows."""
        rules = self.engine.plan.rules
        return [
            [chosen_steps(move, rules, player) for player in rules.views] for move in rules.moves
        ]

    @staticmethod
    def _value(words: Sequence[int], type_: Type) -> Value:
        """Convert the words of a choice to a value of the reference."""
        if type_ is Type.SITE:
            return 1 << words[0]
        if type_ is Type.SITES:
            return mask_of(words)
        return words[0]

    def owned(self, packed: bytes) -> tuple[int, ...]:
        """The sites of each owner."""
        layout = self.engine.plan
        size, at = layout.words * WORD, layout.owned * WORD
        masks = [
            int.from_bytes(packed[at + i * size : at + (i + 1) * size], "little")
            for i in range(layout.owners)
        ]
        return (*masks, *[0] * (layout.rules.nobody + 1 - layout.owners))

    def _bare(self, words: tuple[int, ...]) -> Position:
        """Convert words to a position without history."""
        layout = self.engine.plan
        rules = layout.rules

        def mask(at: int, size: int = layout.words) -> int:
            return mask_of(words[at : at + size])

        owned = [mask(layout.owned + i * layout.words) for i in range(layout.owners)]
        owned += [0] * (rules.nobody + 1 - layout.owners)
        full = reduce(or_, owned)
        count = len(rules.kinds)
        kinds = (
            [mask(layout.kinds + i * layout.words) for i in range(count)] if count > 1 else [full]
        )
        return Position(
            owned=tuple(owned),
            kinds=tuple(kinds[:count]),
            links=(mask(layout.links, layout.link_words),) * len(rules.links),
            states=tuple(self._state_values(i, words, mask) for i in range(len(rules.states))),
            piles=layout.piles.piles_of(words),
            mover=words[p.MOVER],
            ply=words[p.PLY],
            rest=list(layout.courses)[words[p.REST]],
            fresh=bool(words[p.FRESH]),
            again=bool(words[p.AGAIN]),
            swapped=bool(words[p.SWAPPED]),
            claimable=bool(layout.claimable and words[layout.claimable]),
            out=players_of(words[layout.out]) if layout.out else (),
            past=words[p.PAST],
        )

    def _state_values(
        self, index: int, words: tuple[int, ...], mask: Callable[[int], int]
    ) -> tuple[Value, ...]:
        layout = self.engine.plan
        state, at = layout.rules.states[index], layout.states[index]
        sites = state.type is Type.SITES
        step = p.state_size(state, layout.words)

        def value(place: int) -> Value:
            if state.indices:
                entries = words[place : place + step]
                return tuple(map(bool, entries)) if state.type is Type.TRUTH else entries
            number = mask(place) if sites else words[place]
            return bool(number) if state.type is Type.TRUTH else number

        return tuple(value(at + step * view * state.each) for view in layout.rules.views)

    def _history(self, past: Past) -> History:
        """Convert a chain of keys to a history of the reference; keeps it in the chain."""
        todo = list[Past]()
        entry: Past | None = past
        while entry is not None and entry.history is None:
            todo.append(entry)
            entry = entry.before
        layout = self.engine.plan
        places = [at for at, _ in self.engine.earlier.words]  # behind the sum, if there is one
        for entry in reversed(todo):
            words = [0] * layout.size
            row = struct.unpack(f"={len(self.engine.earlier)}q", entry.key)[-len(places) :]
            for at, word in zip(places, row, strict=True):
                words[at] = word
            key = self.engine.play.key(self._bare(tuple(words)))
            entry.history = (key, entry.before.history if entry.before else None)
        return past.history


def mask_of(words: Iterable[int]) -> int:
    """A set of sites from its words."""
    return sum((word & MASK) << 64 * i for i, word in enumerate(words))
