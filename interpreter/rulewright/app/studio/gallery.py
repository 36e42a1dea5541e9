"""The games to choose from, as cards: what people call them, a line, a picture.

In: the name of a game, or its path in the folder of a page.  Out: its card, drawn as its look says,
for which no kernels are compiled.  A game that cannot be drawn has a card without a picture.

What is drawn of a bundled game is cached: playing to the positions of all of them by the reference
takes twenty seconds.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from attrs import asdict

from rulewright.app.studio.folder import Folder
from rulewright.app.studio.menu import FirstTable, GameCard, Introduced, LessonShown
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.dresser import dressing_of
from rulewright.games.files.games import bundled_games, load
from rulewright.games.files.lessons import introduction
from rulewright.games.files.looks import thumbnail
from rulewright.games.render.svg import thumbnail_svg
from rulewright.ground import budget
from rulewright.ground import cache as disk_cache
from rulewright.ground.disk import root
from rulewright.ground.records import DataError, read_json

CARDS = 8
"""Cards of a request at most: what else the page asks for waits meanwhile."""
_LEARNING = 10.0
"""Seconds for the pictures of a game that is learnt."""
_DRAWING = 5.0
"""Seconds for the position of a card."""
_DRAWN_BY = ("app/studio", "games", "ground", "language", "model", "reference")
"""The packages of what draws."""
_MOST_BYTES = 32 * 1024 * 1024
"""Bytes of all that is cached here."""
T = TypeVar("T", GameCard, Introduced, FirstTable)


def card(name: str, folder: Folder) -> GameCard:
    """The card of a game; those of bundled games are kept."""
    return bundled_card(name) if name in bundled_games() else _card(name, folder)


@cache
def bundled_card(name: str) -> GameCard:
    """The card of a bundled game."""
    return from_cache(name, GameCard, lambda: _card(name, Folder()))


def bundled_introduction(name: str) -> Introduced:
    """What there is to learn of a bundled game; raises `RulewrightError` for its mistakes."""
    return from_cache(name, Introduced, lambda: load_introduction(name, Folder()))


def bring_cards(folder: str, *names: str) -> None:
    """Fill a folder with cards and introductions of bundled games: of all, or of those named."""
    with TemporaryDirectory() as place:
        disk_cache.fill(Path(place))
        for name in names or bundled_games():
            bundled_card(name)
            with suppress(RulewrightError):  # whoever opens the game is told
                bundled_introduction(name)
        for path in Path(place).glob("*.card"):  # models of looks belong to a checkout's paths
            shutil.copy(path, folder)


def from_cache(name: str, kind: type[T], draw: Callable[[], T]) -> T:
    """What *draw* gave of a bundled game, as long as neither texts nor programs have changed."""
    if disk_cache.is_for_page():
        return draw()
    key = disk_cache.digest(kind.__name__, name, _bundled_texts(), disk_cache.program(*_DRAWN_BY))
    place = disk_cache.cache_folder() / "cards" / f"{key}.card"
    with suppress(DataError):
        return read_json(disk_cache.read(place), kind)
    drawn = draw()
    # a card without a picture had too little time
    if isinstance(drawn, Introduced | FirstTable) or drawn.picture:
        disk_cache.write(place, json.dumps(asdict(drawn)).encode(), _MOST_BYTES)
    return drawn


@cache
def _bundled_texts() -> str:
    """A digest of the rules and looks: a game may be built on another one."""
    return disk_cache.contents(path for path in root("rulesets").rglob("*") if path.is_file())


def _card(name: str, folder: Folder) -> GameCard:
    """Draw a card, without a picture where that fails: whoever opens the game is told why."""
    try:
        with budget.within_seconds(_DRAWING, 1.0, "drawing a game for its card"):
            game = load(folder.game_path(name))
            dressing = dressing_of(game)
            picture = thumbnail_svg(thumbnail(dressing, game).scene, theme="both")
            budget.check_time()  # a thumbnail in a hurry is the first position
    except (RulewrightError, OSError, RecursionError):
        return GameCard(name, "", "", "")
    title = "" if dressing.title == game.name else dressing.title
    return GameCard(name, title, dressing.tell, picture, dressing.family, len(game.rules.seats))


def introduction_of(name: str, folder: Folder) -> Introduced:
    """The pictures and the puzzle of a game; those of bundled games are kept."""
    return (
        bundled_introduction(name) if name in bundled_games() else load_introduction(name, folder)
    )


def load_introduction(name: str, folder: Folder) -> Introduced:
    """The pictures and the puzzle of a game; raises `RulewrightError` for its mistakes."""
    with budget.within_seconds(_LEARNING, 1.0, "drawing the pictures of a game"):
        game = load(folder.game_path(name))
        lessons, dressing = introduction(game), dressing_of(game)
        pictures = tuple(_lesson(picture.state, picture.text) for picture in lessons.pictures)
        task = lessons.puzzle
        puzzle = None if task is None else _lesson(task.state, task.text, task.answer)
        budget.check_time()
    return Introduced(name, dressing.title, dressing.tell, pictures, puzzle)


def _lesson(state: State, text: str, answer: str = "") -> LessonShown:
    picture = thumbnail_svg(state.scene, theme="both")
    return LessonShown(picture, text, " ".join(state.decisions()), answer)
