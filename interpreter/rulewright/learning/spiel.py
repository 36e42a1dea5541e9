"""A game in OpenSpiel's registry: its states, what players observe, and what ends are worth.

In: a bundled name or a path.  Out: the short name under which `pyspiel.load_game` knows the game
afterwards; options of the rules are parameters.  Chance, secrets and several players included.
Needs the package of the extra `spiel`.  Refuses, as `LearningError`, puzzles and games whose
actions cannot be numbered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from rulewright.games.engine.game import Game, State
from rulewright.games.engine.sight import observations
from rulewright.games.files.games import load
from rulewright.games.render.position_text import view_text
from rulewright.ground.limits import SEATS
from rulewright.learning.batch import LONGEST
from rulewright.learning.lane_arrays import LearningError, load_numbered
from rulewright.learning.planes import Planes
from rulewright.model.board import bits
from rulewright.model.rules import IDLE
from rulewright.reference.sight import view_of
from rulewright.search.equilibrium import payoff_of

_registered: dict[str, tuple[str, int, int, int]] = {}
"""The game, stake, longest and sparse of each short name that was registered."""


def register(game: str, stake: int = 0, longest: int = LONGEST, sparse: int = 0) -> str:
    """Register a game with OpenSpiel, and return its short name there, `rulewright_NAME`.

    *stake*: the greatest score of a player, where ends are worth their scores; 0: a win is worth 1
    and a loss -1.  *longest*: decisions after which a game ends without a winner.  *sparse*: 0, or
    how many decisions a position has at most; then an action is a place in the list of them.
    """
    rules_game = load(game)
    if IDLE in rules_game.players:
        raise LearningError(f"{rules_game.name} is a puzzle for a single player")
    load_numbered(rules_game, sparse=sparse)
    name = f"rulewright_{rules_game.name}"
    terms = (game, stake, longest, sparse)
    if _registered.setdefault(name, terms) != terms:
        raise LearningError(f"{name} is registered already, for another game or with other terms")
    kind = _game_type(name, rules_game)

    class Registered(SpielGame):
        def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
            """Make the game with these options."""
            options = dict(parameters or {})
            super().__init__(kind, load(game, **options), options, (stake, longest, sparse))

    if name not in pyspiel.registered_names():
        pyspiel.register_game(kind, Registered)
    return name


def _game_type(name: str, game: Game) -> Any:
    """Return what OpenSpiel wants to know of a kind of game."""
    rules = game.rules
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    secret = rules.has_secrets
    visibility = information.IMPERFECT_INFORMATION if secret else information.PERFECT_INFORMATION
    return pyspiel.GameType(
        short_name=name,
        long_name=f"{game.name} (rulewright)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.lots else chance.DETERMINISTIC,
        information=visibility,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=not secret,
        parameter_specification=dict(game.options),
    )


class SpielGame(pyspiel.Game):
    """A game of rules as OpenSpiel has games."""

    def __init__(
        self, kind: Any, game: Game, parameters: dict[str, Any], terms: tuple[int, int, int]
    ) -> None:
        """Make the game; *terms* are stake, longest and sparse of `register`."""
        self.stake, longest, sparse = terms
        self.rules_game = game
        self.engine, self.actions = load_numbered(game, sparse=sparse)
        self.planes = Planes(self.engine.plan)
        worth = float(self.stake or 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.actions),
            max_chance_outcomes=len(self.actions) if game.lots else 0,
            num_players=len(game.players),
            min_utility=-worth,
            max_utility=worth,
            utility_sum=0.0,
            max_game_length=longest,
        )
        self.longest = longest
        super().__init__(kind, info, parameters)

    def new_initial_state(self, state: Any = None) -> SpielState:
        """Return the first state."""
        return SpielState(self, state)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> SpielObserver:
        """Return what tells a player's part of states: all of the game so far, or the moment."""
        del parameters
        return SpielObserver(self, kind is not None and kind.perfect_recall)


class SpielState(pyspiel.State):
    """A state of a game as OpenSpiel has states; seats are OpenSpiel's players."""

    def __init__(self, game: SpielGame, state: Any = None) -> None:
        """Begin a game."""
        super().__init__(game)
        if state is not None:
            raise LearningError("a state is made by playing, not from data")
        self.rules_state: State = game.rules_game.start()
        self.played = 0

    def seat(self, colour: int) -> int:
        """Return the seat that has a colour now."""
        return colour ^ 1 if self.rules_state.swapped else colour

    def current_player(self) -> int:
        """Return the seat that decides, or what OpenSpiel has for chance and for the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.rules_state.by_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return self.seat(self.rules_state.position.mover)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the numbers of the legal decisions, in their order."""
        del player
        return sorted(set(self.actions.values()))

    @property
    def actions(self) -> dict[str, int]:
        """The actions of the decisions here, by their texts."""
        actions: dict[str, int] = self.get_game().actions.legal(self.rules_state)
        return actions

    def text_of(self, action: int) -> str:
        """Return the text that an action has here; where it is not legal, its name."""
        texts = {number: text for text, number in self.actions.items()}
        return texts.get(action) or str(self.get_game().actions[action])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may decide, with how likely it is."""
        chances, actions = self.rules_state.probabilities().items(), self.actions
        return sorted((actions[text], float(chance)) for text, chance in chances)

    def _apply_action(self, action: int) -> None:
        """Play a decision."""
        self.rules_state = self.rules_state.play_decision(self.text_of(action))
        self.played += 1

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the text of a decision."""
        del player
        return self.text_of(action)

    def is_terminal(self) -> bool:
        """Return whether a rule has ended the game, or its length."""
        return self.rules_state.over or self.played >= self.get_game().longest

    def returns(self) -> list[float]:
        """Return what the end is worth for each seat, 0 before it."""
        state = self.rules_state
        players = len(state.game.players)
        if not state.over:
            return [0.0] * players
        if self.get_game().stake:
            first = float(payoff_of(state)) * (-1 if state.swapped else 1)
            return [first, -first]
        return rewards(state)

    def __str__(self) -> str:
        """Return the position as text."""
        return self.rules_state.text()


def rewards(state: State) -> list[float]:
    """Return the reward of each seat at the end of a game: 1 for who won, -1 for the last.

    Of several players, each gets what share of the others stands behind, less that before.
    """
    outcome, players = state.situation.outcome, len(state.game.players)
    assert outcome is not None
    if players == 2:
        if outcome.winner is None:
            return [0.0, 0.0]
        first = 1.0 if (outcome.winner == 0) is not state.swapped else -1.0
        return [first, -first]
    places = outcome.places
    return [sum((p > own) - (p < own) for p in places) / (players - 1) for own in places]


class SpielObserver:
    """Tells what a seat sees: planes and text of the moment, or a text of all that it has seen."""

    def __init__(self, game: SpielGame, recalls: bool) -> None:
        """Make an observer; *recalls*: it tells all of the game so far."""
        self.recalls, self.planes, self.engine = recalls, game.planes, game.engine
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not recalls and game.get_type().provides_observation_tensor:
            shape = (self.planes.sets, *self.planes.shape)
            self.tensor = np.zeros(int(np.prod(shape)), np.float32)
            self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with the sets of a state as a seat sees them."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        words = self.engine.encode(state.rules_state.situation.position)
        rows = self.tensor.reshape(self.planes.sets, -1)
        for row, plane in zip(rows, self.planes.planes, strict=False):
            at = plane.places[state.seat(player)]
            for i in range(self.planes.words):
                row[[64 * i + site for site in bits(words[at + i] % 2**64)]] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat sees, or has seen, as text."""
        here, colour = state.rules_state, state.seat(player)
        if not here.game.rules.has_secrets:
            return " ".join(here.decisions()) if self.recalls else here.text()
        play, name = here.game.play, here.game.players[colour]
        if not self.recalls:
            situation = here.situation
            return view_text(play, view_of(play, situation.position, colour, situation.outcome))
        moments = observations(here, colour)
        return name + "".join(f"\n{m.decision}\n{view_text(play, m.view)}" for m in moments)
