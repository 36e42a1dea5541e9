"""Random rules that build on rules: the whole text alone has the very same model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from rulewright.games.files.games import RULES, check, flat_text
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.ground.disk import held_texts
from rulewright.language.diagnostics import TextError
from tests.generators.extending import ExtendingFile, extending_files
from tests.shared.effort import tries

PLACE = Path("/nowhere/larger.rules")


@settings(
    max_examples=tries(12), derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(file=extending_files())
def test_the_whole_text_is_the_same_game(file: ExtendingFile) -> None:
    texts = {PLACE: file.text.encode(), PLACE.with_name("sample.rules"): file.base.encode()}
    with held_texts(texts):
        report = check_file(RULES, PLACE.name, file.text.encode(), FileContext(None, PLACE.parent))
        if report.model is None:
            assert {d.place.file for d in report.diagnostics} == {PLACE.name}
            return
        alone = check(flat_text(PLACE), PLACE.name).loaded()
    assert report.model.rules == alone.rules
    assert {o.file for o in report.model.rules.origins} <= {PLACE.name, "sample.rules"}


def test_most_files_are_accepted() -> None:
    accepted = list[bool]()

    @settings(max_examples=tries(60), database=None, deadline=None)
    @given(file=extending_files())
    def tried(file: ExtendingFile) -> None:
        texts = {PLACE: file.text.encode(), PLACE.with_name("sample.rules"): file.base.encode()}
        with held_texts(texts):
            try:
                accepted.append(bool(flat_text(PLACE)))
            except TextError:
                accepted.append(False)

    tried()
    assert sum(accepted) > len(accepted) / 2


@pytest.mark.parametrize("name", ["atomic", "losalamos"])
def test_bundled_games_are_the_same_alone(name: str) -> None:
    from rulewright.games.files.games import bundled_games, load

    assert (
        check(flat_text(bundled_games()[name]), f"{name}.rules").loaded().rules == load(name).rules
    )
