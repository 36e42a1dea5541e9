"""Random games in which every decision gains, by machine code.

In: a state, a value of positions and what leads the games, numbers that they are drawn by.  Out:
who owns which sites when nobody can gain any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import State
from rulewright.games.engine.memory import packed_words
from rulewright.games.engine.position_words import Words
from rulewright.model.board import Mask
from rulewright.search.kernels import gaining
from rulewright.search.thread_arrays import Guide, LinkedEvaluator, Root, ThreadArrays, module
from rulewright.search.trees import ThreadTree, tree_search

_MEMORY = 4096
"""Bytes of a tree that nobody grows."""


@frozen
class GainingKernels:
    """What plays the games: the kernels of a game, of what is gained, of the text that leads."""

    engine: Engine
    judge: LinkedEvaluator
    guide: Guide | None = None


def gaining_games(
    state: State, kernels: GainingKernels, passing: str, seeds: Iterable[int]
) -> Iterator[tuple[Mask, ...]]:
    """The sites of each player at the end of a random game for each number.

    *passing* is the decision of *state* that passes, empty if there is none.
    """
    engine, guide = kernels.engine, kernels.guide
    more = (tree_search(), module(gaining))
    worker = ThreadArrays(engine, 0, kernels.judge, more=more, guide=guide)
    root, words = Root(state, engine), Words(engine)
    tree = ThreadTree(root, worker, _MEMORY, 0, grown=guide.grown if guide else None)
    root.place(worker)
    row = root.moves.index(passing) if passing else -1
    move = worker.decision_words(row, row + 1)[0][0] if passing else -1
    for seed in seeds:
        tree.play_gaining(seed, move)
        yield words.position(packed_words(list(worker.game[0])), None).owned
