"""Rules that tell moves which are played from others: grown condition by condition, then shrunk.

In: the table of an outlook.  Out: `ShapeRule`s, in the order in which they were grown.  A rule
takes the condition of the greatest information gain (as FOIL does, Quinlan, 1990) while a test says
that the gain is no chance.  Then it loses each condition without which moves are played as often.
The next rule is grown on what no rule before it has covered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve, frozen

from rulewright.learning.lane_arrays import numpy
from rulewright.learning.outlooks import SILENT
from rulewright.learning.shapes import ShapeTable
from rulewright.model.patterns import Pattern

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

SURE, MATTERS = 16.0, 6.63
"""Log-likelihood ratios (chi squared of one degree of freedom): with several hundred conditions to
choose from the first is passed by chance in one case of fifty, the second by one condition in a
hundred."""
_MOST_CONDITIONS = 10
_MOST_RULES = 12
"""Rules of one outlook."""


@frozen
class ShapeRule:
    """A rule of an outlook: answers by the number of the question.

    `played` of its `rows` are of moves that were played.
    """

    answers: tuple[tuple[int, int], ...]
    played: int
    rows: int

    def pattern(self, table: ShapeTable) -> Pattern:
        """Return the rule as a pattern without a name."""
        conditions = tuple(table.questions[q].condition(answer) for q, answer in self.answers)
        return Pattern("", table.outlook.defends, False, conditions, table.outlook.move)

    def covers(self, table: ShapeTable) -> Numbers:
        """Return which rows the rule holds for."""
        return misses(self, table).sum(axis=1) == 0


def misses(rule: ShapeRule, table: ShapeTable) -> Numbers:
    """Return which conditions of a rule fail in each row: (rows, conditions)."""
    np = numpy()
    columns = [q for q, _ in rule.answers]
    return table.answers[:, columns] != np.array([a for _, a in rule.answers], np.int8)


def grow(table: ShapeTable, least: int) -> list[ShapeRule]:
    """Return the rules of an outlook; each holds for *least* moves played, or more."""
    np, rules = numpy(), list[ShapeRule]()
    open_rows = np.ones(len(table.played), bool)
    while len(rules) < _MOST_RULES and table.played[open_rows].sum() >= least:
        rule = shrunk(_grown(table, open_rows, least), table)
        covered = rule.covers(table) & open_rows
        if table.played[covered].sum() < least or rule.answers in [r.answers for r in rules]:
            break
        rules.append(rule)
        open_rows &= ~covered
    return rules


def _grown(table: ShapeTable, open_rows: Numbers, least: int) -> ShapeRule:
    """Return the rule that the open rows give, with all conditions that it took."""
    rows, answers = open_rows.copy(), list[tuple[int, int]]()
    while len(answers) < _MOST_CONDITIONS:
        best = _best_condition(table, rows, least)
        if best is None:
            break
        answers.append(best)
        rows &= table.answers[:, best[0]] == best[1]
    return _counted(ShapeRule(tuple(answers), 0, 0), table)


def _counted(rule: ShapeRule, table: ShapeTable) -> ShapeRule:
    covered = rule.covers(table)
    return evolve(rule, played=int(table.played[covered].sum()), rows=int(covered.sum()))


def _best_condition(table: ShapeTable, rows: Numbers, least: int) -> tuple[int, int] | None:
    """Return the question and answer of the greatest gain among rows; None if none is sure."""
    np, answers, played = numpy(), table.answers[rows], table.played[rows].astype(float)
    best, most = None, 0.0
    total, wins = float(len(played)), float(played.sum())
    for answer in range(SILENT):
        matches = answers == answer
        won, count = played @ matches, matches.sum(axis=0).astype(float)
        enough = (won >= least) & (count < total)
        if not enough.any():
            continue
        rates = np.where(enough, won / np.maximum(count, 1), 1.0)
        gains = np.where(enough, won * np.log(rates * total / wins), 0.0)
        column = int(gains.argmax())
        apart = ratio(won[column], count[column], wins - won[column], total - count[column])
        if gains[column] > most and apart > SURE:
            best, most = (column, answer), float(gains[column])
    return best


def shrunk(rule: ShapeRule, table: ShapeTable) -> ShapeRule:
    """Return a rule without the conditions that do not matter, one after the other."""
    while rule.answers:
        missed = misses(rule, table)
        alone = missed.sum(axis=1) == 1
        losses = []
        for number in range(len(rule.answers)):
            more = alone & missed[:, number]
            played, count = int(table.played[more].sum()), int(more.sum())
            losses.append(worse(rule, played, count))
        least = min(range(len(losses)), key=losses.__getitem__)
        if losses[least] > MATTERS:
            break
        answers = rule.answers[:least] + rule.answers[least + 1 :]
        rule = _counted(evolve(rule, answers=answers), table)
    return rule


def worse(rule: ShapeRule, played: int, rows: int) -> float:
    """Return how sure it is that moves in further rows are played less often than a rule's."""
    if rows == 0 or played * rule.rows >= rule.played * rows:
        return 0.0
    return ratio(rule.played, rule.rows, played, rows)


def ratio(first: float, of_first: float, second: float, of_second: float) -> float:
    """Return twice the log-likelihood ratio of two shares being two, and not one."""
    both = _likelihood(first + second, of_first + of_second)
    return 2 * (_likelihood(first, of_first) + _likelihood(second, of_second) - both)


def _likelihood(part: float, total: float) -> float:
    np = numpy()
    shares = [n / total for n in (part, total - part) if n > 0]
    counts = [n for n in (part, total - part) if n > 0]
    return float(sum(n * np.log(share) for n, share in zip(counts, shares, strict=True)))
