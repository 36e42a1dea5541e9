"""What a race of connections is searched with: records of arrays, and where things lie in them.

Two players take empty cells in turn, and each wants to connect a home with a goal of their own.  A
set of cells is a word.  Pieces that stood at the root are never taken off, so their groups are
numbered once: those that touch a home or a goal belong to it, and for the others it is known which
cells are beside them.
"""

from __future__ import annotations

from attrs import define

from rulewright.compiler.runtime import i64, ints


class RaceWords(ints):
    """The words of a race: its settings, its state and the sizes of its arrays."""

    level: i64 = 0  # of the frame that is worked at
    mover: i64 = 1  # who decides at the root
    cells: i64 = 2  # those that are empty at the root
    full_board: i64 = 3  # 1: a full board was met on which nobody is connected
    ends: i64 = 4  # how many ends of connections the last position has
    tail: i64 = 5  # connections that were found, in the queue
    group: i64 = 6  # the cells of the last group,
    ties: i64 = 7  # and the groups of the root that belong to it


@define
class Race:
    """The arrays of a race."""

    words: RaceWords
    graph: ints  # what lies beside what, for each player
    ends: ints  # ends of connections in the last position
    pairs: ints  # what connects each two of them
    queue: ints  # connections that others may be made of
    frames: ints  # what each level of the search knows
    worth: ints  # how often a cell has won elsewhere, for each player
    paired: ints  # what pairs are looked for with


CELLS = 62  # cells, and groups, that a race can have

# the graph of a player
SIDE = 256  # words of it
HOME = 0  # cells that touch the home
GOAL = 1
GROUPS = 2  # the numbers of the groups, as a set
NEAR = 4  # for each cell the cells beside it,
TIED = 68  # and the groups beside it
REACH = 132  # for each group the cells beside it

# the ends of connections: the home, the goal, own groups, empty cells
MOST_ENDS = 128
BESIDE = 0  # for each end the empty cells beside it,
CELL = 128  # and the cell that it is, as a set; 0 for a group
NUMBER = 256  # for each empty cell its number as an end
NEXT = 320  # for each empty cell those that are beside it, or beside a group that is
ENDS = 384

# what connects two ends: full connections, then half ones, each as its carrier and a cell
FULLS = 0  # how many there are
HALVES = 1
FULL = 2  # where they begin
MOST_FULL = 6
HALF = 14
MOST_HALVES = 12
PAIR = 38  # words of a pair
QUEUE = 65536  # words of the queue

# a frame
STONES = 0  # the cells of either player
STATE = 2
LEFT = 3  # the must-play region: cells that are not refuted
REGIONS = 4  # how many regions have cut it
TRIED = 5  # the cell that is looked into
BEFORE = 6  # the nodes when the position was opened
WON = 7  # 1: who is at move wins, 0: loses
REGION = 8  # the cells that the winner needs
MOVE = 9  # a cell that wins
PROBES = 10  # the cells that are still to be probed
PROBING = 11  # 1 while the cell that is tried is only probed
SCORES = 16  # of the cells
CUTS = 80  # the regions
FRAME = 144  # words of a frame

# the state of a frame
NEW = 0
OPEN = 1
SETTLED = 2

# pairs, and the cuts that each must hold one of
PARTNER = 0  # of each cell
LOSS = 64  # what it costs to part a cell from its partner
SEED = 128  # of the random numbers
WORK = 129  # that is still allowed
COUNT = 130  # of the known cuts
OWN = 131  # the cells of the player, and those that may be paired
EMPTY = 132
MOST_CUTS = 2048
CUT = 160  # where the cuts begin,
HITS = CUT + MOST_CUTS  # how many pairs each holds,
STACK = HITS + MOST_CUTS  # and ways of sharing the pairs, as own and taken cells
PAIRED = STACK + 160  # words of all that
