"""Cards: small boards beside the board, on which sites are shown, as the ways of a piece.

In: a layout, the cards of a dressing.  Out: their places, right of the board: those of the first
player below, of others above, of nobody between; their ground and their forms.  What a card shows
changes with the position, and is drawn upon it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

from rulewright.games.render.drawing import CELL, CardForm, Point
from rulewright.games.render.dressing import CardLook, Colour, Dressing, ShownCard
from rulewright.games.render.layout import BoardLayout
from rulewright.games.render.markup import number
from rulewright.games.render.paints import piece_paints, variable
from rulewright.games.render.palette import palette

_SIDE, _WIDEST = CELL * 0.32, CELL * 1.75
"""The side of a square of a card, and the width of a card with many squares."""
_EDGE, _GAP = CELL * 0.1, CELL * 0.2
"""Around the squares of a card, and between cards."""


@frozen(eq=False)
class CardPlan:
    """All cards of a board: the side of their squares, and the upper left corner of each."""

    layout: BoardLayout
    cards: tuple[CardLook, ...]
    side: float
    corners: tuple[Point, ...]

    @property
    def size(self) -> Point:
        """The width and the height of a card."""
        board = self.layout.board
        return board.width * self.side + 2 * _EDGE, board.height * self.side + 2 * _EDGE

    def square(self, card: int, site: int) -> Point:
        """The middle of a site's square on a card."""
        (x, y), board = self.corners[card], self.layout.board
        column, row = board.columns[site] + 0.5, board.rows[site] + 0.5
        return round(x + _EDGE + column * self.side, 2), round(y + _EDGE + row * self.side, 2)


def strip_width(layout: BoardLayout, dressing: Dressing) -> float:
    """How far the picture reaches to the right for its cards; a drawn board has none."""
    if not dressing.cards or layout.board.is_drawn:
        return 0
    width = CardPlan(layout, (), _side(layout), ()).size[0] + _GAP
    return max(map(len, _rows(dressing))) * width


def card_plan(layout: BoardLayout, dressing: Dressing, left: float) -> CardPlan:
    """Place the cards of a board whose material ends at *left*."""
    if not dressing.cards or layout.board.is_drawn:
        return CardPlan(layout, (), 0, ())
    side = _side(layout)
    (width, height), (_, top, _, bottom) = CardPlan(layout, (), side, ()).size, layout.box
    corners = dict[int, Point]()
    for row, y in zip(
        _rows(dressing), (top, (top + bottom - height) / 2, bottom - height), strict=True
    ):
        corners |= {card: (left + _GAP + i * (width + _GAP), y) for i, card in enumerate(row)}
    return CardPlan(layout, dressing.cards, side, tuple(corners[i] for i in range(len(corners))))


def _side(layout: BoardLayout) -> float:
    """The side of a square, so that three cards find room one below the other."""
    (_, top, _, bottom), board = layout.box, layout.board
    high = (bottom - top - 2 * _GAP - 6 * _EDGE) / (3 * board.height)
    return max(1, min(_SIDE, _WIDEST / board.width, high))


def _rows(dressing: Dressing) -> tuple[list[int], list[int], list[int]]:
    """The numbers of the cards above, between and below."""
    rows: tuple[list[int], list[int], list[int]] = ([], [], [])
    for i, card in enumerate(dressing.cards):
        rows[1 if card.owner is None else 2 if card.owner == 0 else 0].append(i)
    return rows


def cards_ground(plan: CardPlan) -> Iterator[str]:
    """The cards with nothing on them but where their sites begin."""
    width, height = map(number, plan.size)
    colours = palette()
    for i, (x, y) in enumerate(plan.corners):
        at = f'x="{number(x)}" y="{number(y)}" width="{width}" height="{height}" rx="4"'
        edge = f'stroke="{variable(colours["ivory_edge"])}" stroke-width="1.5"'
        yield f'<rect {at} fill="{variable(colours["ivory"])}" {edge}/>'
        squares = [plan.square(i, site) for site in plan.layout.drawn_sites]
        yield _squares(squares, plan.side, variable(colours["cream"]))
        begin = [plan.square(i, site) for site in plan.cards[i].start]
        yield _squares(begin, plan.side, variable(colours["ivory_edge"]))


def _squares(places: list[Point], side: float, paint: str, more: str = "") -> str:
    h = side * 0.44
    data = "".join(
        f"M{x - h:.4g} {y - h:.4g}h{2 * h:.4g}v{2 * h:.4g}h{-2 * h:.4g}z" for x, y in places
    )
    return f'<path d="{data}" fill="{paint}"{more}/>' if places else ""


def card_forms(
    plan: CardPlan, colours: Callable[[int | None], Colour], symbol: Callable[[str], str]
) -> Iterator[CardForm]:
    """The forms of the cards; what they show has the colour of their owner."""
    for i, card in enumerate(plan.cards):
        paints = piece_paints(colours(card.owner))
        edge = f' stroke="{paints["edge"]}" stroke-width="1"'
        lit = symbol(_squares([(0, 0)], plan.side, paints["fill"], edge))
        yield CardForm(lit, {site: plan.square(i, site) for site in plan.layout.drawn_sites})


def card_markup(card: ShownCard, form: CardForm) -> str:
    """What a card shows."""
    places = (form.squares[site] for site in card.sites)
    lit = "".join(
        f'<use href="#{form.symbol}" transform="translate({x:g} {y:g})"/>' for x, y in places
    )
    return f'<g class="card">{lit}</g>'
