"""Kernels of a batch on a card: steps that take their actions from one array and fill others.

Kernel Python, linked to the kernels of a batch.  Nothing of a step comes back to the processor: who
decides, how many decisions there are, rewards and ends lie in arrays for whoever reads them there,
and what went wrong is kept until somebody asks.
"""

from __future__ import annotations

from rulewright.compiler.runtime import StateWords, floats, i64, ints, shift_right
from rulewright.learning.kernels import (
    Lane,
    LaneArrays,
    begin_game,
    list_actions,
    play_action,
    roll_lane,
    worth_of_place,
)
from rulewright.learning.observing_kernels import viewer_of

BEGIN = 0
LOOK = 1
STEP = 2  # what is to be done
REFUSED = 1  # an action that is not legal; its number follows
FAULTY = 2  # a fault of the rules; its number and its place in the text follow
CROWDED = 3  # more rows than there is room for


class Told:
    """What a step tells of a lane.

    `wanted_action` is the action to take.  `wrong` holds the first thing that went wrong, and two
    words about it.  `about` holds what all lanes share: the last word of rows; how many seats have
    places, 0 where there is one winner.
    """

    wanted_action: ints
    seats: ints
    counts: ints
    rewards: floats
    terminated: ints
    truncated: ints
    wrong: ints
    about: ints


def act_on_card(a: LaneArrays, t: Told, todo: ints) -> None:
    """Begin a new game, look at a position that was put there, or play what is asked for."""
    goes_on = 1
    if todo[0] == BEGIN:
        a.lane.games = 0
        t.wrong[0] = 0
        begin_game(a)
    if todo[0] == STEP:
        a.lane.action = t.wanted_action[0]
        goes_on = play_action(a)
        if a.lane.refused == 1:
            note_wrong(t, REFUSED, a.lane.action, 0)
    else:
        a.lane.over = 0
    if goes_on == 1:
        list_actions(a)
    tell(a, t)


def roll_on_card(a: LaneArrays, t: Told) -> None:
    """Play random decisions."""
    roll_lane(a)
    tell(a, t)


def tell(a: LaneArrays, t: Told) -> None:
    """Fill the arrays that are read outside."""
    t.seats[0] = a.game.state.mover ^ a.game.state.swapped
    if a.lane.by_chance == 1:
        t.seats[0] = -1
    t.counts[0] = a.lane.legal
    t.truncated[0] = a.lane.cut & a.lane.over
    t.terminated[0] = a.lane.over - t.truncated[0]
    reward(a, t)
    if a.lane.fault != 0:
        note_wrong(t, FAULTY, a.lane.fault, a.lane.origin)
    if a.game.rows[t.about[0]] != 0:
        a.game.rows[t.about[0]] = 0
        note_wrong(t, CROWDED, 0, 0)


def note_wrong(t: Told, kind: i64, first: i64, second: i64) -> None:
    """Keep what went wrong, unless something did before."""
    if t.wrong[0] == 0:
        t.wrong[0] = kind
        t.wrong[1] = first
        t.wrong[2] = second


def reward(a: LaneArrays, t: Told) -> None:
    """Write what each seat got: as `Batch.rewards` says it."""
    seats = t.about[1]
    t.rewards[0] = 0.0
    t.rewards[1] = 0.0
    if seats > 0:
        share(a, t, seats)
    elif t.terminated[0] == 1 and a.lane.result >= 0 and a.lane.result < 2:
        seat = a.lane.result ^ a.lane.swapped
        t.rewards[seat] = 1.0
        t.rewards[1 - seat] = -1.0


def share(a: LaneArrays, t: Told, seats: i64) -> None:
    """Give each of several seats what its place is worth, where the game has ended by a rule."""
    for i in range(seats):
        t.rewards[i] = 0.0
        if t.terminated[0] == 1:
            t.rewards[i] = worth_of_place(a.lane.result, i, seats)


def view_on_card(lane: Lane, seat: ints) -> None:
    """Note who observes."""
    lane.viewer = seat[0]


def number_on_card(
    state: StateWords, lane: Lane, seen_sites: ints, parts: ints, numbers: ints
) -> None:
    """Write the numbers that a seat sees.

    `parts` holds how many there are, then for each player and number: its word, where in
    `seen_sites` the sites lie that are seen of it (-1: it is always seen), its site, what stands
    for it otherwise.
    """
    count = parts[0]
    own = 1 + 4 * viewer_of(state, lane) * count
    for i in range(count):
        at = own + 4 * i
        numbers[i] = state[parts[at]]
        if parts[at + 1] >= 0:
            site = parts[at + 2]
            word = seen_sites[parts[at + 1] + shift_right(site, 6)]
            if shift_right(word, site & 63) & 1 == 0:
                numbers[i] = parts[at + 3]
