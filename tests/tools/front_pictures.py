"""The pictures of README.md, as the package draws them: `python -m tests.tools.front_pictures`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import rulewright
from rulewright.app.studio.gallery import bundled_card
from rulewright.games.render.svg import scene_svg
from tests.shared.documents import blocks
from tests.shared.places import DOCS, ROOT

FIRST_GAMES = ("connect5", "conniption", "spanit", "twixt")
MOVES = "c2-c3 d5-d4 c3-d4 e5-d4 b2-b3 f5-f4"
"""Six moves of the game that README.md writes out."""


def pictures() -> Iterator[tuple[Path, str]]:
    """Draw each picture, with the file that keeps it."""
    for name in FIRST_GAMES:
        yield DOCS / "pictures" / f"front-{name}.svg", bundled_card(name).picture
    text = next(
        b.text for b in blocks((ROOT / "README.md").read_text("utf-8")) if b.language == "rules"
    )
    game = rulewright.loads(text)
    yield (
        DOCS / "pictures" / f"front-{game.name}.svg",
        scene_svg(game.start().play(MOVES).scene, theme="both"),
    )


if __name__ == "__main__":
    for path, picture in pictures():
        path.write_text(picture, "utf-8")
