"""Kernels of a batch: one game, a lane, goes on by a decision and tells what follows.

Kernel Python, linked to the kernels of a game and to those of `stepping`.  In: a lane's position
and the action that its player takes.  Out: the position after it, bytes that mark its legal
actions, how the game ended, and a new game where one did.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import (
    Chance,
    GameArrays,
    bits_float,
    f64,
    floats,
    i64,
    ints,
    real,
    shift_right,
    wrap_mul,
    wrap_shl,
)
from rulewright.compiler.seats import PLACE_BITS
from rulewright.games.engine.memory import decisions, play, ply, stuck
from rulewright.games.engine.stepping import code_of

MIX = 2685821657736338717
STAND = -2  # stands for an action: nothing is played
UNNUMBERED = -1  # stands for a fault: a decision has no action
CROWDED = -2  # stands for a fault: more decisions than places in the list of them


class Lane(ints):
    """What a batch and its kernels tell each other about one game.

    `action` is what the player does next, -1 where the lane draws a legal action itself, STAND
    where it waits.  After a
    step: `over` is whether the game ended with it, `result` then a player or DRAWN, else RUNNING,
    `swapped` whether the persons had exchanged colours, `cut` whether the game was broken off for
    its length.  `legal` is how many decisions there are now, `plies` how many the game has had,
    `games` how many were finished.  `refused` marks an action that was not legal: nothing was
    played.  `fault` is a fault of the rules, `origin` its place in the text.  `by_chance` is
    whether chance makes the next decision; `viewer` is the seat that observes, -1 for who decides.
    `has_rows` is whether the rows of the legal decisions were kept.
    """

    action: i64 = 0
    over: i64 = 1
    result: i64 = 2
    swapped: i64 = 3
    cut: i64 = 4
    legal: i64 = 5
    plies: i64 = 6
    games: i64 = 7
    refused: i64 = 8
    fault: i64 = 9
    origin: i64 = 10
    by_chance: i64 = 11
    viewer: i64 = 12
    has_rows: i64 = 13


class BatchWords(ints):
    """What the lanes of a batch share.

    Words of a row of a decision, of a position, and of the marks of actions; the decisions after
    which a game is broken off; whether a finished game begins
    again at once; how many decisions `roll_lane` plays; how many rows of a lane are kept, and
    whether they are: else decisions are listed again when one is played.
    `sparse` is whether actions are places in the list of decisions.
    """

    row: i64 = 0
    size: i64 = 1
    marks: i64 = 2
    longest: i64 = 3
    again: i64 = 4
    rolled: i64 = 5
    room: i64 = 6
    chance: i64 = 7
    shown: i64 = 8
    sparse: i64 = 9
    keeps: i64 = 10


class LaneArrays:
    """A game with all that its kernels need.

    `legal` has a byte for each action.  `listed` holds the actions of the decisions, in their
    order, and `rows` their rows, if there are no more than `batch.room`.  `moves` tells how
    decisions are numbered (`code_of`), `actions` the action of each number; `start` is the first
    position.
    """

    game: GameArrays
    chance: Chance
    lane: Lane
    legal: ints
    listed: ints
    rows: ints
    moves: ints
    actions: ints
    start: ints
    batch: BatchWords


def begin_lane(a: LaneArrays) -> None:
    """Begin a new game and mark its legal actions."""
    begin_game(a)
    a.lane.over = 0
    list_actions(a)


def begin_game(a: LaneArrays) -> None:
    """Put the first position in the place of the present one."""
    for i in range(a.batch.size):
        a.game.state[i] = a.start[i]
    a.lane.plies = 0


def look_lane(a: LaneArrays) -> None:
    """Mark the legal actions of a position that was put into the lane."""
    a.lane.over = 0
    list_actions(a)


def step_lane(a: LaneArrays) -> None:
    """Play the action of a lane and mark what is legal after it."""
    if play_action(a) == 1:
        list_actions(a)


def play_action(a: LaneArrays) -> i64:
    """Play the action of a lane; 0 where nothing was played: it waits, is over or was refused."""
    a.lane.refused = 0
    a.lane.result = RUNNING
    a.lane.cut = 0
    if a.lane.over == 1 and a.batch.again == 0:
        return 0  # a finished game that does not begin again stands still
    a.lane.over = 0
    if a.lane.action == STAND:
        return 0
    number = chosen_row(a)
    if number < 0:
        a.lane.refused = 1
        return 0
    play(a.game, number * a.batch.row, number + 1)
    a.lane.plies = a.lane.plies + 1
    return 1


def chosen_row(a: LaneArrays) -> i64:
    """The number of the row of the lane's action, -1 if it is not legal; later rows are free."""
    n = a.lane.legal
    if n == 0:
        return -1
    if a.lane.has_rows == 0:
        return number_of(a, list_rows(a))
    if a.lane.action < 0:
        return kept_row(a, drawn_row(a, a.rows, n))
    number = listed_place(a, n)
    if number < 0:
        return -1
    return kept_row(a, number)


def listed_place(a: LaneArrays, n: i64) -> i64:
    """The place of the lane's action among n that were noted, -1 if it is none of them."""
    for i in range(n):
        if a.listed[i] == a.lane.action:
            return i
    return -1


def kept_row(a: LaneArrays, number: i64) -> i64:
    """Put a row that was kept in the place of the first one."""
    for i in range(a.batch.row):
        a.game.rows[i] = a.rows[number * a.batch.row + i]
    return 0


def number_of(a: LaneArrays, n: i64) -> i64:
    """The number of the row of the lane's action among n rows, -1 if it is not legal."""
    if a.lane.action < 0:
        return drawn_row(a, a.game.rows, n)
    if n <= a.batch.room:
        return listed_place(a, n)
    for i in range(n):
        if action_of(a, a.game.rows, i) == a.lane.action:
            return i
    return -1


def action_of(a: LaneArrays, rows: ints, number: i64) -> i64:
    """The action of the decision in a row, -1 if it has none."""
    if a.batch.sparse == 1:
        return number
    return a.actions[code_of(rows, number * a.batch.row, a.moves)]


def drawn_row(a: LaneArrays, rows: ints, n: i64) -> i64:
    """Draw one of n rows: of chance as often as it is likely, of a player any of them alike."""
    if a.lane.by_chance == 0:
        return random_below(a.chance, n)
    every = 0.0
    for i in range(n):
        every = every + likelihood(a, rows, i)
    rank = every * real(random_below(a.chance, 4294967296)) / 4294967296.0
    for i in range(n):
        rank = rank - likelihood(a, rows, i)
        if rank < 0.0:
            return i
    return n - 1


def likelihood(a: LaneArrays, rows: ints, number: i64) -> f64:
    """How likely the decision of chance in a row is, compared with the others."""
    return bits_float(rows[(number + 1) * a.batch.row - 1])


def random_below(chance: Chance, n: i64) -> i64:
    """One of the numbers below n, each as likely; at least 1 must be."""
    x = chance.x
    x = x ^ shift_right(x, 12)
    x = x ^ wrap_shl(x, 25)
    x = x ^ shift_right(x, 27)
    chance.x = x
    return shift_right(wrap_mul(shift_right(wrap_mul(x, MIX), 32), n), 32)


def list_actions(a: LaneArrays) -> None:
    """Mark what is legal; end the game where a rule or its length does, and begin the next."""
    n = rows_of_players(a)
    end_game(a, n)
    if a.lane.over == 1:
        n = 0
        a.lane.by_chance = 0
        if a.batch.again == 1 and a.lane.fault == 0:
            begin_game(a)
            n = rows_of_players(a)
    a.lane.legal = n
    mark_actions(a, n)


def rows_of_players(a: LaneArrays) -> i64:
    """List the next decisions that are shown; chance decides before, unless it is shown, too."""
    n = list_rows(a)
    while a.lane.by_chance == 1 and a.batch.shown == 0 and a.lane.plies < a.batch.longest:
        play(a.game, drawn_row(a, a.game.rows, n) * a.batch.row, n)
        a.lane.plies = a.lane.plies + 1
        n = list_rows(a)
    return n


def list_rows(a: LaneArrays) -> i64:
    """List the decisions of the position; where there is none the rules say how the game ends."""
    a.lane.by_chance = 0
    if a.game.state.result != RUNNING or a.game.state.fault != 0:
        return 0
    n = decisions(a.game, 0)
    if n > 0 and a.batch.chance == 1 and likelihood(a, a.game.rows, 0) > 0.0:
        a.lane.by_chance = 1
    if n == 0:
        end_stuck(a)
    return n


def end_stuck(a: LaneArrays) -> None:
    """End the game of a player without a decision; it is a fault if no rule says how."""
    if a.game.state.fault == 0:
        a.game.state.result = stuck(a.game)
        if a.game.state.result == RUNNING:
            a.game.state.fault = STUCK


def end_game(a: LaneArrays, n: i64) -> None:
    """Note how a game ended, if it did: by a rule, by its length, or by a fault."""
    a.lane.result = a.game.state.result
    a.lane.swapped = a.game.state.swapped
    a.lane.fault = a.game.state.fault
    if a.lane.fault != 0:
        a.lane.origin = a.game.scratch.origin
        a.lane.over = 1
        return
    if a.lane.result == RUNNING and a.lane.plies >= a.batch.longest:
        a.lane.cut = 1
    if a.lane.cut == 1 or a.lane.result != RUNNING:
        a.lane.over = 1
        a.lane.games = a.lane.games + 1


def worth_of_place(places: i64, seat: i64, seats: i64) -> f64:
    """The share of the others that a seat leaves behind, less the share that is ahead of it."""
    digit = wrap_shl(1, PLACE_BITS) - 1
    own = shift_right(places, PLACE_BITS * seat) & digit
    better = 0
    for other in range(seats):
        place = shift_right(places, PLACE_BITS * other) & digit
        if place > own:
            better = better + 1
        if place < own:
            better = better - 1
    return real(better) / real(seats - 1)


def mark_actions(a: LaneArrays, n: i64) -> None:
    """Note the actions of n rows, and mark them by a byte each; keep the rows where that pays."""
    a.lane.has_rows = 0
    for i in range(a.batch.marks):
        a.legal[i] = 0
    if a.batch.sparse == 1:
        mark_places(a, n)
    else:
        mark_numbers(a, n)
    if n <= a.batch.room and a.batch.keeps == 1:
        a.lane.has_rows = 1
        for i in range(n * a.batch.row):
            a.rows[i] = a.game.rows[i]


def mark_places(a: LaneArrays, n: i64) -> None:
    """Mark n rows by their places in the list."""
    if n > a.batch.room:
        a.lane.fault = CROWDED
        return
    for i in range(n):
        mark(a, i, i)


def mark_numbers(a: LaneArrays, n: i64) -> None:
    """Mark n rows by their actions.

    Rows of a move lie together, and mostly show a single choice: its place in the row is looked up
    once for all of them.
    """
    move = -2
    first = 0
    shown = 0
    choice = 0
    low = 0
    factor = 0
    for i in range(n):
        at = i * a.batch.row
        if a.game.rows[at] != move:
            move = a.game.rows[at]
            record = a.moves[move + 1]
            first = a.moves[record]
            shown = a.moves[record + 1]
            if shown == 1:
                choice = a.moves[record + 3]
                low = a.moves[record + 4]
                factor = a.moves[record + 5]
        code = first
        if shown == 1:
            code = first + (a.game.rows[at + choice] - low) * factor
        if shown > 1:
            code = code_of(a.game.rows, at, a.moves)
        if a.actions[code] < 0:  # the bound of what may be written was wrong
            a.lane.fault = UNNUMBERED
            return
        mark(a, i, a.actions[code])


def mark(a: LaneArrays, number: i64, action: i64) -> None:
    """Mark the action of the decision of a number."""
    word = shift_right(action, 3)
    a.legal[word] = a.legal[word] | wrap_shl(1, 8 * (action & 7))
    if number < a.batch.room:
        a.listed[number] = action


def roll_lane(a: LaneArrays) -> None:
    """Play so many random decisions, game after game, without a look at what is legal."""
    for _ in range(a.batch.rolled):
        done = ply(a.game, a.chance, 0)
        a.lane.plies = a.lane.plies + done
        if done == 0:
            end_stuck(a)
        if a.game.state.fault != 0:
            a.lane.fault = a.game.state.fault
            a.lane.origin = a.game.scratch.origin
            return
        if a.game.state.result != RUNNING or a.lane.plies >= a.batch.longest:
            a.lane.games = a.lane.games + 1
            begin_game(a)
    list_actions(a)


def weigh_lane(a: LaneArrays, chances: floats) -> None:
    """Write how likely the actions of chance are that are legal now; their sum is 1."""
    for i in range(8 * a.batch.marks):
        chances[i] = 0.0
    if a.lane.by_chance == 0:
        return
    n = list_rows(a)
    every = 0.0
    for i in range(n):
        every = every + likelihood(a, a.game.rows, i)
    for i in range(n):
        action = action_of(a, a.game.rows, i)
        chances[action] = chances[action] + likelihood(a, a.game.rows, i) / every
