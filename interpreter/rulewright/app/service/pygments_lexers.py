"""Lexers of Pygments for every language, made of the rules of `highlighting.py`.

Pygments finds them by their entry points; the package does not need it.
"""

from __future__ import annotations

from typing import Any

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text, Whitespace

from rulewright.app.service.highlighting import SUFFIXES, highlights

_TOKENS = {
    "comment": Comment.Single, "string": String.Double, "number": Number, "keyword": Keyword,
    "built-in": Name.Builtin, "function": Name.Function, "name": Name, "operator": Operator,
}  # fmt: skip


def _states(language: str) -> dict[str, list[Any]]:
    rules: list[Any] = []
    for rule in highlights(language):
        kind = _TOKENS[rule.kind]
        if rule.begins:
            rules.append((f"^{rule.pattern}", bygroups(Whitespace, kind)))
        else:
            rules.append((rule.pattern, kind))
    return {"root": [*rules, (r"\n|[^\S\n]+", Whitespace), (r"[()\[\]{}]", Operator), (r".", Text)]}


def _lexer(language: str) -> Any:
    """Make a lexer class, found by Pygments by the name of the language or the ending of files."""
    attributes = {
        "__doc__": f"Texts of rulewright: {language}.",
        "name": f"rulewright {language}",
        "aliases": [language],
        "filenames": [f"*{SUFFIXES[language]}"],
        "tokens": _states(language),
    }
    return type(f"{language.title()}Lexer", (RegexLexer,), attributes)


LEXERS: dict[str, Any] = {language: _lexer(language) for language in SUFFIXES}
# The entry points of the package name these.
RulesLexer, EvaluatorLexer = LEXERS["rules"], LEXERS["evaluator"]
PersonalityLexer, PatternsLexer = LEXERS["personality"], LEXERS["patterns"]
LookLexer, CasesLexer = LEXERS["look"], LEXERS["cases"]
