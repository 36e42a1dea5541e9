"""What a word means: an entry of the table, or what the files of the game say of a name.

In: a workspace, a document, a place.  Out: Markdown, or hints that stand inside the text: types,
and how many sites there are at the start.  What needs the model is worked out within a budget of
steps; what takes longer is left out.
"""

from __future__ import annotations

from attrs import frozen

from rulewright.budget import within_seconds, within_steps
from rulewright.engine.game import Game
from rulewright.errors import Fault, OutOfBudget
from rulewright.files.kinds import summary
from rulewright.language import syntax
from rulewright.language.source import Span
from rulewright.model import expressions as m
from rulewright.model.expressions import Type
from rulewright.printable import amount
from rulewright.reference.evaluate import evaluate
from rulewright.resolve.scope import BUILT_IN, looks_like_site
from rulewright.service import names, words
from rulewright.service.document import Document
from rulewright.service.documents import Workspace
from rulewright.service.names import FILES, Mention

STEPS = 20_000
"""Steps of the reference for the values of one answer."""
INLAY_SECONDS = 0.1
"""How long the values of all hints may take; those that come too late have a type alone."""


@frozen
class HoverText:
    """What is shown at a place."""

    span: Span
    text: str


def hover(workspace: Workspace, document: Document, offset: int) -> HoverText | None:
    """What the word at a place means."""
    mention = names.at(document.mentions, offset)
    if mention is not None and mention.of != syntax.WORD:
        text = _of_name(workspace, document, mention)
        if text:
            return HoverText(mention.span, text)
    span = document.word_at(offset)
    word = document.plain[span.start : span.end]
    line = document.line_at(span.start)
    first = line is not None and line.span.start == span.start
    block = line.block if line is not None and first else ""
    if document.grammar is None:
        before = document.plain[document.plain.rfind("\n", 0, span.start) + 1 : span.start]
        block = (
            "" if before.strip() else "line" if before and document.language == "cases" else "item"
        )
    entry = words.entry(document.language, word, block) if word else None
    return HoverText(span, entry.shown()) if entry and not _in_comment(document, offset) else None


def _in_comment(document: Document, offset: int) -> bool:
    line = document.plain[document.plain.rfind("\n", 0, offset) + 1 : offset]
    return "#" in line and line.count('"', 0, line.index("#")) % 2 == 0


def _of_name(workspace: Workspace, document: Document, mention: Mention) -> str:
    declared = workspace.declarations(document, mention)
    if not declared:
        if mention.text not in BUILT_IN and looks_like_site(mention.text):
            return _site(workspace, document, mention.text)
        return ""
    home, first = declared[0]
    if mention.of in FILES:
        about = summary(home.plain)
        return f"{FILES[mention.of]} `{mention.text}` ({home.name})\n\n{about}".rstrip()
    fence = "rules" if home.language == "rules" else home.language
    code = "\n".join(dict.fromkeys(_line(home, m) for _, m in declared))
    parts = [f"```{fence}\n{code}\n```", _comment(home, first)]
    parts.append(_facts(workspace, home, first))
    if home is not document:
        parts.append(f"*{_a(first.kind)} of {home.name}*")
    else:
        parts.append(f"*{_a(first.kind)}*")
    return "\n\n".join(part for part in parts if part)


def _a(kind: str) -> str:
    told = {"let": "definition", "local": "local name", "choice": "what the move chooses"}
    return told.get(kind, kind)


def _line(document: Document, mention: Mention) -> str:
    """The line that declares a name, without its comment."""
    start = document.plain.rfind("\n", 0, mention.span.start) + 1
    end = document.plain.find("\n", mention.span.start)
    text = document.plain[start : end if end >= 0 else len(document.plain)]
    line = document.line_at(mention.span.start)
    if line is not None:
        text = document.plain[line.span.start : line.span.end]
    return " ".join(text.split())


def _comment(document: Document, mention: Mention) -> str:
    """The comment beside a declaration, or else the one above it."""
    text = document.plain
    start = text.rfind("\n", 0, mention.span.start) + 1
    end = text.find("\n", mention.span.start)
    whole = mention.whole.end if mention.whole is not None else mention.span.end
    beside = text[whole : end if end >= 0 else len(text)]
    if beside.strip().startswith("#"):
        return beside.strip().lstrip("# ")
    above: list[str] = []
    for line in reversed(text[:start].splitlines()):
        if not line.startswith("#"):
            break
        above.append(line.lstrip("# "))
    return " ".join(reversed(above))


# --- values ---


def _site(workspace: Workspace, document: Document, name: str) -> str:
    game = workspace.game(document)
    if game is None or name not in game.rules.board.by_name:
        return ""
    position, mask = game.play.first, 1 << game.rules.board.by_name[name]
    holds = next(
        (k.name for k, s in zip(game.rules.kinds, position.kinds, strict=False) if s & mask), ""
    )
    return f"the site `{name}`" + (f", with a {holds} at the start" if holds else "")


def _facts(workspace: Workspace, home: Document, declared: Mention) -> str:
    """The type of a name, and its value at the start; the meaning and range of a factor."""
    if declared.kind == "factor":
        return _factor(home, declared)
    if declared.home is not None or home.language != "rules":
        return ""
    game = workspace.report(home).game
    if game is None:
        return ""
    if declared.kind == "let":
        found = value_of(game, declared.text)
        return found.told if found is not None else ""
    if declared.kind == "kind of piece":
        index = [k.name for k in game.rules.kinds].index(declared.text)
        return f"{_sites(game.play.first.kinds[index])} at the start"
    return ""


def _factor(home: Document, declared: Mention) -> str:
    node = next(
        i for i in home.items if isinstance(i, syntax.Factor) and i.name.span == declared.span
    )
    unit = f", in {node.unit.text}" if node.unit is not None else ""
    return f"{node.meaning}{unit}"


@frozen
class Value:
    """The type of a definition, and its value at the start for each player, as words."""

    type: Type
    values: tuple[str, ...]

    @property
    def told(self) -> str:
        """Type and values in one sentence."""
        if not self.values:
            return str(self.type)
        return f"{self.type}; at the start {' or '.join(dict.fromkeys(self.values))}"


def value_of(game: Game, name: str) -> Value | None:
    """What a definition without parameters is worth in the first position."""
    functions = game.rules.functions
    index = next((i for i, f in enumerate(functions) if f.name == name and not f.parameters), None)
    if index is None:
        return None
    type_ = functions[index].bodies[0].type
    whole = m.CallFunction(type_, index, ())
    values = []
    for player in (0, 1):
        try:
            with within_steps(STEPS, ""), game.located():
                context = game.play.context(game.play.first)
                context.view = player
                values.append(_worth(evaluate(whole, context), type_, game))
        except (Fault, OutOfBudget):
            return Value(type_, ())
    both = values[0] == values[1]
    shown = (
        values[:1] if both else [f"{v} for {p}" for v, p in zip(values, game.players, strict=True)]
    )
    return Value(type_, tuple(shown) if all(values) else ())


def _sites(mask: int) -> str:
    count = mask.bit_count()
    return "no site" if not count else amount(count, "site")


def _worth(value: object, type_: Type, game: Game) -> str:
    match type_:
        case Type.SITE | Type.SITES:
            assert isinstance(value, int)
            return _sites(value)
        case Type.TRUTH:
            return "true" if value else "false"
        case Type.INT | Type.REAL:
            return str(value)
        case Type.FAMILY:
            assert isinstance(value, tuple)
            return amount(len(value), "set")
        case Type.STEP | Type.STEPS:
            assert isinstance(value, tuple)
            return amount(len(value), "step")
    return ""


def inlays(workspace: Workspace, document: Document, start: int, end: int) -> list[HoverText]:
    """Hints to stand behind the names of definitions: their type, and sites at the start."""
    game = workspace.report(document).game if document.language == "rules" else None
    if game is None:
        return []
    found_out: list[HoverText] = []
    with within_seconds(INLAY_SECONDS, 0.0, ""):
        for mention in document.mentions:
            plain = mention.kind == "let" and mention.home is None and not mention.call
            if plain and start <= mention.span.end <= end:
                found = value_of(game, mention.text)
                if found is not None:
                    sizes = f", {' / '.join(found.values)}" if found.values else ""
                    place = Span(mention.span.end, mention.span.end)
                    found_out.append(HoverText(place, f": {found.type}{sizes}"))
    return found_out
