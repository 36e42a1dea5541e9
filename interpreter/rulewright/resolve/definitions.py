"""The `let` statements of a file, and what is checked of the statements of any file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import define

from rulewright.language import syntax
from rulewright.model.expressions import Type
from rulewright.resolve.calls import Calls
from rulewright.resolve.scope import Frame, Scope
from rulewright.resolve.uses import names_used

N = TypeVar("N", bound=syntax.Node)


@define
class Definitions:
    """The statements of one file, and its definitions."""

    tree: syntax.Rules | syntax.Evaluator
    resolver: Calls

    @property
    def scope(self) -> Scope:
        """Names and diagnostics."""
        return self.resolver.scope

    def all(self, node: type[N]) -> list[N]:
        """The statements of one kind, in order."""
        return [item for item in self.tree.items if isinstance(item, node)]

    def one(self, node: type[N]) -> N | None:
        """The first statement of one kind."""
        return next((item for item in self.tree.items if isinstance(item, node)), None)

    def _check_once(self, nodes: Sequence[syntax.Node], word: str) -> None:
        for again in nodes[1:]:
            line = self.scope.source.line_of(nodes[0].span.start)
            message = f"`{word}` stands here a second time; it is in line {line} already"
            self.scope.complain("repeated-statement", again, message)

    def _check_number(self, what: str, names: list[syntax.Name], limit: int) -> None:
        if len(names) > limit:
            first = sorted(names, key=lambda name: name.span.start)[limit]
            message = f"this file has {len(names)} {what}; at most {limit} are possible"
            self.scope.complain("too-large", first, message)

    def _check_parameters(self) -> None:
        """Parameters are new names, each of them once."""
        nodes: list[syntax.Let | syntax.Action] = [*self.all(syntax.Let), *self.all(syntax.Action)]
        for node in nodes:
            frame = Frame()
            for parameter in node.parameters:
                if self.scope.check_local(parameter, frame):
                    frame.add(parameter, Type.UNKNOWN)
            inside = node.value if isinstance(node, syntax.Let) else node.block
            used = set(names_used(inside)) | self.scope.mentioned
            for name, span in frame.spans.items():
                if name not in used:
                    self.scope.complain(
                        "unused-name", span, f"the parameter `{name}` is never used"
                    )

    def _declare_lets(self) -> None:
        """Definitions; those that differ by player are one name with two nodes."""
        by_name: dict[str, list[syntax.Let]] = {}
        for let in self.all(syntax.Let):
            if let.player is not None and self._player_of(let) is None:
                self.scope.excused.add(let.name.text)
                continue
            others = by_name.setdefault(let.name.text, [])
            if others and not self._completes(others, let):
                self.scope.declare("let", let.name, (let,), 0)  # reports that it is taken
                continue
            others.append(let)
            if len(others) == 1:
                self.scope.declare("let", let.name, (), 0)
        for name, lets in by_name.items():
            declared = self.scope.declared.get(name)
            if declared is not None and declared.kind == "let":
                object.__setattr__(declared, "nodes", tuple(lets))
            if lets[0].player is not None and len(lets) == 1 and "let" not in self.tree.missing:
                message = f"`{name}` is defined for {lets[0].player.text} only"
                advice = "define it for the other player too, or leave `for` out"
                self.scope.complain("one-sided", lets[0].name, message, advice)

    def _player_of(self, let: syntax.Let) -> int | None:
        assert let.player is not None
        if let.player.text in self.resolver.players:
            return self.resolver.players.index(let.player.text)
        self.scope.unknown(let.player, "player", self.resolver.players)
        return None

    @staticmethod
    def _completes(others: list[syntax.Let], let: syntax.Let) -> bool:
        """Whether *let* is the other player's version of a definition already seen."""
        if let.player is None or len(others) > 1:
            return False
        other, same = others[0], len(others[0].parameters) == len(let.parameters)
        return same and other.player is not None and other.player.text != let.player.text
