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
        elif block.language == "shell-session":
            fresh = sessions.renewed(block.text, names["folder"])
            if fresh != block.text:
                yield block, fresh
        elif block.language == "pycon":
            run_doctest(block, names, example.document)
    for path, picture in sessions.pictures(names["folder"], example.document.read_text("utf-8")):
        path.write_text(picture, "utf-8")


def main(names: list[str]) -> None:
    """Write what documents show anew: all of them, or those of these names."""
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        for example in examples(document, text) if not names or document.stem in names else ():
            for block, fresh in _renewed(example):
                print(f"{document}:{block.line}")
                fence = f"```{block.language}\n"
                text = text.replace(f"{fence}{block.text}```", f"{fence}{fresh}```")
        document.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
