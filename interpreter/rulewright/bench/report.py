"""What `bench` prints: one JSON object, or a table for people."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable
from typing import Any

from rulewright import __version__
from rulewright.bench.programs import FLAGS, compiler
from rulewright.bench.rates import Row

NAMES = (
    "playouts_per_s", "plies_per_playout", "first_share", "draw_share", "perft_nodes_per_s",
    "search_nodes_per_s", "first_move_cold_s", "first_move_edited_s", "first_move_cached_s",
    "peak_mib", "c_playouts_per_s", "share_of_c",
)  # fmt: skip
"""What the JSON form always has, with `_min` and `_max`."""

_COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("playouts/s", "playouts_per_s", ",.0f"), ("of C", "share_of_c", ".3f"),
    ("ns/ply", "ns_per_ply", ",.0f"), ("C ns/ply", "c_ns_per_ply", ",.1f"),
    ("OpenSpiel", "openspiel_playouts_per_s", ",.0f"), ("Ludax", "ludax_playouts_per_s", ",.0f"),
    ("perft/s", "perft_nodes_per_s", ",.0f"), ("of C", "share_of_c_perft", ".3f"),
    ("search/s", "search_nodes_per_s", ",.0f"), ("cold s", "first_move_cold_s", ".2f"),
    ("edited s", "first_move_edited_s", ".2f"), ("cached s", "first_move_cached_s", ".2f"),
    ("MiB", "peak_mib", ".0f"), ("plies", "plies_per_playout", ",.2f"),
    ("first", "first_share", ".3f"), ("drawn", "draw_share", ".3f"),
)  # fmt: skip
_SPREAD = ("share_of_c", "share_of_c_perft")
"""Columns that show smallest and largest values too: shares are what rounds are compared by."""


def machine() -> dict[str, Any]:
    """What the numbers depend on besides the engine."""
    return {
        "rulewright": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "compiler": " ".join([compiler() or "none", *FLAGS]) if compiler() else None,
    }


def _processor() -> str:
    if "llvmlite" in sys.modules:
        name: str = sys.modules["llvmlite.binding"].get_host_cpu_name()
        return name
    return platform.processor() or platform.machine()


def as_data(rows: Iterable[Row]) -> dict[str, Any]:
    """The object for JSON."""
    return {"machine": machine(), "games": [row.as_data(NAMES) for row in rows]}


def table(rows: list[Row]) -> str:
    """A line for each game, with the columns that have values."""
    shown = [c for c in _COLUMNS if any(c[1] in row.rounds for row in rows)]
    head = ["game", *(title for title, _, _ in shown)]
    lines = [head, *(_line(row, shown) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            word.ljust(width) if i == 0 else word.rjust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _line(row: Row, shown: list[tuple[str, str, str]]) -> list[str]:
    return [_title(row), *(_cell(row, name, form) for _, name, form in shown)]


def _title(row: Row) -> str:
    options = " ".join(f"{name}={value}" for name, value in row.options.items())
    tail = "" if row.backend == "native" else f" [{row.backend}]"
    return f"{row.game} {options}".strip() + tail


def _cell(row: Row, name: str, form: str) -> str:
    middle = row.middle(name)
    if middle is None:
        return "-"
    if name not in _SPREAD:
        return format(middle, form)
    values = row.rounds[name]
    return f"{middle:{form}} ({min(values):{form}}-{max(values):{form}})"
