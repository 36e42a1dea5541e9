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
from rulewright.disk import read_source
from rulewright.engine.game import Game
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.knowledge import Where, check_evaluator
from rulewright.language.diagnostics import TextError, errors
from rulewright.loading import load_with, shown
from rulewright.pattern_files import check_patterns
from rulewright.personality_files import check_personality
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


def _evaluator(path: Path, wanted: Wanted) -> Coverage:
    read = check_evaluator(shown(path), read_source(path), _where(path, wanted))
    if read.evaluator is None or read.game is None or read.source is None:
        raise TextError(errors(read.diagnostics))
    return cover_evaluator(read.game, read.evaluator, read.source, wanted.effort, wanted.seed)


def _personality(path: Path, wanted: Wanted) -> Coverage:
    read = check_personality(shown(path), read_source(path), _where(path, wanted))
    if read.personality is None or read.game is None or read.source is None:
        raise TextError(errors(read.diagnostics))
    return cover_personality(read.game, read.personality, read.source, wanted.effort, wanted.seed)


def _patterns(path: Path, wanted: Wanted) -> Coverage:
    read = check_patterns(shown(path), read_source(path), _where(path, wanted))
    if read.patterns is None or read.game is None or read.source is None:
        raise TextError(errors(read.diagnostics))
    return cover_patterns(read.game, read.patterns, read.source, wanted.effort, wanted.seed)


def _where(path: Path, wanted: Wanted) -> Where:
    return Where(None, path.parent, dict(wanted.options))


KINDS: dict[str, Callable[[Path, Wanted], Coverage]] = {
    ".rules": _rules,
    ".eval": _evaluator,
    ".personality": _personality,
    ".patterns": _patterns,
}


def cover_file(path: Path, wanted: Wanted) -> Coverage:
    """The coverage of a file of a known kind; raises `RulewrightError` for others."""
    kind = KINDS.get(path.suffix)
    if kind is None:
        known = ", ".join(KINDS)
        raise RulewrightError(f"{path} has no coverage; these kinds of files have: {known}")
    return kind(path, wanted)
