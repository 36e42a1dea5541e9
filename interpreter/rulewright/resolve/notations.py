"""Notations: texts with holes, for moves and for the names of sites."""

from __future__ import annotations

from attrs import define

from rulewright.language import syntax
from rulewright.language.diagnostics import nearest
from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Type
from rulewright.resolve.calls import Calls
from rulewright.resolve.constants import UNKNOWN
from rulewright.resolve.scope import Frame, is_unknown


@define
class Notations(Calls):
    """Resolves texts; a hole may hold anything that can be shown."""

    def no_blanks(self, text: syntax.Expr) -> None:
        """Report a notation that could not be told from two moves."""
        match text:
            case syntax.Text(parts):
                if any(isinstance(part, str) and " " in part for part in parts):
                    message = "blanks part the moves of a game, so no move can have one"
                    self.scope.complain("notation", text, message)
            case syntax.Conditional(then, _, otherwise):
                self.no_blanks(then)
                self.no_blanks(otherwise)

    def notation(self, node: syntax.Expr, frame: Frame) -> m.Notation | None:
        """A text with holes, or a choice between two."""
        match node:
            case syntax.Text(parts):
                shown: list[str | Expr] = []
                for part in parts:
                    shown.append(part if isinstance(part, str) else self._hole(part, frame))
                if any(not isinstance(p, str) and is_unknown(p) for p in shown):
                    return None
                return m.Text(tuple(shown))
            case syntax.Conditional(then, condition, otherwise):
                tested = self.want(condition, frame, Type.TRUTH)
                one, two = self.notation(then, frame), self.notation(otherwise, frame)
                if one is None or two is None or is_unknown(tested):
                    return None
                return m.TextChoice(tested, one, two)
            case syntax.Bracketed(inner):
                return self.notation(inner, frame)
        self.scope.complain("wrong-type", node, 'a text is needed here: `"{a}-{b}"`')
        return None

    def _hole(self, node: syntax.Expr, frame: Frame) -> Expr:
        if isinstance(node, syntax.Name) and node.text not in self.scope.visible(frame):
            if node.text in self.scope.excused:
                return UNKNOWN
            message = f"the notation names `{node.text}`, which is not chosen here"
            close = nearest(node.text, frame.names)
            self.scope.mentioned.add(close)
            known = ", ".join(f"`{n}`" for n in frame.names) or "nothing"
            advice = f"did you mean `{close}`?" if close else f"chosen here: {known}"
            self.scope.complain("notation", node, message, advice)
            return UNKNOWN
        found = self.expr(node, frame)
        if found.type in (Type.LINK, Type.RANGE, Type.NUMBERS, Type.KINDS):
            self.scope.complain("wrong-type", node, f"{found.type} cannot be written")
            return UNKNOWN
        return self.fit(found, node, Type.SITES) if found.type is Type.FAMILY else found
