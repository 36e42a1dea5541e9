"""Recipes: what people want to happen in a game, to be put into a text at the cursor.

In: a document and an offset in it.  Out: the recipes for its language, written with its names; the
edits that put one behind the statement at the offset, and its move into the turn.  A text without
players or pieces keeps the words of the recipe, and is told its mistakes as any other text.
For an empty text the recipes are whole games.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path

from attrs import evolve, frozen

from rulewright.app.service.document import Document, StatementLine
from rulewright.app.service.navigation import Edit
from rulewright.ground.disk import read_text
from rulewright.language import syntax
from rulewright.language.source import Span

_FILE = Path(__file__).with_name("recipes.toml")
_DECLARED = re.compile(r"^(?:move|let|state|colour) (\w+)", re.MULTILINE)
_PLAIN_COURSE = re.compile(r"\w+( or \w+)*")
_LETTERS = "QVZYJ"
_HEAD = ("format", "game", "look", "extends")
"""Statements that nothing may stand between."""


@frozen
class Recipe:
    """A recipe: what happens, a sentence about it, its statements.

    `turn` is what the course of the text becomes, `piece` a further kind with its letters; a
    `square` recipe needs a board of squares.
    """

    title: str
    about: str
    text: str
    turn: str = ""
    piece: str = ""
    square: bool = False


@cache
def _all() -> Mapping[str, tuple[Recipe, ...]]:
    tables = tomllib.loads(read_text(_FILE))
    return {language: tuple(Recipe(**row) for row in rows) for language, rows in tables.items()}


def recipes(document: Document) -> tuple[Recipe, ...]:
    """The recipes for the language of a text that fit its board, with its names in them."""
    if document.language == "rules" and not document.plain.strip():
        return _all()["games"]
    fitting = (r for r in _all().get(document.language, ()) if _fits(document, r))
    return tuple(_named(document, recipe) for recipe in fitting)


def _fits(document: Document, recipe: Recipe) -> bool:
    """Whether a text has the board that a recipe needs, and not yet what may stand once."""
    board = next((line for line in document.lines if line.word == "board"), None)
    is_square = board is None or "square" in (token.value for token in board.tokens[1:2])
    ends_turn = any(line.word == "after" for line in document.lines)
    return (is_square or not recipe.square) and not (ends_turn and "after turn" in recipe.text)


def insertion(document: Document, offset: int, recipe: Recipe) -> tuple[Edit, ...]:
    """The edits that put a recipe behind the statement at an offset, and its move into the turn."""
    turn = next((line for line in document.lines if line.word == "turn"), None)
    at, before = _place(document, offset, turn, recipe)
    text = f"{recipe.text}\n" if before else f"\n{recipe.text}"
    edits = [Edit(Span(at, at), text if document.plain[:at].endswith("\n") else f"\n{text}")]
    if turn is not None and recipe.turn:
        edits.append(_extended(document, turn, recipe.turn))
    if recipe.piece:
        ends = (line.span.end for line in document.lines if line.word == "pieces")
        edits += [Edit(Span(end, end), f", {recipe.piece}") for end in ends]
    return tuple(sorted(edits, key=lambda edit: edit.span.start))


def _place(
    document: Document, offset: int, turn: StatementLine | None, recipe: Recipe
) -> tuple[int, bool]:
    """Where a recipe goes: behind the statement at the cursor, and whether it stands before one."""
    text = document.plain
    standing = [line for line in document.lines if line.span.start <= offset]
    if standing and standing[-1].word not in _HEAD:
        return _line_end(text, standing[-1].end), False
    if turn is None:
        return len(text), False
    if recipe.turn:
        return text.rfind("\n", 0, turn.span.start) + 1, True
    return _line_end(text, turn.end), False


def _line_end(text: str, offset: int) -> int:
    """The offset behind the line that *offset* is in."""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def _extended(document: Document, turn: StatementLine, course: str) -> Edit:
    """The edit that writes a longer course into a turn."""
    span = Span(turn.tokens[0].end_pos or turn.span.start, turn.span.end)
    old = document.plain[span.start : span.end].strip()
    inner = old if _PLAIN_COURSE.fullmatch(old) or "(TURN)" in course else f"({old})"
    return Edit(span, f" {course.replace('TURN', inner)}")


# --- names ---


def _named(document: Document, recipe: Recipe) -> Recipe:
    """A recipe in the names of a text; what it declares itself is called as nothing is there."""
    words = dict(_names_of(document))
    declared = [*_DECLARED.findall(recipe.text), *recipe.piece.split()[:1]]
    free = {name: _free_name(document, name) for name in declared}
    words |= {name: new for name, new in free.items() if name != new}

    def renamed(text: str) -> str:
        pattern = "|".join(map(re.escape, words))
        return re.sub(rf"\b(?:{pattern})\b(?! sides)", lambda match: words[match[0]], text)

    text, turn, piece = map(renamed, (recipe.text, recipe.turn, recipe.piece))
    return evolve(recipe, text=text, turn=turn, piece=piece)


def _names_of(document: Document) -> Iterator[tuple[str, str]]:
    """The words that recipes keep free, with what the text has in their places."""
    kinds = list[syntax.PieceKind]()
    for item in document.items:
        match item:
            case syntax.Players(names=(first, *others)):
                yield from (("FIRST", first.text), ("SECOND", (others or [first])[0].text))
            case syntax.Pieces():
                kinds += item.kinds
    if kinds:
        yield "PIECE", kinds[0].name.text
    letters = "".join(kind.letters or kind.name.text[0] for kind in kinds).upper()
    free = next((sign for sign in _LETTERS if sign not in letters), _LETTERS[0])
    yield "LETTERS", free + free.lower()


def _free_name(document: Document, name: str) -> str:
    """A name that the text does not use: as it is, or with a number behind it."""
    used = set(re.findall(r"\w+", document.plain))
    return next(new for n in count(1) if (new := name if n == 1 else f"{name}{n}") not in used)
