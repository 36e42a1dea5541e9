"""Write the engine's signature anew, after rules, search or the order of decisions have changed.

`python -m tests.tools.signature`; the commit says which games changed, and why.
"""

from __future__ import annotations

from rulewright.checks.bench.rates import signature
from tests.shared.places import TESTS

KEPT = TESTS / "data" / "signature.txt"
"""A line for each bundled game: its name, the decisions of a perft, the nodes of a search."""


def kept() -> dict[str, tuple[int, int]]:
    """The signature that is committed."""
    lines = [line.split() for line in KEPT.read_text("utf-8").splitlines()]
    return {name: (int(decisions), int(nodes)) for name, decisions, nodes in lines}


def main() -> None:
    """Write the file, and tell what has changed."""
    before = kept() if KEPT.exists() else {}
    found = {name: (decisions, nodes) for name, decisions, nodes in signature()}
    lines = [f"{name} {decisions} {nodes}\n" for name, (decisions, nodes) in found.items()]
    KEPT.write_text("".join(lines), "utf-8")
    for name in sorted({*before, *found}):
        if before.get(name) != found.get(name):
            print(f"{name}: {before.get(name)} -> {found.get(name)}")


if __name__ == "__main__":
    main()
