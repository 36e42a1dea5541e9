"""What a page without a server shows before Python is loaded: all games, and how they are learnt.

In: nothing; the bundled games and their looks.  Out: files by name: the list of games with their
cards, a picture of each, the pictures and the puzzle of each game that can be drawn, and the first
table of each whose first position neither chance nor a secret hides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial

from attrs import asdict, evolve

from rulewright import __version__
from rulewright.app.studio.answers import as_json
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import headings_of, summaries_of
from rulewright.app.studio.gallery import bundled_card, bundled_introduction, from_cache
from rulewright.app.studio.levels import levels_offered
from rulewright.app.studio.menu import FirstTable, Greeting
from rulewright.app.studio.messages import Nothing, Request
from rulewright.app.studio.thinking import Telling
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games, load

OPENINGS = "open"
"""The folder of first tables."""
FRONT = "front.json"
"""The greeting of a desk that there is not yet, and the cards of the bundled games."""


@cache
def front_files() -> Mapping[str, bytes]:
    """Draw the cards and the lessons of the bundled games, or take those drawn before."""
    files, cards = dict[str, bytes](), []
    for name in bundled_games():
        card = bundled_card(name)
        if card.picture:
            files[f"cards/{name}.svg"] = card.picture.encode()
            card = evolve(card, picture=f"cards/{name}.svg")
        cards.append(asdict(card))
        with suppress(RulewrightError):  # the desk says why
            files[f"learn/{name}.json"] = _json(asdict(bundled_introduction(name)))
            opening = from_cache(name, FirstTable, partial(_opening, name))
            files[f"{OPENINGS}/{name}.json"] = opening.table.encode()
    files[FRONT] = _json({"greeting": asdict(_greeting()), "cards": cards})
    return files


def _opening(name: str) -> FirstTable:
    """The first table of a game, unless chance or what a player sees makes it another each time."""
    game = load(name)
    if game.lots or game.rules.has_secrets:
        return FirstTable("null")
    request, telling = Request(0, "table", Nothing()), Telling(lambda _: None, lambda: False)
    table = as_json(Desk(opened=name).answer(request, telling))
    return FirstTable(json.dumps(table, ensure_ascii=False, separators=(",", ":")))


def _greeting() -> Greeting:
    games = summaries_of(bundled_games())
    headings, levels = headings_of(games), levels_offered()
    return Greeting(__version__, "", games, headings, {}, (), None, "this page", levels)


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()
