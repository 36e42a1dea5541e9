"""How the player of an engine to take away chooses: `pick`, `prefer` and `ties`.

They choose as in `players/choose.py`, among scores of `search/kernels/weighing.py`.
"""

from __future__ import annotations

from rulewright.app.build.face import Face
from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.deepening import best_searched
from rulewright.search.kernels.random_games import chance
from rulewright.search.kernels.root import MORE, OVER
from rulewright.search.kernels.weighing import (
    begin_weighing,
    best_scored,
    compared,
    first_part,
    look_behind,
    weigh_on,
)
from rulewright.search.kernels.windows import EXACT

# what the book says of a player, from its place on
TIES = 0  # 1: chance chooses among equals
PREFER = 1  # where the ranks of moves begin, that of the decision not to move first
VALUES = 2  # where the values begin
PICKS = 3  # where its ways to choose begin: how many, then each
OPENING = 4  # where its opening begins
SITES = 5  # where moves say which word of their rows is the site; -1 for none

# of a value: the words of `ScoreWords` behind its number
OF_MOVE = 0
VALUE = 4  # words

# of a way to choose
HOW = 0
BY = 1  # the value
IF = 2  # 1: only if a condition holds
FIRST = 3  # its value
SIGN = 4
SECOND = 5  # the other value, -1 for a number
NUMBER = 6  # as bits
PICK = 7  # words

BEST = 0
READING = 1  # the first decision
ANY = 2


def player(f: Face, what: i64) -> i64:
    """Read a word of the book's part on the player, such as its kind or its number of values."""
    return f.book[f.book.player + what]


def of_value(f: Face, which: i64, what: i64) -> i64:
    """Read a word of the book's part on a value, by the value's number."""
    return f.book[player(f, VALUES) + which * VALUE + what]


def weigh_all(f: Face, which: i64) -> None:
    """Score every decision by a value; those that are judged are marked and counted."""
    f.root.thread.control.nodes = 0
    f.scores.words.which = which
    for i in range(VALUE):
        f.scores.words[1 + i] = of_value(f, which, i)
    for number in range(f.root.search.roots):
        f.root.moves.order[number] = number
    begin_weighing(f.root, f.scores)
    weigh_on(f.root, f.scores)


# --- ways to choose ---


def way(f: Face) -> i64:
    """The place in the book of the first `pick` whose condition holds; 0 if none does."""
    place = player(f, PICKS)
    for i in range(f.book[place]):
        at = place + 1 + i * PICK
        if f.book[at + IF] == 0:
            return at
        if holds(f, at) == 1:
            return at
    return 0


def holds(f: Face, at: i64) -> i64:
    """Whether a condition holds; where nothing is judged it does not."""
    weigh_all(f, f.book[at + FIRST])
    best = best_scored(f.root, f.scores)
    if best < 0:
        return 0
    a = first_part(f.scores, best)
    b = bits_float(f.book[at + NUMBER])
    if f.book[at + SECOND] >= 0:
        weigh_all(f, f.book[at + SECOND])
        best = best_scored(f.root, f.scores)
        if best < 0:
            return 0
        b = first_part(f.scores, best)
    return compares(a, f.book[at + SIGN], b)


def compares(a: f64, sign: i64, b: f64) -> i64:
    """Whether a sign holds between two numbers: 1 for smaller, 2 for equal, 4 for larger ones."""
    if a == b:
        return sign >> 1 & 1
    return sign & 1 if a < b else sign >> 2 & 1


# --- one of those that are equal ---


def all_alike(f: Face) -> None:
    """Make all decisions of the root candidates: nothing says which is better."""
    for number in range(f.root.search.roots):
        f.candidates[number] = 1


def mark_best_scored(f: Face) -> None:
    """Keep the best scored decisions as candidates, or all where none is judged."""
    best = best_scored(f.root, f.scores)
    if best < 0:
        all_alike(f)
        return
    for number in range(f.root.search.roots):
        f.candidates[number] = 0
        if f.root.moves.marks[number] != 0:
            f.candidates[number] = 1 if compared(f.scores, number, best) == 0 else 0
    won = f.scores.numbers[best * (f.scores.words.parts + 1)]
    f.mind.value = float_bits(real(won) if won != 0 else first_part(f.scores, best))
    f.mind.proven = won & 1


def mark_best_searched(f: Face) -> None:
    """Keep the decisions of the best searched value as candidates, or all without any value."""
    best = best_searched(f.root)
    if best < 0:
        all_alike(f)
        return
    f.mind.value = float_bits(f.root.moves.values[best])
    for number in range(f.root.search.roots):
        f.candidates[number] = 0
    for i in range(f.root.search.width):
        number = f.root.moves.order[i]
        exact = f.root.moves.marks[number] & EXACT
        if exact != 0 and f.root.moves.values[number] == f.root.moves.values[best]:
            f.candidates[number] = 1


def preference(f: Face, number: i64) -> i64:
    """The rank of a decision's move: the lowest are preferred."""
    move = f.root.thread.game.rows[number * f.root.thread.control.row]
    return f.book[player(f, PREFER) + 1 + move]


def one_left(f: Face) -> i64:
    """Choose one of the candidates by `prefer`, then by `ties`: the first or any."""
    least = -1
    for number in range(f.root.search.roots):
        if f.candidates[number] == 1 and (least < 0 or preference(f, number) < least):
            least = preference(f, number)
    count = 0
    for number in range(f.root.search.roots):
        if f.candidates[number] == 1 and preference(f, number) == least:
            count = count + 1
    skipped = 0
    if player(f, TIES) == 1 and count > 1:
        skipped = chance(f.tree.chance, count)
    return ranked_candidate(f, least, skipped)


def how_many_left(f: Face) -> i64:
    """The number of candidates."""
    count = 0
    for number in range(f.root.search.roots):
        count = count + f.candidates[number]
    return count


def ranked_candidate(f: Face, rank: i64, skipped: i64) -> i64:
    """The candidate of a rank that follows *skipped* others; a rank below 0 means any rank."""
    for number in range(f.root.search.roots):
        if f.candidates[number] == 1 and (rank < 0 or preference(f, number) == rank):
            if skipped == 0:
                return number
            skipped = skipped - 1
    return 0


# --- beams: what lies behind the best scored decisions ---


def look_behind_all(f: Face) -> i64:
    """Look behind the decisions that are kept until the nodes that are allowed are played."""
    while f.root.search.next < f.root.search.width:
        if look_behind(f.root, f.scores, f.beam) == MORE:
            return MORE
    return OVER


def end_beam(f: Face) -> None:
    """Keep the best decisions of the beam as candidates, or the best scored ones without a beam."""
    if f.scores.words.front < 0:
        mark_best_scored(f)
    else:
        mark_best_searched(f)
