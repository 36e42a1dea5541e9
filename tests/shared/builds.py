"""What takes a minute to build and serves several tests: one of each for all workers of a run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from tests.shared.places import ROOT
from tests.shared.sample import chosen
from tests.shared.web_host import export


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return a folder that *build* fills for the first worker that asks; others wait for it."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / name
    with FileLock(shared / f"{name}.lock"):
        if not folder.exists():
            unfinished = shared / f"{name}.unfinished"
            unfinished.mkdir(exist_ok=True)
            build(unfinished)
            unfinished.rename(folder)
    return folder


def distributions(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the wheel and the source distribution, built as an installer would.

    The wheel brings what is made of the games of this run.
    """
    command = [sys.executable, "-m", "hatchling", "build", "-d"]
    environment = os.environ | {"RULEWRIGHT_BROUGHT": " ".join(chosen())}
    return built_once(
        factory,
        "distributions",
        lambda folder: subprocess.run(
            [*command, str(folder)], cwd=ROOT, check=True, env=environment
        ),
    )


def site_of_all_games(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a studio that was exported with all bundled games.

    The variable `RULEWRIGHT_SITE` names a site that was just made, as by `make docs`.
    """
    made = os.environ.get("RULEWRIGHT_SITE")
    return Path(made).resolve() if made else built_once(factory, "site", export)
