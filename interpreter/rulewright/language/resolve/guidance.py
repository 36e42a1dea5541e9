"""How a personality leads its search: what forces, what has to be answered, what is tried first.

In: syntax, and the evaluator whose values are named.  Out: a `Guidance`.  Refuses values that are
not there or of the wrong kind, and words that the search has no use for.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import evolve

from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.resolve.personality_searches import Draft, read_most
from rulewright.language.resolve.scope import Scope
from rulewright.language.resolve.statements import FileStatements
from rulewright.model import personality as p
from rulewright.model.rules import Origin

_LED = ("minimax", "alphabeta")
"""The searches that look deeper than a text says, and in an order."""
_SELECTIVE = ("alphabeta",)
"""Those that may overlook something: the others give every decision its exact value."""
_GROWN = ("mcts",)
"""Those that play random games."""
_ORDERED = (*_LED, *_GROWN)
_Named: TypeAlias = (
    syntax.Forcing | syntax.Order | syntax.Passing | syntax.Must | syntax.Threats
    | syntax.ConsiderValue | syntax.Policy | syntax.Drawn | syntax.Decided
    | syntax.Hopeless
)  # fmt: skip
_NAMED: dict[type[_Named], tuple[str, tuple[str, ...]]] = {
    syntax.Forcing: ("move", _LED), syntax.Order: ("move", _ORDERED),
    syntax.Passing: ("position", _SELECTIVE), syntax.Must: ("move", _LED),
    syntax.Threats: ("move", _SELECTIVE), syntax.ConsiderValue: ("move", _ORDERED),
    syntax.Policy: ("move", _GROWN), syntax.Drawn: ("position", _LED),
    syntax.Decided: ("position", _LED), syntax.Hopeless: ("position", _LED),
}  # fmt: skip
"""Of what a statement names the value: a `move` or a `position`; and the searches that it leads."""
_Word: TypeAlias = _Named | syntax.Reduce | syntax.Replies
_FORM = "`consider VALUE, most 14 else all`"


def read_guidance(draft: Draft, search: p.Search) -> p.Guidance:
    """Read what leads the search, or take that of the base."""
    file, base, selective = draft.file, _inherited(draft, search), search.kind in _SELECTIVE
    settings: dict[str, Any] = {}
    for kind, (of, kinds) in _NAMED.items():
        node = file.first(kind)
        if node is not None:
            settings[file.once[kind]] = _read_named(draft, node, of, search, kinds)
    forcing, policy = file.first(syntax.Forcing), file.first(syntax.Policy)
    if forcing is not None:
        reach = _read_whole(draft.scope, forcing.reach, "forcing VALUE, depth 8", p.MOST_FOLLOWED)
        settings["reach"] = reach or p.Guidance().reach
    if policy is not None:
        heaviest = _read_whole(draft.scope, policy.most, "policy VALUE, most 4", p.HEAVIEST)
        settings["heaviest"] = heaviest or p.Guidance().heaviest
    _check_threats(draft, base)
    settings |= _read_considered(draft) | _read_reduced(draft, search)
    settings["replies"] = _read_replies(draft, search, base)
    if not selective:
        settings |= {"passing": "", "threats": "", "late": False, "bold": False}
    return evolve(base, **settings)


def led_from(draft: Draft) -> dict[str, Origin]:
    """Where the words stand that a proof may believe."""
    values = dict(draft.base.leading) if draft.base else {}
    for kind in (syntax.Must, syntax.Drawn, syntax.Decided, syntax.Hopeless):
        node = draft.file.first(kind)
        if node is not None:
            values[draft.file.once[kind]] = draft.scope.origins[draft.scope.origin(node)]
    return values


def _inherited(draft: Draft, search: p.Search) -> p.Guidance:
    """What the base says, where that search and its own are led by the same words."""
    base = draft.base
    if base is None or search.kind not in _ORDERED:
        return p.Guidance()
    alike = (search.kind in _GROWN) == (base.search.kind in _GROWN)
    return base.guidance if alike else p.Guidance()


def _read_reduced(draft: Draft, search: p.Search) -> dict[str, Any]:
    """Whether decisions are searched less deep, and boldly so."""
    node, kinds = draft.file.first(syntax.Reduce), ("late", "boldly")
    if node is None:
        return {}
    _check_search(draft, node, search, _SELECTIVE)
    if node.what.text not in kinds:
        draft.scope.unknown(node.what, "way to reduce", kinds, "`reduce late`")
    return {"late": True, "bold": node.what.text == "boldly"}


def _read_replies(draft: Draft, search: p.Search, base: p.Guidance) -> tuple[str, ...]:
    """The lines by which random games answer the last decisions."""
    node, evaluator = draft.file.first(syntax.Replies), draft.evaluator
    if node is None:
        return tuple(name for name in base.replies if evaluator and evaluator.reply(name))
    _check_search(draft, node, search, _GROWN)
    lines = [line.name for line in evaluator.replies] if evaluator else []
    return read_lines(draft, node.names, lines, "reply", "replies")


def _check_threats(draft: Draft, base: p.Guidance) -> None:
    """Report threats where nothing says what answers them."""
    threat = draft.file.first(syntax.Threats)
    if threat is not None and draft.file.first(syntax.Must) is None and not base.must:
        message = "`threats` needs the decisions that answer a threat"
        draft.scope.complain("missing-statement", threat, message, "`must VALUE`")


def _read_considered(draft: Draft) -> dict[str, Any]:
    """To how many decisions a value of moves narrows the search; patterns do it without one."""
    scope, node = draft.scope, draft.file.first(syntax.ConsiderValue)
    patterns = draft.file.first(syntax.Consider)
    if node is None:
        return {"consider": "", "most": p.MOST_CONSIDERED} if patterns is not None else {}
    if node.otherwise is not None and node.otherwise.text != "all":
        message = "where no decision is worth more than 0, the search looks at `all`"
        scope.complain("unknown-word", node.otherwise, message, _FORM)
    if patterns is not None:
        message = "patterns or a value narrow a search, not both"
        scope.complain("repeated-statement", patterns, message)
    return {"most": read_most(scope, node.most) if node.most is not None else p.MOST_CONSIDERED}


def _read_named(
    draft: Draft, node: _Named, of: str, search: p.Search, kinds: tuple[str, ...]
) -> str:
    """The value that a statement names; it must be one of moves or of positions."""
    scope, evaluator = draft.scope, draft.evaluator
    _check_search(draft, node, search, kinds)
    if not is_value(draft, node.value):
        return ""
    assert evaluator is not None
    value = evaluator.value(node.value.text)
    assert value is not None
    if value.of_move != (of == "move"):
        has, word = "move" if value.of_move else "position", draft.file.once[type(node)]
        message = f"`{word}` needs the value of a {of}, and `{value.name}` is one of a {has}"
        scope.complain("wrong-type", node.value, message)
    elif len(value.parts) > 1:
        parts = amount(len(value.parts), "part")
        message = f"`{value.name}` has {parts}; one number is needed here"
        scope.complain("wrong-type", node.value, message)
    return value.name


def _check_search(draft: Draft, node: _Word, search: p.Search, kinds: tuple[str, ...]) -> None:
    """Report a word that the search has no use for."""
    if search.kind not in kinds:
        word, kinds_text = draft.file.once[type(node)], " or ".join(f"`{kind}`" for kind in kinds)
        message = f"the search `{search.kind}` has no use for `{word}`"
        draft.scope.complain("misplaced", node, message, f"it leads {kinds_text}")


def _read_whole(scope: Scope, node: syntax.Limit | None, form: str, most: int) -> int | None:
    """Read the number at the end of a form, from 1 to *most*, without a unit."""
    if node is None:
        return None
    value, word = node.value, form.split()[-2]
    if node.name.text != word:
        message = f"`{word}` is expected here, not `{node.name.text}`"
        scope.complain("unknown-word", node.name, message, f"`{form}`")
    elif isinstance(value, syntax.Name) or value.percent or not isinstance(value.value, int):
        scope.complain("wrong-type", value, f"`{word}` is a whole number")
    elif node.unit is not None:
        scope.complain("unit", node.unit, f"`{word}` has no unit here", f"`{form}`")
    elif not 1 <= value.value <= most:
        message = f"{value.value} lies outside the range 1..{most} of `{word}`"
        scope.complain("out-of-range", value, message)
    else:
        return value.value
    return None


def read_lines(
    draft: Draft, names: tuple[syntax.Name, ...], declared: list[str], what: str, whats: str
) -> tuple[str, ...]:
    """The names of lines; reports those that the evaluator does not have."""
    scope, evaluator = draft.scope, draft.evaluator
    for number, name in enumerate(names):
        if name.text in [earlier.text for earlier in names[:number]]:
            scope.complain("same-twice", name, f"`{name.text}` stands here twice")
        if name.text not in declared and not is_evaluator_lost(draft):
            advice = "say which evaluator: `use NAME`"
            if evaluator is not None and not declared:
                advice = f"`{evaluator.name}` has no {whats}"
            scope.unknown(name, what, declared, advice if not declared else "")
    return tuple(name.text for name in names)


def is_evaluator_lost(draft: Draft) -> bool:
    """Return whether the evaluator could not be read, which is reported where it stands."""
    unread = {"use", "extends"} & draft.file.tree.missing
    return bool(unread) or (draft.evaluator is None and _names_evaluator(draft.file))


def _names_evaluator(file: FileStatements) -> bool:
    return bool(file.first(syntax.Use) or file.first(syntax.Extends))


def is_value(draft: Draft, name: syntax.Name) -> bool:
    """Whether a name is that of a value; reports it if not."""
    scope, evaluator = draft.scope, draft.evaluator
    if evaluator is None:
        advice = "say which evaluator: `use NAME`"
        if not _names_evaluator(draft.file):
            scope.unknown(name, "value", (), advice)
        return False
    if evaluator.value(name.text) is None:
        values = [v.name for v in evaluator.values]
        there = ", ".join(f"`{k}`" for k in values)
        scope.unknown(name, "value", values, f"`{evaluator.name}` has the values {there}")
        return False
    return True
