"""The coverage of a file of any kind: the one way in for the command line.

In: a path, options, an effort and a seed.  Out: the coverage and the text that it is of.  Refuses
(`TextError`) files with mistakes, and kinds of files that nothing is known of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from attrs import Factory, frozen

from rulewright.checks.cover import cover_rules
from rulewright.checks.cover_judges import cover_evaluator, cover_personality
from rulewright.checks.cover_options import with_options
from rulewright.checks.cover_patterns import cover_patterns
from rulewright.checks.coverage import Coverage
from rulewright.engine.game import Game
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.files.catalog import by_suffix
from rulewright.files.games import RULES, load_with
from rulewright.files.kinds import Where, check_path
from rulewright.resolve.statements import OptionSetting


@frozen
class Wanted:
    """What is asked for: options that are set, how much work, and the seed of all chance."""

    options: Mapping[str, OptionSetting] = Factory(dict)
    effort: float = 1.0
    seed: int = 0


def _rules(path: Path, wanted: Wanted) -> Coverage:
    game = load_with(path, dict(wanted.options))
    found = cover_rules(game, wanted.effort, wanted.seed)
    with suppress(OutOfBudget):  # the rules themselves are covered
        found = with_options(found, game, partial(_again, path), wanted.effort, wanted.seed)
    return found


def _again(path: Path, options: Mapping[str, OptionSetting]) -> Game:
    return load_with(path, dict(options))


COVERS: dict[str, Callable[..., Coverage]] = {
    "evaluator": cover_evaluator, "personality": cover_personality, "patterns": cover_patterns,
}  # fmt: skip
"""What counts what is used of a file that is no rules."""


def cover_file(path: Path, wanted: Wanted) -> Coverage:
    """The coverage of a file of a known kind; raises `RulewrightError` for others."""
    kind = by_suffix().get(path.suffix)
    if kind is RULES:
        return _rules(path, wanted)
    if kind is None or kind.name not in COVERS:
        known = ", ".join(by_suffix())
        raise RulewrightError(f"{path} has no coverage; these kinds of files have: {known}")
    read = check_path(kind, path, Where(None, path.parent, dict(wanted.options)))
    told = read.game, read.loaded(), read.source, wanted.effort, wanted.seed
    return COVERS[kind.name](*told)
