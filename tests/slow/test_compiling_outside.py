"""Compiling in processes of their own: the same code, whatever happens to the processes."""

from __future__ import annotations

import subprocess
import time
from typing import Any

import pytest

from rulewright.compiler.backend import outside
from rulewright.compiler.backend.llvm import translate
from rulewright.compiler.backend.native import compile_object, fast_deposit
from rulewright.compiler.backend.outside import Compilers
from rulewright.compiler.lower.game import lower_game
from tests.shared.backends import needs_llvm
from tests.shared.bundled import game

pytestmark = needs_llvm


@pytest.fixture(scope="module")
def assembly() -> str:
    return translate(lower_game(game("tictactoe").play).linked.module, fast_deposit())


@pytest.mark.parametrize("quick", [True, False])
def test_a_process_compiles_the_same_code(assembly: str, quick: bool) -> None:
    compilers = Compilers()
    assert compilers.fast_deposit() == fast_deposit()
    for _ in range(2):  # the second by the same process
        assert compilers.compile(assembly, quick) == compile_object(assembly, quick)
    assert len(compilers._idle[quick]) == 1


def test_a_process_that_dies_is_replaced(assembly: str) -> None:
    compilers = Compilers()
    assert compilers.compile("this is no assembly", True) is None
    assert compilers._idle[True] == []
    assert compilers.compile(assembly, True)
    compilers._idle[True][0].process.kill()
    assert compilers.compile(assembly, True) is None
    assert compilers.compile(assembly, True)


def test_a_process_without_work_ends(assembly: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "_PATIENCE", 0.1)
    compilers = Compilers()
    assert compilers.compile(assembly, True)
    (idle,) = compilers._idle[True]
    while compilers._idle[True]:
        time.sleep(0.02)
    assert idle.process.wait(10) != 0


def test_a_process_that_cannot_start_is_ended(
    assembly: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where memory is short: the caller compiles by itself, and no process is left."""
    begun, real = list[subprocess.Popen[bytes]](), subprocess.Popen

    def failing(words: list[str], **settings: Any) -> subprocess.Popen[bytes]:
        begun.append(real([words[0], "-c", "raise SystemExit(1)"], **settings))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", failing)
    assert Compilers().compile(assembly, True) is None
    assert Compilers().fast_deposit() is None
    assert [process.returncode is not None for process in begun] == [True, True]
