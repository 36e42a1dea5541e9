"""Wins by threats: looked for before anything else, and as answers to what looks best.

Proof numbers over what threatens and what answers it; then the longest line that wins.  A quarter
of the nodes may be spent before anything else is searched, and a tenth on the answer to each
decision that looks better than those before it.  Proofs have a table of their own.  The search
stops anywhere and goes on there; meanwhile the position may be another than that of the root.
"""

from __future__ import annotations

from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import i64
from rulewright.search.kernels.game import decisions, play
from rulewright.search.kernels.moving import (
    back,
    drop_search,
    leave_search,
    note,
    resume_search,
    uncount,
)
from rulewright.search.kernels.proof import (
    ENDLESS,
    LOST_PART,
    attacked,
    defence_after,
    longest_defence,
    missing,
    prove,
    salted,
)
from rulewright.search.kernels.root import MORE, OVER, RootArrays, keep_row
from rulewright.search.kernels.table import table_key
from rulewright.search.kernels.thread import Thread

FEW = 20000  # nodes for threats where nobody has said how many the whole search may play
ATTACK_PART = 4  # the part of all nodes that may be spent first
ANSWER_PART = 10  # and for the answer to a decision


def portion(r: RootArrays, part: i64) -> i64:
    """A part of the nodes of the whole search, 1 at the least."""
    if r.search.whole == 0:
        return FEW
    nodes = r.search.whole // part
    return nodes if nodes > 0 else 1


# --- places ---


def put_position(r: RootArrays, place: i64) -> None:
    """Keep the position at one of the places of `saved`."""
    for i in range(r.thread.control.size):
        r.saved[place * r.thread.control.size + i] = r.thread.game.state[i]


def fetch_position(r: RootArrays, place: i64) -> None:
    """Go to the position at one of the places of `saved`."""
    for i in range(r.thread.control.size):
        r.thread.game.state[i] = r.saved[place * r.thread.control.size + i]


def come_home(r: RootArrays) -> None:
    """Go back to the root, if threats were looked for; what they began is dropped."""
    if r.search.away == 1:
        r.search.away = 0
        r.search.asking = 0
        drop_search(r.thread)
        fetch_position(r, 0)
        note(r.thread, 0)


# --- proofs ---


def begin_attack(r: RootArrays, attacker: i64) -> None:
    """Look for a win of a person from here."""
    put_position(r, 1)
    r.search.away = 1
    r.search.attacker = attacker
    r.search.attack_length = 0
    r.search.mending = 0
    r.thread.control.again = 0


def begin_attack_here(r: RootArrays) -> None:
    """Look for a win of who is at move at the root."""
    begin_attack(r, r.search.me)


def attack_on(r: RootArrays) -> i64:
    """Search until it is known whether threats win (OVER; MORE before): then `attack_length`."""
    going = 1
    while going == 1:
        verdict = forced_by_threats(r)
        if verdict < 0:
            return MORE
        if r.search.mending == 1:
            r.search.mending = 0
            fetch_position(r, 1)
        going = 0
        if verdict == 1:
            measure_win(r)
            if r.thread.control.lost == 1:  # it is proven again from where it is lost
                r.search.attack_length = 0
                r.search.mending = 1
                back(r.thread, LOST_PART)
                going = 1
    return OVER


def forced_by_threats(r: RootArrays) -> i64:
    """Whether threats win from the present position; -1 where the search has to stop."""
    mask = r.thread.control.mask
    nodes = r.thread.control.nodes
    r.thread.control.mask = r.search.proofs
    r.thread.control.threats = 1
    if r.thread.control.again == 0:
        r.thread.control.open = 0
    r.thread.control.nodes = nodes - resume_search(r.thread, 0)
    v = prove(
        Thread(
            r.thread.game, r.thread.factors, r.thread.undo, r.thread.control, r.proofs,
            r.thread.ranks, r.thread.history,
        ),
        r.search.attacker, 1, ENDLESS, ENDLESS, 0, r.search.roots, proof_goal(r),
    )  # fmt: skip
    uncount(r.thread, nodes)
    leave_search(r.thread)
    r.thread.control.mask = mask
    r.thread.control.threats = 0
    if r.thread.control.again == 1:
        return -1
    mine = 1 if r.thread.game.state.mover ^ r.thread.game.state.swapped == r.search.attacker else 0
    good = 1 if v > 0 else 0
    if v == 0 or (r.thread.control.open != 0 and good != mine):
        return 0
    return 1 if good == mine else 0


def proof_goal(r: RootArrays) -> i64:
    """The hash of the present position and what is to be proven of it."""
    return salted(2 * table_key(r.thread, 0), 1, r.search.attacker)


# --- the win ---


def measure_win(r: RootArrays) -> None:
    """Measure how long the win takes, and its line; sets `lost` where the table has lost a part."""
    mask = r.thread.control.mask
    r.thread.control.mask = r.search.proofs
    r.thread.control.lost = 0
    r.search.line = 0
    r.search.attack_length = longest_defence(
        Thread(
            r.thread.game, r.thread.factors, r.thread.undo, r.thread.control, r.proofs,
            r.thread.ranks, r.thread.history,
        ),
        r.search.attacker, 0, r.search.roots, proof_goal(r),
    )  # fmt: skip
    walk_line(r)
    r.thread.control.mask = mask
    fetch_position(r, 1)


def walk_line(r: RootArrays) -> None:
    """Keep the longest line: each decision leads to a position that resists for one less."""
    to_go = r.search.attack_length
    top = r.search.roots
    while to_go > 0:
        end = attacked(
            r.thread, top, decisions(r.thread.game, top),
            r.thread.game.state.mover ^ r.thread.game.state.swapped, r.search.attacker,
        )  # fmt: skip
        number = longest_of(r, top, end, to_go)
        if number == end:
            missing(r.thread)
            r.search.attack_length = 0
            return
        keep_row(r, r.thread.game.rows, number * r.thread.control.row)
        play(r.thread.game, number * r.thread.control.row, end)
        top = end
        to_go = to_go - 1


def longest_of(r: RootArrays, top: i64, end: i64, to_go: i64) -> i64:
    """The first row after which the win takes so many decisions with it, *end* if there is none."""
    note(r.thread, 1)
    for i in range(top, end):
        distance = defence_after(
            Thread(
                r.thread.game, r.thread.factors, r.thread.undo, r.thread.control, r.proofs,
                r.thread.ranks, r.thread.history,
            ),
            r.search.attacker, 1, i, end,
        )  # fmt: skip
        back(r.thread, 1)
        if distance == to_go:
            return i
    return end


def first_of_line(r: RootArrays) -> i64:
    """The number of the decision that the line begins with, among those of the root."""
    row = r.thread.control.row
    for number in range(r.search.roots):
        same = 1
        for i in range(row):
            if r.thread.game.rows[number * row + i] != r.line[i]:
                same = 0
        if same == 1:
            return number
    return 0


# --- before anything else, and as an answer ---


def attack_first(r: RootArrays) -> i64:
    """Look for a win of who is at move: OVER as soon as there is one or the share is spent."""
    r.search.until = portion(r, ATTACK_PART)
    return attack_until(r)


def attack_until(r: RootArrays) -> i64:
    """Search on for a win by threats, as far as it may be looked for."""
    end = r.thread.control.node_limit
    if end > r.search.until:
        r.thread.control.node_limit = r.search.until
    state = OVER
    if r.thread.control.nodes < r.search.until:
        state = attack_on(r)
    r.thread.control.node_limit = end
    if state == MORE and r.thread.control.nodes >= r.search.until:
        r.search.attack_length = 0
        state = OVER
    if state == OVER:
        r.thread.control.stop = 0
    return state if r.thread.control.fault == 0 else MORE


def begin_answer(r: RootArrays, number: i64) -> None:
    """Look for what wins for the other person after a decision, unless that is not at move."""
    play(r.thread.game, number * r.thread.control.row, r.search.roots)
    r.moves.refuted[number] = -1
    attacker = r.thread.game.state.mover ^ r.thread.game.state.swapped
    if r.thread.game.state.result == RUNNING and attacker != r.search.me:
        r.search.until = r.thread.control.nodes + portion(r, ANSWER_PART)
        begin_attack(r, attacker)
        r.search.asking = 1
    else:
        back(r.thread, 0)


def answer_on(r: RootArrays, number: i64) -> i64:
    """Go on with the search for a winning reply to a threat: MORE, or OVER when it is done."""
    if attack_until(r) == MORE:
        return MORE
    come_home(r)
    if r.search.attack_length > 0:
        r.moves.refuted[number] = r.search.attack_length
    r.search.line = 0
    return OVER
