"""What one thread searches with: records of the arrays that the kernels share with Python.

Also the numbers that stand in these arrays, and the sizes of those that are the same for all games.
"""

from __future__ import annotations

from attrs import define

from rulewright.compiler.runtime import GameArrays, floats, i64, ints


class Control(ints):
    """Words that Python and the kernels of a thread share; the frames of levels stand behind."""

    size: i64 = 0  # words of a position
    row: i64 = 1  # words of a decision
    nodes: i64 = 2  # decisions played so far
    node_limit: i64 = 3  # where the present slice of the search ends
    stop: i64 = 4  # written by another thread, or by the search at a limit
    fault: i64 = 5  # the number of a fault of the rules or of an evaluator, or 0
    open: i64 = 6  # whether the last value depends on where the search stopped looking
    table: i64 = 7  # how the transposition table is used
    mask: i64 = 8  # buckets of the table that are in use, less one
    age: i64 = 9  # counts the iterations, modulo 4
    turns: i64 = 10  # 1: depth counts turns, 0: decisions
    judge: i64 = 11  # 0 results alone, 1 an evaluator at the horizon, 2 in finished games too
    step: i64 = 12  # 1: an earlier win is better, 0: a win is a win
    look: i64 = 13  # remaining depth from which ends at hand are looked for before anything else
    scout: i64 = 14  # 1: principal variation search, 0: every decision with the whole window
    room: i64 = 15  # tree search: nodes there is room for
    mates: i64 = 16  # 1: a player without a decision may have come to a win or a loss
    value: i64 = 17  # a value handed back beside another result, as its bits
    best_row: i64 = 18  # the row of the best decision of the last position
    least: i64 = 19  # proof numbers: the smallest of a position's decisions, the next one,
    second: i64 = 20
    weak: i64 = 21  # the other's number for all of them together,
    undecided: i64 = 22  # and how many are not settled
    dry: i64 = 23  # 1: a player without a decision may have come to the end of the game
    replied: i64 = 24  # beam: whether the last position had a decision that is judged
    narrow: i64 = 25  # 1: decisions are narrowed to candidates
    unwinding: i64 = 26  # 1: the search goes back to its root, to go on later
    path: i64 = 27  # decisions from the root to where it stopped looking; levels that are saved
    resumed: i64 = 28  # levels that are still to be entered again
    last: i64 = 29  # the limit of nodes of the whole search, at which nothing is saved any more
    plies: i64 = 30  # tree search: what is left of a random game that was broken off
    levels: i64 = 31  # beam: how many it has
    viewer: i64 = 32  # beam: the person who sees all values
    forcing: i64 = 33  # how many forcing decisions are followed where looking stops
    order: i64 = 34  # 1: decisions are tried in the order of a value of moves
    late: i64 = 35  # 1: decisions late in the order are searched less deep at first
    passing: i64 = 36  # 1: a turn may be passed to see whether even that is good enough
    course: i64 = 37  # the number of a whole turn, as states have it
    must: i64 = 38  # 1: some decisions make others needless
    threats: i64 = 39  # proof numbers, 1: of threats and what answers them alone
    considering: i64 = 40  # how many decisions a value of moves may keep, 0: it keeps all
    settled: i64 = 41  # whether what was left out of the last position cannot matter
    rave: i64 = 42  # tree search: games after which those where a decision came later count half
    learning: i64 = 43  # tree search, 1: it is counted which decisions came later
    policy: i64 = 44  # tree search: the weight at which a decision that was drawn is always made
    games: i64 = 45  # tree search: how many there were
    longest: i64 = 46  # tree search: a random game with more decisions counts as a draw
    drawn: i64 = 47  # 1: a value says which positions are drawn, BELIEVED: and is true
    incremental: i64 = 48  # tree search: what a random game keeps up to date, or 0
    lost: i64 = 49  # proof numbers: whether the table has lost a part of a proof that is told
    symmetries: i64 = 50  # in how many ways positions are turned before the table is asked
    image: i64 = 51  # in which of these ways the last position was turned, 0: it was not
    turned: i64 = 52  # up to which level they are turned
    bold: i64 = 53  # 1: what is late or hopeless near the end of the depth is left out
    margin: i64 = 54  # by how much one decision changes a value, as bits of a float
    farthest: i64 = 55  # the level up to which sharp positions are looked at one deeper
    widest: i64 = 56  # buckets of the whole table less one; `mask` is of those in use
    new_entries: i64 = 57  # entries written since more of the table came into use
    crowd: i64 = 58  # 1: other threads search the same: the table tells what they find, or the tree
    replies: i64 = 59  # tree search: lines that random games ask before anything else
    results: i64 = 60  # 1: results alone count, so that the table tells fewer positions apart
    decided: i64 = 61  # 1: a value says which positions are won, BELIEVED: and is true
    others: i64 = 62  # how many other threads write into the same table
    hopeless: i64 = 63  # BELIEVED: a value says truly who can no longer win; only proofs ask it
    believed: i64 = 64  # bits of the words of a text that the search has taken for true
    counted: i64 = 65  # 1: a value asks how many turns are finished, so that the table tells them
    claims: i64 = 66  # the word of a position that tells whether a draw may be claimed, or 0
    led: i64 = 67  # tree search, 1: a text leads it
    again: i64 = 68  # 1: the search goes on where it stopped
    at: i64 = 69  # root: the decision under way, -1 for none; the value that it has to reach, as
    floor: i64 = 70  # bits, and how it is searched: see `deepening.py`
    window: i64 = 71
    new_value: i64 = 72  # root: the value of that decision, as bits, and what is known of it
    new_marks: i64 = 73
    lots: i64 = 74  # the word of a row that says how likely it is where chance decides; 0: never
    probe: i64 = 75  # the person whose next position is probed, plus 1; 0: it is searched
    seats: i64 = 76  # players


SETTINGS = 77  # words of them


@define
class Thread:
    """The arrays of one thread of a search; a kernel may make one with another table."""

    game: GameArrays
    factors: floats  # of the evaluator
    undo: ints  # positions to go back to, one for each level
    control: Control
    table: ints  # the transposition table
    ranks: ints  # of each row
    history: ints  # what cut off elsewhere, and killers


@define
class Tree:
    """A tree as one thread sees it: `nodes` and `later` are those of all threads.

    Those behind `chance` are used where a text leads the search.
    """

    nodes: ints
    path: ints  # from the root
    chance: ints
    later: ints  # what all games say of the decision of a node, see `montecarlo.py`
    trail: ints  # how many decisions the game has, then a word for each
    last_played: ints  # for each person and mark the game and the place where it was made last
    last: ints  # the sites of the last decisions, the last one first, and the same at the root


FRAMES = 80  # where the frames of the levels begin: what each knows, to go on with it later
FRAME = 19  # words of a frame
LEVELS = 256  # decisions that a line can be long
CONTROL = 4944  # length of all that: FRAMES + FRAME * LEVELS
LINE = 64  # beam: words of a line; levels of a beam are fewer
PATH = 4096  # tree search: nodes that a path can be long
ROWS = 131072  # rows that a search uses
SPARE = 20480  # rows that the decisions of one position may need

# what a frame holds: all that a level knows, so that it can go on later
ENDS = 0  # the row behind the last one, with and without those that are left out
WHOLE = 1
TRYING = 2  # what is done now
ROW = 3  # the row that is looked at
NUMBER = 4  # how many were tried before it
CHOSEN = 5  # the best row so far, whether its value is open, the value, the lower bound
OPEN = 6
BEST = 7
LOW = 8
WIDE = 9  # how the row is searched: less deep, as deep as the others, with the whole window
PICKED = 10  # whether the row to try is known, and need not be picked
HINT = 11  # the number of the decision that the table says to try first, or NONE
PASSED = 12  # 1 while what follows a passed turn is searched
RANK = 13  # the rank that the row had before it was picked
IMAGE = 14  # how the position is turned in the table
STATIC = 15  # what the evaluator says of the position
CALM = 16  # 1 where a turn may be passed, -1 where the position is sharp
KEY = 17  # the hash of the position, where threads search together
PROBE = 18  # 1: the best ranked decision alone is tried, which is worth this at least

LOOK = 2  # `control.look`, unless a text bets
BELIEVED = 2  # of what a text calls drawn or decided: a proof may rest on it

# the bits of `control.believed`: what a text says of a position or of its decisions
MUST = 1
DRAWN_WORD = 2
DECIDED_WORD = 4
HOPELESS_WORD = 8

# how the transposition table is used
NO_TABLE = 0
ORDER_ONLY = 1  # where rules look back: the best decision is tried first, values are not used
AT_LEAST = 2  # values of the wanted depth or more
SAME_DEPTH = 3  # values that a search without the table would find
TRUSTED = 4  # as AT_LEAST, though rules look back: nothing is proven by them

# what values of moves tell a search: which decisions
FORCES = 0  # force an answer, and are followed where looking stops
NEEDED = 1  # leave no other to be looked at
THREATENS = 2  # have to be answered by the other person
CONSIDERED = 3  # are worth a look
ORDER = 4  # are tried first
POLICY = 5  # are made in random games, as often as they are worth

WIN = 1000000000000000  # the value of a win, less its distance
SURE = 900000000000000  # values beyond it are wins; an evaluator's are cut to half of it
