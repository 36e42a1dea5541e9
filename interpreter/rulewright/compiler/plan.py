"""What a game becomes, in words: how positions lie, which forms its parts take, and what is slow.

In: a layout, after lowering.  Out: lines for a reader, and the slow parts, each with how to write
it faster.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.layout import ChosenForm, StateLayout
from rulewright.ground.printable import amount
from rulewright.model.board import bits


def plan_lines(layout: StateLayout) -> list[str]:
    """List the forms that were chosen, and why: the position, the game, the lines of the text."""
    return [*_position(layout), *_game(layout), *_text(layout)]


def slow_parts(layout: StateLayout) -> list[ChosenForm]:
    """List the parts whose form is slow and that can be written otherwise, by their place."""
    return [note for note in _by_place(layout) if note.advice]


def _position(layout: StateLayout) -> Iterator[str]:
    """Say how a position lies in memory."""
    rules, sites = layout.rules, len(layout.rules.board.names)
    yield f"position: {layout.size} words of 64 bits"
    form = f"sets of sites: {layout.words} word{'s' * (layout.words > 1)}, for {sites} places"
    yield form + _smaller_board(layout)
    yield f"decisions: rows of {layout.row} words: the move, the rest of the turn, what is chosen"
    yield f"turns: {len(layout.courses)} courses that can be left, numbered"
    neutral = "" if layout.owners == 3 else ", because no piece can be neutral"
    yield f"owners: a set for each of {layout.owners}{neutral}"
    if layout.kinds_kept:
        yield f"kinds: a set for each of {len(rules.kinds)}"
    else:
        yield "kinds: none kept, every piece is of the same kind"
    if layout.link_table is not None:
        count = len(layout.link_table.ends)
        yield f"links: a bit for each of {count} possible ones, a table of what they cross"
    yield from layout.piles.reasons()
    past = "kept, because a rule looks back" if rules.looks_back else "not kept, no rule asks"
    yield f"earlier positions: {past}"
    yield f"constants: {len(layout.table):,} words of tables"
    yield "undo: a copy of the position, which is short"


def _smaller_board(layout: StateLayout) -> str:
    """Say which board would need fewer words, where whole rows or columns are cut away."""
    board = layout.rules.board
    if board.is_drawn or any(board.wraps) or board.width * board.height != len(board.names):
        return ""
    places = [divmod(site, board.width) for site in bits(board.sites)]
    height, width = (max(numbers) - min(numbers) + 1 for numbers in zip(*places, strict=True))
    fewer = -(-width * height // 64)
    if fewer >= layout.words:
        return ""
    return f"; faster: `board` {width} by {height}, which needs {amount(fewer, 'word')}"


def _game(layout: StateLayout) -> Iterator[str]:
    """Say what concerns no single line."""
    return (f"{n.part}: {n.form}" for n in layout.notes.values() if not n.origin)


def _text(layout: StateLayout) -> Iterator[str]:
    """Say what the lines of the text become, in their order."""
    for note in _by_place(layout):
        advice = f"; faster: {note.advice}" if note.advice else ""
        yield f"{layout.rules.place(note.origin)}: {note.part}: {note.form}{advice}"


def _by_place(layout: StateLayout) -> list[ChosenForm]:
    origins = layout.rules.origins
    placed = [note for note in layout.notes.values() if note.origin]
    return sorted(placed, key=lambda note: (origins[note.origin].file, origins[note.origin].line))
