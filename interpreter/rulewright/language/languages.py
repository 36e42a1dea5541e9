"""The languages whose texts consist of lines: rules, evaluators, personalities and looks.

In: a `Source` and the name of its language.  Out: the syntax of the file.  Rules have everything
here but their own grammar from `parse`, which loads nothing of the other three: their nodes are
many, and a start that only reads rules does without them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define

from rulewright.language import source_lines, syntax
from rulewright.language.build import NodeBuilder
from rulewright.language.diagnostics import Collector
from rulewright.language.node_rows import (
    SHARED,
    Child,
    Children,
    Rows,
    counts_in,
    field_of,
    is_given,
    is_token,
    make,
    name_of,
    names_in,
    nodes_in,
    texts_in,
)
from rulewright.language.parse import MARGIN, RULES, Parser, grammar_of, parse
from rulewright.language.phrases import Language
from rulewright.language.source import Source
from rulewright.language.source_lines import SourceLine

Tree = syntax.Rules | syntax.Evaluator | syntax.Personality | syntax.Look

_EVALUATOR: Rows = {
    **SHARED,
    "evaluator": (syntax.EvaluatorName, 1, 3),
    "use": (syntax.Use, names_in),
    "factor": (syntax.Factor, 1, 3, 4, 6, 8, is_given(10), 11),
    "table": (syntax.Table, 1, 4),
    "path": (syntax.CheapestPath, 1),
    "claim_start": (syntax.ClaimAfter, "", 2),
    "claim_after": (syntax.ClaimAfter, 2, 3),
    "claim_law": (syntax.Claim, "antisymmetric", None, None),
    "scan_line": 0,
    "scan_effect": 0,
    "path_line": 0,
    "register": (syntax.Register, 1, 3),
    "reaction": (syntax.Reaction, 1),
    "give": (syntax.Give, 1),
    "assign": (syntax.Assign, 0, (), None, 2),
    "stop": (syntax.Stop,),
    "source": (syntax.PathFrom, 1, 3),
    "target": (syntax.PathTo, 1, 3),
    "step": (syntax.PathStep, 1, 3, 5, 8, 10, 12, 14),
    "otherwise": (syntax.PathElse, 1),
}
"""Rules of `evaluator.lark`."""
_PERSONALITY: Rows = {
    **SHARED,
    "personality": (syntax.PersonalityName, 1, 3),
    "extends": (syntax.Extends, 1),
    "use": (syntax.Use, names_in),
    "setting": (syntax.Setting, 0, 2, 3),
    "search": (syntax.Search, 1, nodes_in),
    "limit": (syntax.Limit, 0, 1, 2),
    "consider": (syntax.Consider, 1, 2, 4, 6),
    "consider_value": (syntax.ConsiderValue, 1, 3, 5),
    "forcing": (syntax.Forcing, 1, 3),
    "must": (syntax.Must, 1),
    "threats": (syntax.Threats, 1),
    "order": (syntax.Order, 1),
    "policy": (syntax.Policy, 1, 3),
    "reply": (syntax.Replies, names_in),
    "passing": (syntax.Passing, 1),
    "drawn": (syntax.Drawn, 1),
    "decided": (syntax.Decided, 1),
    "hopeless": (syntax.Hopeless, 1),
    "reduce": (syntax.Reduce, 1),
    "pick_any": (syntax.PickAny, 1),
    "prefer": (syntax.Prefer, names_in),
    "ties": (syntax.Ties, 1),
    "opening_random": (syntax.OpeningRandom, 1, 2, 3),
    "opening_moves": (syntax.OpeningMoves, texts_in),
    "opening_lines": (syntax.OpeningLines, names_in),
    "book": (syntax.BookLine, 2, lambda c: texts_in(c[3:]), counts_in),
}
"""Rules of `personality.lark`."""
_LOOK: Rows = {
    **SHARED,
    "look": (syntax.LookName, 1, 3),
    "extends": (syntax.ExtendsLook, 1),
    "title": (syntax.Title, 1),
    "tell": (syntax.Tell, 1),
    "colour": (syntax.OwnColour, 1, 3, 5),
    "side": (syntax.SideColour, 1, 3, 4),
    "board": (syntax.BoardMaterial, 1, lambda c: names_in(c[2:])),
    "pitch": (syntax.Pitch, 1, lambda c: tuple(field_of(width) for width in c[2:])),
    "view": (syntax.ViewFrom, 2),
    "view_turned": (syntax.ViewTurned, 2),
    "coordinates": (syntax.Coordinates, 1),
    "ground": (syntax.GroundDrawn, 2, 4, 6, 8, 10),
    "ground_path": (syntax.GroundPath, 2, 5, 7, 9, 11),
    "pile": (syntax.PileDrawn, 2, 4),
    "numbers": (syntax.NumbersDrawn, 2, 4),
    "site_label": (syntax.SiteLabel, 1, 3),
    "dice": (syntax.DieShown, 1, 3),
    "piece": (syntax.PieceDrawn, 1, 3, 5, 7, 9, 11, 13, 15),
    "piece_path": (syntax.PiecePath, 1, 3, 5, 8, 10, 12, 14),
    "links": (syntax.LinksDrawn, 1, 3, 4),
    "mark": (syntax.SiteMark, 1, 3, 5, 7),
    "animate": (syntax.Animate, 1, 3, 5),
    "click": (syntax.Click, 1, 3),
    "button": (syntax.MoveButton, 1, 2, 3),
    "show": (syntax.ShowBeside, 1, 3, 5, 6, 8, 10),
    "word": (syntax.MoveWord, 1, 2),
    "refuse": (syntax.Refuse, 1, 2),
    "thumbnail": (syntax.Thumbnail, 2),
    "family": (syntax.Family, 1),
    "learn": (syntax.Learn, 2, 3),
    "puzzle": (syntax.Puzzle, 2, 4, 5),
}
"""Rules of `look.lark`."""


class EvaluatorBuilder(NodeBuilder):
    """Builds evaluators."""

    rows = _EVALUATOR

    def scan(self, c: Children) -> syntax.Scan:
        return make(syntax.Scan, c, *c[1])

    def table_row(self, c: Children) -> syntax.Row:
        return make(syntax.Row, c[:-1], nodes_in(c))

    def value_of_position(self, c: Children) -> syntax.ValueOf:
        return make(syntax.ValueOf, c, field_of(c[1]), (), name_of(c[5]), nodes_in(c[6:]))

    def value_of_move(self, c: Children) -> syntax.ValueOf:
        where = next(i for i, child in enumerate(c) if is_token(child, "FOR"))
        player, parts = name_of(c[where + 1]), nodes_in(c[where + 2 :])
        return make(syntax.ValueOf, c, field_of(c[1]), names_in(c[4:where]), player, parts)

    def opening(self, c: Children) -> syntax.OpeningLine:
        return self._line(c, False)

    def reply(self, c: Children) -> syntax.OpeningLine:
        return self._line(c, True)

    def _line(self, c: Children, reply: bool) -> syntax.OpeningLine:
        parts: dict[str, list[Child]] = {"": []}
        word = ""
        for child in filter(None, c[5:]):
            word = child.type if is_token(child, *_OPENING_WORDS) else word
            parts.setdefault(word, []).append(child)
        condition, chance = (nodes_in(parts.get(w, ()))[:1] for w in ("WHEN", "WITH"))
        return make(
            syntax.OpeningLine, c, name_of(c[1]), name_of(c[4]), names_in(parts.get("AFTER", ())),
            nodes_in(parts.get("FROM", ())), *(condition or (None,)), *(chance or (None,)),
            reply,
        )  # fmt: skip


_OPENING_WORDS = ("AFTER", "FROM", "WHEN", "WITH")
"""Words that begin a part of an opening or a reply."""


class PersonalityBuilder(NodeBuilder):
    """Builds personalities."""

    rows = _PERSONALITY

    def pick_best(self, c: Children) -> syntax.PickBest:
        sign = c[5].value if c[5] else ""
        return make(syntax.PickBest, c, field_of(c[2]), field_of(c[4]), sign, field_of(c[6]))


class LookBuilder(NodeBuilder):
    """Builds looks."""

    rows = _LOOK


@define(repr=False, eq=False)
class _EvaluatorParser(Parser):
    """Reads the lines of an evaluator."""

    def needs_block(self, node: object) -> bool:
        """A table that turns another one over has no rows of its own."""
        turned = isinstance(node, syntax.Table) and node.flipped_for is not None
        return super().needs_block(node) and not turned

    def stand_in(self, line: SourceLine, kind: str, word: str) -> Any:
        """None for most lines; the block below is read as the kind that it looks like."""
        if kind == "table_row":
            return syntax.Row((), span=line.span)
        stand_in = super().stand_in(line, kind, word)
        if word == "factor":  # a table of factors, as other programs have it: one mistake
            self.excused.update(row.tokens[0].value for row in line.block)
        elif stand_in is None and line.block:
            self.block(line.block, _BY_WORD.get(word) or self._kind_of(line.block[0]))
        return stand_in

    def _kind_of(self, line: SourceLine) -> str:
        """The block that a line would stand in."""
        if source_lines.is_row(line):
            return "table_row"
        word, blocks = line.tokens[0].value, self.language.blocks
        kinds = ("scan_line", "path_line", "scan_effect")
        return next((k for k in kinds if word in blocks[k]), "scan_effect")


EVALUATOR = Language(
    name="an evaluator",
    head="evaluator NAME for GAME",
    grammar=grammar_of("evaluator", EvaluatorBuilder),
    homes={
        "item": MARGIN,
        "scan_line": ("in the block of `scan`", ""),
        "scan_effect": ("in a block below `on` or `if`", ""),
        "path_line": ("in the block of `path`", ""),
    },
    inner={
        syntax.Table: "table_row", syntax.Scan: "scan_line", syntax.CheapestPath: "path_line",
        syntax.Reaction: "scan_effect", syntax.If: "scan_effect",
    },
    need=(syntax.Table, syntax.Scan, syntax.Reaction, syntax.If, syntax.CheapestPath),
    unsure=frozenset({"if", "else", "from", "to", "step", "on", "value", "path"}),
    signs={"^": "write `power(a, n)`"},
    percent=True,
    rules=RULES,
)  # fmt: skip
PERSONALITY = Language(
    name="a personality",
    head="personality NAME for GAME",
    grammar=grammar_of("personality", PersonalityBuilder),
    homes={},
    inner={},
    need=(),
    unsure=frozenset(),
    percent=True,
    rules=RULES,
)
LOOK = Language(
    name="a look",
    head="look NAME for GAME",
    grammar=grammar_of("look", LookBuilder),
    homes={},
    inner={},
    need=(),
    unsure=frozenset({"board", "side", "mark", "view", "word", "links", "piece", "show"}),
    rules=RULES,
)
LANGUAGES = {"rules": RULES, "evaluator": EVALUATOR, "personality": PERSONALITY, "look": LOOK}
_BY_WORD = {
    "table": "table_row", "scan": "scan_line", "on": "scan_effect", "if": "scan_effect",
    "path": "path_line",
}  # fmt: skip


def parse_evaluator(source: Source, report: Collector) -> syntax.Evaluator:
    """Read an evaluator; report every line that cannot be read."""
    return _EvaluatorParser(source, report, EVALUATOR).file(syntax.Evaluator)


def parse_personality(source: Source, report: Collector) -> syntax.Personality:
    """Read a personality; report every line that cannot be read."""
    return Parser(source, report, PERSONALITY).file(syntax.Personality)


def parse_look(source: Source, report: Collector) -> syntax.Look:
    """Read a look; report every line that cannot be read."""
    return Parser(source, report, LOOK).file(syntax.Look)


_PARSERS: dict[str, Callable[[Source, Collector], Tree]] = {
    "rules": parse, "evaluator": parse_evaluator, "personality": parse_personality,
    "look": parse_look,
}  # fmt: skip


def parse_as(kind: str, source: Source, report: Collector) -> Tree:
    """Read a text of a language."""
    return _PARSERS[kind](source, report)
