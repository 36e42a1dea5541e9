"""Sessions of the documents: commands with `$`, and what they print.

A block `shell-session` is run in the folder of its example, in this process.  `...` in the output
stands for anything.  Commands are those of `rulewright`, `cat FILE`
and `cp FILE FILE`.  A picture that a command writes is the picture of that name in docs/pictures/,
if the document shows it.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

from rulewright.app.cli import main
from tests.shared.places import DOCS

PROMPT = "$ "
PICTURES = DOCS / "pictures"
_ENVIRONMENT: Mapping[str, str] = {"COLUMNS": "100", "NO_COLOR": "1"}


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Split a session into its commands, each with the output that it shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.strip("\n")


def run(command: str, folder: Path) -> str:
    """Run a command in a folder and return what it prints, errors first to last."""
    words = shlex.split(command, comments=True)
    if words[0] == "cat":
        return (folder / words[1]).read_text("utf-8").strip("\n")
    if words[0] == "cp":
        shutil.copy(folder / words[1], folder / words[2])
        return ""
    assert words[0] == "rulewright", f"no command of a session: {command}"
    printed, pipe = io.StringIO(), words.index("<") if "<" in words else None
    typed = io.StringIO((folder / words[pipe + 1]).read_text("utf-8") if pipe else "")
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        patch.dict(os.environ, _ENVIRONMENT, RULEWRIGHT_DATA=str(folder / ".data")),
        patch("sys.stdin", typed),
    ):
        status = main(words[1:pipe])
    assert status in (0, 1), f"{command} ends with status {status}:\n{printed.getvalue()}"
    return "\n".join(line.rstrip() for line in printed.getvalue().strip("\n").splitlines())


def renewed(text: str, folder: Path) -> str:
    """Return a session with the output of today where what it shows is out of date."""
    lines = list[str]()
    for command, shown in commands(text):
        output = run(command, folder)
        kept = shown if agree(shown, output) else output
        lines += [f"{PROMPT}{command}", *kept.splitlines()]
    return "".join(f"{line}\n" for line in lines)


def agree(shown: str, output: str) -> bool:
    """Whether output is as it is shown, where `...` stands for anything."""
    return doctest.OutputChecker().check_output(f"{shown}\n", f"{output}\n", doctest.ELLIPSIS)


def pictures(folder: Path, document: str) -> Iterator[tuple[Path, str]]:
    """Yield the pictures in a folder that a document shows, each with the file that keeps it."""
    for path in sorted(folder.glob("*.svg")):
        if f"(pictures/{path.name})" in document:
            yield PICTURES / path.name, path.read_text("utf-8")
