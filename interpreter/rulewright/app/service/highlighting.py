"""Syntax highlighting for editors that cannot ask the service: regular expressions for all of them.

In: the words of the grammars and of the table of words.  Out: for each language a list of rules, of
which the first that matches counts; and files made of it: grammars of TextMate (VS Code, Sublime,
Shiki, GitHub), simple modes of CodeMirror and grammars of Lezer.  `pygments_lexers.py` makes lexers
of the same list.  `python -m rulewright.app.service.highlighting editors` writes the files.

The expressions use what Python, Oniguruma and JavaScript have in common.  Words that may be names
too are coloured as words everywhere: only the parser can tell them apart.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from rulewright.app.service import words
from rulewright.checks import cases
from rulewright.games.files import catalog
from rulewright.language.languages import LANGUAGES
from rulewright.language.parse_patterns import WORDS as PATTERN_WORDS
from rulewright.language.resolve.evaluator_expressions import OWN_WORDS
from rulewright.language.resolve.scope import BUILT_IN, FUNCTIONS, QUANTIFIERS

SUFFIXES = {**{kind.name: kind.suffix for kind in catalog.KINDS}, "cases": cases.SUFFIX}
KINDS = ("comment", "string", "number", "keyword", "built-in", "function", "name", "operator")
"""The kinds of tokens that rules tell apart."""
_SCOPES = {
    "comment": "comment.line.number-sign", "string": "string.quoted.double",
    "number": "constant.numeric", "keyword": "keyword.control", "built-in": "support.constant",
    "function": "entity.name.function", "name": "variable.other", "operator": "keyword.operator",
}  # fmt: skip
_CODEMIRROR = {
    "comment": "comment", "string": "string", "number": "number", "keyword": "keyword",
    "built-in": "atom", "function": "def", "name": "variable", "operator": "operator",
}  # fmt: skip


@frozen
class Highlight:
    """A rule: text that matches *pattern* is of a *kind*.

    With *begins* it matches only the first word of a line, and has two groups: the blanks before
    the word, and the word.
    """

    kind: str
    pattern: str
    begins: bool = False


def _any_of(names: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(names))})\b"


_NAME = r"\b[A-Za-z_][A-Za-z0-9_]*\b"
_TEXT = (Highlight("comment", r"#.*"), Highlight("string", r'"[^"\n]*"'))
_SIGNS = Highlight("operator", r":=|<>|<=|>=|\.\.|[-=<>+*/?|,:]")


@cache
def highlights(language: str) -> tuple[Highlight, ...]:
    """The rules of a language, in order."""
    if language == "patterns":
        return _patterns()
    if language == "cases":
        return _cases()
    grammar = LANGUAGES[language].grammar()
    words = BUILT_IN | (OWN_WORDS if language == "evaluator" else frozenset())
    table_words = _table_words(language)
    if language == "personality":
        words = frozenset({"none"})
    functions = {*FUNCTIONS, *QUANTIFIERS} & words
    return (
        *_TEXT,
        Highlight("number", r"\b[0-9]+(?:\.[0-9]+)?(?:%|\b)"),
        Highlight("function", rf"{_NAME}(?=\()"),
        Highlight("keyword", _any_of(set(grammar.keywords.values()) & table_words)),
        Highlight("built-in", _any_of(words - functions)),
        Highlight("name", _NAME),
        _SIGNS,
    )


def _table_words(language: str) -> set[str]:
    """The words that the table has for a language."""
    sections = (language,) if language == "personality" else (language, "expressions")
    table = words.table()
    return {w for (s, _), entries in table.items() if s in sections for w in entries}


def _patterns() -> tuple[Highlight, ...]:
    words = "|".join(_any_case(word) for word in sorted(PATTERN_WORDS, reverse=True))
    return (
        Highlight("comment", r"#.*"),
        Highlight("keyword", rf"([ \t]*)((?:{words})(?![\w-]))", begins=True),
        Highlight("string", r"\|[^|\n]*\|"),
        Highlight("number", r"[+-]?\b[0-9]+\b(?![\w.])"),
        Highlight("name", r"[A-Za-z_0-9][\w-]*"),
        Highlight("operator", r","),
    )


def _any_case(word: str) -> str:
    """An expression for a word in either case, without a flag, which not all engines have."""
    return "".join(f"[{c.upper()}{c}]" for c in word)


def _cases() -> tuple[Highlight, ...]:
    places = [place for place in words.places("cases") if place != "property"]
    keywords = {word for place in places for word in words.entries("cases", place)}
    return (
        *_TEXT,
        Highlight("keyword", rf"([ ]*)({_any_of(keywords)})", begins=True),
        Highlight("keyword", r"\bfor\b"),
        Highlight("number", r"\b[0-9]+\b"),
        Highlight("name", r"[^\s\"#=]+"),
        Highlight("operator", r"="),
    )


# --- files ---


def textmate(language: str) -> dict[str, Any]:
    """The grammar of a language in the form of TextMate."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": f"rulewright {language}",
        "scopeName": f"source.rulewright.{language}",
        "fileTypes": [SUFFIXES[language][1:]],
        "patterns": [_textmate(rule, language) for rule in highlights(language)],
    }


def _textmate(rule: Highlight, language: str) -> dict[str, Any]:
    scope = f"{_SCOPES[rule.kind]}.{language}"
    if rule.begins:
        return {"match": f"^{rule.pattern}", "captures": {"2": {"name": scope}}}
    return {"name": scope, "match": rule.pattern}


def codemirror(language: str) -> dict[str, Any]:
    """The highlighting of a language as a simple mode of CodeMirror, its patterns as strings."""
    rules: list[dict[str, Any]] = []
    for rule in highlights(language):
        token = _CODEMIRROR[rule.kind]
        if rule.begins:
            rules.append({"regex": rule.pattern, "token": [None, token], "sol": True})
        else:
            rules.append({"regex": rule.pattern, "token": token})
    return {"start": rules, "languageData": {"name": language, "commentTokens": {"line": "#"}}}


_MODULE = """\
// Modes of CodeMirror 6 for the texts of rulewright, made by rulewright.app.service.highlighting:
//   import {{StreamLanguage}} from "@codemirror/language"
//   import {{simpleMode}} from "@codemirror/legacy-modes/mode/simple-mode"
//   import {{modes}} from "./rulewright.js"
//   StreamLanguage.define(simpleMode(modes.rules))
const texts = {texts}

export const modes = Object.fromEntries(Object.entries(texts).map(([name, mode]) => [name, {{
  ...mode,
  start: mode.start.map(rule => ({{...rule, regex: new RegExp(rule.regex)}})),
}}]))
"""


_LEZER = """\
// Lezer grammar of rulewright's {language}, made by rulewright.app.service.highlighting.
// Its tokens are those of ../codemirror/rulewright.js, so that all highlighting has one source.
@external tokens tokens from "../{language}.tokens.js" {{ {kinds} }}
@external propSource colours from "../colours.js"
@top File {{ ({either})* }}
@skip {{ space | other }}
@tokens {{
  space {{ $[ \\t\\r\\n]+ }}
  other {{ ![ \\t\\r\\n] }}
}}
"""
_TOKENS = """\
// The tokens of {language} for the grammar beside this, by rulewright.app.service.highlighting.
import * as terms from "./dist/{language}.terms.js"
import {{ tokenizer }} from "./tokenizer.js"

export const tokens = tokenizer("{language}", terms)
"""


def _lezer(language: str) -> dict[str, str]:
    """The files of a language for Lezer: its grammar, and the module of its tokens."""
    kinds = [k.title().replace("-In", "In") for k in KINDS]
    values = {"language": language, "kinds": ", ".join(kinds), "either": " | ".join(kinds)}
    return {
        f"lezer/{language}.grammar": _LEZER.format(**values),
        f"lezer/{language}.tokens.js": _TOKENS.format(**values),
    }


def files() -> dict[str, str]:
    """The generated files of `editors/`, by their paths there."""
    grammars = {
        f"vscode/syntaxes/{language}.tmLanguage.json": f"{_json(textmate(language))}\n"
        for language in SUFFIXES
    }
    modes = {language: codemirror(language) for language in SUFFIXES}
    for language in SUFFIXES:
        grammars |= _lezer(language)
    return {**grammars, "codemirror/rulewright.js": _MODULE.format(texts=_json(modes))}


def _json(data: object) -> str:
    return json.dumps(data, indent=2)


if __name__ == "__main__":
    for name, text in files().items():
        path = Path(sys.argv[1]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
