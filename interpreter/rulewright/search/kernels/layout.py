"""Where things lie in the arrays that the search shares with Python: names for numbers."""

from __future__ import annotations

# C, the control words of one thread
SIZE = 0  # words of a position
ROW = 1  # words of a decision
NODES = 2  # decisions played so far
NODE_LIMIT = 3
STOP = 4  # written by another thread, or by the search at a limit
FAULTED = 5  # the number of a fault of the rules, or 0
OPEN = 6  # whether the last value depends on where the search stopped looking
TABLE = 7  # how the transposition table is used
MASK = 8  # buckets of the table less one
AGE = 9  # counts the iterations, modulo 4
UNIT = 10  # what a unit of depth is: 0 a decision, 1 a turn
JUDGE = 11  # 0 results alone, 1 an evaluator at the horizon, 2 in finished games too
STEP = 12  # 1: an earlier win is better, 0: a win is a win
LOOK = 13  # remaining depth from which ends at hand are looked for before anything else
SCOUT = 14  # 1: principal variation search, 0: every decision with the whole window
ROOM = 15  # tree search: nodes there is room for
USED = 16  # tree search: nodes in use
VALUE = 17  # a value handed back beside another result, as its bits
CHOSEN = 18  # the row of the best decision of the last position
LEAST = 19  # proof numbers: the smallest of a position's decisions, the next one,
SECOND = 20
WEAK = 21  # the other's number for all of them together,
UNDECIDED = 22  # and how many are not settled
DRY = 23  # 1: a player without a decision may have come to the end of the game
FOUND = 24  # beam: whether the last position had a decision that is judged
NARROW = 40  # 1: decisions are narrowed to candidates (`narrow`)
PATH = 4096  # tree search: nodes that a path can be long
CONTROL = 64  # length of C, so that two threads never share a line of the processor's cache

# values of C[TABLE]
NO_TABLE = 0
ORDER_ONLY = 1  # where rules look back: the best decision is tried first, values are not used
AT_LEAST = 2  # values of the wanted depth or more
SAME_DEPTH = 3  # values that a search without the table would find

LINE = 64  # beam: words of a line; levels of a beam are fewer
LEVELS = 256  # decisions that a line can be long
HISTORY_SIZE = 4096  # entries of the history of each person
KILLERS = 8192  # where the killers begin, two for each level
ORDERING = 8704  # length of B
ROWS = 131072  # rows of M and of O
SPARE = 20480  # rows that the decisions of one position may need

WIN = 1000000000000000  # the value of a win, less its distance
SURE = 900000000000000  # values beyond it are wins; an evaluator's are cut to half of it
