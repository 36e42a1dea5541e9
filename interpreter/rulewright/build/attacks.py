"""Wins by threats in an engine to take away: looked for first, and as answers to what looks best.

The same as `search/threats.py` and what `search/decide.py` asks of it: a quarter of the nodes may
be spent before anything else is searched, and a tenth on the answer to each decision that looks
better than those before it.  Proofs have a table of their own.  Like all searches of an engine it
stops anywhere and goes on there; meanwhile the position may be another than that of the root.
"""

from __future__ import annotations

from rulewright.build.face import MORE, OVER, Face, drop, keep_row, leave, resume
from rulewright.codegen.layout import RUNNING
from rulewright.codegen.runtime import i64
from rulewright.search.kernels.game import decisions, play
from rulewright.search.kernels.moving import back, note
from rulewright.search.kernels.proof import (
    ENDLESS,
    LOST_PART,
    attacked,
    missing,
    prove,
    resists,
    resists_after,
    salted,
)
from rulewright.search.kernels.table import table_key
from rulewright.search.kernels.thread import Thread

FEW = 20000  # nodes for threats where nobody has said how many the whole search may play
ATTACK_PART = 4  # the part of all nodes that may be spent first
ANSWER_PART = 10  # and for the answer to a decision
LONGEST = 64  # decisions of a line that are kept


def portion(f: Face, part: i64) -> i64:
    """A part of the nodes of the whole search, 1 at the least."""
    if f.mind.whole == 0:
        return FEW
    nodes = f.mind.whole // part
    return nodes if nodes > 0 else 1


# --- places ---


def put(f: Face, place: i64) -> None:
    """Keep the position at one of the places of `saved`."""
    for i in range(f.thread.control.size):
        f.saved[place * f.thread.control.size + i] = f.thread.game.state[i]


def fetch(f: Face, place: i64) -> None:
    """Go to the position at one of the places of `saved`."""
    for i in range(f.thread.control.size):
        f.thread.game.state[i] = f.saved[place * f.thread.control.size + i]


def come_home(f: Face) -> None:
    """Go back to the root, if threats were looked for; what they began is dropped."""
    if f.mind.away == 1:
        f.mind.away = 0
        f.mind.asking = 0
        drop(f)
        fetch(f, 0)
        note(f.thread, 0)


# --- proofs ---


def begin_attack(f: Face, who: i64) -> None:
    """Look for a win of a person from here."""
    put(f, 1)
    f.mind.away = 1
    f.mind.who = who
    f.mind.won = 0
    f.mind.mending = 0
    f.mind.again = 0


def attack_on(f: Face) -> i64:
    """Search on (MORE), until it is known whether there is a win by threats (OVER): then `won`."""
    going = 1
    while going == 1:
        found = forced(f)
        if found < 0:
            return MORE
        if f.mind.mending == 1:
            f.mind.mending = 0
            fetch(f, 1)
        going = 0
        if found == 1:
            tell(f)
            if f.thread.control.lost == 1:  # it is proven again from where it is lost
                f.mind.won = 0
                f.mind.mending = 1
                back(f.thread, LOST_PART)
                going = 1
    return OVER


def forced(f: Face) -> i64:
    """Whether threats win from the present position; -1 where the search has to stop."""
    mask = f.thread.control.mask
    nodes = f.thread.control.nodes
    f.thread.control.mask = f.mind.proofs
    f.thread.control.threats = 1
    if f.mind.again == 0:
        f.thread.control.open = 0
    f.thread.control.nodes = nodes - resume(f, 0)
    v = prove(
        Thread(
            f.thread.game, f.thread.factors, f.thread.undo, f.thread.control, f.proofs,
            f.thread.ranks, f.thread.history,
        ),
        f.mind.who, 1, ENDLESS, ENDLESS, 0, f.mind.roots, goal(f),
    )  # fmt: skip
    if f.thread.control.unwinding != 0 and f.mind.again == 1 and f.thread.control.resumed != 0:
        f.thread.control.nodes = nodes  # it stopped before it was there
    leave(f)
    f.thread.control.mask = mask
    f.thread.control.threats = 0
    if f.mind.again == 1:
        return -1
    mine = 1 if f.thread.game.state.mover ^ f.thread.game.state.swapped == f.mind.who else 0
    good = 1 if v > 0 else 0
    if v == 0 or (f.thread.control.open != 0 and good != mine):
        return 0
    return 1 if good == mine else 0


def goal(f: Face) -> i64:
    """The hash of the present position and what is to be proven of it."""
    return salted(2 * table_key(f.thread, 0), 1, f.mind.who)


# --- the win ---


def tell(f: Face) -> None:
    """How long the win takes, and its line; `lost` is 1 where the table has lost a part of it."""
    mask = f.thread.control.mask
    f.thread.control.mask = f.mind.proofs
    f.thread.control.lost = 0
    f.mind.line = 0
    f.mind.won = resists(
        Thread(
            f.thread.game, f.thread.factors, f.thread.undo, f.thread.control, f.proofs,
            f.thread.ranks, f.thread.history,
        ),
        f.mind.who, 0, f.mind.roots, goal(f),
    )  # fmt: skip
    walk_line(f)
    f.thread.control.mask = mask
    fetch(f, 1)


def walk_line(f: Face) -> None:
    """Keep the longest line: each decision leads to a position that resists for one less."""
    to_go = f.mind.won
    top = f.mind.roots
    while to_go > 0:
        end = attacked(
            f.thread, top, decisions(f.thread.game, top),
            f.thread.game.state.mover ^ f.thread.game.state.swapped, f.mind.who,
        )  # fmt: skip
        number = longest_of(f, top, end, to_go)
        if number == end:
            missing(f.thread)
            f.mind.won = 0
            return
        if f.mind.line <= LONGEST:
            keep_row(f, f.thread.game.rows, number * f.thread.control.row)
        play(f.thread.game, number * f.thread.control.row, end)
        top = end
        to_go = to_go - 1


def longest_of(f: Face, top: i64, end: i64, to_go: i64) -> i64:
    """The first row after which the win takes so many decisions with it, *end* if there is none."""
    note(f.thread, 1)
    for i in range(top, end):
        found = resists_after(
            Thread(
                f.thread.game, f.thread.factors, f.thread.undo, f.thread.control, f.proofs,
                f.thread.ranks, f.thread.history,
            ),
            f.mind.who, 1, i, end,
        )  # fmt: skip
        back(f.thread, 1)
        if found == to_go:
            return i
    return end


def first_of_line(f: Face) -> i64:
    """The number of the decision that the line begins with, among those of the root."""
    row = f.thread.control.row
    for number in range(f.mind.roots):
        same = 1
        for i in range(row):
            if f.thread.game.rows[number * row + i] != f.line[i]:
                same = 0
        if same == 1:
            return number
    return 0


# --- before anything else, and as an answer ---


def attack_first(f: Face) -> i64:
    """Look for a win of who is at move: OVER as soon as there is one or the share is spent."""
    f.mind.until = portion(f, ATTACK_PART)
    return hunted(f)


def hunted(f: Face) -> i64:
    """Search on for a win by threats, as far as it may be looked for."""
    end = f.thread.control.node_limit
    if end > f.mind.until:
        f.thread.control.node_limit = f.mind.until
    found = OVER
    if f.thread.control.nodes < f.mind.until:
        found = attack_on(f)
    f.thread.control.node_limit = end
    if found == MORE and f.thread.control.nodes >= f.mind.until:
        f.mind.won = 0
        found = OVER
    if found == OVER:
        f.thread.control.stop = 0
    return found if f.thread.control.fault == 0 else MORE


def begin_answer(f: Face, number: i64) -> None:
    """Look for what wins for the other person after a decision, unless that is not at move."""
    play(f.thread.game, number * f.thread.control.row, f.mind.roots)
    f.roots.asked[number] = -1
    who = f.thread.game.state.mover ^ f.thread.game.state.swapped
    if f.thread.game.state.result == RUNNING and who != f.mind.me:
        f.mind.until = f.thread.control.nodes + portion(f, ANSWER_PART)
        begin_attack(f, who)
        f.mind.asking = 1
    else:
        back(f.thread, 0)


def answered(f: Face, number: i64) -> i64:
    """Search on for an answer: MORE, or OVER, when it is known whether there is one."""
    if hunted(f) == MORE:
        return MORE
    come_home(f)
    if f.mind.won > 0:
        f.roots.asked[number] = f.mind.won
    f.mind.line = 0
    return OVER
