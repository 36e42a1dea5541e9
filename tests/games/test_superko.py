"""Both forms of superko in Go, against a second implementation for small boards."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import rulewright


class Small(NamedTuple):
    """A board by points, the player to move, and the boards that have stood with who had moved."""

    size: int
    board: tuple[str, ...]
    mover: str = "X"
    passes: int = 0
    stood: tuple[tuple[tuple[str, ...], str], ...] = ()

    def around(self, point: int) -> list[int]:
        x, y = point % self.size, point // self.size
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [b * self.size + a for a, b in near if 0 <= a < self.size and 0 <= b < self.size]

    def group(self, board: list[str], point: int) -> tuple[set[int], bool]:
        """The stones joined to one, and whether any has a free point beside it."""
        todo, group, free = [point], {point}, False
        while todo:
            for other in self.around(todo.pop()):
                free |= board[other] == "."
                if board[other] == board[point] and other not in group:
                    group.add(other)
                    todo.append(other)
        return group, free

    def placed(self, point: int) -> tuple[str, ...] | None:
        """The board after a stone; None for suicide."""
        board, enemy = list(self.board), "XO"[self.mover == "X"]
        board[point] = self.mover
        for other in self.around(point):
            if board[other] == enemy:
                group, free = self.group(board, other)
                if not free:
                    board = ["." if i in group else c for i, c in enumerate(board)]
        return tuple(board) if self.group(board, point)[1] else None

    def turns(self, situational: bool) -> list[Small]:
        later = []
        for board in [self.placed(p) for p, c in enumerate(self.board) if c == "."]:
            who = self.mover if situational else ""
            if board and not any(b == board and (not who or w == who) for b, w in self.stood):
                later.append(self.then(board, 0))
        return [*later, self.then(self.board, self.passes + 1)]

    def then(self, board: tuple[str, ...], passes: int) -> Small:
        stood = (*self.stood, (board, self.mover))
        return Small(self.size, board, "XO"[self.mover == "X"], passes, stood)


def count(position: Small, depth: int, situational: bool) -> int:
    if depth == 0:
        return 1
    if position.passes == 2:
        return 0
    return sum(count(p, depth - 1, situational) for p in position.turns(situational))


def first(size: int) -> Small:
    board = (".",) * (size * size)
    return Small(size, board, stood=((board, "O"),))


DEEP = {2: 8, 3: 4}


@pytest.mark.parametrize("size", DEEP)
@pytest.mark.parametrize("situational", [False, True])
@pytest.mark.parametrize("backend", ["reference", "llvm"])
def test_counts_are_those_of_the_other_implementation(
    size: int, situational: bool, backend: str
) -> None:
    depth = DEEP[size] - 2 * (backend == "reference")
    start = rulewright.load("go", size=size, situational=situational, backend=backend).start()
    counts = [start.perft(n) for n in range(1, depth + 1)]
    assert counts == [count(first(size), n, situational) for n in range(1, depth + 1)]


def test_the_forms_differ_where_a_board_comes_back_for_the_other_player() -> None:
    counts = [
        rulewright.load("go", size=2, situational=form).start().perft(8) for form in (False, True)
    ]
    assert counts[0] < counts[1]
