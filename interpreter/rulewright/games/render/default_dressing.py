"""The dressing of a game without a look: sensible by the names in its rules alone.

In: rules.  Out: a `Dressing`.  Sides called by a colour have it; others take white and black where
figures look alike for both, else red and blue.  A board of squares is checkered where pieces walk,
wood with lines for stones, a frame where columns are chosen; one with cut places and whatever else
stay plain.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.games.render.dressing import Colour, Dressing, Material, PieceLook, Side
from rulewright.games.render.palette import palette
from rulewright.games.render.piece_drawings import piece_drawings
from rulewright.model.rules import MoveKind, MovePiece, Perform, Rules
from rulewright.model.walk import nodes

_SIDES = ("red", "blue", "green", "yellow", "orange", "purple", "white", "black")
_MADE_OF: dict[Material, tuple[str, ...]] = {
    "checkered": ("bone", "sage"), "cells": ("cell",), "lines": ("wood",), "holes": ("plate",),
    "frame": ("frame",), "paper": ("paper",), "drawn": ("slate",),
}  # fmt: skip
_STONES = frozenset({"stone", "marble"})


def default_dressing(rules: Rules, numbered: bool = False) -> Dressing:
    """The dressing of *rules*; *numbered*: moves name columns, by their number."""
    palette_colours = palette()
    material = _material(rules, numbered)
    colours = tuple(palette_colours[name] for name in _made_of(rules, material, numbered))
    sides = zip(_side_colours(rules), rules.players, strict=True)
    return Dressing(
        name="",
        title=rules.name,
        tell="",
        sides=tuple(Side(colour, player) for colour, player in sides),
        material=material,
        colours=colours,
        coordinates="inside" if material == "checkered" else "outside",
        pieces=tuple(_pieces(rules, material)),
    )


def walks(rules: Rules) -> bool:
    """Whether a move carries one piece from a site to another."""
    statements = (node for move in rules.moves for node in move_statements(rules, move))
    return any(isinstance(node, MovePiece) for node in statements)


def move_statements(rules: Rules, move: MoveKind) -> list[object]:
    """All nodes of a move's body and of the actions that it performs."""
    body = list(nodes(move.body))
    actions = [rules.actions[node.action].body for node in body if isinstance(node, Perform)]
    return [*body, *nodes(actions)]


def _material(rules: Rules, numbered: bool) -> Material:
    board = rules.board
    if board.is_drawn:
        return "drawn"
    if rules.links:
        return "holes"
    if not board.is_square:
        return "cells"
    whole = len(board.names) == board.sites.bit_count()
    if walks(rules) and (whole or _one_shade(rules)):
        return "checkered"
    if not whole:
        return "cells"
    if numbered:
        return "frame"
    return "lines" if {kind.name for kind in rules.kinds} & _STONES else "cells"


def _one_shade(rules: Rules) -> bool:
    """Whether only squares of one shade are played on."""
    board = rules.board
    shades = {(x + y) % 2 for x, y in zip(board.columns, board.rows, strict=True)}
    sites = range(len(board.names))
    played = {(board.columns[s] + board.rows[s]) % 2 for s in sites if board.sites >> s & 1}
    return len(shades) == 2 and len(played) == 1


def _made_of(rules: Rules, material: Material, numbered: bool) -> tuple[str, ...]:
    """The colours of a material, of which no side's pieces are lost on it."""
    sides = {colour.name for colour in _side_colours(rules)}
    if material == "frame" and "blue" in sides:
        return ("ash",)
    if sides == {"white", "black"} and material in ("cells", "holes"):
        return ("felt",) if rules.board.is_square else ("slate",)
    if material == "checkered" and {kind.name for kind in rules.kinds} == {"man", "king"}:
        return "cream", "walnut"
    return _MADE_OF[material]


def _side_colours(rules: Rules) -> tuple[Colour, ...]:
    colours = palette()
    if set(rules.players) <= {*_SIDES}:
        return tuple(colours[player] for player in rules.players)
    if rules.has_several:
        free = (name for name in _SIDES if name not in rules.players)
        return tuple(colours[p if p in _SIDES else next(free)] for p in rules.players)
    has_figures = any(_is_alike_for_both(kind.name) for kind in rules.kinds)
    names = ("white", "black") if has_figures else ("red", "blue")
    return colours[names[0]], colours[names[1]]


def _is_alike_for_both(kind: str) -> bool:
    """Whether the bundled drawing of a name has one form for both sides, as figures of chess do."""
    drawing = None if kind in _STONES else piece_drawings().get(kind)
    return drawing is not None and all(part.owner is None for part in drawing.parts)


def _pieces(rules: Rules, material: Material) -> Iterator[PieceLook]:
    for kind in rules.kinds:
        drawing = "disc" if material == "frame" else _drawing(rules, kind.name)
        yield PieceLook(kind.name, drawing)
        if drawing == "letter" and kind.letters[rules.nobody]:
            yield PieceLook(kind.name, drawing, rules.nobody, colour=palette()["ink"])


def _drawing(rules: Rules, kind: str) -> str:
    """The bundled drawing of a kind's name; a king beside men is a crowned man.

    Stones and men are white and black, others have a form for each side; discs that are so are
    turned.  Figures that only a colour would tell apart are letters.
    """
    names = {kind.name for kind in rules.kinds}
    plain = {colour.name for colour in _side_colours(rules)} == {"white", "black"}
    if kind in _STONES:
        return "stone" if plain else "disc"
    if not plain and _is_alike_for_both(kind):
        return "disc" if kind == "man" else "letter"
    if kind == "disc" and plain:
        return "flat"
    if kind == "king" and "man" in names:
        return "crowned"
    return kind if kind in piece_drawings() else "letter"
