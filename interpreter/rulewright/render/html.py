"""Tables of HTML, as notebooks show them.

In: texts and numbers in rows.  Out: a fragment of HTML; what comes from files is never markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.render.svg_elements import escaped


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a line above it; whole numbers and floats stand to the right."""
    cells = "".join(f"<th>{escaped(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f"<table><caption>{escaped(caption)}</caption>"
        f"<thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(value: object) -> str:
    if isinstance(value, int | float):
        return f'<td style="text-align: right">{value:.4g}</td>'
    return f"<td>{escaped('' if value is None else str(value))}</td>"
