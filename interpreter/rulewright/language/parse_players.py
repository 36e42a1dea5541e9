"""Texts of evaluators and personalities to syntax; every line is parsed alone, as in `parse.py`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from attrs import define

from rulewright.language import layout, phrases, syntax
from rulewright.language.build_players import Evaluators, Personalities
from rulewright.language.diagnostics import Collector
from rulewright.language.grammar import Grammar
from rulewright.language.layout import Line
from rulewright.language.parse import RULES, Language, Parser, parse, read, text_parts
from rulewright.language.source import Source

_INNER: dict[type[Any], str] = {
    syntax.Table: "row",
    syntax.Scan: "watch",
    syntax.Reaction: "deed",
    syntax.If: "deed",
    syntax.CheapestPath: "road",
}
_BY_WORD = {"table": "row", "scan": "watch", "on": "deed", "if": "deed", "path": "road"}
_NEEDS = (syntax.Scan, syntax.Reaction, syntax.If, syntax.CheapestPath)


@cache
def _evaluator_grammar() -> Grammar:
    return Grammar("evaluator", Evaluators(text_parts))


@cache
def _personality_grammar() -> Grammar:
    return Grammar("personality", Personalities(text_parts))


def _begins(words: phrases.Words) -> frozenset[str]:
    return words.all - {"if", "else", "from", "to", "step", "on", "value", "path"}


EVALUATOR = Language(
    _evaluator_grammar, phrases.EVALUATOR, _INNER, True, _begins(phrases.EVALUATOR),
    "evaluator NAME for GAME",
)  # fmt: skip
PERSONALITY = Language(
    _personality_grammar, phrases.PERSONALITY, {}, True, layout.RULES_BEGIN,
    "personality NAME for GAME",
)  # fmt: skip


@define
class _Evaluator(Parser):
    """Reads the lines of an evaluator."""

    def stand_in(self, line: Line, kind: str, word: str) -> Any:
        """Nothing, but the block below is read by what it seems to be."""
        if kind == "row":
            return syntax.Row((), span=line.span)
        found = super().stand_in(line, kind, word)
        if word == "factor":  # a table of factors, as other programs have it: one mistake
            self.excused.update(row.tokens[0].value for row in line.block)
        elif found is None and line.block:
            self.block(line.block, _BY_WORD.get(word) or _kind_of(line.block[0]))
        return found

    def with_block(self, node: Any, line: Line) -> Any:
        """A node with its block."""
        if isinstance(node, syntax.Table):
            if line.block:
                return syntax.Table(
                    node.name,
                    node.flipped_for,
                    tuple(self.block(line.block, "row")),
                    span=node.span,
                    depth=node.depth,
                )
            if node.flipped_for is None:
                self.needs_block(line, "table")
            return node
        if not line.block and isinstance(node, _NEEDS):
            self.needs_block(line, line.tokens[0].value)
        return super().with_block(node, line)


def _kind_of(line: Line) -> str:
    """The block that a line would stand in."""
    word = line.tokens[0].value
    if line.tokens[0].type in ("NUMBER", "MINUS"):
        return "row"
    kinds = ("watch", "road", "deed")
    return next((k for k in kinds if word in phrases.EVALUATOR.blocks[k]), "deed")


_HEAD = re.compile(r"^ *(evaluator|personality) +[A-Za-z_]", re.MULTILINE)
_GAME = re.compile(r"^ *game +[A-Za-z_]", re.MULTILINE)
_PATTERNS = re.compile(
    r"^[ \t]*(patterns[ \t]+for|(off|def)s?[ \t]+[\w-]+)\b", re.MULTILINE | re.IGNORECASE
)


def kind_of(text: str) -> str:
    """The language of a text, by its head: `rules`, `evaluator`, `personality` or `patterns`."""
    found = _HEAD.search(text)
    if found is None and _PATTERNS.search(text) and not _GAME.search(text):
        return "patterns"
    return found[1] if found else "rules"


def parse_as(kind: str, source: Source, report: Collector) -> Tree:
    """Read a text of a language."""
    if kind == "rules":
        return parse(source, report)
    return (parse_evaluator if kind == "evaluator" else parse_personality)(source, report)


LANGUAGES = {"rules": RULES, "evaluator": EVALUATOR, "personality": PERSONALITY}
Tree = syntax.Rules | syntax.Evaluator | syntax.Personality


def parse_evaluator(source: Source, report: Collector) -> syntax.Evaluator:
    """Read an evaluator; report every line that cannot be read."""
    return syntax.Evaluator(*read(_Evaluator(source, report, EVALUATOR)))


def parse_personality(source: Source, report: Collector) -> syntax.Personality:
    """Read a personality; report every line that cannot be read."""
    return syntax.Personality(*read(Parser(source, report, PERSONALITY)))
