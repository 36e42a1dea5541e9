"""The head of a file: `format 1`, and the line that says what the file is."""

from __future__ import annotations

from rulewright.language import syntax
from rulewright.language.source import Span
from rulewright.resolve.scope import Scope

Tree = syntax.Rules | syntax.Evaluator | syntax.Personality


def check_head(tree: Tree, scope: Scope, head: syntax.Node | None, form: str, what: str) -> None:
    """Report a head that is missing or stands too far down; *form* is how its second line reads."""
    word = form.partition(" ")[0]
    _check_format(tree, scope, word)
    format_ = _format(tree)
    top = Span(0, max(1, len(scope.source.line(1))))
    if head is None and word not in tree.missing:
        advice = f"write `{form}` below `format 1`"
        scope.complain("missing-statement", format_ or top, f"{what} has no name", advice)
    elif head is not None and _far_down(tree, head) and not tree.missing:
        message, advice = f"`{form}` stands too far down", "make it the second line"
        scope.complain("bad-head", head, message, advice)


def _format(tree: Tree) -> syntax.Format | None:
    return next((item for item in tree.items if isinstance(item, syntax.Format)), None)


def _check_format(tree: Tree, scope: Scope, word: str) -> None:
    format_ = _format(tree)
    top = Span(0, max(1, len(scope.source.line(1))))
    lost = {"format", "move"} if word == "game" else {"format"}
    if format_ is None and not lost & tree.missing:
        advice = "write `format 1` above everything else"
        scope.complain("bad-head", top, "a file begins with `format 1`", advice)
    elif format_ is not None and repr(format_.number.value) != "1":
        message = f"format {format_.number.value} is unknown; this version reads format 1"
        advice = "a newer rulewright may read it"
        scope.complain("unknown-format", format_.number, message, advice)
    elif format_ is not None and tree.items[0] is not format_ and not tree.missing:
        message, advice = "`format 1` stands too far down", "make it the first line"
        scope.complain("bad-head", format_, message, advice)


def _far_down(tree: Tree, head: syntax.Node) -> bool:
    """Whether anything but `format 1` stands above *head*."""
    where = next(i for i, item in enumerate(tree.items) if item is head)
    return any(not isinstance(item, syntax.Format) for item in tree.items[:where])


def check_for_nothing(scope: Scope, form: str) -> None:
    """Report a file without statements, unless what it has cannot be read."""
    if not scope.report.failed:
        message = "this file says nothing"
        advice = f"begin with the lines `format 1` and `{form}`"
        scope.complain("bad-head", Span(0, 1), message, advice)
