"""What all tests share: machines may be busy, so that no test fails for being slow."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import llvmlite.binding  # noqa: F401 - a pytest within a test would drop it: then there are two
import pytest
from attrs import evolve
from hypothesis import HealthCheck, settings

from rulewright.app.cli import main
from rulewright.compiler import defects
from rulewright.compiler.backend import Linked, native
from rulewright.games.files.shelves import VARIABLE
from tests.shared.effort import WHOLE, tries
from tests.shared.sample import heading, is_quick, left_out

Run = tuple[int, str, str]
"""Exit status, output, errors."""

settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=tries(WHOLE),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("any machine")
gc.set_threshold(100_000, 20, 20)  # a tenth of the time went into walks over games that stay
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start what is in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    return heading()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is tried of games that are not in the sample of this run."""
    out = list(left_out(items))
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in set(out)]


@pytest.fixture(autouse=True)
def sound_compiler() -> Iterator[None]:
    """No test meets a fault of the compiler's own that it has not put there itself."""
    defects.DEFECTS.clear()
    yield
    assert [defect.message for defect in defects.DEFECTS] == []


@pytest.fixture(autouse=True)
def same_shelves() -> Iterator[None]:
    """No test finds the folders of another one: a page names its own for the whole process."""
    before = os.environ.get(VARIABLE)
    yield
    os.environ.pop(VARIABLE, None)
    if before is not None:
        os.environ[VARIABLE] = before


@pytest.fixture(autouse=True)
def few_passes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sample, machine code comes of the passes that the first moves of every game wait for.

    The slow tier and a run of all games compile with all passes.
    """
    if is_quick(request.node) and not request.node.get_closest_marker("all_passes"):
        compiled = native._compiled

        def quick_as_full(source: Linked, use_cache: bool, quick: bool) -> native.Compiled:
            """Compile quickly; what asks for all passes takes it for such code."""
            made = compiled(source, use_cache, True)
            return made if quick else evolve(made, full=True)

        monkeypatch.setattr(native, "_compiled", quick_as_full)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Runs a command."""

    def call(*words: str) -> Run:
        status = main(words)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, where the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
