"""What patterns propose in positions, by machine code.

In: an engine and a pattern file.  Out: the sites proposed in a position, each with its patterns, as
the reference says them but for what is not legal.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulewright.codegen.engine import Engine
from rulewright.model.patterns import Patterns
from rulewright.reference.position import Position
from rulewright.search.candidates import Candidates, candidates
from rulewright.search.kernels import matching
from rulewright.search.workspace import Workspace


@frozen(eq=False)
class Proposing:
    """What patterns propose in positions, by machine code."""

    found: Candidates
    space: Workspace

    @classmethod
    def of(cls, engine: Engine, file: Patterns) -> Proposing:
        """The patterns of a file at work; raises `NoPlan` as `candidates` does."""
        found = candidates(engine, file)
        return cls(found, Workspace(engine, 0, candidates=found))

    def proposals(self, position: Position) -> dict[int, tuple[int, ...]]:
        """The sites proposed, each with the numbers of its patterns; legal or not."""
        space = self.space
        space.place(position)
        kernels: Any = space.kernels
        count = kernels["matched"](*space.game)
        x, constants = space.game[4], space.game[1]
        first = constants[self.found.table + matching.FOUND]
        pairs: dict[int, set[int]] = {}
        for i in range(count):
            pairs.setdefault(x[first + 2 * i], set()).add(x[first + 2 * i + 1])
        return {site: tuple(sorted(pairs[site])) for site in sorted(pairs)}
