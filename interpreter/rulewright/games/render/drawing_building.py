"""The drawing of a game: a board, dressed.

In: a board with the lines and names of its scene, a dressing, and what its moves put.  Out: a
`BoardDrawing`.  Every piece that there can be has a form: the one that the dressing says, else the
bundled drawing of its name, else its letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from attrs import evolve, field, frozen

from rulewright.games.render.amounts import die_faces, heap_forms, label_texts, pile_forms
from rulewright.games.render.cards import card_forms, card_plan, cards_ground, strip_width
from rulewright.games.render.drawing import (
    CELL,
    BoardDrawing,
    DrawnSite,
    Entry,
    Form,
    LinkForm,
    Phrases,
    Point,
    Stroke,
)
from rulewright.games.render.dressing import Colour, Dressing, PieceLook
from rulewright.games.render.grounds import (
    HOLE,
    GroundPlan,
    circle,
    ground_markup,
    over_markup,
    polygon,
    reach,
)
from rulewright.games.render.layout import BoardLayout, layout_of, shelf_of, turned
from rulewright.games.render.markup import content_id, number, words
from rulewright.games.render.paints import (
    HEAT,
    NOBODY_S,
    PAGE,
    SHINE,
    is_dark,
    piece_paints,
    variable,
)
from rulewright.games.render.palette import palette
from rulewright.games.render.piece_drawings import (
    own_drawing,
    piece_drawings,
    piece_markup,
    rotated,
    signs,
)
from rulewright.model.board import Board
from rulewright.model.rules import NOBODY, PieceKind

_ROOM = {"lines": 1.0, "frame": 2 * HOLE / 0.9 + 0.06, "holes": 0.96, "paper": 1, "drawn": 1}
"""How much of a site's box a piece has, by material; cells leave more of it free."""
_HEXAGON, _CELL = 0.82, 0.86
_MARGIN = CELL * 0.12
"""Around a frame, whose edge is rounded by a stroke."""
_OUTLINE = CELL * 0.035
"""Around cells that have an outline each."""
_DIGIT = 0.66
"""The width of a letter of a label, in its size."""
_VARIABLE = re.compile(r"--rw-([0-9A-F]{6})-([0-9A-F]{6})")
_SIDES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_STATES = {
    "last": "amber", "target": "pine", "take": "pine", "selected": "mint", "hint": "violet",
    "threat": "crimson", "win": "gold", "expected": "ink", "forbidden": "crimson", "ink": "ink",
    "muted": "ink_faint",
}  # fmt: skip
"""The colour of the palette for each state of a site, and for texts at sites."""


@frozen(eq=False)
class BoardShown:
    """What of a game's board is to be drawn, besides the places of its sites."""

    board: Board
    kinds: Sequence[PieceKind]
    strokes: Sequence[tuple[int, int]] = ()
    columns: Sequence[str] = ()
    rows: Mapping[int, str] = field(factory=dict)
    bars: Mapping[int, tuple[Point, ...]] = field(factory=dict)
    links: Sequence[str] = ()
    entries: Sequence[Entry] = ()
    exchanges: tuple[str, ...] = ()


def drawing_of(shown: BoardShown, dressing: Dressing) -> BoardDrawing:
    """The drawing of a board, dressed."""
    layout = layout_of(shown.board, dressing.columns, dressing.rows, dressing.turned)
    margin = _margins(shown, dressing, layout)
    left, top, right, bottom = layout.box
    layout = layout.moved(margin.left - left, margin.top - top)
    plan = GroundPlan(layout, dressing, shown.strokes, _bar_ends(shown, layout), margin.pad)
    symbols = _Symbols({})
    forms = tuple(_forms(_Workshop(shown, dressing, layout, symbols)))
    sites, shapes = _sites(layout, dressing)
    edge = right - left + margin.left + margin.right
    cards = card_plan(layout, dressing, edge)
    drawing = BoardDrawing(
        width=_round(edge + strip_width(layout, dressing)),
        height=_round(bottom - top + margin.top + margin.bottom),
        ground=ground_markup(plan) + "".join(cards_ground(cards)),
        over=over_markup(plan),
        coordinates="".join(_coordinates(shown, dressing, layout, margin)),
        shown=dressing.coordinates,
        symbols=symbols.by_id,
        sites=sites,
        shapes=shapes,
        forms=forms,
        links=tuple(_links(shown, dressing)),
        states=_states(dressing),
        marks=_marks(dressing),
        motions={a.move: f"{a.motion} {a.start}".strip() for a in dressing.animations},
        entries=tuple(shown.entries),
        exchanges=shown.exchanges,
        sides=_sides(dressing, symbols),
        phrases=_phrases(dressing),
        gestures=dressing.gestures,
    )
    piles = tuple(pile_forms(layout, dressing, sites))
    heaps = tuple(heap_forms(layout, dressing, partial(_loose_symbol, symbols)))
    dice = tuple(map(symbols.add, die_faces())) if dressing.has_dice else ()
    forms_of_cards = tuple(card_forms(cards, partial(_card_colour, dressing), symbols.add))
    drawing = evolve(drawing, piles=piles, heaps=heaps, dice=dice, cards=forms_of_cards)
    return evolve(drawing, colours=_colours(drawing))


def _card_colour(dressing: Dressing, owner: int | None) -> Colour:
    return palette()["pine"] if owner is None else _side_colour(dressing, owner)


def _loose_symbol(symbols: _Symbols, name: str, colour: Colour | None) -> str:
    """The symbol of something that belongs to nobody."""
    drawing = piece_drawings().get(name) or piece_drawings()["seed"]
    return symbols.add(piece_markup(drawing, colour or NOBODY_S, NOBODY))


def _phrases(dressing: Dressing) -> Phrases:
    labels = tuple(side.label for side in dressing.sides)
    buttons = {button.move: (button.text, button.help) for button in dressing.buttons}
    return Phrases(dressing.title, labels, dressing.words, buttons)


def _colours(drawing: BoardDrawing) -> Mapping[str, tuple[str, str]]:
    parts = [
        drawing.ground, drawing.over, drawing.coordinates, *drawing.symbols.values(),
        *drawing.states.values(), *(s.colour for link in drawing.links for s in link.strokes),
    ]  # fmt: skip
    pairs = sorted({pair for part in parts for pair in _VARIABLE.findall(part)})
    return {f"--rw-{a}-{b}": (f"#{a}", f"#{b}") for a, b in pairs}


def _round(value: float) -> float:
    return round(value, 1)


# --- around the sites ---


@frozen
class _Margins:
    """How far the material reaches beyond the sites, and the picture beyond them on each side.

    Labels have a `strip` that begins `clear` of the sites.
    """

    pad: float
    left: float
    top: float
    right: float
    bottom: float
    strip: float = 0
    clear: float = 0


def _margins(shown: BoardShown, dressing: Dressing, layout: BoardLayout) -> _Margins:
    material = dressing.material
    hovered = dressing.coordinates == "hover" and material in ("cells", "checkered")
    labels = bool(shown.columns) and (dressing.coordinates == "outside" or hovered)
    strip = max(CELL * 0.45, _widest(shown, layout) + CELL * 0.12) if labels else 0
    beyond = reach(layout, dressing)
    if layout.board.hexagonal and not layout.board.is_drawn:
        side = CELL * 0.5 if labels else 0
        ring = max(beyond, CELL * 0.12)
        return _Margins(0, ring + side, ring + side / 2, ring + side / 2, ring + side)
    if material == "lines":
        pad = beyond + (strip or CELL * 0.14)
        return _Margins(pad, pad, pad, pad, pad, strip, beyond)
    if material in ("cells", "checkered") and not layout.board.is_drawn:
        edge = max(beyond, 0 if layout.whole and not layout.turned else _OUTLINE)
        return _Margins(0, edge + strip, edge, edge, edge + strip, strip, edge)
    pad = max(beyond, CELL * {"frame": 0.24, "holes": 0.3}.get(material, 0.4))
    side = pad + (_MARGIN if material == "frame" else 0)
    return _Margins(pad, side + strip, side, side, side + strip, strip, side)


def _label_size(layout: BoardLayout) -> float:
    left, _, right, _ = layout.box
    return max(CELL * 0.22, min(CELL * 0.4, (right - left) / 56))


def _widest(shown: BoardShown, layout: BoardLayout) -> float:
    """The width of the longest label of a row, as far as it can be known."""
    return _DIGIT * _label_size(layout) * max(map(len, shown.rows.values()), default=0)


def _bar_ends(shown: BoardShown, layout: BoardLayout) -> tuple[Point, ...]:
    """The ends of all bars that the rules' gaps make, in the picture."""
    if not any(kind.letters[-1] for kind in shown.kinds):
        return ()
    ends = dict.fromkeys(end for bar in shown.bars.values() for end in bar)
    return tuple(_lattice_place(shown, layout, end) for end in ends)


def _lattice_place(shown: BoardShown, layout: BoardLayout, end: Point) -> Point:
    board = shown.board
    left = min(board.columns[i] for i in layout.drawn_sites)
    top = min(board.rows[i] for i in layout.drawn_sites)
    return layout.places[int(end[1] + top) * board.width + int(end[0] + left)]


def _coordinates(
    shown: BoardShown, dressing: Dressing, layout: BoardLayout, margin: _Margins
) -> Iterator[str]:
    yield from label_texts(layout, dressing)
    if not shown.columns or dressing.coordinates == "none":
        return
    if dressing.coordinates == "inside" and layout.board.is_square:
        yield from _inside(shown, dressing, layout)
        return
    size = _label_size(layout)
    paint = variable(palette()["wood_line" if dressing.material == "lines" else "ink_faint"])
    for text, place in _labels(shown, layout, margin):
        yield words(place, text, size, paint, 'text-anchor="middle" font-weight="600"')


def _labels(
    shown: BoardShown, layout: BoardLayout, margin: _Margins
) -> Iterator[tuple[str, Point]]:
    """The text and the place of each label: before the rows, and under the columns."""
    board, first, last = shown.board, dict[tuple[int, int], int](), dict[int, int]()
    shelves = dict[int, list[int]]()
    for site in layout.drawn_sites:
        shelf, _ = shelf_of(board, site)
        first.setdefault((shelf, board.rows[site]), site)
        last[board.columns[site]] = site
        shelves.setdefault(shelf, []).append(site)
    left, _, _, _ = layout.box
    away = margin.clear + margin.strip / 2 if margin.strip else margin.pad / 2
    for (_, row), site in first.items():
        x, y = layout.places[site]
        dx, dy = turned((-CELL * 0.82, 0), layout.turned)
        at = (x + dx, y + dy) if board.hexagonal else (left - away, y)
        yield shown.rows[row], at
    boxes = {shelf: layout.around(sites) for shelf, sites in shelves.items()}
    for column, site in last.items():
        x, y = layout.places[site]
        dx, dy = turned((CELL * 0.36, CELL * 0.76), layout.turned)
        _, top, _, high = boxes[shelf_of(board, site)[0]]
        at = (x + dx, y + dy) if board.hexagonal else (x, top + high + away)
        yield shown.columns[column], at


def _inside(shown: BoardShown, dressing: Dressing, layout: BoardLayout) -> Iterator[str]:
    """Small labels in the corners of the first column and the last row."""
    board, size = shown.board, CELL * 0.165
    left, _, _, bottom = layout.box
    paint = variable(Colour("", "#2A3733", "#0F1614"))
    look = 'font-weight="650" opacity="0.75"'
    for row, text in shown.rows.items():
        y = layout.corners(row * board.width)[0][1] + CELL * 0.13
        yield words((left + CELL * 0.05, y), text, size, paint, f'{look} text-anchor="start"')
    for column, text in enumerate(shown.columns):
        x = layout.corners(column)[1][0] - CELL * 0.05
        yield words((x, bottom - CELL * 0.12), text, size, paint, f'{look} text-anchor="end"')


# --- sites ---


def _sites(
    layout: BoardLayout, dressing: Dressing
) -> tuple[tuple[DrawnSite, ...], tuple[str, ...]]:
    shapes = dict[str, int]()
    sites = list[DrawnSite]()
    for site in layout.drawn_sites:
        outline = layout.outlines.get(site)
        shape = polygon(outline) if outline else circle((0, 0), CELL * 0.5)
        x, y = layout.places[site]
        number_ = shapes.setdefault(shape, len(shapes))
        size = _round(min(layout.room(site)) * _share(layout, dressing))
        sites.append(DrawnSite(site, (_round(x), _round(y)), size, number_))
    return tuple(sites), tuple(shapes)


def _share(layout: BoardLayout, dressing: Dressing) -> float:
    if layout.board.hexagonal:
        return _HEXAGON
    return _ROOM.get(dressing.material, _CELL)


# --- pieces ---


@frozen
class _Symbols:
    """The drawings of pieces by id: the same markup has the same id, in every game."""

    by_id: dict[str, str]

    def add(self, markup: str) -> str:
        """The id of *markup*."""
        name = content_id("rw", markup)
        self.by_id[name] = markup
        return name


def _side_colour(dressing: Dressing, owner: int) -> Colour:
    return dressing.sides[owner].colour if owner < len(dressing.sides) else NOBODY_S


def _figure(dressing: Dressing, owner: int) -> int:
    """Whose form of a drawing an owner's pieces have: more than two players have two in turn."""
    return owner % 2 if owner < len(dressing.sides) else NOBODY


@frozen(eq=False)
class _Workshop:
    """What pieces are made from: the board, its dressing and layout, the symbols so far."""

    shown: BoardShown
    dressing: Dressing
    layout: BoardLayout
    symbols: _Symbols


def _forms(w: _Workshop) -> Iterator[Form]:
    for kind in w.shown.kinds:
        for owner, letter in enumerate(kind.letters):
            looks = [PieceLook(kind.name, _usual(kind.name))]
            looks += [look for look in w.dressing.pieces if look.kind == kind.name]
            fitting = [look for look in looks if look.owner in (None, owner)] if letter else []
            whole = max((i for i, look in enumerate(fitting) if look.everywhere), default=0)
            for look in fitting[whole:]:
                yield from _form(w, look, owner, letter)


def _usual(name: str) -> str:
    return name if name in piece_drawings() else "letter"


def _form(w: _Workshop, look: PieceLook, owner: int, letter: str) -> Iterator[Form]:
    colour = look.colour or _side_colour(w.dressing, owner)
    name = look.drawing if look.drawing in piece_drawings() else "letter"
    drawing = (
        own_drawing(look.path, look.owner is not None)
        if look.drawing == "path"
        else piece_drawings()[name]
    )
    text = letter if name == "letter" and look.drawing != "path" else ""
    figure, sign = _figure(w.dressing, owner), signs().get(look.sign)
    facing = 180 * (figure == 1) if drawing.faces else None
    points = facing if look.turn is None else look.turn
    turn = None if points is None else points + w.dressing.turned
    symbol = w.symbols.add(rotated(piece_markup(drawing, colour, figure, text, sign), turn))
    sites = () if look.sites is None else tuple(sorted(look.sites))
    if look.sites is None or sites:
        size = 0.0 if drawing.size == 1 else drawing.size
        yield Form(
            look.kind, owner, symbol, size, sites, number=look.number, points=turn is not None
        )
    is_bar = owner == len(w.dressing.sides) or look.drawing == "bar"
    spans = _spans(w, look) if is_bar else {}
    for bar, where in _bars(w.layout, spans).items():
        stroke = w.symbols.add(_bar(bar, colour, owner))
        halo = w.symbols.add(_bar_line(bar, "currentColor", 2.4))
        ends = (*bar[0], *bar[1])
        yield Form(look.kind, owner, stroke, -1, tuple(where), halo, ends=ends)


def _spans(w: _Workshop, look: PieceLook) -> Mapping[int, tuple[Point, Point]]:
    """The ends of bars by site: those of the look, else those of gaps in the rules' lattice."""
    places = w.layout.places
    if look.spans:
        ends = look.spans.items()
        return {s: (places[a], places[b]) for s, (a, b) in ends if a in places and b in places}
    if look.drawing not in {"bar", "letter"}:
        return {}
    return {
        site: (
            _lattice_place(w.shown, w.layout, bar[0]),
            _lattice_place(w.shown, w.layout, bar[1]),
        )
        for site, bar in w.shown.bars.items()
        if len(bar) == 2
    }


def _bars(
    layout: BoardLayout, spans: Mapping[int, tuple[Point, Point]]
) -> Mapping[tuple[Point, Point, float], list[int]]:
    """Sites by their bar, as it lies around their middle, with its width."""
    bars = dict[tuple[Point, Point, float], list[int]]()
    for site, (a, b) in spans.items():
        x, y = layout.places[site]
        length = max(abs(a[0] - b[0]), abs(a[1] - b[1]))
        width = _round(min(0.42 * min(layout.room(site)), 0.105 * length))
        ends = tuple((_round(end[0] - x), _round(end[1] - y)) for end in (a, b))
        bars.setdefault((ends[0], ends[1], width), []).append(site)
    return bars


def _bar(bar: tuple[Point, Point, float], colour: Colour, owner: int) -> str:
    paints = piece_paints(colour)
    shadow = _bar_line(bar, paints["shadow"], more=' opacity="0.16" transform="translate(0 1.6)"')
    core = _bar_line(bar, paints["light"], 0.22, ' opacity="0.75"') if owner == 1 else ""
    return shadow + _bar_line(bar, paints["fill"]) + core


def _bar_line(bar: tuple[Point, Point, float], paint: str, share: float = 1, more: str = "") -> str:
    (a, b), (c, d), width = bar
    return (
        f'<path d="M{number(a)} {number(b)}L{number(c)} {number(d)}" fill="none" stroke="{paint}"'
        f' stroke-width="{number(width * share)}" stroke-linecap="round"{more}/>'
    )


def _sides(dressing: Dressing, symbols: _Symbols) -> tuple[str, ...]:
    disc = piece_drawings()["disc"]
    return tuple(
        symbols.add(piece_markup(disc, _side_colour(dressing, owner), _figure(dressing, owner)))
        for owner in range(len(dressing.sides) + 1)
    )


# --- links and marks ---


def _links(shown: BoardShown, dressing: Dressing) -> Iterator[LinkForm]:
    styles = {link.kind: link for link in dressing.links}
    for kind in shown.links:
        look = styles.get(kind)
        width = CELL * (look.width if look else 22) / 100
        for owner in range(len(dressing.sides) + 1):
            colour = _side_colour(dressing, owner)
            if look and look.style == "string":
                paint = variable(palette()["slate_line"])
                yield LinkForm(kind, owner, (Stroke(paint, _round(width * 0.5)),))
                continue
            yield LinkForm(kind, owner, tuple(_strokes(colour, _figure(dressing, owner), width)))


def _strokes(colour: Colour, owner: int, width: float) -> Iterable[Stroke]:
    paints = piece_paints(colour)
    yield Stroke(paints["edge"], _round(width * 1.25), 0.35)
    yield Stroke(paints["fill"], _round(width))
    if owner == 1:
        yield Stroke(paints["light"], _round(width * 0.26), 0.75)


def _states(dressing: Dressing) -> Mapping[str, str]:
    """The paint of each side and state; amber would be lost among the discs of a dark frame."""
    paints = {state: variable(palette()[name]) for state, name in _STATES.items()}
    paints |= {n: variable(s.colour) for n, s in zip(_SIDES, dressing.sides, strict=False)}
    paints |= {"heat": variable(HEAT), "paper": variable(PAGE), "shine": variable(SHINE)}
    if dressing.material == "frame" and is_dark(dressing.colours[0]):
        paints["last"] = piece_paints(dressing.colours[0])["light"]
    return paints | {m.state: variable(m.colour) for m in dressing.marks if m.colour}


def _marks(dressing: Dressing) -> Mapping[str, str]:
    """How each state is marked: a fill in cells, else a ring."""
    celled = dressing.material in ("checkered", "cells")
    usual = {
        "last": "fill" if celled else "ring", "target": "dot", "take": "ring", "selected": "fill",
        "hint": "outline", "threat": "ring", "win": "halo", "expected": "ghost",
        "forbidden": "outline",
    }  # fmt: skip
    return usual | {mark.state: mark.mark for mark in dressing.marks}
