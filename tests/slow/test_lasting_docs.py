"""The examples of documents that play matches or compare games position by position."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared.documents import LASTING, Example, examples, run_example
from tests.shared.places import DOCS


@pytest.mark.whole
@pytest.mark.parametrize(
    "example",
    [e for name in LASTING for e in examples(DOCS / name, (DOCS / name).read_text("utf-8"))],
    ids=str,
)
def test_an_example_that_takes_seconds(example: Example, tmp_path: Path) -> None:
    run_example(example, tmp_path)
