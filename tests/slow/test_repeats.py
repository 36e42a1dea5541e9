"""Guards of the house: no code stands twice, but where that is meant."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.shared.places import ROOT

LINES = 10
"""So many like lines in a row, imports, docstrings and signatures not counted, are a repeat."""
MEANT = set[tuple[str, ...]]()
SIMILAR = re.compile(r"^==(\S+):\[", re.MULTILINE)


def repeats(report: str) -> set[tuple[str, ...]]:
    """The files of each repeat that pylint's `symilar` tells."""
    parts = re.split(r"^\d+ similar lines in .*$", report, flags=re.MULTILINE)
    return {tuple(sorted(files)) for part in parts if (files := SIMILAR.findall(part))}


def test_no_code_stands_twice() -> None:
    package = ROOT / "interpreter" / "rulewright"
    files = [str(path.relative_to(package)) for path in sorted(package.rglob("*.py"))]
    options = ["--ignore-imports", "--ignore-docstrings", "--ignore-signatures", "-d", str(LINES)]
    run = "from pylint.checkers.symilar import Run; Run()"
    command = [sys.executable, "-c", run, *options, *files]
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, check=True)
    assert f"TOTAL lines={sum(map(lines_of, files))} " in done.stdout
    assert repeats(done.stdout) - MEANT == set()


def lines_of(name: str) -> int:
    text = (ROOT / "interpreter" / "rulewright" / name).read_text("utf-8")
    return len(text.splitlines())


def test_repeats_are_read_from_the_report() -> None:
    report = (
        "\n12 similar lines in 2 files\n==b.py:[4:16]\n==a.py:[1:13]\n   x = 1\nTOTAL lines=9\n"
    )
    assert repeats(report) == {("a.py", "b.py")}
