"""Searches of an engine to take away, in slices: how its player decides, else random games.

A search begins with `think`, goes on with `think_on` until that says that it is over or whoever
asks has enough, and is ended by `think_end`; between these nothing else may be asked.  Then the
best decision, its value and the line behind it are there.
"""

from __future__ import annotations

from rulewright.app.build.choosing import (
    ANY,
    BEST,
    BY,
    HOW,
    OF_MOVE,
    all_alike,
    end_beam,
    how_many_left,
    look_behind_all,
    mark_best_scored,
    mark_best_searched,
    of_value,
    one_left,
    ranked_candidate,
    way,
    weigh_all,
)
from rulewright.app.build.face import LOW, Face, is_by_chance, moves, seeded
from rulewright.app.build.openings import last_sites, opening_decides
from rulewright.compiler.layout import CHANCE
from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, real, wrap_mul
from rulewright.search.kernels.amaf import WORDS
from rulewright.search.kernels.bets import changes
from rulewright.search.kernels.deepening import (
    all_proven,
    begin_deepening,
    break_off,
    deepen,
    has_proof,
    is_win,
    order_by_rank,
    results_alone,
)
from rulewright.search.kernels.game import decisions, play
from rulewright.search.kernels.montecarlo import FIRST_CHILD, HEAD, SETTLED, USED, expand, grow
from rulewright.search.kernels.moving import back, drop_search, note
from rulewright.search.kernels.random_games import REMEMBERED, chance
from rulewright.search.kernels.root import (
    LONGEST,
    MORE,
    OVER,
    begin_line,
    follow_line,
    keep_row,
    narrowed,
    narrows,
)
from rulewright.search.kernels.several import (
    CHILD,
    IN_USE,
    PLACES,
    best_of_several,
    certain,
    grow_several,
    mean_worth,
    node_size,
    open_node,
)
from rulewright.search.kernels.table import AT_FIRST, HISTORY
from rulewright.search.kernels.thread import LINE, SETTINGS, WIN
from rulewright.search.kernels.threats import (
    attack_first,
    begin_attack,
    come_home,
    first_of_line,
    put_position,
)
from rulewright.search.kernels.tree_choice import (
    WON_CHILD,
    best_child,
    child_state,
    child_value,
    most_visited,
)
from rulewright.search.kernels.weighing import begin_beam
from rulewright.search.kernels.windows import PROOF_NODES, SHARES, above_all

# how an engine searches, and what it does now
GROW = 0  # a tree grows by random games
DEEPEN = 1  # alpha-beta
BEAM = 2
WEIGH = 3  # one decision ahead
DECIDED = 4  # nothing is left to do
ATTACK = 5  # wins by threats, before alpha-beta
WON = 6  # there is one
PROVE = 7  # what can be proven, before alpha-beta
PROVED = 8  # a win or a draw
SEVERAL = 9  # a tree of more than two players grows by random games

EVER = 4611686018427387904
GOLDEN = -7046029254386353131  # an evaluator's random numbers begin as in `ThreadArrays.seed`


def think(f: Face, seed: i64) -> i64:
    """Begin a search; how many decisions there are to choose from: none where chance decides."""
    f.root.search.roots = 0 if is_by_chance(f) == 1 else moves(f)
    f.root.search.width = f.root.search.roots
    f.root.search.me = f.root.thread.game.state.mover ^ f.root.thread.game.state.swapped
    f.mind.best = 0
    f.mind.value = float_bits(0.0)
    f.mind.proven = 0
    f.root.search.line = 0
    f.root.search.next = 0
    f.mind.now = DECIDED
    f.root.search.whole = 0
    clear(f)
    f.root.thread.game.scratch[CHANCE] = (wrap_mul(seed + 1, GOLDEN) & LOW) | 1
    f.tree.chance[0] = seeded(seed)
    note(f.root.thread, 0)
    if f.root.search.roots > 0:
        if opening_decides(f) == 1:
            f.mind.best = ranked_candidate(f, -1, chance(f.tree.chance, how_many_left(f)))
        elif f.mind.how == GROW:
            f.mind.now = GROW
            f.tree.chance[0] = seeded(seed)  # whatever an opening has drawn
            plant(f)
        elif f.mind.how == SEVERAL:
            f.mind.now = SEVERAL
            plant_several(f)
        else:
            begin(f)
    return f.root.search.roots


def clear(f: Face) -> None:
    """Forget the search under way."""
    f.root.thread.control.nodes = 0
    f.root.thread.control.fault = 0
    f.root.thread.control.stop = 0
    drop_search(f.root.thread)
    f.root.thread.control.node_limit = EVER
    f.root.thread.control.last = EVER


def allow(f: Face, nodes: i64) -> None:
    """Say how many nodes the whole search may play: a part of them is for threats.

    A random game that is broken off there counts as drawn.
    """
    f.root.search.whole = nodes
    f.root.thread.control.last = nodes


def begin(f: Face) -> None:
    """Decide by the first way to choose that holds, or begin to search."""
    at = way(f)
    if at > 0 and f.book[at + HOW] == BEST:
        decide_by(f, f.book[at + BY])
    elif at > 0 and f.book[at + HOW] == ANY:
        f.mind.best = chance(f.tree.chance, f.root.search.roots)
    elif at == 0:
        all_alike(f)
        f.mind.best = one_left(f)


def decide_by(f: Face, which: i64) -> None:
    """Decide by a value: weigh all decisions, and search on where that is not all."""
    if f.mind.how == DEEPEN and of_value(f, which, OF_MOVE) == 0:
        f.root.thread.control.nodes = 0
        if f.root.search.threats == 1:
            put_position(f.root, 0)
            for i in range((f.root.search.proofs + 1) * 8):
                f.root.proofs[i] = 0
            begin_attack(f.root, f.root.search.me)
            f.mind.now = ATTACK
        else:
            begin_alphabeta(f)
        return
    weigh_all(f, which)
    if f.mind.how == BEAM and begin_beam(f.root, f.scores) == 1:
        f.mind.now = BEAM
        return
    mark_best_scored(f)
    f.mind.best = one_left(f)


def begin_alphabeta(f: Face) -> None:
    """Begin to deepen, or with a proof if the player says so."""
    if f.mind.prove > 0:
        forget(f)
        begin_proof(f)
        f.mind.now = PROVE
    else:
        judge_roots(f)


def judge_roots(f: Face) -> None:
    """Begin to deepen; decisions of the root are left out as the text says."""
    forget(f)
    if narrows(f.root) == 1:
        f.root.search.width = narrowed(f.root)
    if f.root.thread.control.bold == 1:
        f.root.thread.control.margin = float_bits(changes(f.root.thread, f.root.search.roots))
    begin_deepening(f.root)
    f.mind.now = DEEPEN


def plant(f: Face) -> None:
    """Begin a tree search by random games: a tree of its root alone."""
    for i in range(HEAD + f.root.thread.control.row):
        f.tree.nodes[i] = 0
    f.tree.nodes[USED] = 1
    if f.root.thread.control.led == 1:
        for i in range(WORDS):
            f.tree.later[i] = 0
        for i in range(REMEMBERED):
            f.last[i] = -1
        if f.root.thread.control.replies > 0:
            last_sites(f, REMEMBERED)
        for i in range(REMEMBERED):
            f.tree.last[REMEMBERED + i] = f.last[i]
    expand(f.root.thread, f.tree, 0)


def plant_several(f: Face) -> None:
    """Begin a tree of more than two players: its root, with its children."""
    for i in range(node_size(f.root.thread)):
        f.tree.nodes[i] = 0
    f.tree.nodes[IN_USE] = 1
    open_node(f.root.thread, f.tree, 0)


def forget(f: Face) -> None:
    """Forget what other searches knew: the same search finds the same again."""
    widest = f.root.thread.control.widest
    for i in range((widest + 1) * 4):
        f.root.thread.table[i] = 0
    f.root.thread.control.mask = widest if widest < AT_FIRST else AT_FIRST - 1
    f.root.thread.control.new_entries = 0
    for i in range(HISTORY):
        f.root.thread.history[i] = 0
    for i in range(f.root.search.roots):
        f.root.moves.order[i] = i


def think_on(f: Face, nodes: i64) -> i64:
    """Search on, playing about so many decisions: MORE to do, or OVER."""
    if f.root.search.roots == 0 or f.mind.now == DECIDED or f.root.thread.control.fault != 0:
        return OVER
    f.root.thread.control.stop = 0
    f.root.thread.control.node_limit = f.root.thread.control.nodes + nodes
    state = MORE
    if f.mind.now == GROW:
        grow(f.root.thread, f.tree, bits_float(f.mind.explore), f.root.thread.control.longest)
        if f.tree.nodes[SETTLED] != 0:
            state = OVER
    elif f.mind.now == SEVERAL:
        grow_several(
            f.root.thread, f.tree, bits_float(f.mind.explore), f.root.thread.control.longest
        )
        if f.tree.nodes[PLACES] != 0:
            state = OVER
    elif f.mind.now == ATTACK:
        state = threaten(f)
    elif f.mind.now == PROVE:
        state = proves(f)
    elif f.mind.now == DEEPEN:
        state = deepen(f.root)
    else:
        state = look_behind_all(f)
    return state if f.root.thread.control.fault == 0 else OVER


def threaten(f: Face) -> i64:
    """Look for a win by threats; OVER if there is one, else alpha-beta is next."""
    if attack_first(f.root) == MORE:
        return MORE
    come_home(f.root)
    if f.root.search.attack_length == 0:
        f.root.search.line = 0
        begin_alphabeta(f)
        return MORE
    f.mind.best = first_of_line(f.root)
    f.mind.value = float_bits(real(WIN - f.root.search.attack_length))
    f.mind.proven = 1
    f.mind.now = WON
    return OVER


def proves(f: Face) -> i64:
    """Look for a proven win or draw; where there is none, alpha-beta is next."""
    if prove_on(f) == MORE:
        return MORE
    if has_proof(f.root) == 1:
        f.mind.now = PROVED
        return OVER
    end_proof(f)
    judge_roots(f)
    return MORE


# --- proofs, by which a player may begin: the same as `Decider._prove` ---


def begin_proof(f: Face) -> None:
    """Look for what can be proven, with nothing in the table."""
    for i in range(SETTINGS):
        f.kept_settings[i] = f.root.thread.control[i]
    results_alone(f.root.thread.control)
    f.mind.begun = f.root.thread.control.nodes
    f.root.search.rough = 1
    f.root.search.edge = float_bits(1.0)
    f.root.search.width = f.root.search.roots
    order_by_rank(f.root)
    begin_deepening(f.root)


def prove_on(f: Face) -> i64:
    """Search on: MORE, or OVER as soon as something is proven or the share is spent."""
    nodes = PROOF_NODES
    if f.root.search.whole > 0:
        remaining_nodes = f.root.search.whole - f.mind.begun
        nodes = (remaining_nodes if remaining_nodes > 1 else 1) * f.mind.prove // SHARES
    f.root.search.until = f.mind.begun + nodes
    end = f.root.thread.control.node_limit
    if end > f.root.search.until:
        f.root.thread.control.node_limit = f.root.search.until
    state = OVER
    if f.root.thread.control.nodes < f.root.search.until:
        state = deepen(f.root)
    f.root.thread.control.node_limit = end
    if f.root.thread.control.fault != 0:
        return MORE
    if state == MORE and f.root.thread.control.nodes < f.root.search.until:
        return MORE
    break_off(f.root)
    return OVER


def glance(f: Face) -> None:
    """One decision ahead, whatever the limits are: the search was stopped before it began."""
    deepest = f.root.search.deepest
    f.root.search.deepest = 1
    f.root.thread.control.node_limit = f.root.thread.control.nodes + PROOF_NODES
    f.root.thread.control.stop = 0
    drop_search(f.root.thread)
    back(f.root.thread, 0)
    begin_deepening(f.root)
    deepen(f.root)
    f.root.search.deepest = deepest


def end_proof(f: Face) -> None:
    """Go back to the root, and to the settings of the search that follows."""
    drop_search(f.root.thread)
    back(f.root.thread, 0)
    nodes = f.root.thread.control.nodes
    limit = f.root.thread.control.node_limit
    failed_by = f.root.thread.control.fault
    for i in range(SETTINGS):
        f.root.thread.control[i] = f.kept_settings[i]
    f.root.thread.control.nodes = nodes
    f.root.thread.control.node_limit = limit
    f.root.thread.control.fault = failed_by
    f.root.thread.control.stop = 0
    f.root.search.rough = 0
    f.root.search.edge = float_bits(above_all())


# --- the end ---


def think_end(f: Face) -> i64:
    """End a search: the line is written, the position is that of its root; the best decision."""
    f.root.thread.control.unwinding = 0
    come_home(f.root)
    back(f.root.thread, 0)
    if f.mind.now == PROVE:
        end_proof(f)
    if f.root.thread.control.fault == 0:
        if f.mind.now == PROVE or f.mind.now == ATTACK:
            judge_roots(f)
        if f.mind.now == DEEPEN and f.root.search.iterations == 0 and f.mind.prove > 0:
            glance(f)
    f.words.fault = f.root.thread.control.fault
    if f.root.search.roots > 0 and f.words.fault == 0:
        if f.mind.now == GROW:
            branch(f)
        elif f.mind.now == SEVERAL:
            branch_several(f)
        elif f.mind.now == DECIDED:
            keep_row(f.root, f.root.thread.game.rows, f.mind.best * f.root.thread.control.row)
        elif f.mind.now != WON:
            judged(f)
    if f.mind.now == PROVED:
        end_proof(f)
    back(f.root.thread, 0)
    f.words.listed = 0
    return f.mind.best


def judged(f: Face) -> None:
    """The best decision of a search that has given values, and its line."""
    if f.mind.now == BEAM:
        end_beam(f)
    else:
        if f.mind.now == DEEPEN:
            break_off(f.root)
        mark_best_searched(f)
    f.mind.best = one_left(f)
    if f.mind.now == BEAM:
        expected_line(f)
        return
    proven = all_proven(f.root) if narrows(f.root) == 0 or f.mind.now == PROVED else 0
    f.mind.proven = proven | is_win(f.root, f.mind.best)
    begin_line(f.root, f.mind.best)
    going = 1
    while going == 1:
        going = follow_line(f.root)


def branch(f: Face) -> None:
    """The best decision of a tree, and the line of most visits behind it."""
    for i in range(f.root.search.roots):
        f.root.moves.order[i] = i
    best = best_child(f.root.thread, f.tree, f.root.moves.order)
    f.mind.best = best - f.tree.nodes[FIRST_CHILD]
    f.mind.value = float_bits(child_value(f.root.thread, f.tree, best))
    won = 1 if child_state(f.root.thread, f.tree, best) == WON_CHILD else 0
    f.mind.proven = 1 if won == 1 or f.tree.nodes[SETTLED] != 0 else 0
    node = best
    while node > 0 and f.root.search.line < LONGEST:
        keep_row(f.root, f.tree.nodes, node * (HEAD + f.root.thread.control.row) + HEAD)
        node = most_visited(f.root.thread, f.tree, node)


def branch_several(f: Face) -> None:
    """The best decision of a tree of several players, and what looks best behind it."""
    size = node_size(f.root.thread)
    node = best_of_several(f.root.thread, f.tree, 0)
    me = f.root.thread.game.state.mover
    f.mind.best = node - f.tree.nodes[CHILD]
    f.mind.value = float_bits(mean_worth(f.root.thread, f.tree.nodes, node, me))
    if f.tree.nodes[node * size + PLACES] != 0:
        is_best = certain(f.root.thread, f.tree.nodes, node, me)
        f.mind.proven = 1 if is_best == 1 or f.tree.nodes[PLACES] != 0 else 0
    while node > 0 and f.root.search.line < LONGEST:
        keep_row(f.root, f.tree.nodes, (node + 1) * size - f.root.thread.control.row)
        node = best_of_several(f.root.thread, f.tree, node)


def expected_line(f: Face) -> None:
    """Note the best decision, and behind it the line that the beam expects."""
    row = f.root.thread.control.row
    begin_line(f.root, f.mind.best)
    if f.mind.best != f.scores.words.front:
        return
    for i in range(1, f.beam.lines[LINE]):
        top = f.root.search.roots
        end = decisions(f.root.thread.game, top)
        at = (top + f.beam.lines[LINE + 1 + i]) * row
        keep_row(f.root, f.root.thread.game.rows, at)
        play(f.root.thread.game, at, end)


def seen_nodes(f: Face) -> i64:
    """Decisions that the search has played."""
    return f.root.thread.control.nodes


def best_value(f: Face) -> f64:
    """Return the value of the best decision for the player at move."""
    return bits_float(f.mind.value)


def is_proven(f: Face) -> i64:
    """Whether the value of the best decision is proven."""
    return f.mind.proven


def line_length(f: Face) -> i64:
    """Decisions of the best line."""
    return f.root.search.line
