"""Letters of pieces: who can own which kind, and how it is shown on a printed board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.language import syntax
from rulewright.model import rules as r
from rulewright.resolve.effects import EffectResolver

_EMPTY = "."


def kinds(tree: syntax.Rules, resolver: EffectResolver) -> tuple[r.PieceKind, ...]:
    """The kinds of the file with a letter for every owner they can have."""
    statement = next((i for i in tree.items if isinstance(i, syntax.Pieces)), None)
    if statement is None:
        return ()
    owners = _owners(tree, resolver)
    alone = len(statement.kinds) == 1
    kinds = {k.name.text: k for k in reversed(statement.kinds)}  # one given twice is reported
    named = [k for k in statement.kinds if kinds[k.name.text] is k]
    found = [_kind(k, owners.get(k.name.text, {0, 1}), alone, resolver) for k in named]
    _check_apart(found, statement, resolver)
    return tuple(found)


def _owners(tree: syntax.Rules, resolver: EffectResolver) -> dict[str, set[int]]:
    """Who can own each kind: whoever some `put` gives it to."""
    owners: dict[str, set[int]] = {}
    for put in _puts(tree.items):
        who = {0, 1}
        if put.player is not None:
            named = put.player.text
            who = {r.NOBODY} if named == "nobody" else who
            if named in resolver.players:
                who = {resolver.players.index(named)}
        names = [put.kind.text] if put.kind.text in resolver.kinds else resolver.kinds
        for name in names:
            owners.setdefault(name, set()).update(who)
    return owners


def _puts(nodes: Iterable[object]) -> Iterator[syntax.Put]:
    for node in nodes:
        if isinstance(node, syntax.Put):
            yield node
        elif isinstance(node, syntax.MoveKind | syntax.Setup | syntax.Action | syntax.If):
            yield from _puts(node.block)


def _kind(
    node: syntax.PieceKind, owners: set[int], alone: bool, resolver: EffectResolver
) -> r.PieceKind:
    name, order = node.name.text, sorted(owners)
    letters = node.letters if node.letters is not None else _default(name, alone, resolver)
    if node.letters is None:
        shown = {i: letters[i] for i in order}
    elif len(letters) == len(order):
        shown = dict(zip(order, letters, strict=True))
    elif len(letters) == 2 and r.NOBODY not in owners:
        shown = {i: letters[i] for i in order}
    else:
        names = resolver.players or ("the first player", "the second player")
        who = [(*names, "nobody")[i] for i in order]
        message = (
            f"`{name}` is shown by {len(order)} letter{'s' * (len(order) > 1)}, not {len(letters)}"
        )
        advice = f"one each for {', '.join(who)}"
        resolver.scope.complain("letters", node, message, advice)
        shown = dict.fromkeys(order, "?")
    if any(c in f"{_EMPTY} -" or not c.isprintable() for c in shown.values()):
        resolver.scope.complain(
            "letters", node, "`.`, `-` and a blank show empty sites, not pieces"
        )
    return r.PieceKind(name, (shown.get(0, ""), shown.get(1, ""), shown.get(2, "")))


def _default(name: str, alone: bool, resolver: EffectResolver) -> str:
    first, second = (p[0].upper() for p in resolver.players or ("x", "o"))
    if alone:
        return (first + second if first != second else "XO") + "+"
    return name[0].upper() + name[0].lower() + "*"


def _check_apart(
    found: list[r.PieceKind], statement: syntax.Pieces, resolver: EffectResolver
) -> None:
    seen: dict[str, str] = {}
    for kind in found:
        for letter in filter(None, kind.letters):
            if letter in seen and letter != "?":
                message = f"`{letter}` shows both {seen[letter]} and {kind.name}"
                if seen[letter] == kind.name:
                    message = f"`{letter}` shows {kind.name} of more than one owner"
                advice = f'give each kind its own letters: `{kind.name} "Aa"`'
                resolver.scope.complain("letters", statement, message, advice)
                return
            seen[letter] = kind.name
