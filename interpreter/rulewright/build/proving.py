"""Proofs by which the player of an engine to take away may begin: the same as `Decider._prove`."""

from __future__ import annotations

from rulewright.build.face import Face
from rulewright.codegen.runtime import float_bits, i64
from rulewright.search.kernels.deepening import (
    begin_deepening,
    break_off,
    deepen,
    order_by_rank,
    results_alone,
)
from rulewright.search.kernels.moving import back
from rulewright.search.kernels.root import MORE, OVER, drop_search
from rulewright.search.kernels.thread import SETTINGS
from rulewright.search.kernels.windows import PROOF_NODES, SHARES, above_all


def begin_proof(f: Face) -> None:
    """Look for what can be proven, with nothing in the table."""
    for i in range(SETTINGS):
        f.kept[i] = f.root.thread.control[i]
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
        rest = f.root.search.whole - f.mind.begun
        nodes = (rest if rest > 1 else 1) * f.mind.prove // SHARES
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
        f.root.thread.control[i] = f.kept[i]
    f.root.thread.control.nodes = nodes
    f.root.thread.control.node_limit = limit
    f.root.thread.control.fault = failed_by
    f.root.thread.control.stop = 0
    f.root.search.rough = 0
    f.root.search.edge = float_bits(above_all())
