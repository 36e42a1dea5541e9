"""A whole look: from syntax to the model, for one game with its options fixed.

In: syntax, the rules, what has read them, and the words that those who draw know.  Out: the model,
which holds without the lines that have mistakes; None where the file is no look of this game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import Any

from attrs import define, evolve, field

from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector, did_you_mean, errors
from rulewright.language.languages import LOOK
from rulewright.language.resolve.evaluator_expressions import stand_on_rules
from rulewright.language.resolve.expressions import READERS
from rulewright.language.resolve.look_sites import LookSites, bound_name, sites_having
from rulewright.language.resolve.name_lookup import read_unused_definitions
from rulewright.language.resolve.personality_searches import FoundFile
from rulewright.language.resolve.scope import Scope, is_unknown, names_used
from rulewright.language.resolve.statements import (
    FileStatements,
    check_parameters,
    declare_lets,
)
from rulewright.language.resolve.values import read_closed
from rulewright.language.source import Source
from rulewright.model import look as k
from rulewright.model import rules as r
from rulewright.model.expressions import Expr, Type

MOST_WIDTHS, WIDEST = 64, 100
"""Numbers of a `pitch`, and the largest of them."""
_ONCE: dict[type[syntax.Node], str] = {
    syntax.Format: "format", syntax.LookName: "look", syntax.ExtendsLook: "extends",
    syntax.Title: "title", syntax.Tell: "tell", syntax.BoardMaterial: "board",
    syntax.Coordinates: "coordinates", syntax.ViewFrom: "view from",
    syntax.ViewTurned: "view turned", syntax.Thumbnail: "thumbnail",
    syntax.Family: "family",
}  # fmt: skip
_HEX = re.compile(r"#[0-9A-Fa-f]{6}")


@record
class LookGround(Record):
    """What a look stands on: the rules, what has read them, words to draw with, other looks.

    *words* are those of each place (`material`, `shape`, ...), *is_path* tells path data.
    """

    rules: r.Rules
    names: Scope
    words: Mapping[str, Collection[str]]
    is_path: Callable[[str], bool]
    find: Callable[[str], FoundFile | None]
    looks: Callable[[], Collection[str]]


def resolve_look(
    tree: syntax.Look, source: Source, report: Collector, ground: LookGround
) -> k.Look | None:
    """Give every line its meaning; report those that have none, and go on without them."""
    scope = Scope.of(tree, source, report, READERS)
    stand_on_rules(scope, ground.rules, ground.names)
    file = FileStatements(tree, scope, LOOK.head, _ONCE)
    if file.says_nothing():
        return None
    head = file.first(syntax.LookName)
    file.check_head(head)
    file.check_once()
    if head is None or head.game.text not in ground.rules.names:
        if head is not None:
            file.check_game(head.game, ground.rules)
        return None
    declare_lets(file)
    check_parameters(file)
    model = _Draft(file, scope, ground).look(head)
    read_unused_definitions(scope)
    _check_unused(file, scope)
    return model


def _check_unused(file: FileStatements, scope: Scope) -> None:
    used = {*names_used(file.tree.items), *scope.mentioned}
    for let in file.all(syntax.Let):
        if let.name.text not in used:
            message = f"the definition `{let.name.text}` is never used"
            scope.complain("unused-name", let.name, message)


@define
class _Draft:
    """A look while it is read."""

    file: FileStatements
    scope: Scope
    ground: LookGround
    base: k.Look | None = None
    colours: dict[str, k.OwnColour] = field(factory=dict)
    lines: dict[str, int] = field(factory=dict)
    names_nothing: bool = False
    """Whether a name of the line that is read stands for nothing, reported here or elsewhere."""

    def look(self, head: syntax.LookName) -> k.Look:
        """The look of the lines that have no mistakes."""
        self._extend(head)
        for node in self.file.all(syntax.OwnColour):
            self._own_colour(node)
        first = {word: self._once(kind) for kind, word in _TEXTS.items()}
        values = {kind: tuple(self._all(kind)) for kind in (*_PAIRS, *_PARTS)}
        board, turned = self._once(syntax.BoardMaterial), self._once(syntax.ViewTurned)
        texts = {word: text for word, text in first.items() if text is not None}
        pairs = {kind: dict(values[kind]) for kind in _PAIRS}
        parts = {name: values[kind] for kind, name in _PARTS.items()}
        return k.Look(
            head.name.text, head.game.text, self.base,
            texts | ({"material": board[0]} if board else {}),
            tuple(self.colours.values()),
            colours=board[1] if board else (),
            pitch=pairs[syntax.Pitch],
            turned=turned,
            grounds=tuple(self._all(syntax.GroundDrawn, syntax.GroundPath)),
            pieces=tuple(chain(*self._all(syntax.PieceDrawn, syntax.PiecePath))),
            words=pairs[syntax.MoveWord],
            refusals=pairs[syntax.Refuse],
            functions=tuple(self.scope.functions),
            origins=tuple(self.scope.origins),
            lines=self.lines,
            **parts,
        )  # fmt: skip

    @contextmanager
    def _aside(self) -> Iterator[Collector]:
        """Collect the mistakes of one line, to see whether there are any."""
        scope, outer = self.scope, self.scope.report
        scope.report = inner = Collector()
        yield inner
        scope.report = outer
        for diagnostic in inner.diagnostics:
            outer(diagnostic)

    def _read(self, node: syntax.Node) -> Any:
        """What a line says; None where it has a mistake."""
        self.names_nothing = False
        with self._aside() as report:
            value = _READ[type(node)](self, node)
        return None if self.names_nothing or errors(report.diagnostics) else value

    def _unknown(
        self, name: syntax.Name, noun: str, names: Collection[str], hint: str = ""
    ) -> None:
        self.names_nothing = True
        self.scope.unknown(name, noun, names, hint)

    def _once(self, kind: type[syntax.Node]) -> Any:
        node = self.file.first(kind)
        if node is None:
            return None
        self.lines[_ONCE[kind]] = self.scope.origin(node)
        return self._read(node)

    def _all(self, *kinds: type[syntax.Node]) -> Iterator[Any]:
        nodes = (item for item in self.file.tree.items if isinstance(item, kinds))
        values = (self._read(node) for node in nodes)
        return (value for value in values if value is not None)

    # --- what it builds upon, and colours ---

    def _extend(self, head: syntax.LookName) -> None:
        node = self.file.first(syntax.ExtendsLook)
        if node is None:
            return
        named, name = self.ground.find(node.name.text), node.name
        if named is None:
            others = [other for other in self.ground.looks() if other != head.name.text]
            self.file.complain_missing("look", name, self.ground.rules.name, others)
        elif named.cycle:
            self.scope.complain("cycle", name, named.cycle)
        elif isinstance(named.model, k.Look):
            self.base = named.model
        else:
            self.file.complain_faulty("look", name, named.file)

    def _own_colour(self, node: syntax.OwnColour) -> None:
        name, scope = node.name.text, self.scope
        values = [node.light, node.light if node.dark is None else node.dark]
        wrong = next((value for value in values if not _HEX.fullmatch(value)), None)
        if name in self.ground.words["colour"] or name in self.colours:
            message = f"there is a colour `{name}` already"
            scope.complain("defined-twice", node.name, message, "choose another name")
        elif wrong is not None:
            message, advice = f"`{wrong}` is no colour", 'a colour is written `"#8FAE9F"`'
            scope.complain("bad-colour", node, message, advice)
            scope.excused.add(name)
        else:
            self.colours[name] = k.OwnColour(name, values[0].upper(), values[1].upper())

    def colour(self, name: syntax.Name | None) -> str:
        """A colour by its name, reported where there is none; empty where none is said."""
        if name is None:
            return ""
        inherited = {
            c.name for look in (self.base.layers if self.base else ()) for c in look.own_colours
        }
        colours = {*self.ground.words["colour"], *self.colours, *inherited}
        if name.text not in colours:
            self._unknown(name, "colour", colours, "the page of looks lists all colours")
        return name.text

    # --- names ---

    def word(self, name: syntax.Name, place: str, noun: str = "") -> str:
        """A word that a place knows; others are reported."""
        words = self.ground.words[place]
        if name.text not in words:
            advice = did_you_mean(name.text, words) or f"expected {_listed(words)}"
            message = f"`{name.text}` is no {noun or place}"
            self.scope.complain("unknown-word", name, message, advice)
        return name.text

    def named(self, name: syntax.Name, kind: str) -> str:
        """A name of the rules of some kind; others are reported."""
        declared = self.scope.declared
        if kind == "move":
            names: Collection[str] = self.scope.moves
        else:
            names = [n for n, d in declared.items() if d.kind == kind]
        if name.text not in names:
            self._unknown(name, kind, names)
        return name.text

    def owner(self, name: syntax.Name | None) -> int | None:
        """A player or nobody, by number; None for anybody."""
        if name is None:
            return None
        players = (*self.scope.players, "nobody")
        if name.text not in players:
            self._unknown(name, "player", players)
            return None
        return players.index(name.text)

    # --- lines ---

    def text(self, node: syntax.Title | syntax.Tell | syntax.Family) -> str:
        return node.text

    def thumbnail(self, node: syntax.Thumbnail) -> str:
        return node.moves

    def lesson(self, node: syntax.Learn) -> k.Lesson:
        return k.Lesson(node.moves, node.text, "", self.scope.origin(node))

    def puzzle(self, node: syntax.Puzzle) -> k.Lesson:
        return k.Lesson(node.moves, node.text, node.answer, self.scope.origin(node))

    def side(self, node: syntax.SideColour) -> k.SideColour | None:
        colour = self.colour(node.colour)
        if node.player.text in self.ground.rules.absent:
            return None
        owner = self.owner(node.player)
        if owner is None:
            return None
        if node.player.text == "nobody":
            self._unknown(node.player, "player", self.scope.players)
        return k.SideColour(owner, colour, node.label or "", self.scope.origin(node))

    def board(self, node: syntax.BoardMaterial) -> tuple[str, tuple[str, ...]]:
        return self.word(node.material, "material"), tuple(map(self.colour, node.colours))

    def pitch(self, node: syntax.Pitch) -> tuple[str, tuple[int, ...]]:
        axis = self.word(node.axis, "axis")
        for width in node.widths:
            self.number(width, 1, WIDEST, "a width")
        if len(node.widths) > MOST_WIDTHS:
            message = f"at most {MOST_WIDTHS} widths are repeated"
            self.scope.complain("too-large", node.widths[MOST_WIDTHS], message)
        return axis, tuple(int(width.value) for width in node.widths)

    def number(self, node: syntax.Number, low: int, high: int, noun: str) -> int:
        """A whole number of a range; others are reported."""
        if not isinstance(node.value, int) or not low <= node.value <= high:
            message = f"{noun} is a whole number from {low} to {high}"
            self.scope.complain("out-of-range", node, message)
        return int(node.value)

    def view(self, node: syntax.ViewFrom) -> str:
        views = (*self.scope.players, "mover", "nobody")
        if node.viewer.text not in views:
            self._unknown(node.viewer, "player", views)
        return node.viewer.text

    def turned(self, node: syntax.ViewTurned) -> int:
        return self.number(node.degrees, 0, 359, "an angle")

    def coordinates(self, node: syntax.Coordinates) -> str:
        return self.word(node.place, "coordinates", "place of coordinates")

    def sites(self, node: syntax.Expr | None) -> tuple[int, ...] | None:
        return None if node is None else self._sites.of(node)

    @property
    def _sites(self) -> LookSites:
        return LookSites(self.scope, self.ground.rules.board)

    def _spans(
        self,
        node: syntax.GroundDrawn | syntax.GroundPath | syntax.PieceDrawn,
        sites: tuple[int, ...] | None,
    ) -> k.Spans:
        """The strokes of a line, if it has any."""
        if node.start is None or node.end is None:
            return ()
        if node.sites is None or sites is None:
            if node.sites is None:
                message = "a stroke needs the sites that it belongs to"
                advice = "write `at s in SET` before `as`"
                self.scope.complain("missing-statement", node.start, message, advice)
            return ()
        return self._sites.spans(node.sites, sites, (node.start, node.end)) or ()

    def ground_drawn(self, node: syntax.GroundDrawn) -> k.GroundDrawn | None:
        shape, colour, sites = (
            self.word(node.shape, "shape"),
            self.colour(node.colour),
            self.sites(node.sites),
        )
        spans = self._spans(node, sites)
        if sites is None:
            return None
        return k.GroundDrawn(sites, shape, colour, spans, self.scope.origin(node))

    def ground_path(self, node: syntax.GroundPath) -> k.GroundDrawn | None:
        colour, sites = self.colour(node.colour), self.sites(node.sites)
        self._check_path(node, node.path)
        spans, origin = self._spans(node, sites), self.scope.origin(node)
        if sites is None:
            return None
        return k.GroundDrawn(sites, "path", colour, spans, origin, node.path)

    def pile(self, node: syntax.PileDrawn) -> k.PileDrawn | None:
        way, sites = self.word(node.way, "way", "way of a pile"), self.sites(node.sites)
        return None if sites is None else k.PileDrawn(sites, way)

    def numbers(self, node: syntax.NumbersDrawn) -> k.NumbersDrawn:
        drawing = self.word(node.drawing, "drawing")
        return k.NumbersDrawn(drawing, self.colour(node.colour), self.scope.origin(node))

    def label(self, node: syntax.SiteLabel) -> tuple[tuple[int, int], ...] | None:
        return self._sites.labels(node.sites, node.value)

    def die(self, node: syntax.DieShown) -> k.DieShown | None:
        value, sites = read_closed(self.scope, node.value, Type.INT), self.sites(node.sites)
        if is_unknown(value) or sites is None:
            return None
        return k.DieShown(value, sites, self.scope.origin(node))

    def piece(self, node: syntax.PieceDrawn) -> tuple[k.PieceDrawn, ...]:
        kind, owner = self.named(node.kind, "kind of piece"), self.owner(node.player)
        drawing, now = self.word(node.drawing, "drawing"), self._now(node)
        sites = None if now else self.sites(node.sites)
        spans, colour = self._spans(node, sites), self.colour(node.colour)
        sign, origin = self._sign(node), self.scope.origin(node)
        drawn = k.PieceDrawn(kind, drawing, owner, sites, colour, "", spans, origin, now)
        return (evolve(drawn, sign=sign),)

    def _sign(self, node: syntax.PieceDrawn) -> str:
        """The sign that a drawing bears; reported where it has no room for one."""
        if node.sign is None:
            return ""
        bearers = self.ground.words["bearer"]
        if node.drawing.text not in bearers:
            message = f"`{node.drawing.text}` bears no sign"
            self.scope.complain("unknown-word", node.sign, message, f"{_listed(bearers)} do")
        return self.word(node.sign, "sign")

    def _now(self, node: syntax.PieceDrawn | syntax.PiecePath) -> Expr | None:
        """The sites of a line that depend on the position; strokes need sites that do not."""
        if node.sites is None or getattr(node, "start", None) is not None:
            return None
        return self._sites.of_position(node.sites)

    def path(self, node: syntax.PiecePath) -> tuple[k.PieceDrawn, ...]:
        kind, owner = self.named(node.kind, "kind of piece"), self.owner(node.player)
        now, colour = self._now(node), self.colour(node.colour)
        sites = None if now else self.sites(node.sites)
        self._check_path(node, node.path)
        origin = self.scope.origin(node)
        drawn = k.PieceDrawn(kind, "path", owner, sites, colour, node.path, (), origin, now)
        if node.degrees is None or node.table is None:
            return (drawn,)
        return tuple(self._turned(drawn, node, node.degrees, node.table))

    def _check_path(self, node: syntax.Node, text: str) -> None:
        if not self.ground.is_path(text):
            message = "this is no outline: path data begins with `M` and has numbers from 0 to 100"
            self.scope.complain("bad-picture", node, message, '`path "M 20 80 L 50 15 L 80 80 Z"`')

    def _turned(
        self, piece: k.PieceDrawn, node: syntax.PiecePath, angle: syntax.Number, name: syntax.Name
    ) -> Iterator[k.PieceDrawn]:
        """The drawing turned for each value that a table of numbers can have at a site."""
        degrees = self.number(angle, 1, 359, "an angle")
        table = self.scope.states.get(name.text)
        if table is None or [index.type for index in table.indices] != [Type.SITE]:
            names = [s.name for s in self.scope.states.values() if len(s.indices) == 1]
            self._unknown(name, "table of numbers by sites", names)
            return
        for value in range(table.low or 0, (table.high or 0) + 1):
            now = self._sites.of_position(sites_having(node.sites, name, value))
            yield evolve(piece, sites=None, now=now, turn=degrees * value % 360)

    def links(self, node: syntax.LinksDrawn) -> k.LinksDrawn:
        kind, style = self.named(node.kind, "link"), self.word(node.style, "style")
        width = None if node.width is None else self.number(node.width, 1, WIDEST, "a width")
        return k.LinksDrawn(kind, style, width)

    def mark(self, node: syntax.SiteMark) -> k.SiteMark | None:
        state, mark = self.word(node.state, "state"), self.word(node.mark, "mark")
        colour, sites = self.colour(node.colour), None
        if node.sites is not None:
            _, domain = bound_name(node.sites)
            sites = read_closed(self.scope, domain, Type.SITES)
            if is_unknown(sites):
                return None
        return k.SiteMark(state, mark, colour, sites, self.scope.origin(node))

    def animate(self, node: syntax.Animate) -> k.Animate:
        start = "" if node.start is None else self.word(node.start, "start", "place to come from")
        return k.Animate(self.named(node.move, "move"), self.word(node.motion, "motion"), start)

    def click(self, node: syntax.Click) -> k.Click | None:
        groups = self._sites.groups(node.sites)
        return k.Click(self.named(node.move, "move"), groups) if groups is not None else None

    def button(self, node: syntax.MoveButton) -> k.MoveButton:
        return k.MoveButton(self.named(node.move, "move"), node.text, node.help or "")

    def show(self, node: syntax.ShowBeside) -> k.ShowBeside | None:
        kinds = [n for n, d in self.scope.declared.items() if d.kind == "kind of piece"]
        is_piece = node.display.text in kinds
        display = node.display.text if is_piece else self.word(node.display, "display")
        move = "" if node.move is None else self.named(node.move, "move")
        places = (*self.ground.words["beside"], *self.scope.players)
        if node.whom.text not in places:
            self._unknown(node.whom, "place", places, f"expected {_listed(places)}")
        kind = Type.SITES if display == "card" and not is_piece else Type.INT
        value: Expr = read_closed(self.scope, node.value, kind)
        if is_unknown(value):
            return None
        start, origin = self.sites(node.start) or (), self.scope.origin(node)
        return k.ShowBeside(value, display, node.text or "", node.whom.text, move, origin, start)

    def move_text(self, node: syntax.MoveWord | syntax.Refuse) -> tuple[str, str]:
        return self.named(node.move, "move"), node.text


def _listed(words: Collection[str]) -> str:
    *others, last = sorted(words)
    return f"{', '.join(others)} or {last}" if others else last


_TEXTS: dict[type[syntax.Node], str] = {
    syntax.Title: "title", syntax.Tell: "tell", syntax.Coordinates: "coordinates",
    syntax.ViewFrom: "view", syntax.Thumbnail: "thumbnail", syntax.Family: "family",
}  # fmt: skip
_PAIRS = (syntax.Pitch, syntax.MoveWord, syntax.Refuse)
_PARTS: dict[type[syntax.Node], str] = {
    syntax.SideColour: "sides", syntax.LinksDrawn: "links", syntax.PileDrawn: "piles",
    syntax.NumbersDrawn: "numbers", syntax.SiteLabel: "labels", syntax.DieShown: "dice",
    syntax.SiteMark: "marks", syntax.Animate: "animations", syntax.Click: "clicks",
    syntax.MoveButton: "buttons", syntax.ShowBeside: "beside", syntax.Learn: "lessons",
    syntax.Puzzle: "puzzles",
}  # fmt: skip
_READ: dict[type[syntax.Node], Callable[[Any, Any], Any]] = {
    syntax.Title: _Draft.text, syntax.Tell: _Draft.text, syntax.Thumbnail: _Draft.thumbnail,
    syntax.SideColour: _Draft.side, syntax.BoardMaterial: _Draft.board, syntax.Pitch: _Draft.pitch,
    syntax.ViewFrom: _Draft.view, syntax.ViewTurned: _Draft.turned,
    syntax.Coordinates: _Draft.coordinates, syntax.GroundDrawn: _Draft.ground_drawn,
    syntax.GroundPath: _Draft.ground_path, syntax.PileDrawn: _Draft.pile,
    syntax.NumbersDrawn: _Draft.numbers, syntax.SiteLabel: _Draft.label,
    syntax.DieShown: _Draft.die,
    syntax.PieceDrawn: _Draft.piece, syntax.PiecePath: _Draft.path,
    syntax.LinksDrawn: _Draft.links, syntax.SiteMark: _Draft.mark, syntax.Animate: _Draft.animate,
    syntax.Click: _Draft.click, syntax.MoveButton: _Draft.button, syntax.ShowBeside: _Draft.show,
    syntax.MoveWord: _Draft.move_text, syntax.Refuse: _Draft.move_text,
    syntax.Family: _Draft.text, syntax.Learn: _Draft.lesson, syntax.Puzzle: _Draft.puzzle,
}  # fmt: skip
"""What reads each line."""
