"""Effects as kernel text: pieces put, taken and carried, links, states.

In: one effect of a move.  Out: lines that do it on the position that the values look at.  Faults of
the language (a piece carried to no site) are noted; nothing is refused.
"""

from __future__ import annotations

from attrs import define, field

from rulewright.codegen.layout import StateLayout, Unsupported
from rulewright.codegen.lower.links import LinkedSite, link_each, link_number
from rulewright.codegen.lower.operations import full
from rulewright.codegen.lower.values import Site, Values
from rulewright.codegen.lower.writer import Words, plus
from rulewright.codegen.passes.incremental import Incremental
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type


@define
class EffectWriter:
    """Writes single effects on the position that `v` names."""

    layout: StateLayout
    v: Values = field(init=False)
    vacant: set[int] = field(factory=set, init=False)
    """Choices that are known to be without a piece, until the first effect on pieces."""
    mine: set[int] = field(factory=set, init=False)
    """Choices that are known to hold a piece of the player who moves, as long."""
    incremental: Incremental | None = field(default=None, init=False)
    """What to keep up to date, where nothing is ever undone."""
    met: dict[int, str] = field(factory=dict, init=False)

    # --- pieces ---

    def _places(self) -> list[int]:
        """Where the sets of owners and of kinds lie."""
        size = self.layout.words
        kinds = len(self.layout.rules.kinds) if self.layout.kinds_kept else 0
        owners = [self.layout.owned + i * size for i in range(self.layout.owners)]
        return owners + [self.layout.kinds + i * size for i in range(kinds)]

    def _take(self, words: Words) -> None:
        """Nothing stands on *words* any more."""
        v = self.v
        for place in self._places():
            for w, word in enumerate(words):
                cell = self.layout.word(v.state, place + w)
                v.w.put(f"{cell} = {cell} & ~{word}")

    def _add(self, place: str, words: Words) -> None:
        v = self.v
        for w, word in enumerate(words):
            cell = self.layout.word(v.state, plus(place, w))
            v.w.put(f"{cell} = {cell} | {word}")

    def _forget(self) -> None:
        """An effect on pieces: what was known of choices holds no more."""
        self.vacant.clear()
        self.mine.clear()

    def _add_one(self, place: str, site: Site) -> None:
        v = self.v
        number = site.number
        if self.layout.words == 1:
            cell, bit = self.layout.word(v.state, place), f"wrap_shl(1, {number})"
        else:
            cell = self.layout.word_of(v.state, place, number)
            bit = f"wrap_shl(1, {number} & 63)"
        v.w.put(f"{cell} = {cell} | {bit}")

    def _put(self, s: r.Put) -> None:
        v = self.v
        owner = {r.OWN: v.view, r.OTHER: 1 - v.view}.get(s.owner, s.owner)
        place = str(self.layout.owned + owner * self.layout.words)
        value = v.value(s.sites)
        kind = v.value(s.kind)
        if isinstance(value, Site) and isinstance(s.sites, m.Local) and s.sites.slot in self.vacant:
            self._forget()
            self._add_one(place, value)
            if self.incremental:
                self.met = self.incremental.on_put(v, value.number)
            if self.layout.kinds_kept:
                self._add_one(f"{self.layout.kinds} + {kind} * {self.layout.words}", value)
            return
        self._forget()
        words = v.as_words(value)
        if self.layout.link_words:
            self._unlink(v.w.both(words, full(v)))
        self._take(words)
        self._add(place, words)
        if self.layout.kinds_kept:
            self._add(f"{self.layout.kinds} + {kind} * {self.layout.words}", words)

    def _piece(self, site: str) -> tuple[str, str]:
        """Where the owner's and the kind's set of the piece on a site lie; -1 for no piece."""
        v, found = self.v, (self.v.w.fresh("o"), self.v.w.fresh("k"))
        places = self._places()
        for name, part in zip(
            found, (places[: self.layout.owners], places[self.layout.owners :]), strict=True
        ):
            v.w.put(f"{name} = -1")
            for place in part:
                bit = v.w.has(v.w.load(v.state, str(place)), site)
                with v.w.block(f"if {bit} != 0:"):
                    v.w.put(f"{name} = {place}")
        return found

    def _move_piece(self, s: r.MovePiece) -> None:
        v = self.v
        source, target = v.site(s.source), v.site(s.target)
        known = isinstance(s.source, m.Local) and s.source.slot in self.mine
        self._forget()
        if known and not self.layout.kinds_kept and not self.layout.link_words:
            a, b = v.w.site_bit(source), v.w.site_bit(target)
            self._take(v.w.either(a, b))
            self._add(str(self.layout.owned + v.mover * self.layout.words), b)
            return
        owner, kind = self._piece(source)
        a, b = v.w.site_bit(source), v.w.site_bit(target)
        self._unlink(v.w.either(a, b))
        with v.w.block(f"if {owner} < 0:"):
            v.fault("no-piece")
        with v.w.block("else:"):
            self._take(v.w.either(a, b))
            self._add(owner, b)
            if self.layout.kinds_kept:
                self._add(kind, b)

    def _move_each(self, s: r.MoveEach) -> None:
        """All pieces are noted with their targets, then lifted, then put down."""
        v, w = self.v, self.v.w
        self._forget()
        room = self.layout.scratch(3 * len(self.layout.rules.board.names))
        domain = v.words(s.domain)
        count, touched = w.fresh("n"), w.variable(domain)
        w.put(f"{count} = 0")
        with w.sites(domain) as site:
            v.frame[s.slot] = Site(site)
            target = self._target(s.target)
            owner, kind = self._piece(site)
            with w.block(f"if {target} >= 0:"):
                w.add(touched, w.site_bit(target))
            for i, part in enumerate((target, owner, kind)):
                w.put(f"g.scratch[{room} + 3 * {count} + {i}] = {part}")
            w.put(f"{count} = {count} + 1")
        self._unlink(touched)
        self._take(domain)
        self._put_down(room, count)

    def _target(self, e: m.Expr) -> str:
        """The number of the one site of a set, -1 for none."""
        v, w = self.v, self.v.w
        value = v.value(e)
        if isinstance(value, Site):
            return value.number
        target = w.fresh("s")
        w.put(f"{target} = -1")
        with w.block(f"if {w.some(value)}:"):
            w.put(f"{target} = {w.lowest(value)}")
        with w.block(f"if {w.count_of(value)} > 1:"):
            v.fault("not-one-site")
        return target

    def _put_down(self, room: int, count: str) -> None:
        v, w = self.v, self.v.w
        seen, index = w.empty(), w.fresh("i")
        with w.block(f"for {index} in range({count}):"):
            target, owner, kind = (
                w.let(f"g.scratch[{room} + 3 * {index} + {i}]", "x") for i in range(3)
            )
            with w.block(f"if {owner} >= 0:"):
                with w.block(f"if {target} < 0:"):
                    v.fault("no-target")
                with w.block("else:"):
                    bit = w.site_bit(target)
                    with w.block(f"if {w.has(seen, target)} != 0:"):
                        v.fault("target-twice")
                    w.add(seen, bit)
                    self._take(bit)
                    self._add(owner, bit)
                    if self.layout.kinds_kept:
                        self._add(kind, bit)

    # --- links and states ---

    def _unlink(self, words: Words) -> None:
        """Remove the links that end in *words*."""
        if not self.layout.link_words:
            return
        v, w = self.v, self.v.w
        table, row = self.layout.incident_table
        with w.sites(words) as site:
            base = w.let(f"{table} + {site} * {row}", "k")
            index = w.fresh("i")
            with w.block(f"for {index} in range(g.tables[{base}]):"):
                number = w.let(f"g.tables[{base} + 2 + 2 * {index}]", "n")
                cell = self.layout.word_of(v.state, self.layout.links, number)
                w.put(f"{cell} = {cell} & ~wrap_shl(1, {number} & 63)")

    def _link_all(self, s: r.Link) -> None:
        """Links from one site: by way of its possible links where that is right."""
        if not s.remove and isinstance(s.source, m.Local):
            source = s.source

            def fast() -> bool:
                link_each(self.v, source, s.target, self._linked)
                return True

            if self.v.w.attempt(fast):
                return
        self._link(self.v.site(s.source), self.v.words(s.target), s.remove)

    def _linked(self, target: LinkedSite) -> None:
        self._set_link(target.link, remove=False)
        if self.incremental:
            self.incremental.on_link(self.v, target.source, target.number, self.met)

    def _link(self, source: str, targets: Words, remove: bool) -> None:
        v, w = self.v, self.v.w
        if self.incremental:
            raise Unsupported
        with w.sites(targets) as target:
            self._set_link(link_number(v, source, target), remove)

    def _set_link(self, number: str, remove: bool) -> None:
        cell = self.layout.word_of(self.v.state, self.layout.links, number)
        bit = f"wrap_shl(1, {number} & 63)"
        self.v.w.put(f"{cell} = {cell} & ~{bit}" if remove else f"{cell} = {cell} | {bit}")

    def _assign(self, s: r.Assign) -> None:
        v, state = self.v, self.layout.rules.states[s.index]
        view = v.view if s.player == r.OWN else 1 - v.view if s.player == m.ENEMY else s.player
        offset = v.offset(s.index, v.mover if s.player == m.MOVER else view)
        if state.type is Type.SITES:
            v.w.store(v.state, str(offset), v.words(s.value))
            return
        value = v.value(s.value)
        number = v.flag(value) if state.type is Type.TRUTH else value
        if state.low is not None and state.high is not None:
            with v.w.block(f"if {number} < {state.low} or {number} > {state.high}:"):
                v.fault("out-of-range")
        v.w.put(f"{self.layout.word(v.state, offset)} = {number}")
