"""What players see of a position, as a kernel: for games that hide some of it.

In: the layout of a game.  Out: `sight`, which writes for each player two sets of sites: where he
sees what stands, and where his own pieces stand.  Both lie behind a set of all sites and one of
none (`seen_place`), so that a set of a position may be cut by whichever is the right one.
"""

from __future__ import annotations

from rulewright.compiler.backend import Linked
from rulewright.compiler.ir.nodes import Const, Function
from rulewright.compiler.ir.types import INT, INTS, NOTHING
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.game import module_of
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import STATE, Sites, Writer, signature

KERNEL = "sight"


def seen_place(words: int, player: int, own: bool) -> int:
    """Return where the set of a player lies: of the own pieces, or of all that he sees."""
    return (2 + 2 * player + own) * words


def seen_words(layout: StateLayout) -> int:
    """Count the words that the kernel writes, and the two sets before them."""
    return (2 + 2 * len(layout.rules.players)) * layout.words


def lower_sight(layout: StateLayout) -> Linked:
    """Lower what players see; tables are added to those of *layout*."""
    inner = layout.for_definitions(layout.rules.functions)
    kernel = _sight(inner)
    layout.scratch_size = inner.scratch_size
    module = module_of(layout, {})
    module.add([*inner.kernels, kernel])
    return Linked.of(module, layout.needs)


def _sight(layout: StateLayout) -> Function:
    w, words = Writer(layout=layout), layout.words
    for mover in layout.rules.views:
        with w.when(STATE.mover.eq(mover)):
            for player in layout.rules.views:
                own = w.load("g.state", layout.owned + player * words)
                w.store("seen_sites", seen_place(words, player, own=True), own)
                sites = _sites_seen(w, layout, player, mover)
                w.store("seen_sites", seen_place(words, player, own=False), sites | own)
    return w.function(KERNEL, signature(gives=NOTHING, more=(("seen_sites", INTS),)))


def _sites_seen(w: Writer, layout: StateLayout, player: int, mover: int) -> Sites:
    """Write where a player sees what stands, beside the own pieces."""
    rules = layout.rules
    if rules.sees is None:
        board = layout.split(rules.board.sites)
        return w.sites_of(Const(word, INT) for word in board)
    return Values(GENERAL, layout, w, player, mover).sites(rules.sees)
