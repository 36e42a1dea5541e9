"""What a page without a server shows before Python is loaded: all games, and how they are learnt.

In: nothing; the bundled games and their looks.  Out: files by name: the list of games with their
cards, a picture of each, and the pictures and the puzzle of each game that can be drawn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache

from attrs import asdict, evolve

from rulewright import __version__
from rulewright.app.studio.folder import headings_of, summaries_of
from rulewright.app.studio.gallery import bundled_card, bundled_introduction
from rulewright.app.studio.levels import levels_offered
from rulewright.app.studio.menu import Greeting
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games

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
    files[FRONT] = _json({"greeting": asdict(_greeting()), "cards": cards})
    return files


def _greeting() -> Greeting:
    games = summaries_of(bundled_games())
    headings, levels = headings_of(games), levels_offered()
    return Greeting(__version__, "", games, headings, {}, (), None, "this page", levels)


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()
