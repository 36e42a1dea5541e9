"""First decisions of an engine to take away: random ones, given ones, or what lines say.

The same as `players/opening.py`: an opening leaves decisions, of which one is taken at random.
"""

from __future__ import annotations

from rulewright.app.build.choosing import OPENING, SITES, all_alike, player
from rulewright.app.build.face import Face, write, write_decision
from rulewright.compiler.layout import FRESH, MOVER, SWAPPED
from rulewright.compiler.runtime import bits_float, i64, real
from rulewright.search.kernels.game import opens, wanted_by
from rulewright.search.kernels.moving import failed
from rulewright.search.kernels.random_games import chance

# of an opening, from its place on
RANDOM = 0  # how many turns of one's own are random
TURNS = 1  # how many are given
LINES = 2  # how many lines there are; then the places of the turns' texts, then the lines

# of a line
MOVE = 0
LAST = 1  # sites of last decisions that it asks for
SETS = 2
SHARE = 3  # of cases in which it is followed, as bits
LINE_WORDS = 4

MANY = 1073741824


def opening_decides(f: Face) -> i64:
    """Whether an opening decides here; then the decisions that it allows are the candidates."""
    place = player(f, OPENING)
    if f.book[place + RANDOM] > 0 or f.book[place + TURNS] > 0:
        return counted_turns(f, place)
    for number in range(f.book[place + LINES]):
        at = place + 3 + number * LINE_WORDS
        if followed(f, at) == 1 and keep_line_moves(f, number, at) == 1:
            return 1
    return 0


# --- counted turns ---


def is_own(f: Face, ply: i64) -> i64:
    """Whether whoever decides was at move after so many decisions."""
    at = ply * f.root.thread.control.size
    person = f.before[at + MOVER] ^ f.before[at + SWAPPED]
    return 1 if person == f.root.search.me else 0


def counted_turns(f: Face, place: i64) -> i64:
    """Return the decision that an opening of counted turns prescribes, random or listed."""
    turns = 0
    for ply in range(f.words.played):
        begins = f.before[ply * f.root.thread.control.size + FRESH]
        if is_own(f, ply) == 1 and (turns == 0 or begins != 0):
            turns = turns + 1
    if turns == 0 or f.root.thread.game.state.fresh != 0:
        turns = turns + 1
    if turns <= f.book[place + RANDOM]:
        all_alike(f)
        return 1
    if turns > f.book[place + TURNS]:
        return 0
    turn = 0
    for ply in range(f.words.played):
        if is_own(f, ply) == 1:
            write_decision(f, f.decision_rows, ply * f.root.thread.control.row)
            if is_text(f, f.book[place + 3 + turn]) == 0:
                return 0
            turn = turn + 1
    return mark_text(f, f.book[place + 3 + turn])


def is_text(f: Face, at: i64) -> i64:
    """Whether what was written last is a text of the book."""
    for i in range((f.book[at] >> 3) + 1):
        word = 0
        if i * 8 < f.book[at]:
            word = f.book[at + 1 + i]
        if f.text[i] != word:
            return 0
    return 1


def mark_text(f: Face, at: i64) -> i64:
    """Make the decision of a text a candidate; 0 if no legal decision has that text."""
    any_left = 0
    for number in range(f.root.search.roots):
        write(f, number)
        f.candidates[number] = is_text(f, at)
        any_left = any_left | f.candidates[number]
    return any_left


# --- lines ---


def followed(f: Face, at: i64) -> i64:
    """Draw by the line's share whether it is followed this time."""
    share = bits_float(f.book[at + SHARE])
    if share >= 1.0:
        return 1
    return 1 if real(chance(f.tree.chance, MANY)) / real(MANY) < share else 0


def site_of(f: Face, move: i64) -> i64:
    """The word of a move's rows that is the site, -1 where it chooses none."""
    return f.book[player(f, SITES) + 1 + move]


def last_sites(f: Face, length: i64) -> i64:
    """Note the sites of the last decisions that chose any; whether there were as many."""
    count = 0
    ply = f.words.played - 1
    while ply >= 0 and count < length:
        row = ply * f.root.thread.control.row
        word = site_of(f, f.decision_rows[row])
        if word >= 0:
            f.last[count] = f.decision_rows[row + word]
            count = count + 1
        ply = ply - 1
    return 1 if count == length else 0


def keep_line_moves(f: Face, line: i64, at: i64) -> i64:
    """Keep as candidates the decisions that an opening line names; 0 where it names none."""
    if last_sites(f, f.book[at + LAST]) == 0:
        return 0
    speaks = opens(f.root.thread.game, f.root.thread.factors, f.last, line)
    if f.root.thread.game.state.fault != 0:
        failed(f.root.thread, f.root.thread.game.state.fault)
    if speaks == 0:
        return 0
    if f.book[at + SETS] == 0:
        return mark_said(f, line, at, -1)
    for number in range(f.book[at + SETS]):
        if mark_said(f, line, at, number) == 1:
            return 1
    return 0


def mark_said(f: Face, line: i64, at: i64, number: i64) -> i64:
    """Keep as candidates the decisions of a line's move in its sets, or in any; 0 if none."""
    any_left = 0
    word = site_of(f, f.book[at + MOVE])
    for i in range(f.root.search.roots):
        row = i * f.root.thread.control.row
        f.candidates[i] = 0
        if f.root.thread.game.rows[row] == f.book[at + MOVE]:
            if number < 0:
                f.candidates[i] = 1
            elif word >= 0:
                site = f.root.thread.game.rows[row + word]
                f.candidates[i] = wanted_by(
                    f.root.thread.game, f.root.thread.factors, f.last, line, number, site
                )
            any_left = any_left | f.candidates[i]
    return any_left
