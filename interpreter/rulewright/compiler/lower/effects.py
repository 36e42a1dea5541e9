"""Effects: pieces put, taken and carried, links, states.

In: one effect of a move.  Out: statements that do it on the position that the values look at.
Faults of the language (a piece carried to no site) are noted; nothing is refused.
"""

from __future__ import annotations

from contextlib import ExitStack

from attrs import define, field

from rulewright.compiler.faults import FAULTS
from rulewright.compiler.ir.nodes import Const, Element, Expr, Local, Value, op, truth
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.entries import each_site, entry, place_in
from rulewright.compiler.lower.links import LinkedSite, link_each, link_number
from rulewright.compiler.lower.operations import full
from rulewright.compiler.lower.trying import keep, leave_of_turn
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import GAME, SCRATCH, STATE, Lowered, Site, Sites, array, at
from rulewright.compiler.passes.incremental import Incremental
from rulewright.compiler.seats import view_of
from rulewright.ground.records import Record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type


@define(repr=False, eq=False)
class EffectWriter(Record):
    """Write single effects on the position that `v` names."""

    layout: StateLayout
    v: Values = field(init=False)
    vacant: set[int] = field(factory=set, init=False)
    """Slots whose sites are empty, until the first effect on pieces."""
    mine: set[int] = field(factory=set, init=False)
    """Slots whose sites hold a piece of the player who moves, until then."""
    incremental: Incremental | None = field(default=None, init=False)
    """The structures to update in random games, where nothing is ever undone."""
    ends: dict[int, Expr] = field(factory=dict, init=False)

    # --- the copy on which effects are tried ---

    def _copy(self, rest: Expr) -> None:
        """Copy the position and go on with the copy, as what follows may be discarded."""
        keep(self.v.w)
        self.v.state = "g.trial"
        leave_of_turn(self.v.w, rest, self.v.position)

    def _note_fault(self) -> None:
        """Copy a fault from the trial: it counts even if the decision is discarded."""
        if self.v.state == "g.trial":
            with self.v.w.when(self.v.position.fault.ne(0)):
                self.v.w.set(STATE.fault, self.v.position.fault)

    # --- pieces ---

    def _places(self) -> list[int]:
        """List the offsets of the sets of owners and of kinds."""
        size = self.layout.words
        kinds = len(self.layout.rules.kinds) if self.layout.kinds_kept else 0
        owners = [self.layout.owned + i * size for i in range(self.layout.owners)]
        return owners + [self.layout.kinds + i * size for i in range(kinds)]

    def _take(self, sites: Sites) -> None:
        """Remove all pieces from *sites*."""
        v = self.v
        for place in self._places():
            for w, word in enumerate(sites.words):
                cell = at(v.state, place + w)
                v.w.set(cell, cell & ~word)
        self._set_back(sites)

    # --- what states say of pieces ---

    def _attributes(self) -> list[tuple[int, r.StateVariable]]:
        """List the states that go with pieces, with their offsets."""
        pairs = zip(self.layout.states, self.layout.rules.states, strict=True)
        return [(offset, state) for offset, state in pairs if state.with_pieces]

    def _set_back(self, sites: Sites) -> None:
        """Forget what states say of the pieces on *sites*."""
        v = self.v
        for offset, state in self._attributes():
            if state.type is Type.SITES:
                for w, word in enumerate(sites.words):
                    cell = at(v.state, offset + w)
                    v.w.set(cell, cell & ~word)
            else:
                with v.w.sites(sites) as site:
                    v.w.set(self._attribute(offset, site), state.low or 0)

    def _attribute(self, offset: int, site: Expr) -> Element:
        """Name what a table that begins at *offset* says of a piece."""
        return at(self.v.state, Const(offset, INT, self.layout.bases.get(offset, "")) + site)

    def _attributes_of(self, site: Expr) -> list[Expr]:
        """Work out what states say of the piece on a site."""
        v = self.v
        return [
            v.w.let(
                v.w.load(v.state, offset).has(site)
                if state.type is Type.SITES
                else self._attribute(offset, site),
                "x",
            )
            for offset, state in self._attributes()
        ]

    def _attach(self, site: Expr, values: list[Expr]) -> None:
        """Let states say of a piece that has come to a site what they said before."""
        v = self.v
        for value, (offset, state) in zip(values, self._attributes(), strict=True):
            if state.type is Type.SITES:
                with v.w.when(value.ne(0)):
                    self._add(offset, v.w.site_bit(site))
            else:
                v.w.set(self._attribute(offset, site), value)

    # --- pieces put, carried and taken ---

    def _add(self, place: Value, sites: Sites) -> None:
        v = self.v
        for w, word in enumerate(sites.words):
            cell = at(v.state, place + w)
            v.w.set(cell, cell | word)

    def _forget(self) -> None:
        """Forget what is known of choices: an effect on pieces follows."""
        self.vacant.clear()
        self.mine.clear()

    def _add_site(self, place: Value, site: Site) -> None:
        v = self.v
        single = self.layout.words == 1
        cell = at(v.state, place) if single else v.w.word_of(v.state, place, site.number)
        v.w.set(cell, cell | op("wrap_shl", 1, site.number if single else site.number & 63))

    def _put(self, s: r.Put) -> None:
        v = self.v
        owner = self._player(s.owner)
        place = self.layout.owned + owner * self.layout.words
        value = v.value(s.sites)
        kind = v.word(s.kind)
        if self.layout.rules.board.stacked:
            self._lay(v.as_sites(value), owner * len(self.layout.rules.kinds) + kind)
            return
        if isinstance(value, Site) and isinstance(s.sites, m.Local) and s.sites.slot in self.vacant:
            self._forget()
            self._add_site(place, value)
            if self.incremental:
                self.ends = self.incremental.on_put(v, value.number)
            if self.layout.kinds_kept:
                self._add_site(self._kind(kind), value)
            if self._attributes():
                self._set_back(v.as_sites(value))
            return
        self._forget()
        sites = v.as_sites(value)
        if self.layout.link_words:
            self._unlink(sites & full(v))
        self._take(sites)
        self._add(place, sites)
        if self.layout.kinds_kept:
            self._add(self._kind(kind), sites)

    def _kind(self, kind: Expr) -> Value:
        """Return the offset of the set of a kind."""
        if isinstance(kind, Const):
            return self.layout.kinds + int(kind.value) * self.layout.words
        return self.layout.kinds + kind * self.layout.words

    def _piece(self, site: Expr) -> tuple[Local, Local]:
        """Look up the offsets of the owner's and the kind's set of a piece; -1 for no piece."""
        v, w = self.v, self.v.w
        places = self._places()
        parts = places[: self.layout.owners], places[self.layout.owners :]
        names = w.fresh("o"), w.fresh("k")
        for name, part in zip(names, parts, strict=True):
            w.set(name, -1)
            for place in part:
                with w.when(w.load(v.state, place).has(site).ne(0)):
                    w.set(name, place)
        return names

    def _move_piece(self, s: r.MovePiece) -> None:
        v = self.v
        if self.layout.rules.board.stacked:
            self._carry(s)
            return
        source, target = v.site(s.source), v.site(s.target)
        is_own = isinstance(s.source, m.Local) and s.source.slot in self.mine
        self._forget()
        attributes = self._attributes_of(source)
        if is_own and not self.layout.kinds_kept and not self.layout.link_words:
            a, b = v.w.site_bit(source), v.w.site_bit(target)
            self._take(a | b)
            self._add(self.layout.owned + v.mover * self.layout.words, b)
            self._attach(target, attributes)
            return
        owner, kind = self._piece(source)
        a, b = v.w.site_bit(source), v.w.site_bit(target)
        self._unlink(a | b)
        with v.w.when(owner < 0):
            v.fault("no-piece")
        with v.w.otherwise():
            self._take(a | b)
            self._add(owner, b)
            if self.layout.kinds_kept:
                self._add(kind, b)
            self._attach(target, attributes)

    def _move_each(self, s: r.MoveEach) -> None:
        """Move several pieces: note them with their targets, lift all, put all down."""
        if self.layout.rules.board.stacked:
            raise Unsupported("`move each` on a board that is stacked")
        v, w = self.v, self.v.w
        self._forget()
        width = 3 + len(self._attributes())
        room = self.layout.scratch(width * len(self.layout.rules.board.names))
        domain = v.sites(s.domain)
        touched, count = w.variable(domain), w.var(0, "n")
        with w.sites(domain) as site:
            v.frame[s.slot] = Site(site)
            target = self._target(s.target)
            owner, kind = self._piece(site)
            with w.when(target >= 0):
                w.add(touched, w.site_bit(target))
            for i, part in enumerate((target, owner, kind, *self._attributes_of(site))):
                w.set(at("g.scratch", room + i + width * count), part)
            w.set(count, count + 1)
        self._unlink(touched)
        self._take(domain)
        self._place_pieces(room, width, count)

    def _target(self, e: m.Expr) -> Expr:
        """Write the number of the one site of a set, -1 for none; a fault for several."""
        v, w = self.v, self.v.w
        value = v.value(e)
        if isinstance(value, Site):
            return value.number
        sites, target = v.as_sites(value), w.var(-1, "s")
        with w.when(sites.any()):
            w.set(target, sites.lowest())
        with w.when(sites.count() > 1):
            v.fault("not-one-site")
        return target

    def _place_pieces(self, room: int, width: int, count: Expr) -> None:
        v, w = self.v, self.v.w
        targets = w.empty()
        with w.each(0, count) as index:
            target, owner, kind, *attributes = (
                w.let(at("g.scratch", room + i + width * index), "x") for i in range(width)
            )
            with w.when(owner >= 0):
                with w.when(target < 0):
                    v.fault("no-target")
                with w.otherwise():
                    bit = w.site_bit(target)
                    with w.when(targets.has(target).ne(0)):
                        v.fault("target-twice")
                    w.add(targets, bit)
                    self._take(bit)
                    self._add(owner, bit)
                    if self.layout.kinds_kept:
                        self._add(kind, bit)
                    self._attach(target, attributes)

    # --- piles ---

    def _lay(self, sites: Sites, piece: Expr) -> None:
        """Lay a piece on every site."""
        v, w = self.v, self.v.w
        self._forget()
        sites = w.variable(sites)
        digit = w.let(piece, "p")
        self._unlink(sites & full(v))
        with w.sites(sites) as site:
            self._pile("lay_piece", site, digit)

    def _clear_piles(self, s: r.Clear) -> None:
        """Take so many pieces, or all, from the pile of every site."""
        v, w = self.v, self.v.w
        number = None if s.number is None else w.let(v.number(s.number), "n")
        sites = w.variable(v.sites(s.sites))
        self._forget()
        self._unlink(sites)
        with w.sites(sites) as site:
            self._pile("lift_pieces", site, self._height(site) if number is None else number)

    def _carry(self, s: r.MovePiece) -> None:
        """Move pieces from the top of a pile onto another one, or under it."""
        v, w = self.v, self.v.w
        number = None if s.number is None else w.let(v.number(s.number), "n")
        source, target = w.let(v.site(s.source), "s"), w.let(v.site(s.target), "s")
        self._forget()
        height = self._height(source)
        if number is None or s.number is None:
            number = height
        with w.when(height.eq(0)):
            v.fault("no-piece")
        with w.otherwise():
            self._unlink(w.site_bit(source) | w.site_bit(target))
            self._pile("move_pieces", source, target, number, Const(int(s.under), INT))

    def _height(self, site: Expr) -> Expr:
        """Look up the height of a pile."""
        return self.v.w.let(at(self.v.state, self.layout.piles.heights + site), "h")

    def _pile(self, kernel: str, *args: Expr) -> None:
        """Call a kernel that changes piles, and note its fault."""
        v = self.v
        fault = v.w.let(v.w.call(kernel, GAME, (array(v.state),), *args), "f")
        for name in ("too-high", "too-few"):
            with v.w.when(fault.eq(FAULTS.index(name))):
                v.fault(name)

    # --- links and states ---

    def _bound(self, e: m.Expr) -> Lowered:
        """Write the value of a `let`, which later effects must not change."""
        if e.type is Type.REAL:
            raise Unsupported("a `let` in a move holds a number that is not whole")
        if e.type is Type.TRUTH:
            return self.v.w.flag(self.v.truth(e)).ne(0)
        return self.v.value(e)

    def _unlink(self, sites: Sites) -> None:
        """Remove the links that end in *sites*."""
        if not self.layout.link_words:
            return
        w = self.v.w
        table, row = self.layout.incident_table
        with w.sites(sites) as site:
            base = w.let(table + site * row, "k")
            with w.each(0, at("g.tables", base)) as index:
                self._set_link(w.let(at("g.tables", base + 2 + 2 * index), "n"), remove=True)

    def _link_all(self, s: r.Link) -> None:
        """Add or remove links from one site; goes through its possible links if it can."""
        if not s.remove and isinstance(s.source, m.Local):
            source = s.source

            def fast() -> bool:
                link_each(self.v, source, s.target, self._add_link)
                return True

            if self.v.w.attempt(fast):
                return
        self._link(self.v.site(s.source), self.v.sites(s.target), s.remove)

    def _add_link(self, target: LinkedSite) -> None:
        self._set_link(target.link, remove=False)
        if self.incremental:
            self.incremental.on_link(self.v, target.source, target.number, target.link, self.ends)

    def _link(self, source: Expr, targets: Sites, remove: bool) -> None:
        v, w = self.v, self.v.w
        if self.incremental:
            raise Unsupported
        with w.sites(targets) as target:
            self._set_link(link_number(v, source, target), remove)

    def _set_link(self, number: Expr, remove: bool) -> None:
        w = self.v.w
        cell = w.word_of(self.v.state, self.layout.links, number)
        bit = op("wrap_shl", 1, number & 63)
        w.set(cell, cell & ~bit if remove else cell | bit)

    def _player(self, player: int) -> int:
        """The player whom a statement names, by number or as it sees it."""
        v = self.v
        return v.view if player == r.OWN else view_of(v.rules, player, v.view, v.mover)

    def _assign(self, s: r.Assign) -> None:
        v, state = self.v, self.layout.rules.states[s.index]
        offset = v.offset(s.index, self._player(s.player))
        if state.type is Type.SITES:
            v.w.store(v.state, offset, v.sites(s.value))
            return
        number = v.word(s.value)
        if state.type is Type.TRUTH:
            number = v.w.flag(number)
        if not s.at:
            self._check_range(state, number)
            v.w.set(at(v.state, offset), number)
            return
        with ExitStack() as loops:
            places = list[Expr]()
            for argument, index in zip(s.at, state.indices, strict=True):
                if argument.type is Type.SITES:
                    places.append(loops.enter_context(each_site(v, v.value(argument))))
                else:
                    places.append(place_in(v, argument, index))
            self._check_range(state, number)
            v.w.set(entry(v, s.index, offset, places), number)

    def _check_range(self, state: r.StateVariable, number: Expr) -> None:
        """Write a fault if a state would leave its range."""
        if state.low is None or state.high is None:
            return
        v, tested = self.v, truth(True)
        if self.layout.rules.stuck_above:
            tested = SCRATCH.asking.eq(0)
        with v.w.when((number < state.low) | (number > state.high)), v.w.when(tested):
            v.fault("out-of-range")
