"""Looks at work: what a look says, put over the dressing that a game has without one.

In: a look, the game that it is for, and a dressing.  Out: the dressing with all that the look says;
for a position, its marks and what is shown beside the board.  All that is worked out counts against
a budget, and what has no value in a position is left out there: a look never stops a game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, count
from typing import Any, TypeVar, cast, get_args

from attrs import evolve

from rulewright.errors import Fault, MoveError, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.games.render import dressing as d
from rulewright.games.render.palette import palette
from rulewright.ground.budget import within_steps
from rulewright.ground.limits import LOOKING_STEPS
from rulewright.model import look as k
from rulewright.model.board import bits
from rulewright.model.expressions import Expr
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Position

T = TypeVar("T")
WORDS: dict[str, frozenset[str]] = {
    "material": frozenset(get_args(d.Material)), "coordinates": frozenset(get_args(d.Coordinates)),
    "shape": frozenset(get_args(d.Shape)), "style": frozenset(get_args(d.LinkStyle)),
    "state": frozenset(get_args(d.State)), "mark": frozenset(get_args(d.Mark)),
    "motion": frozenset(get_args(d.Motion)), "display": frozenset(get_args(d.Display)),
    "axis": frozenset("xy"), "start": frozenset(("top", "bottom", "left", "right")),
    "way": frozenset(get_args(d.PileWay)),
    "beside": frozenset(("board", "players", "mover")), "colour": frozenset(palette()),
}  # fmt: skip
"""The words that each place of a look takes; those for drawings stand with the drawings."""
_HEADING = re.compile(r'^(title|tell|family) +"([^"\n]*)"', re.MULTILINE)
CARD = "card"
"""The display of a set of sites, as a small board."""
_WHY = "a look may ask for no more of a position"


def headings_in(text: str) -> dict[str, str]:
    """The title, line and family in the text of a look, by their words; nothing else is read."""
    return dict(_HEADING.findall(text))


def dress(look: k.Look, game: Game, base: d.Dressing) -> d.Dressing:
    """The dressing of a game with all that a look says; the rest is as in *base*."""
    colours, numbered = dict(palette()), 0
    for layer in look.layers:
        colours |= {c.name: d.Colour(c.name, c.light, c.dark) for c in layer.own_colours}
        base = _dress_layer(layer, game, base, colours, numbered)
        numbered += len(layer.pieces)
    return evolve(base, name=look.name)


def _dress_layer(
    look: k.Look, game: Game, base: d.Dressing, colours: dict[str, d.Colour], numbered: int
) -> d.Dressing:
    texts, board = look.texts, tuple(colours[name] for name in look.colours)
    return evolve(
        base,
        title=texts.get("title", base.title),
        tell=texts.get("tell", base.tell),
        sides=_sides(look, base, colours),
        material=cast(d.Material, texts.get("material", base.material)),
        colours=board or base.colours,
        columns=look.pitch.get("x", base.columns),
        rows=look.pitch.get("y", base.rows),
        view=_view(texts.get("view", ""), game) or base.view,
        turned=base.turned if look.turned is None else look.turned,
        coordinates=cast(d.Coordinates, texts.get("coordinates", base.coordinates)),
        grounds=(*base.grounds, *(_ground(g, colours) for g in look.grounds)),
        piles={**base.piles, **{s: cast(d.PileWay, p.way) for p in look.piles for s in p.sites}},
        numbers=_numbers(look, colours) or base.numbers,
        cards=(*base.cards, *_card_looks(look, game)),
        has_dice=base.has_dice or bool(look.dice),
        labels={**base.labels, **dict(chain(*look.labels))},
        pieces=(
            *base.pieces,
            *(_piece(p, colours, n) for n, p in enumerate(look.pieces, numbered + 1)),
        ),
        links=_instead(base.links, map(_links, look.links), lambda x: x.kind),
        marks=_instead(base.marks, (_mark(m, colours) for m in look.marks), lambda x: x.state),
        animations=_instead(base.animations, map(_animation, look.animations), lambda x: x.move),
        gestures=_instead(base.gestures, map(_gesture, look.clicks), lambda x: x.move),
        buttons=_instead(base.buttons, map(_button, look.buttons), lambda x: x.move),
        words={**base.words, **look.words},
        refusals={**base.refusals, **look.refusals},
        family=texts.get("family", base.family),
        thumbnail=texts.get("thumbnail", base.thumbnail),
    )


def _instead(old: Iterable[T], new: Iterable[T], key: Callable[[T], str]) -> tuple[T, ...]:
    """Old things and new ones; what is new takes the place of what has its key."""
    return tuple(({key(x): x for x in old} | {key(x): x for x in new}).values())


def _sides(look: k.Look, base: d.Dressing, colours: dict[str, d.Colour]) -> tuple[d.Side, ...]:
    sides = list(base.sides)
    for side in look.sides:
        label = side.label or sides[side.player].label
        sides[side.player] = d.Side(colours[side.colour], label)
    return tuple(sides)


def _view(viewer: str, game: Game) -> str:
    """The viewer as dressings have it: a player by number."""
    return str(game.players.index(viewer)) if viewer in game.players else viewer


def _ground(ground: k.GroundDrawn, colours: dict[str, d.Colour]) -> d.Ground:
    shape, colour = cast(d.Shape, ground.shape), colours.get(ground.colour)
    return d.Ground(ground.sites, shape, colour, dict(ground.spans), ground.path)


def _numbers(look: k.Look, colours: dict[str, d.Colour]) -> tuple[str, d.Colour | None] | None:
    last = look.numbers[-1] if look.numbers else None
    return None if last is None else (last.drawing, colours.get(last.colour))


def _piece(p: k.PieceDrawn, colours: dict[str, d.Colour], number: int) -> d.PieceLook:
    sites = None if p.sites is None else frozenset(p.sites)
    colour, spans = colours.get(p.colour), dict(p.spans)
    return d.PieceLook(
        p.kind, p.drawing, p.owner, sites, colour, p.path, spans, number if p.now else 0, p.turn,
        p.sign,
    )  # fmt: skip


def _links(links: k.LinksDrawn) -> d.LinkLook:
    style = cast(d.LinkStyle, links.style)
    return (
        d.LinkLook(links.kind, style)
        if links.width is None
        else d.LinkLook(links.kind, style, links.width)
    )


def _mark(mark: k.SiteMark, colours: dict[str, d.Colour]) -> d.MarkLook:
    return d.MarkLook(cast(d.State, mark.state), cast(d.Mark, mark.mark), colours.get(mark.colour))


def _animation(animation: k.Animate) -> d.Animation:
    return d.Animation(animation.move, cast(d.Motion, animation.motion), animation.start)


def _gesture(click: k.Click) -> d.Gesture:
    return d.Gesture(click.move, tuple(map(frozenset, click.groups)))


def _button(button: k.MoveButton) -> d.Button:
    return d.Button(button.move, button.text, button.help)


# --- positions ---


def shown_by_look(look: k.Look, state: State) -> d.Shown:
    """Evaluate a look's marks and numbers in a position; those that fault are left out."""
    marks: dict[d.State, frozenset[int]] = {}
    beside: list[d.ShownValue] = []
    for layer in look.layers:
        position, game = state.situation.position, state.game
        for mark in layer.marks:
            for sites in _values(layer, game, position, mark.sites, position.mover):
                marks[cast(d.State, mark.state)] = frozenset(bits(sites & game.rules.board.sites))
        for line in layer.beside:
            for owner in owners(line, game, position) if line.display != CARD else ():
                view = position.mover if owner is None else owner
                for value in _values(layer, game, position, line.value, view):
                    beside.append(_shown_value(line, int(value), owner))
    return d.Shown(
        marks, tuple(beside), forms=_forms(look, state), dice=tuple(_dice(look, state)),
        cards=tuple(_cards(look, state)),
    )  # fmt: skip


def _card_looks(look: k.Look, game: Game) -> Iterator[d.CardLook]:
    for line in look.beside:
        if line.display == CARD:
            yield from (d.CardLook(owner, line.start) for owner in owners(line, game))


def _cards(look: k.Look, state: State) -> Iterator[d.ShownCard]:
    """What each card shows, in the order of the dressing; a value that is not there is left out."""
    position, number = state.situation.position, count()
    for layer in look.layers:
        for line in (line for line in layer.beside if line.display == CARD):
            for owner in owners(line, state.game):
                view, card = position.mover if owner is None else owner, next(number)
                for sites in _values(layer, state.game, position, line.value, view):
                    yield d.ShownCard(card, tuple(bits(sites)), line.text)


def _dice(look: k.Look, state: State) -> Iterator[d.ShownDie]:
    """The dice that show something; a value that no die has is no die."""
    position = state.situation.position
    for layer in look.layers:
        for die in layer.dice:
            for value in _values(layer, state.game, position, die.value, position.mover):
                if 1 <= value <= d.PIPS and die.sites:
                    yield d.ShownDie(int(value), die.sites)


def _shown_value(line: k.ShowBeside, value: int, owner: int | None) -> d.ShownValue:
    """A value with its display; a kind of piece stands for so many of them."""
    if line.display in WORDS["display"]:
        return d.ShownValue(cast(d.Display, line.display), line.text, value, owner)
    return d.ShownValue("pieces", line.text, value, owner, line.display, line.move)


def _forms(look: k.Look, state: State) -> dict[int, int]:
    """By site, the number of the last line that has its piece drawn so in this position."""
    position, game, forms = state.situation.position, state.game, dict[int, int]()
    kinds = [kind.name for kind in game.rules.kinds]
    lines = [(layer, piece) for layer in look.layers for piece in layer.pieces]
    for number, (layer, piece) in enumerate(lines, 1):
        pieces = position.kinds[kinds.index(piece.kind)]
        owned = position.full if piece.owner is None else position.owned[piece.owner]
        for sites in _values(layer, game, position, piece.now, position.mover):
            forms |= dict.fromkeys(bits(sites & pieces & owned), number)
    return forms


def owners(
    line: k.ShowBeside, game: Game, position: Position | None = None
) -> tuple[int | None, ...]:
    """The players beside whom a value is shown; None stands for the board.

    Without a position, whoever is to move is nobody in particular.
    """
    match line.beside:
        case "board":
            return (None,)
        case "players":
            return tuple(range(len(game.players) - game.rules.is_puzzle))
        case "mover":
            return (position.mover if position else None,)
    return (game.players.index(line.beside),)


def _values(
    look: k.Look, game: Game, position: Position, value: Expr | None, view: int
) -> Iterator[Any]:
    """The value of an expression in a position, if it has one."""
    if value is not None:
        with suppress(Fault, OutOfBudget):
            yield value_at(look, game, position, value, view)


def value_at(look: k.Look, game: Game, position: Position, value: Expr, view: int) -> Any:
    """The value of an expression of a look; raises `Fault` or `OutOfBudget` where it has none."""
    with within_steps(LOOKING_STEPS, _WHY):
        context = game.play.context(position, view)
        context.functions = look.functions
        return evaluate(value, context)


class LessonPositions:
    """The positions of a game's lessons: decisions that several begin with are played once."""

    def __init__(self, game: Game) -> None:
        self._states: dict[tuple[str, ...], State] = {(): game.start()}

    def of(self, lesson: k.Lesson) -> State:
        """The position of a lesson; raises `MoveError`, `Fault` or `OutOfBudget` without one."""
        texts = tuple(lesson.moves.split())
        for length, text in enumerate(texts):
            before, after = texts[:length], texts[: length + 1]
            if after not in self._states:
                self._states[after] = self._states[before].play(text)
        return self._states[texts]


def thumbnail(dressing: d.Dressing, game: Game) -> State:
    """The position of the thumbnail; the first one where its decisions cannot be played."""
    start = game.start()
    if not dressing.thumbnail:
        return start
    with suppress(MoveError, Fault, OutOfBudget), within_steps(LOOKING_STEPS, _WHY):
        return start.play(dressing.thumbnail)
    return start
