"""Games that programs of others have written (tests/tools/judges.py): ours read them alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared.judged import differences

FILES = sorted((Path(__file__).parents[1] / "data" / "judged").iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_games_of_others_end_alike(path: Path) -> None:
    assert path.stat().st_size > 5000
    assert list(differences(path)) == []
