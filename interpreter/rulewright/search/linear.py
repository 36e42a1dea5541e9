"""Linear equations and linear programs in fractions: exact, for small ones.

In: equations as each unknown's shares of others; or a matrix of a program.  Out: the unknowns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

Row = tuple[dict[int, Fraction], Fraction]
"""x = the sum of shares times other unknowns, and a number."""


def solution(rows: Mapping[int, Row]) -> dict[int, Fraction]:
    """Solve x[n] = sum(share * x[m]) + number for all n, which must have one solution.

    Unknowns are put in one after the other, those first that fewest others stand in.
    """
    open_rows = {number: (dict(shares), constant) for number, (shares, constant) in rows.items()}
    done = list[tuple[int, Row]]()
    while open_rows:
        number = min(open_rows, key=lambda n: len(open_rows[n][0]))
        shares, constant = open_rows.pop(number)
        rest = 1 - shares.pop(number, Fraction(0))
        row = {m: share / rest for m, share in shares.items()}, constant / rest
        done.append((number, row))
        for other, (theirs, number_there) in open_rows.items():
            if (factor := theirs.pop(number, None)) is not None:
                for m, share in row[0].items():
                    theirs[m] = theirs.get(m, Fraction(0)) + factor * share
                open_rows[other] = theirs, number_there + factor * row[1]
    values = dict[int, Fraction]()
    for number, (shares, constant) in reversed(done):
        values[number] = constant + sum(
            (share * values[m] for m, share in shares.items()), Fraction(0)
        )
    return values


def most(
    objective: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], limits: Sequence[Fraction]
) -> Fraction:
    """The most of the sum of objective * x where rows * x <= limits and x >= 0; limits >= 0.

    The simplex method by Bland's rule, which ends always; the most must be finite.
    """
    table = [
        [*row, *(Fraction(i == j) for j in range(len(rows))), limit]
        for i, (row, limit) in enumerate(zip(rows, limits, strict=True))
    ]
    top = [*(-c for c in objective), *[Fraction(0)] * (len(rows) + 1)]
    basis = [len(objective) + i for i in range(len(rows))]
    while (entering := next((j for j, c in enumerate(top[:-1]) if c < 0), None)) is not None:
        ratios = (
            (row[-1] / row[entering], basis[i], i)
            for i, row in enumerate(table)
            if row[entering] > 0
        )
        _, _, leaving = min(ratios)
        pivot = table[leaving][entering]
        table[leaving] = [value / pivot for value in table[leaving]]
        basis[leaving] = entering
        for i, row in enumerate(table):
            if i != leaving and row[entering]:
                table[i] = _less(row, row[entering], table[leaving])
        top = _less(top, top[entering], table[leaving])
    return top[-1]


def _less(row: Sequence[Fraction], factor: Fraction, other: Sequence[Fraction]) -> list[Fraction]:
    """A row without so many times another one."""
    return [a - factor * b if b else a for a, b in zip(row, other, strict=True)]
