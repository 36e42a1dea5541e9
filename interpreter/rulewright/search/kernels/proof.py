"""Proof numbers: can a person force at least this result?  Depth first, with a table (df-pn).

A node's proof number says how many positions beyond it have to be proven, at the least, to prove
it; its disproof number the same for the contrary (Allis 1994, Nagai 2002).  Where all decisions
have to be proven, the numbers are not added up, as that counts positions twice that are reached in
several ways: the largest counts, and one for each other (weak proof numbers, Ueda et al. 2008).

Seen by who is at move, PHI is the number of the own goal and DELTA that of the other's.  The table
holds entries of four words: hash, PHI, DELTA, and the work spent with the length of a proven
attack; two entries are a bucket.  `t.ranks` holds the hash of what each row leads to, or PROVEN,
LOST, and from ROWS on the row's last numbers: where three decisions of a position shared a bucket,
the search went round for ever.

With `threats` it is a search of threats (Allis 1994): the person who shall win only makes decisions
that threaten, the other only those that answer, as the text of a player has it; where nothing needs
an answer the attack has failed.  There decisions are only played when they are chosen: threats that
leave few answers first.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import StateWords, i64, ints, real, wrap_mul
from rulewright.search.kernels.game import decisions, how_many, play, stuck
from rulewright.search.kernels.leaves import (
    believe,
    believe_must,
    called_won,
    keep_guided,
    without_hope,
)
from rulewright.search.kernels.moving import (
    back,
    entered_again,
    failed,
    free_rows,
    may_claim,
    note,
    step,
    stopped,
)
from rulewright.search.kernels.table import by_worth, table_key
from rulewright.search.kernels.thread import (
    BELIEVED,
    DECIDED_WORD,
    FRAME,
    FRAMES,
    HOPELESS_WORD,
    LEVELS,
    NEEDED,
    ROWS,
    SPARE,
    THREATENS,
    Thread,
)

ENDLESS = 1073741824  # a proof number that cannot be reached
PROVEN = -1
LOST = -2
BOTH = 2147483648  # two numbers of a row are one word: the own goal's times this, and the other's
UNKNOWN = 2147483649  # both are 1
UNSEEN = -10  # what a row leads to is not known yet: this less the number of answers expected
ANSWERS = 4  # expected to a threat that is worth 1; a threat worth more has fewer
KEY = 0
PHI = 1
DELTA = 2
WORK = 3  # in steps of WORK_UNIT; what is left of that is how long a proven attack takes, or 0
WORK_UNIT = 512
LOST_PART = 255  # the level at which a position is left whose proof the table has lost

# what a frame holds: all that a level knows, so that it can go on later
ENDS = 0  # the row behind the last one
BEFORE = 1  # the nodes when the search of the position began
ROW = 2  # the row that is looked at
TRYING = 3  # 0 while all decisions get a first look, 1 while one is chosen, 2 while it is searched
OWN = 4  # the thresholds with which the row is searched
OTHER = 5


def place_of(table: ints, key: i64, mask: i64) -> i64:
    """Where the entry of a position lies, -1 if there is none."""
    at = (key >> 1 & mask) * 8
    if table[at + KEY] == key:
        return at
    if table[at + 4 + KEY] == key:
        return at + 4
    return -1


def write(t: Thread, key: i64, phi: i64, delta: i64, work: i64) -> None:
    """Keep an entry in place of its older one, or of the one with less work."""
    at = (key >> 1 & t.control.mask) * 8
    if t.table[at + KEY] != key and (
        t.table[at + 4 + KEY] == key or t.table[at + 4 + WORK] < t.table[at + WORK]
    ):
        at = at + 4
    t.table[at + KEY] = key
    t.table[at + PHI] = phi
    t.table[at + DELTA] = delta
    t.table[at + WORK] = work * WORK_UNIT


def reached(state: StateWords, person: i64, least: i64) -> i64:
    """Whether a finished game gives the person at least the result (1 a win, 0 a draw)."""
    if state.result == DRAWN:
        return 1 - least
    return 1 if state.result ^ state.swapped == person else 0


def first_look(t: Thread, person: i64, least: i64, level: i64, first: i64, n: i64, me: i64) -> i64:
    """Note what decisions from *first* on lead to; whether one settles it for *me* at once."""
    for i in range(first, n):
        step(t, i, n)
        if stopped(t, level) == 1:
            back(t, level)
            t.control[FRAMES + level * FRAME + ROW] = i
            return 0
        t.ranks[i] = led_to(t, person, least, level + 1, me)
        t.ranks[ROWS + i] = UNKNOWN
        back(t, level)
        if t.ranks[i] == PROVEN:
            return 1
    return 0


def led_to(t: Thread, person: i64, least: i64, level: i64, me: i64) -> i64:
    """What a decision of *me* leads to: a result, or a position that is at hand."""
    if t.game.state.result == RUNNING:
        if may_claim(t) == 1:  # then the other one cannot win
            good = hope_settles(person, least, 1 - (t.game.state.mover ^ t.game.state.swapped))
            if good >= 0 and how_many(t.game, t.control[FRAMES + (level - 1) * FRAME + ENDS]) > 0:
                return PROVEN if good == (1 if me == person else 0) else LOST
        if t.control.decided == BELIEVED:
            v = called_won(t, me)
            if v != 0.0:
                believe(t, DECIDED_WORD)
                return PROVEN if v > 0.0 else LOST
        v = without_hope(t, me)
        if v != 0.0:
            good = hope_settles(person, least, me if v > 0.0 else 1 - me)
            if good >= 0:
                believe(t, HOPELESS_WORD)
                return PROVEN if good == (1 if me == person else 0) else LOST
        return table_key(t, level) * 2 + (
            1 if t.game.state.mover ^ t.game.state.swapped == me else 0
        )
    good = reached(t.game.state, person, least)
    if me != person:
        good = 1 - good
    return PROVEN if good == 1 else LOST


def hope_settles(person: i64, least: i64, hopeless: i64) -> i64:
    """Whether a person has the result that is asked, as one can no longer win; -1: still open."""
    if least == 1 and hopeless == person:
        return 0
    if least == 0 and hopeless != person:
        return 1
    return -1


def salted(key: i64, least: i64, person: i64) -> i64:
    """A hash for a position and a goal together; never 0."""
    return (wrap_mul(key >> 1, 2862933555777941757 + 4 * least + 2 * person) >> 1) | 1


def load_proof_numbers(t: Thread, row: i64, key: i64) -> None:
    """Note the numbers of a decision as the table has them; else they stay what they were."""
    place = place_of(t.table, key, t.control.mask)
    if place >= 0:
        own = t.table[place + PHI]
        against = t.table[place + DELTA]
        if t.ranks[row] & 1 == 0:
            own = t.table[place + DELTA]
            against = t.table[place + PHI]
        t.ranks[ROWS + row] = own * BOTH + against


def select(t: Thread, person: i64, least: i64, top: i64, n: i64) -> i64:
    """The decision to look at next, -1 if there is none; the numbers are left in `control`."""
    best = -1
    most = 0
    t.control.least = ENDLESS
    t.control.second = ENDLESS
    t.control.undecided = 0
    for i in range(top, n):
        own = ENDLESS
        against = 0
        word = t.ranks[i]
        if word == PROVEN:
            own = 0
            against = ENDLESS
        elif word <= UNSEEN:
            own = UNSEEN - word
            against = 1
        elif word >= 0:
            load_proof_numbers(t, i, salted(word, least, person))
            own = t.ranks[ROWS + i] // BOTH
            against = t.ranks[ROWS + i] % BOTH
        if against > 0:
            t.control.undecided += 1
        if against > most:
            most = against
        if own < t.control.least:
            t.control.second = t.control.least
            t.control.least = own
            best = i
        elif own < t.control.second:
            t.control.second = own
    t.control.weak = most
    if t.control.undecided > 1:
        t.control.weak = most + t.control.undecided - 1
    if t.control.weak > ENDLESS or t.control.least == 0:
        t.control.weak = ENDLESS
    return best


def at_the_end(t: Thread, person: i64, least: i64, key: i64) -> i64:
    """What `prove` gives where there is no decision, or where the decisions are at fault."""
    me = t.game.state.mover ^ t.game.state.swapped
    if t.control.threats == 1 and t.game.state.fault == 0:  # the attack is over
        write(t, key, ENDLESS if me == person else 0, 0 if me == person else ENDLESS, 1)
        return -1 if me == person else 1
    if t.game.state.fault == 0:
        t.game.state.result = stuck(t.game)
        if t.game.state.result == RUNNING:
            t.game.state.fault = STUCK
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
        return 0
    good = reached(t.game.state, person, least)
    if me != person:
        good = 1 - good
    write(t, key, 0 if good == 1 else ENDLESS, ENDLESS if good == 1 else 0, 1)
    return 1 if good == 1 else -1


def attacked(t: Thread, top: i64, n: i64, me: i64, person: i64) -> i64:
    """Keep the rows that an attack asks for: what must be done, else what threatens."""
    end = keep_guided(t, NEEDED, top, n, me)
    if end > top:
        believe_must(t, end, n)
        for i in range(top, end):
            t.ranks[i] = UNSEEN - 1
    elif me == person:
        end = keep_guided(t, THREATENS, top, n, me)
        for i in range(top, end):
            t.ranks[i] = UNSEEN - expected_answers(t.ranks[i])
    return end


def expected_answers(rank: i64) -> i64:
    """How many answers to a threat are expected, by the rank of its worth."""
    expected = 1
    for n in range(2, 2 * ANSWERS + 1):
        if rank < by_worth(real(ANSWERS) / real(n - 1)):
            expected = n
    return expected


def opened(t: Thread, level: i64, top: i64, me: i64, person: i64) -> i64:
    """List the decisions of a position; 0 if there are none, or a fault."""
    at = FRAMES + level * FRAME
    t.control[at + BEFORE] = t.control.nodes
    t.control[at + TRYING] = 0
    t.control[at + ROW] = top
    n = decisions(t.game, top)
    if t.control.threats == 1:
        n = attacked(t, top, n, me, person)
    elif t.control.must == 1 and n > top:
        end = keep_guided(t, NEEDED, top, n, me)
        if end > top:
            believe_must(t, end, n)
            n = end
    t.control[at + ENDS] = n
    return 0 if t.control[at + ENDS] == top or t.game.state.fault != 0 else 1


def settled_at_sight(t: Thread, person: i64, least: i64, level: i64, me: i64, key: i64) -> i64:
    """Whether a first look at all decisions settles the position, or ends the search of it.

    1 if the own goal is proven; 2 where lines or rows have no end.
    """
    at = FRAMES + level * FRAME
    n = t.control[at + ENDS]
    first = t.control[at + ROW]
    if t.control.threats == 0 and first_look(t, person, least, level, first, n, me) == 1:
        write(t, key, 0, ENDLESS, t.control.nodes - t.control[at + BEFORE])
        return 1
    if t.control.unwinding == 1:
        return 0
    if level + 2 >= LEVELS or n > ROWS - SPARE:
        t.control.open = 1
        write(t, key, ENDLESS, ENDLESS, 1)
        return 2
    t.control[at + TRYING] = 1
    return 0


def chosen_next(
    t: Thread, person: i64, least: i64, phi: i64, delta: i64, level: i64, top: i64, key: i64
) -> i64:
    """Whether there is a decision to search next; its row and thresholds are left in the frame."""
    at = FRAMES + level * FRAME
    row = select(t, person, least, top, t.control[at + ENDS])
    work = t.control.nodes - t.control[at + BEFORE] + 1
    write(t, key, t.control.least, t.control.weak, work)
    if t.control.least >= phi or t.control.weak >= delta or row < 0:
        return 0
    # some patience saves coming back again and again
    limit = t.control.second + (t.control.second >> 2) + 1
    if limit > phi:
        limit = phi
    t.control[at + ROW] = row
    t.control[at + OWN] = limit
    t.control[at + OTHER] = delta - t.control.undecided + 1
    t.control[at + TRYING] = 2
    return 1


def go_deeper(
    t: Thread, person: i64, least: i64, phi: i64, delta: i64, level: i64, row: i64
) -> None:  # fmt: skip
    """Search below the position to which a row has led."""
    below = salted(t.ranks[row], least, person)
    top = t.control[FRAMES + level * FRAME + ENDS]
    prove(t, person, least, phi, delta, level + 1, top, below)


def prove(
    t: Thread, person: i64, least: i64, phi: i64, delta: i64, level: i64, top: i64, key: i64
) -> i64:
    """Search below a position until one of its numbers passes its threshold.

    For who is at move: 1 if the own goal is proven, -1 if the other's is, 0 if neither.
    """
    me = t.game.state.mover ^ t.game.state.swapped
    at = FRAMES + level * FRAME
    if entered_again(t, level) == 0 and opened(t, level, top, me, person) == 0:
        return at_the_end(t, person, least, key)
    note(t, level)
    if t.control[at + TRYING] == 0:
        settled = settled_at_sight(t, person, least, level, me, key)
        if settled > 0:
            return 2 - settled
    while t.control.unwinding == 0:
        if t.control[at + TRYING] == 1:
            if chosen_next(t, person, least, phi, delta, level, top, key) == 0:
                return 1 if t.control.least == 0 else -1 if t.control.weak == 0 else 0
        row = t.control[at + ROW]
        step(t, row, free_rows(t, level, t.control[at + ENDS]))
        if stopped(t, level) == 0:
            if t.ranks[row] <= UNSEEN:
                t.ranks[row] = led_to(t, person, least, level + 1, me)
                t.ranks[ROWS + row] = UNKNOWN
            elif t.ranks[row] & 1 == 1:
                go_deeper(t, person, least, t.control[at + OWN], t.control[at + OTHER], level, row)
            else:
                go_deeper(t, person, least, t.control[at + OTHER], t.control[at + OWN], level, row)
        back(t, level)
        if t.control.unwinding == 0:
            t.control[at + TRYING] = 1
            if t.ranks[row] >= 0:
                load_proof_numbers(t, row, salted(t.ranks[row], least, person))
    return 0


def longest_defence(t: Thread, person: i64, level: i64, top: i64, key: i64) -> i64:
    """How many decisions a proven attack takes at the most; it is kept in the table.

    -1 where the table has lost a part: `lost` is 1, and the position is left at LOST_PART.
    """
    entry = place_of(t.table, key, t.control.mask)
    if entry >= 0 and t.table[entry + WORK] % WORK_UNIT > 0:
        return t.table[entry + WORK] % WORK_UNIT
    me = t.game.state.mover ^ t.game.state.swapped
    n = attacked(t, top, decisions(t.game, top), me, person)
    note(t, level)
    longest = -1
    for i in range(top, n):
        if t.control.lost == 0 and (longest < 0 or me != person):
            d = defence_after(t, person, level, i, n)
            if d < 0 and me != person and t.control.lost == 0:
                missing(t)
            back(t, level)
            if d > longest:
                longest = d
    if longest < 0 and t.control.lost == 0:
        missing(t)
    if t.control.lost == 1 or level + 2 >= LEVELS:
        return -1
    entry = place_of(t.table, key, t.control.mask)
    if entry >= 0:
        t.table[entry + WORK] = t.table[entry + WORK] // WORK_UNIT * WORK_UNIT + longest
    return longest


def missing(t: Thread) -> None:
    """Note that the table has lost the proof of the present position."""
    t.control.lost = 1
    note(t, LOST_PART)


def defence_after(t: Thread, person: i64, level: i64, number: i64, n: i64) -> i64:
    """Play a decision, then as `longest_defence`; -1 too for one that is not known to win."""
    me = t.game.state.mover ^ t.game.state.swapped
    play(t.game, number * t.control.row, n)
    if t.game.state.result != RUNNING:
        return 1 if reached(t.game.state, person, 1) == 1 else -1
    same = 1 if t.game.state.mover ^ t.game.state.swapped == me else 0
    key = salted(table_key(t, level + 1) * 2 + same, 1, person)
    entry = place_of(t.table, key, t.control.mask)
    mine = 1 if t.game.state.mover ^ t.game.state.swapped == person else 0
    if entry < 0:
        return -1
    if t.table[entry + (PHI if mine == 1 else DELTA)] != 0:
        return -1
    d = longest_defence(t, person, level + 1, n, key)
    return d if d < 0 else d + 1
