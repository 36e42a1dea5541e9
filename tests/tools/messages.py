"""Write the messages, sessions and pictures of documents anew, after their wording has changed.

`python -m tests.tools.messages [PAGE ...]`; read what it wrote.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import rulewright
from tests.shared import sessions
from tests.shared.documents import (
    DOCUMENTS,
    FILES,
    RECORDED,
    Block,
    Example,
    examples,
    learn,
    messages,
    named,
    patched,
    run_doctest,
)


def _renewed(example: Example) -> Iterator[tuple[Block, str]]:
    """The blocks of messages that are out of date, with what they should say."""
    text, names = "", dict[str, Any](folder=Path(tempfile.mkdtemp()), rulewright=rulewright)
    for block, following in pairwise([*example.blocks, Block("", "", 0)]):
        if block.language in FILES[1:] and following.language == "messages":
            if messages(block.text, names) != following.text:
                yield following, messages(block.text, names)
            (names["folder"] / named(block.text)[1]).write_text(block.text, "utf-8")
        elif block.language in FILES:
            text = block.text
            learn(text, names)
        elif block.language == "diff":
            changed = patched(text, block.text)
            if following.language != "messages":
                text = changed
                learn(text, names)
            elif messages(changed, names) != following.text:
                yield following, messages(changed, names)
        elif recorded := RECORDED.match(block.language):
            (names["folder"] / recorded[1]).write_text(block.text, "utf-8")
        elif block.language == "shell-session":
            fresh = sessions.renewed(block.text, names["folder"])
            if fresh != block.text:
                yield block, fresh
        elif block.language == "pycon":
            run_doctest(block, names, example.document)
    for path, picture in sessions.pictures(names["folder"], example.document.read_text("utf-8")):
        path.write_text(picture, "utf-8")


def _replaced(text: str, block: Block, fresh: str) -> str:
    """A document with another text in a block."""
    lines = text.splitlines(keepends=True)
    end = block.line - 1 + block.text.count("\n")
    return "".join([*lines[: block.line - 1], fresh, *lines[end:]])


def main(names: list[str]) -> None:
    """Write what documents show anew: all of them, or those of these names."""
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        chosen = examples(document, text) if not names or document.stem in names else []
        for block, fresh in reversed([each for example in chosen for each in _renewed(example)]):
            print(f"{document}:{block.line}")
            text = _replaced(text, block, fresh)
        document.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
