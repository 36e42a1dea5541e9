"""`untested PROPERTY "reason"`: which properties a file leaves out.

In: the statements, and the properties of files of their kind.  Out: the model's.  Refuses names
that no property has, and properties left out twice or without a reason.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulewright.language import syntax
from rulewright.model import rules as r
from rulewright.resolve.scope import Scope


def left_out(
    nodes: Sequence[syntax.Untested], known: Collection[str], scope: Scope
) -> tuple[r.Untested, ...]:
    """The properties that the statements name; reports what is wrong with them."""
    found: dict[str, r.Untested] = {}
    for node in nodes:
        name = node.what.text
        if name not in known:
            scope.unknown(node.what, "property", known, f"there are {', '.join(sorted(known))}")
        elif name in found:
            scope.complain("repeated-statement", node, f"`{name}` is left out already")
        elif not node.reason.strip():
            message = f"say why `{name}` is not tested"
            scope.complain("notation", node, message, f'`untested {name} "the reason"`')
        else:
            found[name] = r.Untested(name, node.reason.strip(), scope.origin(node))
    return tuple(found.values())
