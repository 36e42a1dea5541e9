"""Battleship and Dark chess beside OpenSpiel: decisions, scores, and what each player sees."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with, loads
from rulewright.model.board import bits
from rulewright.reference.play import Situation
from rulewright.reference.position import Position
from rulewright.reference.sight import seen_sites
from tests.shared.places import TESTS

pyspiel = pytest.importorskip("pyspiel")

FOLDER = TESTS / "games" / "sample"


def fen(state: State) -> str:
    """Where pieces stand, as FEN has it."""
    rows = ["".join(line.split()[1:]) for line in state.board().splitlines()[:8]]
    text = "/".join(rows)
    for count in range(8, 0, -1):
        text = text.replace("." * count, str(count))
    return text


def visible(observation: str) -> set[str]:
    """The squares that an observation of OpenSpiel shows."""
    squares = set[str]()
    for row, text in enumerate(observation.split(maxsplit=1)[0].split("/")):
        wide = "".join("." * int(sign) if sign.isdigit() else sign for sign in text)
        squares |= {f"{'abcdefgh'[x]}{8 - row}" for x, sign in enumerate(wide) if sign != "?"}
    return squares


def child(theirs: Any, placement: str) -> Any:
    """The state behind the one action that leads to a placement of pieces."""
    after = [theirs.child(action) for action in theirs.legal_actions()]
    (fitting,) = [state for state in after if str(state).split()[0] == placement]
    return fitting


@pytest.mark.parametrize("seed", range(3))
def test_dark_chess_is_what_openspiel_plays_and_shows(seed: int) -> None:
    """Each side sees the same squares there and here, in every position of a random game.

    But for a side that has just passed a square by a double step: OpenSpiel shows it what its own
    pawns would see if they could take there in passing.
    """
    game = load_with(FOLDER / "dark_chess.rules", {})
    board, random = game.rules.board, Random(seed)
    ours, theirs = game.start(), pyspiel.load_game("dark_chess").new_initial_state()
    while not ours.over:
        assert len(ours.moves) == len(theirs.legal_actions())
        for player in range(2):
            position, passed = ours.situation.position, str(theirs).split()[3] != "-"
            if player != position.mover and passed:
                continue
            sites = seen_sites(game.play, position, player)
            here = {board.names[site] for site in bits(sites)}
            assert here == visible(theirs.observation_string(1 - player))
        ours = ours.play_decision(random.choice(ours.moves.texts))
        theirs = child(theirs, fen(ours))
    assert theirs.is_terminal()
    assert ours.result is not None
    score = {"white": 1.0, "black": -1.0, None: 0.0}[ours.result.winner]
    assert theirs.returns() == [-score, score]  # Black is its first player


def action_text(decision: str, height: int) -> tuple[str, int, int]:
    """A decision of ours as OpenSpiel has it: what is done, its row from the top, its column."""
    site, kind = decision, "shoot"
    for word, name in (("across", "horizontally"), ("down", "vertically")):
        if decision.endswith(word):
            site, kind = decision.removesuffix(word), name
    row = int(site[1:])
    return kind, (height - row) if row <= height else (2 * height + 1 - row), ord(site[0]) - 97


@pytest.mark.parametrize("seed", range(20))
def test_battleship_is_scored_as_openspiel_does(seed: int) -> None:
    options = {"width": 5, "height": 4, "ships": 2, "shots": 4}
    game, random = load_with(FOLDER / "battleship.rules", options), Random(seed)
    there = pyspiel.load_game(
        "battleship(board_width=5,board_height=4,ship_sizes=[2;3],ship_values=[1;1],num_shots=4,"
        "allow_repeated_shots=false,loss_multiplier=1.0)"
    )
    ours, theirs = game.start(), there.new_initial_state()
    while not ours.over:
        actions = {}
        for action in theirs.legal_actions():
            words = theirs.action_to_string(action).replace("(", "").replace(")", "").split()
            kind = "shoot" if "shoot" in words else words[3]
            actions[kind, int(words[-2].strip(",")), int(words[-1])] = action
        decisions = {action_text(text, 4): text for text in ours.moves.texts}
        assert set(decisions) == set(actions)
        chosen = random.choice(sorted(decisions))
        ours = ours.play_decision(decisions[chosen])
        theirs.apply_action(actions[chosen])
    assert theirs.is_terminal()
    assert ours.result is not None
    first = theirs.returns()[0]
    assert ours.result.winner == ("first" if first > 0 else "second" if first < 0 else None)


def looking_alike(game: Game, position: Position) -> Position:
    """The position without the unseen pieces that may be away: what is seen stays as it is."""
    sites = seen_sites(game.play, position, position.mover)
    for site in bits(position.owned[1 - position.mover] & ~sites):
        bare = position.without(1 << site)
        if seen_sites(game.play, bare, bare.mover) == sites:
            position = bare
    return position


def tells(game: Game, games: int) -> bool:
    """Whether decisions of random games change where unseen pieces go."""
    random = Random(1)
    for _ in range(games):
        state = game.start()
        while not state.over:
            if state.ply % 3 == 0:  # now one side, now the other
                bare = looking_alike(game, state.situation.position)
                texts = [option.text for option in Situation(game.play, bare).options]
                if texts != state.moves.texts:
                    return True
            state = state.play_decision(random.choice(state.moves.texts))
    return False


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("dark_chess", " or double_steps", ""),
        ("dark_chess", "slant(own pawn) enemy or ", ""),
        ("battleship", "  fired := fired or c", "  need no east(c) enemy\n  fired := fired or c"),
    ],
)
def test_decisions_tell_nothing(name: str, old: str, new: str) -> None:
    """Neither text does, and each leak that is planted is met."""
    text = (FOLDER / f"{name}.rules").read_text("utf-8")
    text = (
        text.replace("= 10 in", "= 4 in").replace("= 50 in", "= 6 in").replace("= 5 in", "= 1 in")
    )
    assert old in text
    assert not tells(loads(text), 1)
    assert tells(loads(text.replace(old, new)), 9)
