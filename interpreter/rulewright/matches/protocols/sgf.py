"""Games in SGF: the main line, with names, result and comments.

In: the bytes of a file, or a recorded game.  Out: the recorded game, or the bytes.  The library
`sgfmill` parses (extra `sgf`); the numbers of games in `GM[...]` and the notation of moves come
from `GAME.toml` (`formats.py`).  Refuses, each at its place: files that are no SGF, unknown numbers
of games, positions that are set up, illegal moves.  Variations are left out, and the record says
so.  After https://www.red-bean.com/sgf/ (FF[4]).
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from attrs import define, field, frozen

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.ground.printable import amount
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.formats import Points, Sgf, bundled_with, formats
from rulewright.matches.protocols.recorded import Ending, Recorded, RecordReading, sized, text_of

OPTIONS = "RWOPT"
"""The property of this program for options that SGF has no property for."""
NOTES = "RWNOTE"
"""The property of this program for notes from another format, `kind 2=C`."""
HOW = {"R": "resigned", "T": "time", "F": "forfeit"}
"""Kinds of `Ending`, by the letter behind `B+`."""


def grammar() -> Any:
    """Load the module `sgf_grammar` of sgfmill, which has no types."""
    try:
        from sgfmill import sgf_grammar
    except ImportError:
        message = "SGF needs the library sgfmill: pip install 'rulewright[sgf]'"
        raise RulewrightError(message) from None
    return sgf_grammar


# --- reading ---


_KNOWN = ("FF", "GM", "SZ", "CA", "AP", "PB", "PW", "RE", "RU", "C", OPTIONS)
_SETUP = ("AB", "AW", "AE", "PL")
_OFFER = "|draw"
_VALUE = re.compile(r"\[([^\\\]]*(?:\\.[^\\\]]*)*)\]", re.DOTALL)
_WORD = 64
"""Characters before a value in which the letters of its property are searched."""


@frozen
class _Value:
    """A value of a property, with the property's name as it is written, and its span."""

    name: str
    text: str
    span: Span


def read(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Recorded:
    """Read the game of the first tree in *data*, a file called *name*.

    *source* names the game, else the number in `GM[...]` does.  *options* are those that the file
    does not set.  Raises `TextError` at the place of a mistake.
    """
    text = text_of(data)
    reading = RecordReading(Source(name, text))
    try:
        tree = grammar().parse_sgf_game(text.encode("utf-8"))
    except ValueError as error:
        reading.fail("bad-record", Span(0, 1), f"this is no SGF: {error}")
    nodes = list(_nodes(tree, text))
    return _Reader(reading, dict(options or {})).read(source, nodes, _variations(tree))


def _variations(tree: Any) -> int:
    """Count the variations that branch off the main line."""
    count = 0
    while tree.children:
        count += len(tree.children) - 1
        tree = tree.children[0]
    return count


def _nodes(tree: Any, text: str) -> Iterator[list[_Value]]:
    """The values of every node of the main line, with which the text begins."""
    sgf = grammar()
    begin = re.search(r"\(\s*;", text)
    places = _VALUE.finditer(text, begin.start() if begin else 0)
    for properties in sgf.main_sequence_iter(tree):
        places_by_text = defaultdict[str, deque[re.Match[str]]](deque)
        for match in islice(places, sum(map(len, properties.values()))):
            places_by_text[match[1]].append(match)
        node = list[_Value]()
        for name, values in properties.items():
            for raw in values:
                # a property that stands twice in a node has its values out of order
                text_shown = raw.decode("utf-8")
                place = places_by_text[text_shown].popleft()
                plain = (sgf.text_value if name == "C" else sgf.simpletext_value)(raw)
                small = "" if name else _letters(text, place.start())
                span = Span(place.start(1), place.start(1) + max(len(text_shown), 1))
                node.append(_Value(name or small, plain.decode("utf-8"), span))
        yield node


def _letters(text: str, end: int) -> str:
    """The letters before an offset, with blanks between skipped."""
    word = text[max(0, end - _WORD) : end].rstrip()
    match = re.search(r"[A-Za-z]*$", word)
    return match[0] if match else ""


@define
class _Reader:
    reading: RecordReading
    options: dict[str, object]
    style: Sgf = field(factory=Sgf)
    comments: dict[int, str] = field(factory=dict)
    letters: tuple[str, str] | None = None
    """The properties of moves, `B` and `W` or others: of who begins, and of the other."""
    turned: bool = False
    ending: Ending | None = None

    def read(self, source: str, nodes: list[list[_Value]], variations: int) -> Recorded:
        """Read the recorded game from the nodes of the main line."""
        root = {value.name: value for value in nodes[0]}
        source = source or self._source(root)
        game = self._game(source, root, [v for node in nodes for v in node])
        state = game.start()
        for number, node in enumerate(nodes):
            following = nodes[number + 1] if number + 1 < len(nodes) else []
            state = self._node(state, node, following)
        names = self._names(root)
        if self.ending is None and not state.over and "RE" in root:
            self.ending = self._outside_ending(root["RE"], state)
        notes = dict[str, tuple[str, ...]]()
        for value in nodes[0]:
            if value.name not in (*_KNOWN, *self.style.options, *(self.letters or ())):
                name, equal, text = value.text.partition("=")
                note = (name, text) if value.name == NOTES and equal else (value.name, value.text)
                notes[note[0]] = (*notes.get(note[0], ()), note[1])
        left_out = (amount(variations, "variation"),) if variations else ()
        return Recorded(source, state, names, self.ending, self.comments, notes, left_out)

    # --- the game ---

    def _source(self, root: Mapping[str, _Value]) -> str:
        number = root.get("GM")
        if number is None:
            self.reading.fail(
                "bad-record", Span(0, 1), "no GM[...] says which game this is", "name the game"
            )
        games = bundled_with("sgf", number.text.strip())
        if len(games) != 1:
            message = f"no game that is bundled has the number {number.text} in SGF"
            self.reading.fail("bad-record", number.span, message, "name the game")
        return games[0]

    def _game(self, source: str, root: Mapping[str, _Value], values: list[_Value]) -> Game:
        plain = load_with(source, dict(self.options))
        self.style = formats(plain).sgf
        number = root.get("GM")
        own_number = self.style.game
        if number is not None and own_number is not None and number.text.strip() != str(own_number):
            message = f"this is game {number.text} of SGF, and {plain.name} is {own_number}"
            self.reading.fail("bad-record", number.span, message)
        in_file, span = self._options(plain, root)
        options = self.options | self._needed_options(values) | in_file
        return self.reading.load(source, options, span)

    def _needed_options(self, values: list[_Value]) -> dict[str, object]:
        """The options without which some decision of the file would not exist."""
        options_needed, style = dict[str, object](), self.style
        words = {value.text.strip().casefold() for value in values if self._is_move(value)}
        for decision, options in style.needs.items():
            if words & {style.words.get(decision), style.turned.get(decision), decision}:
                options_needed |= options
        return options_needed

    def _options(self, plain: Game, root: Mapping[str, _Value]) -> tuple[dict[str, object], Span]:
        """The options that the file sets, and the span of the last one."""
        options, span = dict[str, object](), Span(0, 1)
        if "SZ" in root:
            span = root["SZ"].span
            options |= self._size(plain, root["SZ"])
        for name, option in self.style.options.items():
            if name in root:
                span = root[name].span
                options[option] = re.sub(r"\.0*$", "", root[name].text.strip())
        if "RU" in root:
            options |= self.style.rules.get(root["RU"].text.strip().upper(), {})
        if OPTIONS in root:
            span = root[OPTIONS].span
            options |= dict(pair.partition("=")[::2] for pair in root[OPTIONS].text.split(","))
        return options, span

    def _size(self, plain: Game, value: _Value) -> dict[str, int]:
        numbers = re.fullmatch(r"\s*(\d{1,4})\s*(?:[:xX]\s*(\d{1,4}))?\s*", value.text)
        if not numbers:
            self.reading.fail("bad-record", value.span, "a size is a whole number, or two: 24:20")
        width, height = int(numbers[1]), int(numbers[2] or numbers[1])
        options, board = sized(plain, width, height), plain.rules.board
        if not options and (width, height) != (board.width, board.height):
            message = f"{plain.name} is played on {board.width} by {board.height}"
            self.reading.fail("bad-record", value.span, message)
        return options

    def _names(self, root: Mapping[str, _Value]) -> tuple[str, str]:
        first, second = self._colours()
        persons = {letter: root[f"P{letter}"].text for letter in "BW" if f"P{letter}" in root}
        return persons.get(first, ""), persons.get(second, "")

    def _colours(self) -> tuple[str, str]:
        """`B` and `W` in the order of who began; files with other letters begin with B."""
        letters = self.letters or self.style.colours
        return letters if set(letters) == {"B", "W"} else ("B", "W")

    # --- moves ---

    def _node(self, state: State, node: list[_Value], following: list[_Value]) -> State:
        for value in node:
            if value.name in _SETUP:
                message = "this game begins from a position that is set up, which is not read"
                self.reading.fail("bad-record", value.span, message)
            if self._is_move(value):
                state = self._move(state, value, following)
        for value in node:
            if value.name == "C":
                self.comments[len(state.decisions())] = value.text
        return state

    def _is_move(self, value: _Value) -> bool:
        return value.name in ("B", "W") or (len(value.name) == 1 and value.name.islower())

    def _move(self, state: State, value: _Value, following: list[_Value]) -> State:
        mover = state.situation.position.mover
        if self.letters is None:
            enemy_letters = {"B": "W", "W": "B", "b": "r", "r": "b", "w": "b"}
            self.letters = (value.name, enemy_letters.get(value.name, "?"))
            if value.name == "b" and any(v.name == "w" for v in following):
                self.letters = ("b", "w")
        letter = self.letters[mover ^ self.turned]
        if value.name != letter and not state.over:
            message = f"{value.name} moves here, and it is the turn of {letter} ({state.mover})"
            self.reading.fail("illegal-move", value.span, message)
        text = value.text.strip()
        if text.endswith(_OFFER):
            text = text.removesuffix(_OFFER)
            self.comments[len(state.decisions()) + 1] = "a draw is offered"
        if self._ends(state, text.casefold()):
            return state
        return self._play(state, text, value, following)

    def _ends(self, state: State, word: str) -> bool:
        """Whether a word in place of a move ends the game; sets the ending."""
        if word in ("resign", "forfeit"):
            self.ending = Ending("resigned" if word == "resign" else "forfeit", state.mover)
        elif word == "draw":
            self.ending = Ending("draw")
        else:
            return False
        return True

    def _play(self, state: State, text: str, value: _Value, following: list[_Value]) -> State:
        words = {word: decision for decision, word in self.style.turned.items()}
        littlegolem = len(text) == 2 and text.isalpha()  # its points are letters in every game
        style = "letters" if littlegolem else self.style.points
        points = Points(state.game, style, words=self.style.words)
        decision = words.get(text.casefold()) or points.read(text, self.turned)
        if text == "tt" and self.style.points == "letters" and not points.is_site(decision):
            decision = points.read("")  # how FF[3] wrote a pass
        after = self.reading.play(state, decision, value.span)
        if after.swapped != state.swapped:
            next_letter = next((v.name for v in following if self._is_move(v)), "")
            mirrored = next_letter == self.letters[0] if next_letter and self.letters else False
            self.turned ^= mirrored or text.casefold() in words
        return after

    def _outside_ending(self, value: _Value, state: State) -> Ending | None:
        text = value.text.strip()
        if text.casefold() in ("0", "draw"):
            return Ending("draw")
        match = re.fullmatch(r"([BW])\+(\w*)(?:[\d.]*)", text, re.IGNORECASE)
        how = HOW.get(match[2][:1].upper()) if match else None
        if match is None or how is None:
            return None
        winner = self._colours().index(match[1].upper()) ^ self.turned
        return Ending(how, state.game.players[1 - winner])


# --- writing ---


_PROPERTY = re.compile("[A-Z]{1,64}")
"""Matches the name of a property: capital letters alone, as FF[4] has it."""
_LETTER = {how: letter for letter, how in HOW.items()}


def write(recorded: Recorded) -> bytes:
    """Write the game as SGF; reading it gives the same game again."""
    game, sgf = recorded.game, grammar()
    style = formats(game).sgf
    if style.game is None:
        raise RulewrightError(
            f"{game.name} has no number in SGF; say it in {game.name}.toml beside the rules"
        )
    tree = sgf.Coarse_game_tree()
    root = _root(recorded, style)
    _comment(root, recorded.comments.get(0, ""))
    tree.sequence = [
        {name: [sgf.escape_text(v.encode()) for v in values] for name, values in node.items()}
        for node in (root, *_moves(recorded, style))
    ]
    return bytes(sgf.serialise_game_tree(tree))


def _root(recorded: Recorded, style: Sgf) -> dict[str, list[str]]:
    board = recorded.game.rules.board
    square = board.width == board.height
    size = str(board.width) if square else f"{board.width}:{board.height}"
    properties: dict[str, list[str]] = {
        "FF": ["4"], "GM": [str(style.game)], "CA": ["UTF-8"], "SZ": [size],
        "AP": [f"rulewright:{__version__}"],
    }  # fmt: skip
    for colour, name in zip(style.colours, recorded.names, strict=True):
        if name:
            properties[f"P{colour}"] = [name]
    result = _result(recorded, style)
    if result:
        properties["RE"] = [result]
    properties |= _option_properties(recorded, style)
    return _note_properties(recorded) | properties


def _note_properties(recorded: Recorded) -> dict[str, list[str]]:
    """The notes of a recorded game: properties of SGF, and notes of other formats."""
    notes = recorded.notes.items()
    own = {name: list(values) for name, values in notes if _PROPERTY.fullmatch(name)}
    lines = [f"{n}={v}" for n, values in notes if n not in own for v in values]
    return own | ({NOTES: lines} if lines else {})


def _option_properties(recorded: Recorded, style: Sgf) -> dict[str, list[str]]:
    """The properties of the options in which a game differs from SGF's defaults."""
    game, changes = recorded.game, recorded.changed_options()
    properties = {name: [str(game.options[option])] for name, option in style.options.items()}
    changes = {n: v for n, v in changes.items() if n not in style.options.values()}
    for rule, options in style.rules.items():
        if options and all(changes.get(n) == v for n, v in options.items()):
            properties["RU"] = [rule]
            changes = {n: v for n, v in changes.items() if n not in options}
            break
    if changes:
        properties[OPTIONS] = [f"{name}={str(value).lower()}" for name, value in changes.items()]
    return properties


def _result(recorded: Recorded, style: Sgf) -> str:
    end, ending = recorded.end, recorded.ending
    colours = dict(zip(recorded.game.players, style.colours, strict=True))
    if end.result is not None:
        return f"{colours[end.result.winner]}+" if end.result.winner else "0"
    if ending is None:
        return ""
    if ending.loser is None:
        return "Draw"
    winner = next(c for name, c in colours.items() if name != ending.loser)
    return f"{winner}+{_LETTER[ending.how]}"


def _moves(recorded: Recorded, style: Sgf) -> Iterator[dict[str, list[str]]]:
    points = Points(recorded.game, style.points, words=style.words)
    for number, state in enumerate(recorded.end.states()[1:], 1):
        assert state.before is not None
        colour = style.colours[state.before.situation.position.mover]
        node = {colour: [points.write(state.move)]}
        _comment(node, recorded.comments.get(number, ""))
        yield node


def _comment(node: dict[str, list[str]], text: str) -> None:
    if text:
        node["C"] = [text]
