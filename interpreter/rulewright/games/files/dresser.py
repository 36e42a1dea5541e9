"""How games come to their looks: the one that is called like a game, or like what it builds on.

In: a game, a scene.  Out: the drawing of its board, and the scene as its look has it.  Where
there is no look, or it cannot be read, the usual dressing stands: a look never stops a game.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import LOOK, load_look
from rulewright.games.files.kinds import find_file
from rulewright.games.files.looks import dress, shown_by_look
from rulewright.games.render.drawing import BoardDrawing
from rulewright.games.render.dressing import Dressing, Shown
from rulewright.games.render.scene import Scene
from rulewright.games.render.scene_building import drawing_of_rules, usual_dressing
from rulewright.model.look import Look
from rulewright.reference.play import ReferencePlay

_LOOKS: WeakKeyDictionary[ReferencePlay, Look | None] = WeakKeyDictionary()
_DRAWINGS: WeakKeyDictionary[ReferencePlay, BoardDrawing] = WeakKeyDictionary()


def look_of(game: Game) -> Look | None:
    """The look that is called like a game; else like a game that it builds on."""
    if game.play not in _LOOKS:
        _LOOKS[game.play] = _find_look(game)
    return _LOOKS[game.play]


def _find_look(game: Game) -> Look | None:
    for name in game.rules.names:
        try:
            path = find_file(LOOK, game, name, game.folder)
            if path is not None:
                return load_look(game, path, game.folder)
        except (RulewrightError, OSError):
            continue
    return None


def dressing_of(game: Game) -> Dressing:
    """How a game is dressed: the usual way, with all that its look says."""
    base, look = usual_dressing(game.rules), look_of(game)
    return base if look is None else dress(look, game, base)


def drawing_of_game(game: Game) -> BoardDrawing:
    """The drawing of a game's board, worked out once."""
    if game.play not in _DRAWINGS:
        _DRAWINGS[game.play] = drawing_of_rules(game.rules, dressing_of(game))
    return _DRAWINGS[game.play]


def dress_scene(state: State, scene: Scene) -> Scene:
    """A scene with the drawing of its game, and with what the look says of the position."""
    look = look_of(state.game)
    of_position = scene.shown if look is None else _shown(look, state, scene)
    return evolve(scene, drawing=drawing_of_game(state.game), shown=of_position)


def _shown(look: Look, state: State, scene: Scene) -> Shown:
    return evolve(shown_by_look(look, state), numbers=scene.shown.numbers)


@frozen(eq=False)
class LookPreview:
    """A look that is tried on a game, in the place of its own."""

    look: Look
    drawing: BoardDrawing

    @classmethod
    def of(cls, look: Look, game: Game) -> LookPreview:
        """A look on a game, with the drawing of the board that it makes."""
        dressing = dress(look, game, usual_dressing(game.rules))
        return cls(look, drawing_of_rules(game.rules, dressing))

    def scene(self, state: State) -> Scene:
        """The scene of a position, drawn by this look."""
        of_position = _shown(self.look, state, state.scene)
        return evolve(state.scene, drawing=self.drawing, shown=of_position)
