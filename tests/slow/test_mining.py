"""Patterns mined from games: what was planted comes out, and what is written can be used."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulewright import Personality, load
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.kinds import load_file
from rulewright.language.reprint_patterns import formatted_patterns
from rulewright.matches.game_files import read
from rulewright.model import patterns as m
from rulewright.players.pattern_use import Workbench
from tests.shared.backends import needs_llvm
from tests.shared.proposals import said

pytestmark = needs_llvm
HEAD = "format 1\nPatterns for connect5\nAround own\nSymmetry all\n"
PLANTED = {
    "attack": "Off planted\n  Opp 1 1\n  Set 1 2\n",
    "defence": "Def planted\n  Opp 0 1\n  Free 0 3\n  Set 0 2\n",
    "edge": "Off planted\n  Edge 0 3\n  Set 1 2\n",
}


def planted_games(game: Game, patterns: Path, folder: Path, count: int) -> list[str]:
    """Write games whose players follow a pattern nine times of ten where it fires, else chance."""
    random = Random(3)
    bench = Workbench(game, load_file(PATTERNS, game, patterns))
    names = []
    for number in range(count):
        state = game.start()
        while len(state.decisions()) < 40 and not state.over:
            sites, texts = bench.sites(state.situation.position), state.moves.texts
            proposed = sorted({game.rules.board.names[site] for site in sites} & set(texts))
            follows = proposed and random.random() < 0.9
            state = state.play_decision(random.choice(proposed if follows else texts))
        path = folder / f"{number}.txt"
        path.write_text(f"game connect5\n{' '.join(state.decisions())}\n", "utf-8")
        names.append(str(path))
    return names


def legal_proposals(game: Game, file: m.Patterns, state: State) -> set[int]:
    """The empty sites that the best pattern of a file proposes."""
    best = max(file.patterns, key=lambda pattern: pattern.priority)
    bench = Workbench(game, m.Patterns("", game.name, (), file.symmetry, (best,)))
    position = state.situation.position
    return {site for site in bench.sites(position) if not position.full >> site & 1}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_shape_is_the_strongest(
    kind: str, write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It proposes the very moves of the planted one, from whichever of its stones it is told."""
    game = load("connect5")
    (write / "planted.patterns").write_text(HEAD + PLANTED[kind], "utf-8")
    games = planted_games(game, write / "planted.patterns", write, 20)
    arguments = ["--games", *games, "--reach", "3", "--beside", "planted.patterns"]
    status, shown, told = said(
        capsys, "patterns", "mine", "connect5", *arguments, "--out", "mined.patterns"
    )
    assert status == 0, told
    planted = load_file(PATTERNS, game, write / "planted.patterns")
    mined = load_file(PATTERNS, game, write / "mined.patterns")
    for state in read(games[0])[0].end.states():
        expected = legal_proposals(game, planted, state)
        assert legal_proposals(game, mined, state) == expected, state.text
    rows = {words[0]: words[1:] for line in shown.splitlines() if (words := line.split())}
    assert float(rows["mined"][-1]) <= float(rows["planted.patterns"][-1]) + 0.05


def test_a_mined_file_is_one_like_others(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is formatted, passes `check` with its examples, and leads a personality."""
    game = load("connect5")
    (write / "planted.patterns").write_text(HEAD + PLANTED["attack"], "utf-8")
    games = planted_games(game, write / "planted.patterns", write, 16)
    out = ["--out", "mined.patterns", "--least", "6"]
    assert said(capsys, "patterns", "mine", "connect5", "--games", *games, *out)[0] == 0
    text = (write / "mined.patterns").read_text("utf-8")
    assert formatted_patterns(text) == text
    assert said(capsys, "check", "mined.patterns")[0] == 0
    mined = load_file(PATTERNS, game, write / "mined.patterns")
    assert all(len(pattern.examples) == 1 for pattern in mined.patterns)
    (write / "miner.personality").write_text(
        "format 1\npersonality miner for connect5\nuse threats\n"
        "search alphabeta, depth 2\npick best position\nconsider patterns mined, most 4 else all\n",
        "utf-8",
    )
    state = game.start().play("h8 h9")
    proposed = Workbench(game, mined).proposals(state.situation.position)
    assert Personality.load(write / "miner.personality", game).choose(state) in proposed
