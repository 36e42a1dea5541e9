"""What an assistant may ask: commands that run beside, on the files of one folder.

In: names of tools and their arguments, as an assistant has written them.  Out: what the command
says, and how it ended.  Refuses files outside of the folder, kinds of files that are not ours and
texts that are too long.  A command that takes too long is ended with all that it began.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from attrs import frozen

from rulewright.errors import RulewrightError
from rulewright.games.files.catalog import by_suffix
from rulewright.games.files.games import bundled_games
from rulewright.ground.disk import read_bytes, write_whole

LONGEST_TEXT = 1 << 16
"""Bytes of a file that is read or written."""
LONGEST_ANSWER = 20_000
"""Characters of an answer; the rest is left out."""
_GRACE = 10.0
"""Seconds in which a command starts, and ends after its own limit."""
_PLAIN = re.compile(r"[A-Za-z0-9_][\w.@=,/-]*")
"""Matches a name of a game or a personality, and a path."""
_SUFFIXES = (".sgf", ".pgn", ".txt", ".toml", ".md")
"""Kinds of files besides our own that may be read and written."""


@frozen
class Workshop:
    """A folder, and the commands that may work on its files for so many seconds each."""

    folder: Path
    seconds: float = 30.0

    # --- files ---

    def path(self, name: str) -> Path:
        """The path of a file in the folder; raises `RulewrightError` for any other."""
        root = self.folder.resolve()
        path = (root / name).resolve()
        if not path.is_relative_to(root) or path == root:
            raise RulewrightError(f"`{name[:80]}` is not below the folder that was opened")
        if path.suffix not in (*by_suffix(), *_SUFFIXES):
            kinds = ", ".join((*by_suffix(), *_SUFFIXES))
            raise RulewrightError(f"`{name[:80]}` is no file of a game: {kinds}")
        return path

    def files(self) -> str:
        """The files of the folder, a line for each."""
        root, kinds = self.folder.resolve(), (*by_suffix(), *_SUFFIXES)
        paths = (p for p in sorted(root.rglob("*")) if p.suffix in kinds and p.is_file())
        names = [str(p.relative_to(root)) for p in paths if not p.is_symlink()]
        return "\n".join(names) or "there are no files of games yet"

    def read(self, name: str) -> str:
        """The text of a file."""
        return read_bytes(self.path(name), LONGEST_TEXT).decode("utf-8", "replace")

    def write(self, name: str, text: str) -> str:
        """Write a file, in place of what it held."""
        path, data = self.path(name), text.encode("utf-8", "backslashreplace")
        if len(data) > LONGEST_TEXT:
            raise RulewrightError(f"a file has at most {LONGEST_TEXT:,} bytes")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
        return f"{name} has {text.count(chr(10))} lines now"

    def source(self, name: str) -> str:
        """The name of a bundled game, or a file of the folder as commands take it."""
        if name in bundled_games():
            return name
        return str(self.path(name).relative_to(self.folder.resolve()))

    def player(self, name: str) -> str:
        """The name of a personality, or a file of one."""
        if "/" in name or name.endswith(".personality"):
            return self.source(name)
        return _plain(name)

    # --- commands ---

    def run(self, command: str, *arguments: str) -> str:
        """What a command says on both streams, and its exit status where that is not 0."""
        words = [sys.executable, "-m", "rulewright", command, *filter(None, arguments)]
        with subprocess.Popen(
            words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace",
            start_new_session=True,
        ) as process:  # fmt: skip
            try:
                text, _ = process.communicate(timeout=self.seconds + _GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                raise RulewrightError(
                    f"`{command}` had no answer after {self.seconds:g} seconds"
                ) from None
        return _short(text) + (f"\n(exit status {process.returncode})" * bool(process.returncode))

    def limit(self, seconds: float) -> str:
        """The option that limits a command, to no more than what is allowed here."""
        return f"--time={max(0.1, min(float(seconds), self.seconds)):g}"


def position(moves: str, options: str) -> list[str]:
    """The arguments that lead to a position: moves behind each other, options as `size=5 pie=true`.

    Raises `RulewrightError` for options that are none.
    """
    pairs = options.split()
    if not all(re.fullmatch(r"\w+=[\w.+-]+", pair) for pair in pairs):
        raise RulewrightError(f"options are written as `size=5 pie=true`, not `{options[:80]}`")
    return [f"--moves={moves}"] * bool(moves.strip()) + [f"--set={pair}" for pair in pairs]


def decision(text: str) -> str:
    """A decision as an argument; raises `RulewrightError` for what would be an option."""
    if not text.strip() or text.startswith("--"):
        raise RulewrightError("a decision is written as `moves` lists it")
    return text


def _plain(name: str) -> str:
    if not _PLAIN.fullmatch(name):
        raise RulewrightError(f"`{name[:80]}` is no name")
    return name


def _short(text: str) -> str:
    if len(text) <= LONGEST_ANSWER:
        return text.rstrip()
    return (
        f"{text[:LONGEST_ANSWER].rstrip()}\n... and {len(text) - LONGEST_ANSWER:,} characters more"
    )
