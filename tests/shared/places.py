"""Where things stand in a checkout."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
DATA = TESTS / "data"
BRAINS = DATA / "brains"
CORPUS = DATA / "corpus"
FORMAT_WORDS = DATA / "format_words.toml"
GAME_FILES = DATA / "games"
REJECTED = DATA / "rejected"
WAITING = DATA / "waiting"

ROOT = TESTS.parent
DOCS = ROOT / "docs"
RULESETS = ROOT / "rulesets"
