"""What an engine to take away can be asked: kernels over arrays that lie still in it.

One game is in progress: `start` begins it, `play_number` and `undo` go on and back, `moves` counts
the decisions, `write` and `find` turn them into texts and back.  `perft_here` and `playouts_here`
count from the position.  Searches begin in `thinking.py`.

Texts are bytes, eight in a word, the first in the lowest bits, with a 0 behind them.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import (
    bits_float,
    f64,
    i64,
    ints,
    shift_right,
    wrap_add,
    wrap_mul,
    wrap_shl,
)
from rulewright.search.kernels.game import decisions, perft, play, playouts, stuck
from rulewright.search.kernels.moving import by_chance, place_at_end
from rulewright.search.kernels.random_games import chance, draw_weighted
from rulewright.search.kernels.root import RootArrays
from rulewright.search.kernels.thread import Tree
from rulewright.search.kernels.weighing import Beam, ScoreArrays

NO_MOVE = -1
LOW = 4611686018427387903  # 62 bits
FULL = -2
DEEP = 256  # decisions that a line of perft may have
FIRSTS = 10  # of more than two players: where the games are counted that each has won
MIXED = 8  # numbers that are drawn before one is used: seeds that follow each other begin alike


class Book(ints):
    """Constants: where the first position, the notation and the player begin, then these.

    The notation begins with a place for each move, that of the decision not to move first.  There
    stand the parts of its text: how many, then for each where its texts begin, how many choices it
    shows, and for each of these its word in the row, its least value, its factor.  A text is a
    place, and there its length and its bytes.
    """

    first: i64 = 0
    notation: i64 = 1
    player: i64 = 2


class GameWords(ints):
    """What the engine knows of its game."""

    listed: i64 = 0  # 1: the rows are the decisions of the position
    count: i64 = 1  # how many these are
    played: i64 = 2  # decisions so far
    room: i64 = 3  # decisions that can be taken back
    fault: i64 = 4  # what the rules did wrong when they were asked last, or 0


class Mind(ints):
    """The search of an engine: its settings first, then its state and the decision so far."""

    how: i64 = 0  # how it searches: a number of `thinking.py`
    now: i64 = 1  # what is done now: a number of `thinking.py`
    best: i64 = 2  # the number of the best decision
    value: i64 = 3  # what it is worth for who is at move, as bits
    proven: i64 = 4  # whether the value is
    explore: i64 = 5  # the weight of exploration in a tree, as bits
    prove: i64 = 6  # ten thousandths of the nodes in which results are looked for first
    begun: i64 = 7  # nodes that were played before the proof


class Counts(ints):
    """What perft and random games count."""

    decisions: i64 = 0
    faults: i64 = 3
    stop: i64 = 6
    full: i64 = 7
    levels: i64 = 8


class Face:
    """All arrays of an engine, which its kernels share."""

    root: RootArrays
    tree: Tree
    book: Book
    words: GameWords
    counts: Counts
    before: ints  # positions that can be gone back to
    decision_rows: ints  # rows of the decisions that led from each to the next
    mind: Mind
    candidates: ints  # 1 for each decision of the root that may still be chosen
    scores: ScoreArrays
    beam: Beam
    kept_settings: ints  # settings that come back after a proof
    last: ints  # the sites of the last decisions, the last one first
    text: ints  # what was written last
    wanted: ints  # what is to be found


# --- the game ---


def start(f: Face) -> None:
    """Begin a game."""
    for i in range(f.root.thread.control.size):
        f.root.thread.game.state[i] = f.book[f.book.first + i]
    f.words.played = 0
    f.words.listed = 0
    f.words.fault = 0


def moves(f: Face) -> i64:
    """How many decisions there are; none when the game is over."""
    if f.words.listed == 1:
        return f.words.count
    f.words.count = 0
    f.words.fault = f.root.thread.game.state.fault
    if f.root.thread.game.state.result == RUNNING and f.words.fault == 0:
        f.words.count = decisions(f.root.thread.game, 0)
        if f.words.count == 0 and f.root.thread.game.state.fault == 0:
            f.root.thread.game.state.result = stuck(f.root.thread.game)
            if f.root.thread.game.state.result == RUNNING:
                f.root.thread.game.state.fault = STUCK
        f.words.fault = f.root.thread.game.state.fault
    f.words.listed = 1
    return f.words.count


def keep(f: Face) -> None:
    """Keep the position, to go back to it."""
    at = f.words.played * f.root.thread.control.size
    for i in range(f.root.thread.control.size):
        f.before[at + i] = f.root.thread.game.state[i]


def go_back(f: Face) -> None:
    """Restore the position that was kept; its decisions are to be listed anew."""
    at = f.words.played * f.root.thread.control.size
    for i in range(f.root.thread.control.size):
        f.root.thread.game.state[i] = f.before[at + i]
    f.words.listed = 0


def play_number(f: Face, number: i64) -> i64:
    """Play a decision by its number; 0 if there is none, or the rules are at fault."""
    if number < 0 or number >= moves(f) or f.words.played >= f.words.room:
        return 0
    keep(f)
    row = f.root.thread.control.row
    for i in range(row):
        f.decision_rows[f.words.played * row + i] = f.root.thread.game.rows[number * row + i]
    play(f.root.thread.game, number * row, f.words.count)
    if f.root.thread.game.state.fault != 0:
        f.words.fault = f.root.thread.game.state.fault
        go_back(f)
        return 0
    f.words.played += 1
    f.words.listed = 0
    return 1


def undo(f: Face) -> i64:
    """Take back the last decision; 0 if there is none."""
    if f.words.played == 0:
        return 0
    f.words.played -= 1
    f.words.fault = 0
    go_back(f)
    return 1


def mover(f: Face) -> i64:
    """The player at move: 0 for the first."""
    return f.root.thread.game.state.mover


def result(f: Face) -> i64:
    """How the game ended: the number of the colour that won, of the last plus 1 for a draw.

    -1 while it goes on.
    """
    moves(f)
    ended = f.root.thread.game.state.result
    seats = f.root.thread.control.seats
    if ended == RUNNING or seats == 2:
        return ended
    firsts = 0
    winner = seats
    for seat in range(seats):
        if place_at_end(ended, seat) == 1:
            firsts = firsts + 1
            winner = seat
    return winner if firsts == 1 else seats


def seat_place(f: Face, seat: i64) -> i64:
    """The place of a player at the end, from 1; equal places are shared.  0 while it goes on."""
    winner = result(f)
    if winner == RUNNING:
        return 0
    if f.root.thread.control.seats > 2:
        return place_at_end(f.root.thread.game.state.result, seat)
    return 1 if winner == seat or winner == 2 else 2


def fault(f: Face) -> i64:
    """Return the number of the fault that the rules committed, 0 for none."""
    return f.words.fault


# --- chance ---


def is_by_chance(f: Face) -> i64:
    """Whether chance makes the next decision, and no player."""
    if moves(f) == 0:
        return 0
    return by_chance(f.root.thread, 0)


def share_of_row(f: Face, number: i64) -> f64:
    """The share of a decision in what chance may decide, as its row has it."""
    return bits_float(
        f.root.thread.game.rows[number * f.root.thread.control.row + f.root.thread.control.lots]
    )


def likelihood(f: Face, number: i64) -> f64:
    """How likely chance makes a decision; 0 where a player decides, and for one that is none."""
    if number < 0 or number >= moves(f) or is_by_chance(f) == 0:
        return 0.0
    total = 0.0
    for other in range(f.words.count):
        total = total + share_of_row(f, other)
    return share_of_row(f, number) / total


def roll(f: Face, seed: i64) -> i64:
    """The number of what chance decides, the same for a seed; -1 where a player decides."""
    if is_by_chance(f) == 0:
        return NO_MOVE
    f.tree.chance[0] = seeded(seed)
    for _ in range(MIXED):
        chance(f.tree.chance, 2)
    row = f.root.thread.control.row
    lots = f.root.thread.control.lots
    return draw_weighted(f.root.thread.game.rows, f.tree.chance, lots, row, f.words.count)


# --- texts ---


def put_byte(text: ints, at: i64, byte: i64) -> None:
    """Write a byte of a text."""
    shift = (at & 7) * 8
    text[at >> 3] = (text[at >> 3] & ~wrap_shl(255, shift)) | wrap_shl(byte, shift)


def write_decision(f: Face, rows: ints, at: i64) -> i64:
    """Write the text of the decision in the row at word *at*; its length in bytes."""
    length = 0
    here = f.book[f.book.notation + 1 + rows[at]]
    parts = f.book[here]
    here = here + 1
    for _ in range(parts):
        code = f.book[here]
        digits = f.book[here + 1]
        here = here + 2
        for _ in range(digits):
            code = code + (rows[at + f.book[here]] - f.book[here + 1]) * f.book[here + 2]
            here = here + 3
        place = f.book[code]
        for i in range(f.book[place]):
            byte = shift_right(f.book[place + 1 + (i >> 3)], (i & 7) * 8) & 255
            put_byte(f.text, length, byte)
            length = length + 1
    for i in range(8):
        put_byte(f.text, length + i, 0)
    return length


def write(f: Face, number: i64) -> i64:
    """Write the text of a decision into `text`; its length, 0 if there is no such decision."""
    if number < 0 or number >= moves(f):
        f.text[0] = 0
        return 0
    return write_decision(f, f.root.thread.game.rows, number * f.root.thread.control.row)


def find(f: Face) -> i64:
    """The number of the decision that is written in `wanted`, -1 if there is none."""
    for number in range(moves(f)):
        words = (write(f, number) >> 3) + 1
        same = 1
        for i in range(words):
            if f.text[i] != f.wanted[i]:
                same = 0
        if same == 1:
            return number
    return NO_MOVE


# --- counting ---


def perft_here(f: Face, depth: i64) -> i64:
    """Sequences of so many decisions; -1 for a fault of the rules, -2 where there is no room."""
    n = moves(f)
    if f.words.fault != 0:
        return -1
    if depth <= 0:
        return 1
    if depth > DEEP or f.words.played >= f.words.room:
        return FULL
    if n == 0:
        return 0
    keep(f)
    f.counts.stop = 0
    f.counts.full = 0
    leaves = perft(f.root.thread.game, f.root.saved, f.counts, depth, 0, n)
    fault_met = f.root.thread.game.state.fault
    go_back(f)
    f.words.fault = fault_met
    if fault_met != 0:
        return -1
    return FULL if f.counts.full != 0 else leaves


def seeded(seed: i64) -> i64:
    """The state of a generator of random numbers."""
    return (wrap_add(wrap_mul(seed, 2654435761), 88172645463325252) & LOW) | 1


def playouts_here(f: Face, games: i64, seed: i64, most: i64) -> i64:
    """Play so many random games, each at most so many decisions; how many there were in all."""
    moves(f)
    f.tree.chance[0] = seeded(seed)
    f.tree.chance[1] = 0
    for i in range(FIRSTS + f.root.thread.control.seats):
        f.counts[i] = 0
    plies = playouts(f.root.thread.game, f.root.saved, f.tree.chance, f.counts, games, most)
    f.words.listed = 0
    return plies


def counted(f: Face, which: i64) -> i64:
    """Of the last random games: those that each person won, then draws, then faults."""
    seats = f.root.thread.control.seats
    if which < 0 or which > seats + 1:
        return 0
    if which >= seats:
        return f.counts[which - seats + 2]
    return f.counts[which] if seats == 2 else f.counts[FIRSTS + which]


def write_line(f: Face, number: i64) -> i64:
    """Write the text of a decision of the best line into `text`; its length."""
    if number < 0 or number >= f.root.search.line:
        f.text[0] = 0
        return 0
    return write_decision(f, f.root.line, number * f.root.thread.control.row)
