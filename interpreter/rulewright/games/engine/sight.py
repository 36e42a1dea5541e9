"""What a player sees of a game: views of its positions as text and pictures, and what was observed.

In: states, and a player of the game.  Out: a `Sight`, whose texts and pictures show the player's
part and nothing else; `observations`, the sequence of all that the player has seen; the same game
with everything open, for whoever searches in what may be.  When a game is over all of it is open.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from attrs import evolve, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.clicks import scene_moves
from rulewright.games.engine.game import Game, State
from rulewright.games.render.facts import HIDDEN
from rulewright.games.render.position_text import board_text, view_text
from rulewright.games.render.scene import Scene, SceneMove
from rulewright.games.render.scene_building import scene_of_view, usual_scene
from rulewright.games.render.svg import scene_svg
from rulewright.reference.sight import PlayerView, view_of

UNSEEN = HIDDEN
"""Stands for decisions and values that a player does not see."""
ALL = "all"
"""Asks for the whole position in place of a player's part."""


@frozen
class Observation:
    """What a player has seen at one moment: the own decision that led there, if it was own."""

    decision: str
    view: PlayerView


@frozen(eq=False)
class Sight:
    """A state as a player sees it; the whole state where `player` is None."""

    state: State
    player: int | None

    @property
    def partial(self) -> bool:
        """Whether something of the state may be out of sight."""
        return self.player is not None

    @cached_property
    def view(self) -> PlayerView | None:
        """What the player sees of the position; None where that is all."""
        if self.player is None:
            return None
        situation = self.state.situation
        with self.state.game.located():
            return view_of(self.state.game.play, situation.position, self.player, situation.ended)

    @cached_property
    def scene(self) -> Scene:
        """The scene of what the player sees, with the own decisions to choose from."""
        if self.view is None:
            return self.state.scene
        game = self.state.game
        with game.located():
            scene = scene_of_view(game.play, self.view, self._moves)
            shown = game.state(game.play.resume(self.view.position))
            return game.dresser(shown, scene) if game.dresser else usual_scene(game.play, scene)

    def _moves(self) -> tuple[SceneMove, ...]:
        """The legal decisions, where the player has to decide."""
        decides = self.player is None or _is_own(self.state, self.player)
        return scene_moves(self.state.game.rules, self.state.moves) if decides else ()

    def svg(self) -> str:
        """What the player sees as a drawing: a self-contained SVG document."""
        return scene_svg(self.scene)

    def board(self) -> str:
        """The picture of the board alone."""
        position = self.state.situation.position if self.view is None else self.view.position
        return board_text(self.state.game.play, position)

    def text(self) -> str:
        """What the player sees as text; that of a part cannot be read back."""
        if self.view is None:
            return self.state.text()
        return view_text(self.state.game.play, self.view)

    def turns(self) -> list[str]:
        """The turns played: of others' decisions only that there were some."""
        if self.player is None:
            return self.state.turns()
        texts = list[str]()
        for after in self.state.states()[1:]:
            text = self.decision(after)
            if text != UNSEEN or texts[-1:] != [UNSEEN]:
                texts.append(text)
        return texts

    def decision(self, after: State) -> str:
        """The decision that led to a state of this game, if the player has made it."""
        assert after.before is not None
        return after.move if self.player is None or _is_own(after.before, self.player) else UNSEEN


def sight(state: State, player: str | None) -> Sight:
    """The state as a player of the game sees it; None: as whoever may see everything.

    A game without secrets, and one that is over, is seen by everybody.  Raises `RulewrightError`
    for a name that is no player.
    """
    players = state.game.players
    if player is not None and player not in players:
        raise RulewrightError(f"the players are {players[0]} and {players[1]}, not {player}")
    is_open = player is None or state.over or not state.game.rules.has_secrets
    return Sight(state, None if is_open or player is None else players.index(player))


def observations(state: State, player: int) -> tuple[Observation, ...]:
    """All that a player has seen on the way to a state, the first first.

    The own decisions with what was seen after each, what was seen wherever the player had to
    decide, and the end of the game.
    """
    moments = (observation(here, player) for here in state.states())
    return tuple(here for here in moments if here is not None)


def observation(state: State, player: int, game: Game | None = None) -> Observation | None:
    """What a player sees anew in a state; None where nothing is shown to him.

    *game* says who sees what, where the state is one of the game with everything open.
    """
    own = state.before is not None and _is_own(state.before, player)
    if not (own or state.over or _is_own(state, player)):
        return None
    situation, play = state.situation, (game or state.game).play
    view = view_of(play, situation.position, player, situation.outcome)
    return Observation(state.move if own else "", view)


def _is_own(state: State, player: int) -> bool:
    """Whether a player makes the next decision."""
    return not state.over and state.position.mover == player and not state.by_chance


@lru_cache(maxsize=32)
def open_game(game: Game) -> Game:
    """Return the game without hidden information: every player sees everything."""
    rules = game.rules
    if not rules.has_secrets:
        return game
    states = tuple(evolve(state, hidden=False) for state in rules.states)
    return Game(evolve(rules, sees=None, states=states), game.names, backend=game.backend)
