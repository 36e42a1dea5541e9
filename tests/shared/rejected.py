"""The corpus of wrong files, and what the checker says of each."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulewright.games.files.catalog import EVALUATOR, LOOK, PATTERNS, PERSONALITY
from rulewright.games.files.games import RULES
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.language.diagnostics import Diagnostic
from tests.shared.places import REJECTED

KINDS = (".rules", ".eval", ".personality", ".patterns", ".look")
TEXTS = sorted(path for path in REJECTED.iterdir() if path.suffix in KINDS)


@frozen
class Said:
    """What the checker says of a file, and whether it gives a model of it."""

    diagnostics: tuple[Diagnostic, ...]
    model: bool


def check(path: Path) -> Said:
    """Checks a wrong file as the command does, by the ending of its name."""
    data, where = path.read_bytes(), FileContext(None, REJECTED)
    if path.suffix == ".eval":
        judged = check_file(EVALUATOR, path.name, data, where)
        return Said(judged.diagnostics, judged.model is not None)
    if path.suffix == ".personality":
        person = check_file(PERSONALITY, path.name, data, where)
        return Said(person.diagnostics, person.model is not None)
    if path.suffix == ".patterns":
        read = check_file(PATTERNS, path.name, data, where)
        return Said(read.diagnostics, read.model is not None)
    if path.suffix == ".look":
        look = check_file(LOOK, path.name, data, where)
        return Said(look.diagnostics, look.model is not None)
    report = check_file(RULES, path.name, data)
    return Said(report.diagnostics, report.game is not None)
