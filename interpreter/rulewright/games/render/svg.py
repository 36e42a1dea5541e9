"""A position as a picture: one self-contained SVG document, on screen and on paper.

In: a scene, short texts to write at sites, a theme.  Out: the document: the board with the last
turn and what won, and below it both players with the states that a player must see, and who is at
move.  The theme `both` follows the reader's.  A thumbnail is the board alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import field, frozen

from rulewright.games.render import markup as e
from rulewright.games.render.amounts import die_place, heap_markup, pile_places
from rulewright.games.render.cards import card_markup
from rulewright.games.render.drawing import (
    CELL,
    DrawnSite,
    Form,
    PileForm,
    Point,
)
from rulewright.games.render.dressing import ShownValue
from rulewright.games.render.markup import number
from rulewright.games.render.paints import Theme, in_theme, theme_style
from rulewright.games.render.scene import Fact, Piece, Scene, SceneLink, SceneSite

TEXT = 15.0
"""The font size of the players' names."""
LONGEST = 60
"""Characters of a state that are shown."""
_LEGEND = CELL * 0.5
"""From one line below the board to the next."""
_MARGIN = 12.0
_HELD = 50.0
"""From one kind of pieces in hand to the next."""
_FLUID = ' style="max-width:100%;height:auto"'
"""How a picture shrinks in a cell of a notebook that is narrower."""
SHOWN_OF_PILE = 6
"""So many pieces of a pile are drawn, the upper ones; a number tells of more."""
PILE_STEP = 0.1
"""How far a piece of a pile lies above the next lower one, in its size."""
_OUTLINE = re.compile(r'<path d="([^"]{80,})"')
"""The beginning of an outline that is too long to be written twice."""
_FAINT = 0.4
"""The opacity of what did not win."""


@frozen(eq=False)
class _Picture:
    """A scene with what is written on it."""

    scene: Scene
    notes: Sequence[str] = ()
    places: Mapping[int, Point] = field(init=False)
    sites: Mapping[int, DrawnSite] = field(init=False)

    def __attrs_post_init__(self) -> None:
        sites = {drawn.site: drawn for drawn in self.scene.drawing.sites}
        object.__setattr__(self, "sites", sites)
        object.__setattr__(self, "places", {site: drawn.place for site, drawn in sites.items()})

    def paint(self, state: str) -> str:
        """The paint of a state of a site."""
        return self.scene.drawing.states[state]

    def radius(self, site: int) -> float:
        """The radius of a ring around a piece at *site*."""
        return max(self.sites[site].size * 0.47, CELL * 0.16)

    def form(self, piece: Piece, site: int) -> Form | None:
        """How *piece* is drawn at *site*."""
        fits: Form | None = None
        number = self.scene.shown.forms.get(site, 0)
        for form in self.scene.drawing.forms:
            if form.fits(piece.kind, piece.owner, site, number):
                fits = form
        return fits


@frozen
class Annotations:
    """Texts, colours and a ring that are drawn on the picture of a position.

    `marks` are short texts by site, written in its corner; `heat` gives sites a glow, from 0 (pale)
    to 1.  `decision_site` has a ring; `notes` are lines below everything else.
    """

    marks: Mapping[int, str] = field(factory=dict)
    heat: Mapping[int, float] = field(factory=dict)
    decision_site: int | None = None
    notes: Sequence[str] = ()


def scene_svg(scene: Scene, annotations: Annotations | None = None, theme: Theme = "light") -> str:
    """Draw *scene* and its annotations as an SVG document."""
    text = annotations or Annotations()
    picture = _Picture(scene, text.notes)
    ring = [] if text.decision_site is None else [_decision_ring(picture, text.decision_site)]
    body = [*_board(picture, text.heat), *_marks(picture, text.marks), *ring]
    return _document(picture, [*body, *_below(picture)], theme, _size(picture))


def thumbnail_svg(scene: Scene, theme: Theme = "light") -> str:
    """The board of *scene* alone, without coordinates, what stands below it and a ground."""
    picture = _Picture(scene)
    size = scene.drawing.width, scene.drawing.height
    text = _document(picture, _board(picture, {}, small=True), theme, size, "none")
    return e.with_brief_names(_shared(text))


def _shared(text: str) -> str:
    """Write every long outline once, and point at it where it is drawn again.

    A piece is its outline three times, for both players: this halves the picture of chess.
    """
    repeated = [path for path, times in Counter(_OUTLINE.findall(text)).items() if times > 1]
    names = {path: e.content_id("o", path) for path in repeated}
    outlines = "".join(f'<path id="{name}" d="{path}"/>' for path, name in names.items())
    drawn = _OUTLINE.sub(lambda m: f'<use href="#{names[m[1]]}"' if m[1] in names else m[0], text)
    return drawn.replace("<defs>", f"<defs>{outlines}", 1)


def _size(p: _Picture) -> tuple[float, float]:
    legend = _legend(p.scene)
    texts = [*legend, _status(p.scene), *p.notes]
    wide = max(2 * _MARGIN + 22 + e.text_width(text, TEXT) for text in texts)
    hands = (len(_hand(p.scene, owner)) * _HELD for owner in range(len(legend)))
    wide = max(wide, *(_held_from(t) + width for t, width in zip(legend, hands, strict=True)))
    drawing = p.scene.drawing
    return max(drawing.width, wide), drawing.height + _LEGEND * len(texts) + _MARGIN


def _document(
    p: _Picture, body: Iterable[str], theme: Theme, size: tuple[float, float], ground: str = ""
) -> str:
    width, height = map(number, size)
    at, box = f'width="{width}" height="{height}"', f"0 0 {width} {height}"
    inside = "\n".join(body)
    used = "".join(f'<g id="{n}">{m}</g>' for n, m in _symbols(p, inside))
    paper = ground or p.paint("paper")
    fluid = "" if ground else _FLUID
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {at}{fluid} viewBox="{box}" role="img"'
        f' aria-label="{e.escaped(p.scene.game)}" font-family="system-ui, Helvetica, Arial,'
        f' sans-serif">\n<rect {at} fill="{paper}"/>\n<defs>{used}</defs>\n{inside}\n</svg>\n'
    )
    if theme == "both":
        return text.replace("<defs>", f"<style>{theme_style(text)}</style><defs>", 1)
    return in_theme(text, theme)


def _symbols(p: _Picture, body: str) -> Iterator[tuple[str, str]]:
    for name, markup in p.scene.drawing.symbols.items():
        if f'"#{name}"' in body:
            yield name, markup


# --- the board ---


def _board(p: _Picture, heat: Mapping[int, float], small: bool = False) -> Iterator[str]:
    drawing, scene = p.scene.drawing, p.scene
    yield f'<g class="ground">{drawing.ground}</g>'
    yield from _lit(p)
    yield from _won(p)
    yield from _links(p)
    for spot in scene.spots:
        standing = _site(p, spot)
        if not small:
            yield f'<g class="site"><title>{e.escaped(_title(p, spot))}</title>{standing}</g>'
        elif standing:
            yield standing
    if drawing.over:
        yield f'<g class="over">{drawing.over}</g>'
    yield from _rings(p)
    yield from _dice(p)
    for card in scene.shown.cards:
        if card.number < len(drawing.cards):  # a drawn board has no place for cards
            yield card_markup(card, drawing.cards[card.number])
    for site, share in heat.items():
        yield _glow(p, site, share)
    if drawing.shown in ("inside", "outside") and not small:
        yield f'<g class="coordinates">{drawing.coordinates}</g>'


def _shape(p: _Picture, site: int, more: str) -> str:
    drawn_site = p.sites[site]
    x, y = map(number, drawn_site.place)
    path = p.scene.drawing.shapes[drawn_site.shape]
    return f'<path d="{path}" transform="translate({x} {y})" {more}/>'


def _lit(p: _Picture) -> Iterator[str]:
    """The sites that the last turn reached and left, and those that a look marks."""
    mark = p.scene.drawing.marks["last"]
    for sites, name, opacity in ((p.scene.last, "last", 0.55), (p.scene.left, "left", 0.3)):
        for site in sorted(sites):
            if mark == "fill":
                look = f'class="{name}" fill="{p.paint("last")}" opacity="{opacity:g}"'
                yield _shape(p, site, look)
            elif mark == "halo" or (name == "left" and mark != "nothing"):
                yield _halo(p, site, "last", name, opacity)
    for state, sites in p.scene.shown.marks.items():
        for site in sorted(sites & p.sites.keys()):
            yield from _state_mark(p, site, state)


def _state_mark(p: _Picture, site: int, state: str) -> Iterator[str]:
    """The mark of a site that a look says is in a state."""
    match p.scene.drawing.marks[state]:
        case "fill" | "ghost":
            look = f'class="{state}" fill="{p.paint(state)}" opacity="0.7"'
            yield _shape(p, site, look)
        case "ring" | "outline":
            yield _ring(p, site, state, state, 4)
        case "dot":
            dot = e.disc(p.places[site], p.radius(site) * 0.3, p.paint(state), "none")
            yield f'<g class="{state}">{dot}</g>'
        case "halo":
            yield _halo(p, site, state, state, 0.7)


def _halo(p: _Picture, site: int, state: str, name: str, opacity: float) -> str:
    """A glow around what stands at a site: wide behind a bar, round behind others."""
    spot = next(s for s in p.scene.spots if s.site == site)
    form = p.form(spot.piece, site) if spot.piece else None
    look = f'class="{name}" opacity="{opacity:g}"'
    x, y = map(number, p.places[site])
    if form is not None and form.halo:
        at = f'transform="translate({x} {y})" color="{p.paint(state)}"'
        return f'<use href="#{form.halo}" {at} {look}/>'
    if state == "win" and p.scene.drawing.marks["last"] == "fill":
        return _shape(p, site, f'{look} fill="{p.paint(state)}"')
    r = number(p.radius(site) * (0.5 if name == "left" else 1.25))
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{p.paint(state)}" {look}/>'


def _won(p: _Picture) -> Iterator[str]:
    """A halo behind every site that won."""
    if not p.scene.drawing.over:
        for site in sorted(p.scene.winning):
            yield f'<g class="won">{_halo(p, site, "win", "win", 1)}</g>'


def _rings(p: _Picture) -> Iterator[str]:
    """Rings lie upon the pieces: around what the last turn reached, and what won in a frame."""
    drawing, scene = p.scene.drawing, p.scene
    if drawing.marks["last"] == "ring":
        yield from (_ring(p, site, "last", "last", 3) for site in sorted(scene.last))
    if drawing.over:
        yield from (_ring(p, site, "win", "won", 5) for site in sorted(scene.winning))


def _dice(p: _Picture) -> Iterator[str]:
    for die in p.scene.shown.dice if p.scene.drawing.dice else ():
        x, y = die_place(die, p.places)
        symbol = p.scene.drawing.dice[die.value - 1]
        yield f'<g class="die"><use href="#{symbol}" transform="translate({x:g} {y:g})"/></g>'


def _ring(p: _Picture, site: int, state: str, name: str, width: float) -> str:
    ring = e.disc(p.places[site], p.radius(site) * 0.98, "none", p.paint(state), width)
    return f'<g class="{name}">{ring}</g>'


def _links(p: _Picture) -> Iterator[str]:
    """The links, those that the last turn removed first and faint."""
    for link in sorted(p.scene.links, key=lambda link: link.change != "gone"):
        yield _gone(p, link) if link.change == "gone" else _link(p, link)


def _gone(p: _Picture, link: SceneLink) -> str:
    a, b = (p.places[end] for end in link.ends)
    dashes = ' stroke-dasharray="3 5" opacity="0.5"'
    return f'<g class="gone">{e.line(a, b, p.paint("ink"), 2, dashes)}</g>'


def _link(p: _Picture, link: SceneLink) -> str:
    a, b = (p.places[end] for end in link.ends)
    forms = p.scene.drawing.links
    form = next(f for f in forms if (f.kind, f.owner) == (link.kind, link.owner))
    won = p.scene.winning.issuperset(link.ends)
    wide = max(stroke.width for stroke in form.strokes) * 2
    glow = e.line(a, b, p.paint("win"), wide, _CAP) if won else ""
    new = link.change == "new" and not won
    glow += e.line(a, b, p.paint("last"), wide, f'{_CAP} opacity="0.6"') if new else ""
    strokes = "".join(e.line(a, b, s.colour, s.width, _soft(s.opacity)) for s in form.strokes)
    return f'{glow}<g class="link"{_dimmed(p, won)}>{strokes}</g>'


_CAP = ' stroke-linecap="round"'


def _soft(opacity: float) -> str:
    return _CAP if opacity == 1 else f'{_CAP} opacity="{opacity:g}"'


def _dimmed(p: _Picture, won: bool) -> str:
    return f' opacity="{_FAINT:g}"' if p.scene.winning and not won else ""


# --- sites ---


def _title(p: _Picture, spot: SceneSite) -> str:
    number = p.scene.shown.numbers.get(spot.site)
    if spot.piece is None:
        return spot.name if number is None else f"{spot.name}: {number}"
    owner, kind = spot.piece.owner, spot.piece.kind
    piece = kind if owner == p.scene.nobody else f"{p.scene.players[owner]} {kind}"
    pile = f" on a pile of {len(spot.below) + 1}" if spot.below else ""
    return f"{spot.name}: {piece}{pile}" + (f", {number}" if number is not None else "")


def _site(p: _Picture, spot: SceneSite) -> str:
    if spot.piece is None and spot.site in p.scene.shown.numbers:
        return _number(p, spot.site, p.scene.shown.numbers[spot.site])
    if spot.piece is None:
        return _name(p, spot) if p.scene.named and p.scene.drawing.shown == "outside" else ""
    spread = next((form for form in p.scene.drawing.piles if form.site == spot.site), None)
    if spread is not None:
        return "".join(_spread(p, spread, (*spot.below, spot.piece)))
    if spot.below:
        return _pile(p, spot, spot.piece)
    return _stone(p, spot.site, spot.piece)


def _spread(p: _Picture, form: PileForm, pieces: Sequence[Piece]) -> Iterator[str]:
    """The pieces of a pile, side by side as far as there is room."""
    places = pile_places(form, len(pieces), p.sites[form.site].size)
    for piece, (x, y) in zip(pieces, places, strict=True):
        stone = _stone(p, form.site, piece)
        yield f'<g transform="translate({x:g} {y:g})">{stone}</g>'


def _number(p: _Picture, site: int, value: int) -> str:
    """A number at a site, as text alone or beside so many seeds."""
    form = next((form for form in p.scene.drawing.heaps if form.site == site), None)
    if form is None:
        return e.words(p.places[site], str(value), CELL * 0.4, p.paint("ink"), e.BOLD)
    return heap_markup(form, value, p.paint("ink"), p.paint("paper"))


def _stone(p: _Picture, site: int, piece: Piece, lift: float = 0) -> str:
    """A piece, raised by so much."""
    form = p.form(piece, site)
    if form is None:
        x, y = p.places[site]
        return e.words((x, y - lift), piece.letter, CELL * 0.5, p.paint("ink"), e.BOLD)
    return _use(p, site, form, _dimmed(p, site in p.scene.winning), lift)


def _pile(p: _Picture, spot: SceneSite, top: Piece) -> str:
    """The upper pieces of a pile, one above the other, and its height where some are hidden."""
    pieces = (*spot.below, top)
    shown = pieces[-SHOWN_OF_PILE:]
    step = p.sites[spot.site].size * PILE_STEP
    lowest = -step * (len(shown) - 1) / 2
    stones = (_stone(p, spot.site, s, lowest + i * step) for i, s in enumerate(shown))
    x, y = p.places[spot.site]
    halo = f'stroke="{p.paint("paper")}" stroke-width="3" paint-order="stroke"'
    at, look = (x + CELL * 0.34, y + CELL * 0.36), f"{halo} {e.BOLD}"
    hidden = len(pieces) > len(shown)
    count = e.words(at, str(len(pieces)), CELL * 0.24, p.paint("ink"), look) if hidden else ""
    return "".join(stones) + count


def _use(p: _Picture, site: int, form: Form, more: str = "", lift: float = 0) -> str:
    x, y = number(p.places[site][0]), number(p.places[site][1] - lift)
    scale = 1 if form.scale < 0 else p.sites[site].size * (form.scale or 1) / 100
    size = "" if scale == 1 else f" scale({scale:.4g})"
    return f'<use href="#{form.symbol}" transform="translate({x} {y}){size}"{more}/>'


def _name(p: _Picture, spot: SceneSite) -> str:
    x, y = p.places[spot.site]
    size = min(CELL * 0.25, CELL * 1.4 / max(1, len(spot.name)))
    return e.words((x, y + CELL * 0.28), spot.name, size, p.paint("muted"))


def _glow(p: _Picture, site: int, share: float) -> str:
    """A glow, the darker the larger its *share* (0 to 1), for prints in black and white too."""
    x, y = map(number, p.places[site])
    r, opacity = number(CELL * 0.4), number(0.1 + 0.75 * share)
    return (
        f'<circle class="heat" cx="{x}" cy="{y}" r="{r}" fill="{p.paint("heat")}"'
        f' fill-opacity="{opacity}"/>'
    )


def _marks(p: _Picture, marks: Mapping[int, str]) -> Iterator[str]:
    for site, text in sorted(marks.items()):
        yield _mark(p, p.places[site], text)


def _mark(p: _Picture, place: Point, text: str) -> str:
    """A short text in a site's corner: the upper right, of a hexagon the top one.

    Of several decisions it is what the first is worth: more would lie on the neighbours.
    """
    x, y = place
    corner = (x, y - CELL * 0.4) if p.scene.hexagonal else (x + CELL * 0.3, y - CELL * 0.36)
    halo = f'text-anchor="middle" stroke="{p.paint("paper")}" stroke-width="2.5"'
    look = f'{halo} paint-order="stroke"'
    first, *more = text.split("\n")
    words = e.words(corner, first.partition(" ")[2] if more else first, 10, p.paint("ink"), look)
    title = f"<title>{e.escaped(text)}</title>" if more else ""
    return f'<g class="mark">{title}{words}</g>'


def _decision_ring(p: _Picture, site: int) -> str:
    """A ring round the place of the decision that is made."""
    place, radius = p.places[site], CELL * 0.42
    rings = e.disc(place, radius, "none", p.paint("paper"), 6)
    return f'<g class="chosen">{rings}{e.disc(place, radius, "none", p.paint("ink"), 3)}</g>'


# --- below the board ---


def _legend(scene: Scene) -> list[str]:
    """A line for each player: the name, and what that player has."""
    own = [fact for fact in scene.facts if len(fact.values) > 1 and not _is_drawn(scene, fact)]
    return [
        "   ".join([name, *(f"{fact.name}: {_cut(fact.values[i])}" for fact in own)])
        for i, name in enumerate(scene.seats)
    ]


def _hand(scene: Scene, owner: int) -> list[ShownValue]:
    """List the shown values that are pieces in a player's hand."""
    beside = scene.shown.beside
    return [value for value in beside if value.piece and value.owner == owner and value.value]


def _is_drawn(scene: Scene, fact: Fact) -> bool:
    """Whether a state says what the drawn pieces in hand say."""
    hands = ({f"{v.piece}={v.value}" for v in _hand(scene, owner)} for owner in range(scene.nobody))
    pairs = zip(fact.values, hands, strict=True)
    shown = any(value.piece for value in scene.shown.beside)
    return shown and all(
        set(text.replace(",", " ").split()) == (h or {"none"}) for text, h in pairs
    )


def _held_from(text: str) -> float:
    """Where pieces in hand begin behind the text of their player."""
    return _MARGIN + 36 + e.text_width(text, TEXT)


def _held(p: _Picture, owner: int, start: float, y: float) -> Iterator[str]:
    """The pieces in hand of a player in a line, each kind with its number."""
    for i, value in enumerate(_hand(p.scene, owner)):
        x = start + i * _HELD
        fitting = (f for f in p.scene.drawing.forms if f.fits(value.piece, owner, -1, 0))
        form = next(fitting, None)
        at = f'transform="translate({number(x)} {number(y)}) scale(0.24)"'
        drawn = f'<use href="#{form.symbol}" {at}/>' if form is not None else ""
        count = e.words((x + 15, y), str(value.value), TEXT, p.paint("ink"), e.BOLD)
        title = f"<title>{e.escaped(f'{value.value} {value.piece} {value.text}'.strip())}</title>"
        yield f'<g class="hand">{title}{drawn}{count}</g>'


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"


def _status(scene: Scene) -> str:
    """The status line: the player at move or the winner, shared states, and the last turn."""
    if scene.mover:
        verdict = f"{scene.mover} to move"
    else:
        verdict = f"{scene.winner} wins" if scene.winner else "draw"
    shared: list[Fact] = [fact for fact in scene.facts if len(fact.values) == 1]
    parts = [verdict, *(f"{fact.name}: {_cut(fact.values[0])}" for fact in shared)]
    return ", ".join(parts + [f"last: {_cut(scene.last_turn)}"] * bool(scene.last_turn))


def _below(p: _Picture) -> Iterator[str]:
    x, y = _MARGIN + 8, p.scene.drawing.height + _LEGEND * 0.6
    for owner, text in enumerate(_legend(p.scene)):
        if p.scene.mover == p.scene.players[owner]:
            ring = e.disc((x, y), 11, "none", p.paint("ink"), 2)
            yield f'<g class="mover">{ring}</g>'
        symbol = p.scene.drawing.sides[owner]
        yield f'<use href="#{symbol}" transform="translate({number(x)} {number(y)}) scale(0.16)"/>'
        yield e.words((x + 18, y), text, TEXT, p.paint("ink"), more='xml:space="preserve"')
        yield from _held(p, owner, _held_from(text), y)
        y += _LEGEND
    yield e.words((x - 8, y), _status(p.scene), TEXT, p.paint("ink"), more='class="status"')
    for text in p.notes:
        y += _LEGEND
        yield e.words((x - 8, y), text, TEXT, p.paint("ink"), more='class="note"')
