"""Hover texts and inlay hints: the entry of a word, or the declaration, type and value of a name.

In: a workspace, a document, an offset.  Out: Markdown, or hints to show inside the text: types, and
numbers of sites at the start of the game.  Values are evaluated within a budget of steps, and left
out where they take longer.
"""

from __future__ import annotations

from attrs import frozen

from rulewright.app.service import names, words
from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.names import FILES, Mention
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import Game
from rulewright.games.files.kinds import summary
from rulewright.games.render.palette import palette
from rulewright.ground.budget import within_seconds, within_steps
from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.resolve.scope import BUILT_IN, looks_like_site
from rulewright.language.source import Span
from rulewright.model import expressions as m
from rulewright.model.expressions import Type
from rulewright.reference.evaluate import evaluate

STEPS = 20_000
"""Steps of the reference for the values of a name."""
INLAY_SECONDS = 0.1
"""Seconds for the values of all inlay hints; those that come too late show a type alone."""


@frozen
class HoverText:
    """A text to show at a span."""

    span: Span
    text: str


def hover(workspace: Workspace, document: Document, offset: int) -> HoverText | None:
    """Explain the word at an offset, as Markdown; None if nothing is known of it."""
    mention = names.at(document.mentions, offset)
    if mention is not None and mention.of != syntax.WORD:
        text = _declaration_text(workspace, document, mention)
        if text:
            return HoverText(mention.span, text)
    span = document.word_at(offset)
    word = document.plain[span.start : span.end]
    line = document.line_at(span.start)
    first = line is not None and line.span.start == span.start
    block = line.block if line is not None and first else ""
    if document.grammar is None:
        before = document.plain[document.plain.rfind("\n", 0, span.start) + 1 : span.start]
        inner = "line" if before and document.language == "cases" else "item"
        block = "" if before.strip() else inner
    entry = words.entry(document.language, word, block) if word else None
    return HoverText(span, entry.about()) if entry and not _in_comment(document, offset) else None


def _in_comment(document: Document, offset: int) -> bool:
    line = document.plain[document.plain.rfind("\n", 0, offset) + 1 : offset]
    return "#" in line and line.count('"', 0, line.index("#")) % 2 == 0


def _declaration_text(workspace: Workspace, document: Document, mention: Mention) -> str:
    declared = workspace.declarations(document, mention)
    if not declared and mention.of == syntax.COLOUR and mention.text in palette():
        colour = palette()[mention.text]
        return f"`{colour.name}`: {colour.light} in the light theme, {colour.dark} in the dark one"
    if not declared:
        if mention.text not in BUILT_IN and looks_like_site(mention.text):
            return _site(workspace, document, mention.text)
        return ""
    home, first = declared[0]
    if mention.of in FILES:
        about = summary(home.plain)
        return f"{FILES[mention.of]} `{mention.text}` ({home.name})\n\n{about}".rstrip()
    lines = "\n".join(dict.fromkeys(_line(home, m) for _, m in declared))
    code = f"```{home.language}\n{lines}\n```"
    title = _KIND_TITLES.get(first.kind, first.kind)
    kind = f"*{title}*" if home is document else f"*{title} of {home.name}*"
    parts = (code, _comment(home, first), _facts(workspace, home, first), kind)
    return "\n\n".join(part for part in parts if part)


_KIND_TITLES = {"let": "definition", "local": "local name", "choice": "what the move chooses"}
"""Kinds of names whose title for people is another word."""


def _line(document: Document, mention: Mention) -> str:
    """The statement or line that declares a name, without its comment."""
    line, text = document.line_at(mention.span.start), document.plain
    if line is not None:
        return " ".join(text[line.span.start : line.span.end].split())
    start = text.rfind("\n", 0, mention.span.start) + 1
    return " ".join(text[start:].partition("\n")[0].split())


def _comment(document: Document, mention: Mention) -> str:
    """The comment beside a declaration, or else the one above it."""
    text = document.plain
    start = text.rfind("\n", 0, mention.span.start) + 1
    end = text.find("\n", mention.span.start)
    whole = mention.whole.end if mention.whole is not None else mention.span.end
    beside = text[whole : end if end >= 0 else len(text)].strip()
    if beside.startswith("#"):
        return beside.lstrip("# ")
    above: list[str] = []
    for line in reversed(text[:start].splitlines()):
        if not line.startswith("#"):
            break
        above.append(line.lstrip("# "))
    return " ".join(reversed(above))


# --- values ---


def _site(workspace: Workspace, document: Document, name: str) -> str:
    game = workspace.game(document)
    if game is None or name not in game.rules.board.names:
        return ""
    if name not in game.rules.board.by_name:
        return f"the site `{name}`, which the board lacks"
    position, mask = game.play.first, 1 << game.rules.board.by_name[name]
    holds = next(
        (k.name for k, s in zip(game.rules.kinds, position.kinds, strict=False) if s & mask), ""
    )
    return f"the site `{name}`" + (f", with a {holds} at the start" if holds else "")


def _facts(workspace: Workspace, home: Document, declared: Mention) -> str:
    """Say the type of a name and its value at the start; of a factor its meaning and unit."""
    if declared.kind == "factor":
        return _factor(home, declared)
    if declared.home is not None or home.language != "rules":
        return ""
    game = workspace.report(home).game
    if game is None:
        return ""
    if declared.kind == "let":
        value = value_of(game, declared.text)
        return value.description if value is not None else ""
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
    def description(self) -> str:
        """The type and the values, in a phrase."""
        if not self.values:
            return str(self.type)
        return f"{self.type}; at the start {' or '.join(dict.fromkeys(self.values))}"


def value_of(game: Game, name: str) -> Value | None:
    """Evaluate a definition without parameters in the first position; None if there is none."""
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
                values.append(_value_text(evaluate(whole, context), type_, game))
        except (Fault, OutOfBudget):
            return Value(type_, ())
    if not all(values):
        return Value(type_, ())
    if values[0] == values[1]:
        return Value(type_, (values[0],))
    pairs = zip(values, game.players, strict=True)
    return Value(type_, tuple(f"{value} for {player}" for value, player in pairs))


def _sites(mask: int) -> str:
    count = mask.bit_count()
    return "no site" if not count else amount(count, "site")


def _value_text(value: object, type_: Type, game: Game) -> str:
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
    """Inlay hints behind the names of definitions: their type, and their value at the start."""
    game = workspace.report(document).game if document.language == "rules" else None
    if game is None:
        return []
    hints: list[HoverText] = []
    with within_seconds(INLAY_SECONDS, 0.0, ""):
        for mention in document.mentions:
            plain = mention.kind == "let" and mention.home is None and not mention.call
            if plain and start <= mention.span.end <= end:
                value = value_of(game, mention.text)
                if value is not None:
                    sizes = f", {' / '.join(value.values)}" if value.values else ""
                    place = Span(mention.span.end, mention.span.end)
                    hints.append(HoverText(place, f": {value.type}{sizes}"))
    return hints
