"""Games that are not bundled, as people write them: each is checked, compiled, counted, played.

The texts and what each must give stand in `tests/data/outsiders`; a new text needs its line there.
"""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from rulewright.checks.tried import try_claims
from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import check
from tests.independent import outsiders
from tests.shared.backends import needs_llvm
from tests.shared.counts import FACTS
from tests.shared.places import TESTS
from tests.tools.agreement.pair import Pair

FOLDER = TESTS / "data" / "outsiders"
TEXTS = {path.stem: path for path in sorted(FOLDER.glob("*.rules"))}
KNOWN: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "counts.toml").read_text("utf-8"))
FEW = 150
"""Sequences that the reference counts here."""
MANY = 30_000
"""Those that the second implementations count."""


def loaded(name: str) -> Game:
    report = check(TEXTS[name].read_text("utf-8"), f"{name}.rules")
    assert report.game is not None, [d.render() for d in report.diagnostics]
    return report.game


def test_every_text_has_its_line() -> None:
    assert list(TEXTS) == list(KNOWN)
    assert len(TEXTS) >= 20
    assert {name for name, known in KNOWN.items() if known["by"] == "independent"} == {
        *outsiders.GAMES
    }


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_accepted(name: str) -> None:
    report = check(TEXTS[name].read_text("utf-8"), f"{name}.rules")
    found, played = try_claims("rules", report)
    wrong = [d.code for d in (*report.diagnostics, *found) if d.severity == "error"]
    refused = KNOWN[name].get("refused")
    assert wrong == [refused] * bool(refused)
    slow = any(d.code == "slow" for d in found)  # then nobody asks: the counts below do
    assert refused or slow or played is not None
    if played is not None:
        assert played.reason == KNOWN[name].get("falls_back", "")


@needs_llvm
@pytest.mark.parametrize("name", TEXTS)
def test_machine_code_counts_and_plays_it(name: str) -> None:
    """Quick code does what careful code does, and is there sooner."""
    game, known = loaded(name), KNOWN[name]
    engine = load_engine(game, quick=True)
    if "falls_back" in known:
        assert engine == f"{game.name} is played by the reference: {known['falls_back']}"
        return
    assert isinstance(engine, Engine)
    first = game.play.first
    counted = [engine.perft(first, depth) for depth in range(1, len(known["counts"]) + 1)]
    assert counted == known["counts"]
    if "refused" not in known:
        pair = Pair(game.play, engine)
        pair.game(1, 6)
        pair.sampled(1, 25)


@pytest.mark.parametrize("name", TEXTS)
def test_the_reference_counts_the_same(name: str) -> None:
    if "refused" in KNOWN[name]:
        return
    start = loaded(name).start("reference")
    few = [leaves for leaves in KNOWN[name]["counts"] if leaves <= FEW]
    assert [start.perft(depth) for depth in range(1, len(few) + 1)] == few


@pytest.mark.parametrize("name", outsiders.GAMES)
def test_a_second_implementation_counts_the_same(name: str) -> None:
    few = [leaves for leaves in KNOWN[name]["counts"] if leaves <= MANY]
    assert [outsiders.perft(name, depth) for depth in range(1, len(few) + 1)] == few


@pytest.mark.parametrize("name", outsiders.BUNDLED)
def test_a_second_implementation_counts_bundled_games_as_their_facts_say(name: str) -> None:
    facts = [fact for fact in FACTS if fact[0] == name and not fact[1] and fact[4] <= MANY]
    counts = [outsiders.count(*outsiders.BUNDLED[name], fact[3]) for fact in facts]
    assert counts
    assert counts == [fact[4] for fact in facts]
