"""Random files keep their word: rules that are accepted, in the one layout, small examples."""

from __future__ import annotations

import signal
from argparse import Namespace
from collections.abc import Iterator
from functools import cache

import pytest

from rulewright.games.files.games import check
from tests.tools.agreement import __main__ as long_runs
from tests.tools.agreement.files import TOO_SLOW, refusal, round_trip, texts


@cache
def written() -> list[str]:
    return list(texts(120, first_seed=11))


def test_nearly_all_files_are_accepted() -> None:
    reports = [check(text) for text in written()]
    refused = [refusal(report) for report in reports if not report.ok]
    assert len(refused) <= 8, refused


def test_every_file_is_in_the_one_layout() -> None:
    for text in written()[:25]:
        if check(text).ok:
            round_trip(text)


def test_the_same_seed_writes_the_same_files() -> None:
    assert list(texts(5, first_seed=11)) == written()[:5]


def test_a_run_that_is_cut_off_says_what_it_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A signal in the middle of a long run ends it with its report; on the way it says how far."""

    def cut_off(*_: object, **__: object) -> Iterator[str]:
        yield from ("format 1\n", "format 1\ngame x\n")
        signal.raise_signal(signal.SIGTERM)
        yield "format 1\ngame y\n"

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    monkeypatch.setattr(long_runs, "texts", cut_off)
    monkeypatch.setattr(long_runs, "SECONDS", 0)
    options = Namespace(
        files=3, seed=1, native=9, wasm=9, minutes=1, only=[], playouts=0, lucky=0, seated=0
    )
    try:
        status = long_runs.watched(long_runs.Run(games=1, most=1), options)
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(number, handler)
    printed = capsys.readouterr()
    assert status == long_runs.INTERRUPTED
    assert "interrupted" in printed.out
    assert "2 files" in printed.out
    assert [line.split(",")[0] for line in printed.err.splitlines()] == ["1 files", "2 files"]


def test_a_file_that_takes_too_long_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight free sites have 109,600 ways, which the reference goes one by one for minutes."""
    text = (
        "format 1\ngame slow\nplayers red blue\nboard square 4 by 2\npieces stone\n"
        "move go\n  choose c in empty\n  put stone at c\nturn longest go*\ndraw when stuck\n"
    )
    monkeypatch.setattr(long_runs, "PATIENCE", 0.5)
    run = long_runs.Run(games=1, most=20)
    run.file(text, "python")
    assert run.verdicts == {TOO_SLOW: 1}
    assert not run.findings
