"""Lexers of Pygments for every language, made of the rules of `highlighting.py`.

Pygments finds them by their entry points; the package does not need it.
"""

from __future__ import annotations

from typing import Any

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text, Whitespace

from rulewright.service.highlighting import SUFFIXES, highlights

_TOKENS = {
    "comment": Comment.Single, "string": String.Double, "number": Number, "keyword": Keyword,
    "built-in": Name.Builtin, "function": Name.Function, "name": Name, "operator": Operator,
}  # fmt: skip


def _states(language: str) -> dict[str, list[Any]]:
    rules: list[Any] = []
    for one in highlights(language):
        kind = _TOKENS[one.kind]
        if one.begins:
            rules.append((f"^{one.pattern}", bygroups(Whitespace, kind)))
        else:
            rules.append((one.pattern, kind))
    return {"root": [*rules, (r"\n|[^\S\n]+", Whitespace), (r"[()\[\]{}]", Operator), (r".", Text)]}


def _lexer(language: str) -> Any:
    """A lexer class, which Pygments knows by the name of the language and by the files' ending."""
    known = {
        "__doc__": f"Texts of rulewright: {language}.",
        "name": f"rulewright {language}",
        "aliases": [language],
        "filenames": [f"*{SUFFIXES[language]}"],
        "tokens": _states(language),
    }
    return type(f"{language.title()}Lexer", (RegexLexer,), known)


RulesLexer = _lexer("rules")
EvaluatorLexer = _lexer("evaluator")
PersonalityLexer = _lexer("personality")
PatternsLexer = _lexer("patterns")
CasesLexer = _lexer("cases")
LEXERS: dict[str, Any] = {
    "rules": RulesLexer, "evaluator": EvaluatorLexer, "personality": PersonalityLexer,
    "patterns": PatternsLexer, "cases": CasesLexer,
}  # fmt: skip
