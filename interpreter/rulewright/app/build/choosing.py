"""Decisions by the values of their moves, one decision ahead, by beams; and one of the best.

For engines to take away: the scores are those of `search/one_ply.py`, and `pick`, `prefer` and
`ties` choose as in `players/choose.py`; the best child of a tree is that of `search/decide.py`.
A score is who has won (1 for whoever decides, -1 for the other person, 0 for nobody yet), then the
parts of a value.
"""

from __future__ import annotations

from rulewright.app.build.face import Face
from rulewright.app.build.nobody import judged_by, look_by, parts_by
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.beam import behind
from rulewright.search.kernels.deepening import best_searched
from rulewright.search.kernels.montecarlo import (
    AT_MOVE,
    AWAY,
    CHILDREN,
    EVEN,
    FIRST_CHILD,
    HEAD,
    RESULT,
    SETTLED,
    SUM,
    VISITS,
)
from rulewright.search.kernels.moving import back, failed, settle
from rulewright.search.kernels.random_games import chance
from rulewright.search.kernels.root import MORE, OVER, leave_search, resume_search
from rulewright.search.kernels.thread import LINE
from rulewright.search.kernels.windows import EXACT, KNOWN

# what the book says of a player, from its place on
TIES = 0  # 1: chance chooses among equals
PREFER = 1  # where the ranks of moves begin, that of the decision not to move first
VALUES = 2  # where the values begin
PICKS = 3  # where its ways to choose begin: how many, then each
OPENING = 4  # where its opening begins
SITES = 5  # where moves say which word of their rows is the site; -1 for none

# of a value: whether it is one of moves, for whom it is said, its parts, which of these are floats
OF_MOVE = 0
SAID_FOR = 1
PARTS = 2
REALS = 3
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
EVERYBODY = 2  # a value that is said for who is at move


def player(f: Face, what: i64) -> i64:
    """A word about the player."""
    return f.book[f.book.player + what]


def of_value(f: Face, which: i64, what: i64) -> i64:
    """A word about a value."""
    return f.book[player(f, VALUES) + which * VALUE + what]


# --- scores ---


def weigh_all(f: Face, which: i64) -> None:
    """Score every decision by a value; those that are judged are marked and counted."""
    f.root.thread.control.nodes = 0
    f.mind.parts = 1 + of_value(f, which, PARTS)
    f.mind.reals = of_value(f, which, REALS) << 1
    if of_value(f, which, OF_MOVE) == 1:
        look_by(f.root.thread.game, f.root.thread.factors, which)
    for number in range(f.root.search.roots):
        f.root.moves.marks[number] = weigh(f, which, number)
        f.root.thread.control.nodes += f.root.moves.marks[number]


def weigh(f: Face, which: i64, number: i64) -> i64:
    """Score a decision; 0 where the value does not judge it."""
    at = number * f.root.thread.control.row
    if of_value(f, which, OF_MOVE) == 1:
        if judged_by(f.root.thread.game, which, at) == 0:
            return 0
        read(f, which, at)
        keep_score(f, which, number, 0)
        return 1
    settle(f.root.thread, number, f.root.search.roots)
    won = 0
    if f.root.thread.game.state.result != RUNNING and f.mind.ends == 0:
        for i in range(of_value(f, which, PARTS)):
            f.parts[i] = 0
        if f.root.thread.game.state.result != DRAWN:
            winner = f.root.thread.game.state.result ^ f.root.thread.game.state.swapped
            won = 1 if winner == f.root.search.me else -1
    else:
        read(f, which, 0)
    keep_score(f, which, number, won)
    back(f.root.thread, 0)
    return 1


def read(f: Face, which: i64, at: i64) -> None:
    """Read the parts of a value; a fault ends the search."""
    parts_by(f.root.thread.game, f.root.thread.factors, f.parts, which, at)
    if f.root.thread.game.state.fault != 0:
        failed(f.root.thread, f.root.thread.game.state.fault)


def keep_score(f: Face, which: i64, number: i64, won: i64) -> None:
    """Keep the parts of a value, better for whoever decides."""
    colour = of_value(f, which, SAID_FOR)
    if colour == EVERYBODY:
        colour = f.root.thread.game.state.mover
    at = number * f.mind.parts
    f.scores[at] = won
    for i in range(f.mind.parts - 1):
        part = f.parts[i]
        if colour ^ f.root.thread.game.state.swapped != f.root.search.me:
            if of_value(f, which, REALS) >> i & 1 == 1:
                part = float_bits(-bits_float(part))
            else:
                part = -part
        f.scores[at + 1 + i] = part


def compared(f: Face, first: i64, second: i64) -> i64:
    """1 where one decision's score is better than another's, -1 where it is worse, else 0."""
    for i in range(f.mind.parts):
        a = f.scores[first * f.mind.parts + i]
        b = f.scores[second * f.mind.parts + i]
        if f.mind.reals >> i & 1 == 1:
            if bits_float(a) != bits_float(b):
                return 1 if bits_float(a) > bits_float(b) else -1
        elif a != b:
            return 1 if a > b else -1
    return 0


def foremost(f: Face) -> i64:
    """The first of the best scored decisions, -1 where none is judged."""
    best = -1
    for number in range(f.root.search.roots):
        if f.root.moves.marks[number] != 0:
            if best < 0 or compared(f, number, best) > 0:
                best = number
    return best


def first_part(f: Face, number: i64) -> f64:
    """The first part of a decision's score."""
    part = f.scores[number * f.mind.parts + 1]
    return bits_float(part) if f.mind.reals & 2 != 0 else real(part)


# --- ways to choose ---


def way(f: Face) -> i64:
    """Where the book says how to choose: the first way whose condition holds; 0 without any."""
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
    best = foremost(f)
    if best < 0:
        return 0
    a = first_part(f, best)
    b = bits_float(f.book[at + NUMBER])
    if f.book[at + SECOND] >= 0:
        weigh_all(f, f.book[at + SECOND])
        best = foremost(f)
        if best < 0:
            return 0
        b = first_part(f, best)
    return compares(a, f.book[at + SIGN], b)


def compares(a: f64, sign: i64, b: f64) -> i64:
    """Whether a sign holds between two numbers: 1 for smaller, 2 for equal, 4 for larger ones."""
    if a == b:
        return sign >> 1 & 1
    return sign & 1 if a < b else sign >> 2 & 1


# --- one of those that are equal ---


def all_alike(f: Face) -> None:
    """Nothing says which decision is better."""
    for number in range(f.root.search.roots):
        f.left[number] = 1


def mark_best_scored(f: Face) -> None:
    """Only the best scored decisions are left, or all where none is judged."""
    best = foremost(f)
    if best < 0:
        all_alike(f)
        return
    for number in range(f.root.search.roots):
        f.left[number] = 0
        if f.root.moves.marks[number] != 0:
            f.left[number] = 1 if compared(f, number, best) == 0 else 0
    won = f.scores[best * f.mind.parts]
    f.mind.value = float_bits(real(won) if won != 0 else first_part(f, best))
    f.mind.proven = won & 1


def mark_best_searched(f: Face) -> None:
    """Only the decisions of the best value are left, or all where none has any."""
    best = best_searched(f.root)
    if best < 0:
        all_alike(f)
        return
    f.mind.value = float_bits(f.root.moves.values[best])
    for number in range(f.root.search.roots):
        f.left[number] = 0
    for i in range(f.root.search.width):
        number = f.root.moves.order[i]
        exact = f.root.moves.marks[number] & EXACT
        if exact != 0 and f.root.moves.values[number] == f.root.moves.values[best]:
            f.left[number] = 1


def preference(f: Face, number: i64) -> i64:
    """The rank of a decision's move: the lowest are preferred."""
    move = f.root.thread.game.rows[number * f.root.thread.control.row]
    return f.book[player(f, PREFER) + 1 + move]


def one_left(f: Face) -> i64:
    """One of the decisions that are left: a preferred move, then the first or any."""
    least = -1
    for number in range(f.root.search.roots):
        if f.left[number] == 1 and (least < 0 or preference(f, number) < least):
            least = preference(f, number)
    count = 0
    for number in range(f.root.search.roots):
        if f.left[number] == 1 and preference(f, number) == least:
            count = count + 1
    skipped = 0
    if player(f, TIES) == 1 and count > 1:
        skipped = chance(f.tree.chance, count)
    return left(f, least, skipped)


def how_many_left(f: Face) -> i64:
    """How many decisions are left."""
    count = 0
    for number in range(f.root.search.roots):
        count = count + f.left[number]
    return count


def left(f: Face, rank: i64, skipped: i64) -> i64:
    """The decision of a rank that is left, behind so many others; ranks below 0 are all ranks."""
    for number in range(f.root.search.roots):
        if f.left[number] == 1 and (rank < 0 or preference(f, number) == rank):
            if skipped == 0:
                return number
            skipped = skipped - 1
    return 0


# --- beams: what lies behind the best scored decisions ---


def begin_beam(f: Face) -> i64:
    """Put the best scored decisions into the order; 0 where nothing lies behind them."""
    count = 0
    for number in range(f.root.search.roots):
        if f.root.moves.marks[number] != 0:
            at = count
            while at > 0 and compared(f, number, f.root.moves.order[at - 1]) > 0:
                f.root.moves.order[at] = f.root.moves.order[at - 1]
                at = at - 1
            f.root.moves.order[at] = number
            count = count + 1
    f.root.search.width = count if count < f.mind.breadth else f.mind.breadth
    f.root.thread.control.again = 0
    f.mind.front = -1
    f.root.thread.control.levels = f.root.search.deepest
    f.root.thread.control.who = f.root.search.me
    return 1 if f.root.search.width > 0 and f.root.search.deepest > 1 else 0


def look_behind(f: Face) -> i64:
    """Look behind the decisions that are kept until the nodes that are allowed are played."""
    while f.root.search.next < f.root.search.width:
        number = f.root.moves.order[f.root.search.next]
        share = bits_float(f.mind.share)
        resume_search(f.root.thread, 2)
        weight = first_part(f, number)
        v = behind(f.root.thread, f.beam, number, weight, share, 1, f.root.search.roots)
        leave_search(f.root.thread)
        if f.root.thread.control.again == 1:
            return MORE
        note_line(f, number, v)
        f.root.search.next += 1
    return OVER


def note_line(f: Face, number: i64, v: f64) -> None:
    """A decision has its value; the line of the best one is kept."""
    f.root.moves.values[number] = v
    f.root.moves.marks[number] = KNOWN | EXACT
    if f.mind.front >= 0 and f.root.moves.values[f.mind.front] >= v:
        return
    f.mind.front = number
    for i in range(f.beam.lines[2 * LINE] + 1):
        f.root.moves.done[i] = f.beam.lines[2 * LINE + i]


def end_beam(f: Face) -> None:
    """Leave the best of the decisions that were looked behind, or the best scored ones."""
    if f.mind.front < 0:
        mark_best_scored(f)
    else:
        mark_best_searched(f)


# --- the children of a tree's root ---


def worth(f: Face, child: i64) -> f64:
    """What a child of the root is worth for who is at move there."""
    at = child * (HEAD + f.root.thread.control.row)
    me = f.tree.nodes[AT_MOVE]
    settled = f.tree.nodes[at + SETTLED] & RESULT
    if settled == EVEN:
        return 0.0
    if settled != 0:
        return 1.0 if settled == 1 + me else -1.0
    sum = f.tree.nodes[at + SUM] if me == 0 else -f.tree.nodes[at + SUM]
    return real(sum) / real(f.tree.nodes[at + VISITS] + 1)


def sort_of(f: Face, child: i64) -> i64:
    """What a child of the root is: 3 a win, 2 open, 1 a draw, 0 a loss."""
    settled = f.tree.nodes[child * (HEAD + f.root.thread.control.row) + SETTLED] & RESULT
    if settled == 0:
        return 2
    if settled == EVEN:
        return 1
    return 3 if settled == 1 + f.tree.nodes[AT_MOVE] else 0


def is_preferred(f: Face, first: i64, second: i64) -> i64:
    """Whether of two children of one sort the first is better.

    Wins are short and losses long; of what is open the one that was looked at most is played.
    """
    size = HEAD + f.root.thread.control.row
    sort = sort_of(f, first)
    away = f.tree.nodes[first * size + SETTLED] >> AWAY
    longer = away - (f.tree.nodes[second * size + SETTLED] >> AWAY)
    if sort == 3:
        return 1 if longer < 0 else 0
    if sort == 2:
        if f.tree.nodes[first * size + VISITS] == f.tree.nodes[second * size + VISITS]:
            return 1 if worth(f, first) > worth(f, second) else 0
        return more_visits(f, first, second)
    return 1 if sort == 0 and longer > 0 else 0


def best_of_sort(f: Face, sort: i64) -> i64:
    """The best child of the root among those of one sort, 0 if there is none."""
    best = 0
    first = f.tree.nodes[FIRST_CHILD]
    for child in range(first, first + f.tree.nodes[CHILDREN]):
        if sort_of(f, child) == sort:
            if best == 0 or is_preferred(f, child, best) == 1:
                best = child
    return best


def best_child(f: Face) -> i64:
    """A win; else what was looked at most, unless it is worth less than a draw that is certain."""
    best = 0
    for sort in range(4):
        child = best_of_sort(f, sort)
        if child > 0:
            if best == 0 or sort != 2 or sort_of(f, best) != 1 or worth(f, child) >= 0.0:
                best = child
    return best


def more_visits(f: Face, first: i64, second: i64) -> i64:
    """Whether a node was looked at more often than another."""
    size = HEAD + f.root.thread.control.row
    return 1 if f.tree.nodes[first * size + VISITS] > f.tree.nodes[second * size + VISITS] else 0
