"""Syntax trees of Python modules, each parsed once in a process for all tests that walk it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The tree of a module; nobody may change it."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a tree; walking the package anew for every rule took half of the time."""
    return tuple(ast.walk(tree))
