"""Contact sheets: every bundled game in the middle of a game, in both themes.

`python -m tests.tools.contact_sheet FOLDER [GAME ...]` writes `boards-light.png` and
`boards-dark.png`.  Whoever changes a drawing looks at them.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from rulewright.games.engine.game import State
from rulewright.games.files.games import bundled_games, load_with
from rulewright.games.render.scene import Scene
from rulewright.games.render.svg import thumbnail_svg
from tests.shared.browser import chromium

MOVES = {"dots": 24, "draughts": 12, "chess": 9, "morris": 12, "twixt": 40, "hex": 24, "go": 40}
"""Decisions before the picture; of other games 16."""


_NAME = re.compile(r"""(\bid="|href="#|url\(#)""")
"""What stands before a name of a drawing in SVG."""


def middle(game: str) -> State:
    """A position of random play, always the same."""
    state, chance = load_with(game, {}).start(), random.Random(5)
    for _ in range(MOVES.get(game, 16)):
        if state.over:
            break
        state = state.play_decision(chance.choice(state.moves.texts))
    return state


def sheet(
    theme: Literal["light", "dark"], scenes: Mapping[str, Scene], columns: int = 4
) -> Iterator[str]:
    """The page of a theme: a picture of each game with its name."""
    ground, ink = ("#F4F5F2", "#18211E") if theme == "light" else ("#111614", "#E9EFEB")
    yield f"<body style='margin:16px;background:{ground};color:{ink};font:14px sans-serif'>"
    yield f"<style>main{{display:grid;grid-template-columns:repeat({columns},1fr);gap:18px}}"
    yield "svg{width:100%;height:290px;display:block}</style><main>"
    for game, scene in scenes.items():
        # thumbnails have brief names, which would be those of the first game in one document
        drawn = _NAME.sub(rf"\1{game}-", thumbnail_svg(scene, theme=theme))
        yield f"<figure style='margin:0'>{drawn}"
        yield f"<figcaption>{game}</figcaption></figure>"
    yield "</main>"


def main() -> None:
    """Write both sheets."""
    folder = Path(sys.argv[1])
    scenes = {game: middle(game).scene for game in sys.argv[2:] or sorted(bundled_games())}
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for theme in themes:
            page.set_content("".join(sheet(theme, scenes)))
            page.screenshot(path=folder / f"boards-{theme}.png", full_page=True)


if __name__ == "__main__":
    main()
