"""The scene of a position: what of it is to be seen.

In: the rules in motion, a position, how the game ended, and the decisions of the last turn.  Out: a
`Scene`.

A player must see every state that each player has for himself (a hand, a store), and a shared one
that an end rule looks at once it is not as it was at first (Go's passes).  States `within turn` and
`unseen` are not shown: those are gone with the turn, and these are said not to matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from typing import Literal, cast
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from rulewright.games.render.default_dressing import default_dressing, move_statements
from rulewright.games.render.drawing import BLANK, BoardDrawing, Entry, Point
from rulewright.games.render.drawing_building import BoardShown, drawing_of
from rulewright.games.render.dressing import Dressing, Shown
from rulewright.games.render.facts import facts_of, read_by_ends
from rulewright.games.render.scene import (
    Piece,
    Scene,
    SceneLink,
    SceneMove,
    SceneSite,
    Style,
)
from rulewright.games.render.winning_sites import winning_sites
from rulewright.model import expressions as m
from rulewright.model.board import Board, Mask, bits, letters
from rulewright.model.expressions import Type
from rulewright.model.rules import (
    NOBODY,
    OWN,
    MoveEach,
    Put,
    Rules,
    SwapSides,
    Write,
)
from rulewright.model.walk import nodes
from rulewright.reference.decisions import NONE
from rulewright.reference.play import Outcome, ReferencePlay
from rulewright.reference.position import Position
from rulewright.reference.sight import PlayerView

ROW = math.sqrt(3) / 2
"""From one row of hexagons to the next, in cells."""


@frozen
class PlayedDecision:
    """A decision of the last turn: its text and the positions before and after it."""

    text: str
    move: int | None
    before: Position
    after: Position


def scene_of(play: ReferencePlay, position: Position, outcome: Outcome | None = None) -> Scene:
    """The scene of *position* in the usual dressing, without a last turn and decisions."""
    return usual_scene(play, undrawn_scene(play, position, outcome))


def usual_scene(play: ReferencePlay, scene: Scene) -> Scene:
    """A scene in the usual dressing."""
    return evolve(scene, drawing=_fixed(play).usual)


def undrawn_scene(
    play: ReferencePlay,
    position: Position,
    outcome: Outcome | None = None,
    steps: Sequence[PlayedDecision] = (),
    listed: Callable[[], tuple[SceneMove, ...]] = tuple,
) -> Scene:
    """The scene of *position*, to be drawn yet; *steps* are the decisions of the last turn.

    *listed* gives the legal decisions as clicks when somebody asks for them.
    """
    rules, fixed = play.rules, _fixed(play)
    spots = tuple(_spots(fixed, rules, position))
    reached, left = _changed(fixed, steps)
    winner = None if outcome is None or outcome.winner is None else rules.players[outcome.winner]
    return evolve(
        fixed.empty,
        spots=spots,
        dots=tuple(_dots(fixed, spots)),
        links=tuple(_links(play, position, steps)),
        mover=None if outcome else rules.players[position.mover],
        winner=winner,
        reason="" if outcome is None else rules.origins[outcome.origin].text,
        last_turn=("" if rules.joined else " ").join(s.text for s in steps if s.text != NONE),
        last=frozenset(bits(reached)),
        left=frozenset(bits(left)),
        winning=frozenset(bits(winning_sites(play, position, outcome))),
        facts=tuple(facts_of(play, position, fixed.looked_at)),
        shown=Shown(numbers=_site_numbers(fixed, rules, position)),
        listed=listed,
    )


def scene_of_view(
    play: ReferencePlay, view: PlayerView, listed: Callable[[], tuple[SceneMove, ...]]
) -> Scene:
    """The scene of what a player sees, to be drawn yet; *listed* gives the own decisions."""
    scene = undrawn_scene(play, view.position, listed=listed)
    facts = facts_of(play, view.position, _fixed(play).looked_at, view.hidden)
    return evolve(scene, facts=tuple(facts))


def _site_numbers(fixed: _Fixed, rules: Rules, position: Position) -> dict[int, int]:
    """What the table of numbers that is drawn holds at its sites."""
    if fixed.numbered is None:
        return {}
    entries = cast("tuple[int, ...]", position.states[fixed.numbered][0])
    return {site: entries[site] for (site,) in rules.states[fixed.numbered].entry_places()}


def numbered_state(rules: Rules) -> int | None:
    """The first table of numbers by sites, whoever looks at it.

    What goes with pieces says something of these, and not of sites; what goes back with the turn
    is for the rules alone.
    """
    for i, state in enumerate(rules.states):
        by_site = [index.type for index in state.indices] == [Type.SITE]
        aside = state.with_pieces or state.within_turn or state.hidden or state.each
        if by_site and state.type is Type.INT and not aside:
            return i
    return None


# --- what no position changes ---


@frozen(eq=False)
class _Fixed:
    """The parts of a scene that all positions of a game share."""

    empty: Scene
    """The board with nothing on it, and without a drawing."""
    bars: Mapping[int, tuple[Point, ...]]
    """The strokes that neutral pieces would be, by site."""
    looked_at: frozenset[int]
    """The states that an end rule looks at, but for the one that is drawn."""
    numbered: int | None
    """The table whose numbers are drawn at its sites."""
    carrying: frozenset[int]
    """The declarations that move many pieces at once."""
    rules: Rules

    @cached_property
    def usual(self) -> BoardDrawing:
        """The drawing of a board without a look."""
        return drawing_of_rules(self.rules)


_FIXED: WeakKeyDictionary[ReferencePlay, _Fixed] = WeakKeyDictionary()


def _fixed(play: ReferencePlay) -> _Fixed:
    if play not in _FIXED:
        rules = play.rules
        bars = _bars(rules)
        empty = _empty(rules, BLANK)
        carrying = frozenset(i for i in range(len(rules.moves)) if _moves_all(rules, i))
        numbered = numbered_state(rules)
        looked_at = read_by_ends(rules) - {numbered}
        _FIXED[play] = _Fixed(empty, bars, looked_at, numbered, carrying, rules)
    return _FIXED[play]


def _bars(rules: Rules) -> Mapping[int, tuple[Point, ...]]:
    """The strokes of a board whose sites show their own names."""
    board = rules.board
    return {s: _bar(board, s) for s in bits(board.sites)} if shows_names(board) else {}


def drawing_of_rules(rules: Rules, dressing: Dressing | None = None) -> BoardDrawing:
    """The drawing of a game's board, in the usual dressing or in another one."""
    board, named = rules.board, shows_names(rules.board)
    shown = BoardShown(
        board=board,
        kinds=rules.kinds,
        strokes=_strokes(rules),
        columns=() if named else column_labels(rules),
        rows={} if named else _row_labels(board),
        bars=_bars(rules),
        links=tuple(kind.name for kind in rules.links),
        entries=tuple(_entries(rules)),
        exchanges=tuple(_exchanges(rules)),
    )
    return drawing_of(shown, dressing or usual_dressing(rules))


def usual_dressing(rules: Rules) -> Dressing:
    """How a game is dressed that has no look."""
    numbered = not shows_names(rules.board) and _moves_are_columns(rules)
    return default_dressing(rules, numbered)


def _strokes(rules: Rules) -> tuple[tuple[int, int], ...]:
    return tuple(pair for path in rules.board.paths for pair in pairwise(path))


def _row_labels(board: Board) -> Mapping[int, str]:
    return {board.rows[s]: str(board.numbers[s]) for s in bits(board.sites)}


def _entries(rules: Rules) -> Iterator[Entry]:
    """What each move puts on the board, where its text says so."""
    owners = {**{owner: owner for owner in range(rules.nobody + 1)}, OWN: OWN}
    for move in rules.moves:
        puts = (n for n in move_statements(rules, move) if isinstance(n, Put))
        for put in puts:
            if isinstance(put.kind, m.Const) and put.owner in owners:
                assert isinstance(put.kind.value, int)
                kind = rules.kinds[put.kind.value].name
                yield Entry(move.name, kind, owners[put.owner])
                break


def _exchanges(rules: Rules) -> Iterator[str]:
    for move in rules.moves:
        if any(isinstance(node, SwapSides) for node in move_statements(rules, move)):
            yield move.name


def _empty(rules: Rules, drawing: BoardDrawing) -> Scene:
    board = rules.board
    named = shows_names(board)
    return Scene(
        game=rules.name,
        players=rules.players,
        style=_style(rules, named),
        hexagonal=board.hexagonal,
        framed=board.is_square,
        kinds=len(rules.kinds),
        letters=tuple(sign for kind in rules.kinds for sign in kind.letters if sign),
        spots=tuple(_empty_spots(rules, named)),
        columns=() if named else column_labels(rules),
        rows={} if named else _row_labels(board),
        strokes=_strokes(rules),
        drawing=drawing,
    )


# --- sites ---


def shows_names(board: Board) -> bool:
    """Whether sites have names that rows and columns would not tell."""
    return any(board.names[i] != board.place_name(i) for i in bits(board.sites))


def column_labels(rules: Rules) -> tuple[str, ...]:
    """The labels of the columns: numbers where moves name columns so and never a site."""
    board = rules.board
    if board.layers > 1:
        wide = board.lift - 1
        names = (board.place_name(column).rstrip("0123456789") for column in range(board.width))
        return tuple(n if x <= wide else "" for n, x in zip(names, board.xs, strict=False))
    numbered = _moves_are_columns(rules)
    return tuple(str(c + 1) if numbered else letters(c + 1) for c in range(board.width))


def _moves_are_columns(rules: Rules) -> bool:
    parts = [
        part
        for write in nodes(rules.moves)
        if isinstance(write, Write)
        for part in nodes(write.notation)
    ]
    sites = any(isinstance(p, m.Text) and any(_is_site(part) for part in p.parts) for p in parts)
    used = {p.operation for p in parts if isinstance(p, m.Apply)}
    return "x" in used and "y" not in used and not sites


def _is_site(part: object) -> bool:
    return isinstance(part, m.Expression) and part.type in {Type.SITE, Type.SITES}


def _style(rules: Rules, named: bool) -> Style:
    """Drawn lines, points with names, holes where links can be, else cells."""
    if rules.board.is_drawn:
        return "lines"
    if named:
        return "points"
    return "holes" if rules.links else "cells"


def _empty_spots(rules: Rules, named: bool) -> Iterator[SceneSite]:
    board = rules.board
    cells = _style(rules, named) == "cells"
    for site, place in _places(board).items():
        yield SceneSite(
            site=site,
            name=board.names[site],
            column=board.columns[site],
            row=board.rows[site],
            place=place,
            outline=tuple(_outline(board, place)) if cells else (),
        )


def _spots(fixed: _Fixed, rules: Rules, position: Position) -> Iterator[SceneSite]:
    for spot in fixed.empty.spots:
        piece = _piece(rules, position, spot.site)
        if piece is None:
            yield spot
        else:
            bar = fixed.bars.get(spot.site, ()) if piece.owner == rules.nobody else ()
            below = _below(rules, position, spot.site)
            yield evolve(spot, piece=piece, bar=bar, below=below)


def _gap(board: Board, column: int, row: int) -> bool:
    """Whether a place inside the lattice is cut away."""
    inside = 0 <= column < board.width and 0 <= row < board.height
    return inside and board.at(column, row) < 0


def _bar(board: Board, site: int) -> tuple[Point, ...]:
    """Both places of a site that lies between two gaps in one direction only."""
    if not board.is_square:
        return ()
    x, y = board.columns[site], board.rows[site]
    level, upright = ((x - 1, y), (x + 1, y)), ((x, y - 1), (x, y + 1))
    gaps = [ends for ends in (level, upright) if all(_gap(board, *end) for end in ends)]
    return _moved(board, gaps[0]) if len(gaps) == 1 else ()


def _moved(board: Board, ends: Sequence[tuple[int, int]]) -> tuple[Point, ...]:
    """Places of the lattice as places of the scene, where the first kept site is at the edge."""
    left = min(board.columns[i] for i in bits(board.sites))
    top = min(board.rows[i] for i in bits(board.sites))
    return tuple((float(x - left), float(y - top)) for x, y in ends)


def _dots(fixed: _Fixed, spots: Sequence[SceneSite]) -> Iterator[Point]:
    """The ends of all bars that there could be: of sites that no player owns."""
    free = [s.site for s in spots if s.piece is None or s.piece.owner == fixed.empty.nobody]
    yield from dict.fromkeys(place for site in free for place in fixed.bars.get(site, ()))


def _piece(rules: Rules, position: Position, site: int) -> Piece | None:
    piece = position.piece(1 << site)
    if piece is None:
        return None
    return _drawn_piece(rules, *piece)


def _drawn_piece(rules: Rules, owner: int, kind: int) -> Piece:
    return Piece(owner, rules.kinds[kind].name, rules.kinds[kind].letters[owner] or "?")


def _below(rules: Rules, position: Position, site: int) -> tuple[Piece, ...]:
    """The pieces of a pile that lie under its top."""
    pile = position.piles[site][:-1] if position.piles else ()
    return tuple(_drawn_piece(rules, owner, kind) for owner, kind in pile)


def mirrored(scene: Scene, rules: Rules) -> Scene:
    """The scene of a square board along its diagonal, the pieces of each player the other's."""
    at = {(spot.column, spot.row): spot for spot in scene.spots}
    other = {spot.site: at[spot.row, spot.column] for spot in scene.spots}
    return evolve(
        scene,
        spots=tuple(_exchanged_spot(s, other[s.site], rules) for s in scene.spots),
        links=tuple(
            evolve(
                link,
                ends=(other[link.ends[0]].site, other[link.ends[1]].site),
                owner=_other(link.owner),
            )
            for link in scene.links
        ),
    )


def _exchanged_spot(spot: SceneSite, other: SceneSite, rules: Rules) -> SceneSite:
    """A site with what stands on another one, the pieces of each player the other's."""
    piece = _exchanged(other.piece, rules) if other.piece else None
    return evolve(spot, piece=piece, below=tuple(_exchanged(p, rules) for p in other.below))


def _exchanged(piece: Piece, rules: Rules) -> Piece:
    owner = _other(piece.owner)
    kind = next(kind for kind in rules.kinds if kind.name == piece.kind)
    return Piece(owner, piece.kind, kind.letters[owner] or "?")


def _other(owner: int) -> int:
    return owner if owner == NOBODY else 1 - owner  # of two players alone


def _places(board: Board) -> dict[int, Point]:
    """The middle of every site that is left; the nearest two of a drawn board are a cell apart."""
    raw = {i: _raw_place(board, i) for i in bits(board.sites)}
    scale = 1.0
    if board.is_drawn:
        scale /= min((math.dist(a, b) for a, b in combinations(raw.values(), 2)), default=1.0)
    left = min((x for x, _ in raw.values()), default=0.0)
    top = min((y for _, y in raw.values()), default=0.0)
    return {i: ((x - left) * scale, (y - top) * scale) for i, (x, y) in raw.items()}


def _raw_place(board: Board, site: int) -> Point:
    column, row = board.columns[site], board.rows[site]
    return (column + row / 2, row * ROW) if board.hexagonal else (column, row)


def _outline(board: Board, place: Point) -> Iterator[Point]:
    x, y = place
    if board.hexagonal:
        for k in range(6):
            turn = math.pi * (k / 3 + 0.5)
            yield x + math.cos(turn) / math.sqrt(3), y + math.sin(turn) / math.sqrt(3)
    else:
        for dx, dy in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
            yield x + dx, y + dy


# --- links, and what the last turn changed ---


def _links(
    play: ReferencePlay, position: Position, steps: Sequence[PlayedDecision]
) -> Iterator[SceneLink]:
    for kind, (table, links) in enumerate(zip(play.links, position.links, strict=True)):
        before = steps[0].before.links[kind] if steps else links
        for number in bits(links | before):
            ends, bit = table.ends[number], 1 << number
            gone = not links & bit
            at = steps[0].before if gone else position
            change: Literal["", "new", "gone"]
            change = "gone" if gone else "" if before & bit else "new"
            yield SceneLink(ends, table.kind.name, _link_owner(at, *ends), change)


def _link_owner(position: Position, a: int, b: int) -> int:
    pieces = (position.piece(1 << a), position.piece(1 << b))
    owners = {piece[0] for piece in pieces if piece}
    return owners.pop() if len(owners) == 1 else len(position.owned) - 1


def _changed(fixed: _Fixed, steps: Sequence[PlayedDecision]) -> tuple[Mask, Mask]:
    """The sites that the last turn reached, and those that its player's pieces left.

    After a decision that moves many pieces at once (the board is turned) no site is the last one.
    """
    reached = left_sites = 0
    for step in steps:
        before, after, mover = step.before, step.after, step.before.mover
        if step.move in fixed.carrying:
            reached = left_sites = 0
            continue
        fresh = after.full & ~before.full
        reached |= fresh or after.owned[mover] & ~before.owned[mover]
        left_sites |= before.owned[mover] & ~after.owned[mover]
        reached &= after.full
    return reached, left_sites & ~reached


def _moves_all(rules: Rules, move: int) -> bool:
    return any(isinstance(n, MoveEach) for n in move_statements(rules, rules.moves[move]))
