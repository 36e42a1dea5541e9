"""Write the messages of all documents anew, after their wording has changed.

`python -m tests.tools.messages`; read what it wrote.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

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
)


def _renewed(example: Example) -> Iterator[tuple[Block, str]]:
    """The blocks of messages that are out of date, with what they should say."""
    text, names = "", dict[str, Any](folder=Path(tempfile.mkdtemp()))
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


def main() -> None:
    """Write the messages of all documents anew."""
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        for example in examples(document, text):
            for block, fresh in _renewed(example):
                print(f"{document}:{block.line}")
                text = text.replace(f"```messages\n{block.text}```", f"```messages\n{fresh}```")
        document.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
