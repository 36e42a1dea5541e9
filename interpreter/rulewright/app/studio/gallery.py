"""The games to choose from, as cards: what people call them, a line, a picture.

In: the name of a game, or its path in the folder of a page.  Out: its card, drawn as its look says,
for which no kernels are compiled.  A game that cannot be drawn has a card without a picture.
"""

from __future__ import annotations

from functools import cache

from rulewright.app.studio.folder import Folder
from rulewright.app.studio.menu import GameCard, Introduced, LessonShown
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.dresser import dressing_of
from rulewright.games.files.games import bundled_games, load
from rulewright.games.files.lessons import introduction
from rulewright.games.files.looks import thumbnail
from rulewright.games.render.svg import thumbnail_svg
from rulewright.ground import budget

CARDS = 8
"""Cards of a request at most: what else the page asks for waits meanwhile."""
_LEARNING = 10.0
"""Seconds for the pictures of a game that is learnt."""
_DRAWING = 5.0
"""Seconds for the position of a card."""


def card(name: str, folder: Folder) -> GameCard:
    """The card of a game; those of bundled games are kept."""
    return bundled_card(name) if name in bundled_games() else _card(name, folder)


@cache
def bundled_card(name: str) -> GameCard:
    """The card of a bundled game."""
    return _card(name, Folder())


def _card(name: str, folder: Folder) -> GameCard:
    """Draw a card, without a picture where that fails: whoever opens the game is told why."""
    try:
        with budget.within_seconds(_DRAWING, 1.0, "drawing a game for its card"):
            game = load(folder.game_path(name))
            dressing = dressing_of(game)
            picture = thumbnail_svg(thumbnail(dressing, game).scene, theme="both")
    except (RulewrightError, OSError, RecursionError):
        return GameCard(name, "", "", "")
    title = "" if dressing.title == game.name else dressing.title
    return GameCard(name, title, dressing.tell, picture, dressing.family, len(game.rules.seats))


def load_introduction(name: str, folder: Folder) -> Introduced:
    """The pictures and the puzzle of a game; raises `RulewrightError` for its mistakes."""
    with budget.within_seconds(_LEARNING, 1.0, "drawing the pictures of a game"):
        game = load(folder.game_path(name))
        lessons, dressing = introduction(game), dressing_of(game)
        pictures = tuple(_lesson(picture.state, picture.text) for picture in lessons.pictures)
        task = lessons.puzzle
        puzzle = None if task is None else _lesson(task.state, task.text, task.answer)
    return Introduced(name, dressing.title, dressing.tell, pictures, puzzle)


def _lesson(state: State, text: str, answer: str = "") -> LessonShown:
    picture = thumbnail_svg(state.scene, theme="both")
    return LessonShown(picture, text, " ".join(state.decisions()), answer)
