"""How games end, and whose turn is next, for any number of players.

In: an end rule whose condition holds, as the player who decides sees it.  Out: the result.  Between
two players it is the winner or DRAWN; of more players it is a word of their places, four bits each,
that of the first player lowest.
"""

from __future__ import annotations

from rulewright.compiler.ir.nodes import Expr, Local, as_expr, choice
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import STATE, Writer, at
from rulewright.compiler.passes.fractions import in_wholes
from rulewright.compiler.passes.normalize import Normalizer
from rulewright.compiler.seats import PLACE_BITS
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import MOST, Type

_DIGIT = (1 << PLACE_BITS) - 1


def pass_on(w: Writer, player: int | None = None) -> None:
    """Write whose turn is next: the next player in order who is not out; *player* moved last."""
    rules = w.layout.rules
    if not rules.has_several:
        w.set(STATE.mover, 1 - STATE.mover if player is None else 1 - player)
        return
    going = w.var(1, "g")
    with w.loop(going.ne(0)):
        w.set(STATE.mover, STATE.mover + 1)
        with w.when(STATE.mover.eq(len(rules.players))):
            w.set(STATE.mover, 0)
        w.set(going, _is_out(w, STATE.mover) if w.layout.out else 0)


def _is_out(w: Writer, player: Expr) -> Expr:
    """Write 1 if a player is out, else 0."""
    out, is_out = at("g.state", w.layout.out), w.var(0, "b")
    for i in range(len(w.layout.rules.players) - 1):
        with w.when((out >> PLACE_BITS * i & _DIGIT).eq(player + 1)):
            w.set(is_out, 1)
    return is_out


def verdict(v: Values, end: r.End, player: int) -> Expr:
    """Write the result of an end rule whose condition holds."""
    if v.rules.has_several:
        return _places(v, end, player)
    if end.score is None:
        return as_expr({"win": player, "lose": 1 - player, "draw": DRAWN}[end.verdict])
    score = v.number(_whole_score(v, end.score))
    return choice(score.eq(0), DRAWN, choice(score > 0, player, 1 - player))


def _whole_score(v: Values, score: m.Expr) -> m.Expr:
    """A score, or a whole multiple of one with fractions."""
    if score.type is not Type.REAL:
        return score
    return in_wholes(Normalizer(v.rules, v.view, v.mover)(score)) or score


# --- more than two players ---


def _places(v: Values, end: r.End, player: int) -> Expr:
    """Write the places of all players; RUNNING where one is out now and others play on."""
    out = at("g.state", v.layout.out)
    before = v.w.var(0, "o")
    if end.verdict == "lose":
        v.w.set(before, out)
        v.w.set(out, out << PLACE_BITS | player + 1)
    worth = [_worth(v, end, player, view) for view in v.rules.views]
    result = v.w.var(0, "r")
    for view, own in enumerate(worth):
        place = v.w.var(1, "p")
        for other in worth:
            if other is not own:
                with v.w.when(other > own):
                    v.w.set(place, place + 1)
        v.w.set(result, result + (place << PLACE_BITS * view))
    if end.verdict == "lose":
        with v.w.when((out >> PLACE_BITS * (len(worth) - 2)).eq(0)):
            v.w.set(result, RUNNING)
        if v.stuck:
            v.w.set(out, before)  # who is stuck is asked, and nothing happens
        else:
            _end_turn(v.w)
    return result


def _worth(v: Values, end: r.End, player: int, view: int) -> Local:
    """Write a number by which a player is placed: a greater one for a better place."""
    w, outer = v.w, v.view
    if end.score is None:
        worth = w.var(int(end.verdict == "win" and view == player), "v")
    else:
        v.view = view
        worth = w.var(v.number(_whole_score(v, end.score)), "v")
        v.view = outer
    if v.layout.out:
        out = at("g.state", v.layout.out)
        for i in range(len(v.rules.players)):  # all are out where the last one left is stuck
            with w.when((out >> PLACE_BITS * i & _DIGIT).eq(view + 1)):
                w.set(worth, -MOST - i)  # below every score, and lower the sooner it was out
    return worth


def leave(w: Writer) -> None:
    """Write that who is to move is out, and its turn over."""
    out = at("g.state", w.layout.out)
    w.set(out, out << PLACE_BITS | STATE.mover + 1)
    _end_turn(w)


def _end_turn(w: Writer) -> None:
    """Write that nothing is left of the turn."""
    w.set(STATE.rest, w.layout.courses[r.EMPTY])
    w.set(STATE.again, 0)
    w.set(STATE.fresh, 0)


_WINNER = """            winner = g.state.result
            if winner < 2 and g.state.swapped == 1:
                winner = 1 - winner
            counts[winner] = counts[winner] + 1
"""
_FIRST = """            places = g.state.result
            firsts = 0
            first = 0
            for i in range(8):
                if shift_right(places, 4 * i) & 15 == 1:
                    firsts = firsts + 1
                    first = i
            if firsts == 1:
                counts[10 + first] = counts[10 + first] + 1
            if firsts != 1:
                counts[2] = counts[2] + 1
"""
"""Counting a game of two, and of more: those with one first place are counted from word 10 on."""


def counting_first_places(text: str) -> str:
    """Return the kernels that all games share, which count who is first among several players."""
    return text.replace(_WINNER, _FIRST)
