"""The arrays by which a search's kernels know its root, and calls of these kernels.

In: the arrays of a thread with the position at the root.  Out: words and numbers that the kernels
of `kernels/deepening.py` and `kernels/threats.py` have written; lines of play as numbers; wins by
threats, where a guide says what threatens and what must be done.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from rulewright.compiler.arrays import SharedWords
from rulewright.compiler.runtime import float_bits
from rulewright.ground.records import Record, record
from rulewright.search.kernels import root
from rulewright.search.kernels.root import MORE
from rulewright.search.thread_arrays import INFINITE, ThreadArrays

MOVES = ("order", "next_order", "progress", "values", "marks", "new_values", "new_marks", "refuted")
"""The arrays of `root.RootMoves`, in its order."""


class RootSearch:
    """A root as the kernels know it; several threads may search there."""

    def __init__(self, worker: ThreadArrays, proofs: ThreadArrays | None = None) -> None:
        """Lay the arrays; wins by threats are looked for where there are *proofs* to remember."""
        self.worker, count = worker, max(1, worker.rows)
        words = worker.ints(len(root.RootWords.__annotations__))
        self.words = SharedWords(root.RootWords, words)
        self.moves = {
            name: worker.floats(count) if "values" in name else worker.ints(count) for name in MOVES
        }
        saved = worker.ints(2 * worker.engine.plan.size if proofs else 1)
        self.line = worker.ints(worker.engine.row * root.LONGEST)
        table = proofs.table if proofs else worker.ints(1)
        self._arrays = [words, *self.moves.values(), saved, table, self.line]
        w = self.words
        w.roots = w.width = worker.rows
        w.me, w.edge, w.threats = worker.person, float_bits(INFINITE), int(proofs is not None)
        w.proofs = proofs.control.widest >> 1 if proofs else 0  # its entries are twice as long
        self.arrange(range(worker.rows))

    def arrange(self, rows: Sequence[int]) -> None:
        """Let these decisions be searched, in this order."""
        self.words.width = len(rows)
        for place, row in enumerate(rows):
            self.moves["order"][place] = row

    def order(self) -> list[int]:
        """The decisions that are searched, in the order of the last iteration."""
        return [self.moves["order"][i] for i in range(self.words.width)]

    def call(self, name: str, worker: ThreadArrays | None = None, *more: Any) -> int:
        """Call a kernel, for one of several threads; raises what the rules did wrong."""
        return int((worker or self.worker).call(name, *self._arrays, *more) or 0)

    def numbers(self) -> tuple[int, ...]:
        """The line, by the numbers of its decisions among all of their positions."""
        game, kernels, row = self.worker.game, self.worker.kernels, self.worker.engine.row
        numbers = list[int]()
        self.worker.write(self.worker.words)
        for i in range(self.words.line):
            end = kernels["decisions"](*game, 0)
            words = tuple(self.line[i * row + j] for j in range(row))
            numbers.append(self.worker.decision_words(0, end).index(words))
            kernels["play"](*game, numbers[-1] * row, end)
        self.worker.put(self.worker.words)
        return tuple(numbers)


# --- wins by threats ---


@record
class Attack(Record):
    """A win by threats: its length at the most, and a line of that length.

    Decisions are given by their numbers among all of their position.
    """

    distance: int
    line: tuple[int, ...]


def attack(worker: ThreadArrays) -> Generator[None, None, Attack | None]:
    """The win by threats of who is at move at the root; None where there is none to be seen."""
    search = RootSearch(worker, worker)
    search.call("begin_attack_here")
    while search.call("attack_on") == MORE:
        yield
    length = search.words.attack_length
    return Attack(length, search.numbers()) if length else None
