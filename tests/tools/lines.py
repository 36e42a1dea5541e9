"""Counts the package's lines of code by room: `python -m tests.tools.lines`.

In: the modules of the package.  Out: a table of rooms and their sum.  Blank lines, comments and
docstrings are no code; a statement of five lines is five lines.  `tests/data/lines.toml` says how
many there may be, and why.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from pathlib import Path

from tests.shared.places import ROOT, TESTS
from tests.shared.trees import nodes_of, tree_of

PACKAGE = ROOT / "interpreter" / "rulewright"
BUDGET = TESTS / "data" / "lines.toml"


def lines_of_code(text: str, tree: ast.Module | None = None) -> int:
    """Count the lines of a module on which code stands; *tree* is that of the text."""
    lines = {
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    }
    for node in nodes_of(tree or ast.parse(text)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                assert statement.end_lineno is not None
                lines -= set(range(statement.lineno, statement.end_lineno + 1))
    return len(lines)


def rooms(package: Path = PACKAGE) -> Counter[str]:
    """Count the lines of code in every folder of a package, and in its own modules (`.`)."""
    counts: Counter[str] = Counter()
    for path in package.rglob("*.py"):
        inside = path.relative_to(package).parts
        counts[inside[0] if len(inside) > 1 else "."] += lines_of_code(
            path.read_text("utf-8"), tree_of(path)
        )
    return counts


def allowed() -> int:
    """Return how many lines of code the package may have."""
    budget = tomllib.loads(BUDGET.read_text("utf-8"))
    return int(budget["most"])


def main() -> None:
    """Print the table, the largest room first."""
    counts = rooms()
    for room, lines in counts.most_common():
        print(f"{lines:7,} {room}")
    print(f"{counts.total():7,} of {allowed():,}")


if __name__ == "__main__":
    main()
