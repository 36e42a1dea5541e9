"""Random rules files with hidden parts: secrets change no play, and a view holds what it shows."""

from __future__ import annotations

from random import Random

from attrs import evolve
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.games.engine.sight import sight
from rulewright.model.expressions import Const, Type
from rulewright.reference.sight import view_of
from tests.generators import rule_files
from tests.shared.effort import tries

DEEPEST = 5


def with_secrets(game: Game, random: Random) -> Game:
    """The same game in which some states are hidden, and only some sites are seen."""
    rules = game.rules
    states = tuple(evolve(state, hidden=random.random() < 0.6) for state in rules.states)
    sites = random.getrandbits(len(rules.board.names)) & rules.board.sites
    sees = Const(Type.SITES, sites) if random.random() < 0.8 else None
    return Game(evolve(rules, states=states, sees=sees), backend="reference")


def check_views(state: State) -> None:
    """What a player sees of a position is all that there is to see of the view itself."""
    play, position = state.game.play, state.situation.position
    for player, name in enumerate(state.game.players):
        view = view_of(play, position, player)
        assert view_of(play, view.position, player) == view
        assert not view.position.full & ~view.sites
        assert view.position.owned[player] == position.owned[player]
        for number, declared in enumerate(state.game.rules.states):
            if not declared.hidden and not declared.with_pieces:
                assert view.position.states[number] == position.states[number]
        assert sight(state, name).text()


@settings(
    max_examples=tries(20), deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)
@given(rule_files(), st.integers(0, 2**32))
def test_secrets_change_no_play(text: str, seed: int) -> None:
    checked, random = rulewright.check(text).game, Random(seed)
    assume(checked is not None)
    assert checked is not None
    plain = evolve(checked, backend="reference")
    try:
        state = plain.start()
        secret = with_secrets(plain, random).start()
        for _ in range(DEEPEST):
            check_views(secret)
            assert secret.moves.texts == state.moves.texts
            assert secret.over == state.over
            if state.over:
                return
            move = random_decision(state, random)
            state, secret = state.play_decision(move), secret.play_decision(move)
    except Fault:
        return  # the rules fail, with secrets as without
