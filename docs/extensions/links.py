"""Which examples of a page open on a board, and the links that open them.

In: the blocks of a page in their order, each with its language and its text.  Out: for each block
the texts that it stands for with their game, or none; a link of the studio with these texts.
What an example is, tests/shared/documents.py says.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from attrs import evolve, frozen
from tests.shared.documents import FILES, GAME_OF, HEAD, named, patched
from tests.tools import cookbook

from rulewright.games.files.games import bundled_games


@frozen
class Opened:
    """The texts that a link brings, by name, and the game that it opens: a file or a name."""

    files: Mapping[str, str]
    game: str


def examples(blocks: Sequence[tuple[str, str]]) -> list[Opened | None]:
    """Return what each block of a page opens; none for one that is no example without mistakes."""
    shown, opened = list[Opened | None](), Opened({}, "")
    for (language, text), (following, _) in pairwise([*blocks, ("", "")]):
        new = None if following == "messages" else _after(opened, language, text)
        opened = new or opened
        shown.append(new)
    return shown


def _after(opened: Opened, language: str, text: str) -> Opened | None:
    """Return the texts of a page after a block; none if it is no file, and changes none."""
    if language == "diff" and opened.game in opened.files:
        changed = patched(opened.files[opened.game], text)
        return evolve(opened, files={**opened.files, opened.game: changed})
    text = _games_of_recipes().get(text, text) if language == "rules" else text
    if language not in FILES or not HEAD.search(text):
        return None
    name = named(text)[1]
    if language == "rules":
        return Opened({name: text}, name)
    game = _game_of(text, opened)
    return Opened({**(opened.files if game == opened.game else {}), name: text}, game)


@cache
def _games_of_recipes() -> Mapping[str, str]:
    """Return the game with a recipe of the cookbook in it, by the lines of the recipe."""
    by_title = cookbook.raw()
    parts = [
        (by_title[title], chapter)
        for chapter, titles in cookbook.chapters().items()
        for title in titles
        if not chapter.startswith(("looks", "whole games"))
    ]
    return {recipe.text: cookbook.with_recipe(recipe, chapter) for recipe, chapter in parts}


def _game_of(text: str, opened: Opened) -> str:
    """Return the game that a file is for: that of the page unless the file names a bundled one."""
    head = GAME_OF.search(text)
    if head and f"{head[1]}.rules" != opened.game and head[1] in bundled_games():
        return head[1]
    return opened.game


def link(opened: Opened) -> str:
    """Return the part of the studio's address behind `#` that opens texts beside their board.

    The page reads it by `shared` of studio/src/keep.ts: JSON, deflated without a header, in the
    letters of base 64 for addresses.
    """
    start = {"game": opened.game, "options": {}, "moves": "", "position": ""}
    shared = {"files": dict(opened.files), "open": {**start, "players": ["human", "human"]}}
    text = json.dumps({**shared, "view": "author"}, ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"share={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"
