"""Python texts as trees, one at a time.

In: the text of a module.  Out: its tree, or its code.  Python 3.11 counts the depth of trees in one
place for all threads, so that two of them building trees at once may end in a `SystemError`
(CPython issue 106905); kernels are compiled in several threads.
"""

from __future__ import annotations

import ast
from threading import Lock
from types import CodeType

_ONE = Lock()


def parsed(text: str, file: str = "<kernels>") -> ast.Module:
    """The tree of a text."""
    with _ONE:
        return ast.parse(text, file)


def compiled(tree: ast.Module, file: str) -> CodeType:
    """The code of a tree."""
    with _ONE:
        return compile(tree, file, "exec")
