"""Every bundled player is searched by kernels: none of them has quietly become too long for it."""

from __future__ import annotations

import pytest

from rulewright.games.engine.kernels import PlayingBackend, playing_backend
from rulewright.games.files.games import bundled_games
from rulewright.games.files.games import load as load_game
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.personality import Personality

PLAYERS = [
    (game, path.stem)
    for game, rules in sorted(bundled_games().items())
    for path in sorted(rules.parent.glob("*.personality"))
]


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_no_bundled_player_needs_the_reference(
    game: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise AssertionError("the reference searches")

    loaded = load_game(game)
    assert playing_backend(loaded) == PlayingBackend("native")
    monkeypatch.setattr(Personality, "_by_reference", late)
    player = Contestant.parse(name).alone(loaded)
    state = loaded.start()
    while state.by_chance:
        state = state.play_decision(state.moves.texts[-1])
    assert player.root(state, seconds=0.05)
