"""How long the language service takes to answer an edit, by file.

    python benchmarks/service.py [EDITS] [GAME ...]
    python benchmarks/service.py outline

Each edit writes one letter or takes one away at a random place of a bundled file, as a person does
who types.  Each line gives the median and the worst processor time in milliseconds until there are:
mistakes of form and colours (what is seen at once), everything that is wrong but for claims,
completion where the edit was, and the meaning of the word there.  Some edits come
first, unmeasured.

With `outline`, texts at the limit of size: milliseconds by the clock from the opening of a text to
its outline, as the first request of a fresh server; the best and the median of nine servers.
"""

from __future__ import annotations

import gc
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from rulewright.app.service import completion, hover, tokens
from rulewright.app.service.document import Document
from rulewright.app.service.documents import SUFFIXES, Workspace
from rulewright.games.files.games import bundled_games
from rulewright.ground import disk
from rulewright.ground.limits import FILE_BYTES

WARM = 3
LETTERS = "abcdefgh (:="


def questions(workspace: Workspace, offset: int) -> dict[str, Callable[[Document], object]]:
    """What an editor asks after an edit, in this order."""
    return {
        "form": lambda d: (d.diagnostics, tokens.colours(workspace, d)),
        "meaning": workspace.diagnostics,
        "completion": lambda d: completion.complete(workspace, d, offset),
        "hover": lambda d: hover.hover(workspace, d, offset),
    }


def times(path: Path, edits: int, chance: random.Random) -> dict[str, list[float]]:
    """Milliseconds of each question, for each edit."""
    workspace, text = Workspace(), path.read_text("utf-8")
    found: dict[str, list[float]] = {}
    for number in range(WARM + edits):
        at = chance.randrange(len(text))
        typed = "" if number % 2 else chance.choice(LETTERS)
        new = text[:at] + typed + text[at + (not typed) :]
        began = time.process_time()
        document = workspace.open(path, new, number)
        for name, question in questions(workspace, min(at + 1, len(new))).items():
            question(document)
            now = time.process_time()
            if number >= WARM:
                found.setdefault(name, []).append((now - began) * 1000)
            began = now
    return found


def texts_at_the_limit() -> dict[str, str]:
    """Texts of nearly 64 KiB, by the names of files."""
    chess = (disk.root("rulesets") / "chess" / "chess.rules").read_text("utf-8")
    patterns = (disk.root("patterns") / "twixt" / "basics.patterns").read_text("utf-8")
    head = "format 1\ngame big\nplayers a b\nboard square 4 by 4\n"
    lines = [f"let n{number} = empty\n" for number in range(3600)]
    longer = [f"let more{number} = count(own pawn) + {number}\n" for number in range(1800)]
    block = patterns[patterns.index("\nOff ") :]
    return {
        "big.rules": _filled(head, lines),
        "chess.rules": _filled(chess, longer),
        "basics.patterns": _filled(patterns, [block] * 40),
    }


def _filled(text: str, more: list[str]) -> str:
    for part in more:
        if len((text + part).encode()) < FILE_BYTES:
            text += part
    return text


class Server:
    """A fresh language server, which has been greeted."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "rulewright", "lsp"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0)
        self.ask(1, "initialize", {"capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict[str, object]) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def ask(self, number: int, method: str, params: object) -> bytes:
        """The answer to a request; whatever the server says before it is read too."""
        self.send({"id": number, "method": method, "params": params})
        out = self.process.stdout
        assert out is not None
        while True:
            length = int(out.readline().split(b":")[1])
            while out.readline().strip():
                pass
            body = b""
            while len(body) < length:
                body += out.read(length - len(body))
            if b'"id": %d' % number in body[:60]:
                return body


def outline_times(name: str, text: str, servers: int) -> list[float]:
    """Milliseconds from the opening of a text to its outline, of each fresh server."""
    spent = []
    for _ in range(servers):
        server = Server()
        document = {"uri": f"file:///tmp/{name}"}
        opened = {"textDocument": {**document, "languageId": "", "version": 1, "text": text}}
        time.sleep(0.5)  # the editor is asked for nothing meanwhile
        began = time.perf_counter()
        server.send({"method": "textDocument/didOpen", "params": opened})
        server.ask(2, "textDocument/documentSymbol", {"textDocument": document})
        spent.append((time.perf_counter() - began) * 1000)
        server.process.kill()
        server.process.wait()
    return spent


def outlines() -> None:
    """Print a line for each text at the limit."""
    for name, text in texts_at_the_limit().items():
        spent = outline_times(name, text, 9)
        print(f"{name:20} {len(text)} characters: {min(spent):.0f} / {median(spent):.0f} ms")


def main() -> None:
    """Print a line for each file."""
    words = sys.argv[1:]
    if words == ["outline"]:
        outlines()
        return
    gc.set_threshold(100_000, 20, 20)  # as the command has it
    edits = int(words.pop(0)) if words and words[0].isdigit() else 40
    chance = random.Random(1)
    print("median / worst ms   form       meaning    completion hover")
    for game in words or [*bundled_games()]:
        folders = (disk.root("rulesets") / game, disk.root("patterns") / game)
        paths = [p for f in folders if f.is_dir() for p in sorted(f.iterdir())]
        for path in paths:
            if path.suffix in SUFFIXES:
                found = times(path, edits, chance)
                cells = (f"{median(t):.0f} / {max(t):.0f}" for t in found.values())
                print(f"{path.name:26}" + "  ".join(f"{cell:9}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
