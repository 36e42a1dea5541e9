"""Games in SGF: the main line, with set-up, names, result, comments and marks.

In: the bytes of a file, or a recorded game.  Out: the recorded games, or the bytes.  `sgf_text.py`
reads the text; the numbers of games in `GM[...]` and the notation of moves come from `GAME.toml`
(`format_settings.py`).  Refuses, each at its place: unknown numbers of games, set-up that a
position cannot hold or in the middle of a game, illegal moves.  A variation that cannot be played
is left out, and the record says so.
After https://www.red-bean.com/sgf/ (FF[4]).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from attrs import define, evolve, field

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.ground.printable import amount, plural
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.format_settings import Sgf, bundled_with, formats
from rulewright.matches.protocols.points import Points
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    UnreadGame,
    Variation,
    black_and_white,
    size_options,
    unreadable_result,
)
from rulewright.matches.protocols.sgf_text import (
    SgfTree,
    SgfValue,
    decode,
    game_spans,
    parse_tree,
    placed_tree,
)
from rulewright.matches.protocols.sgf_writing import HOW, NOTES, OPTIONS, result_text, write
from rulewright.matches.protocols.turn_sites import turns

__all__ = ["parts", "read", "write"]

# --- reading ---


_READ = ("FF", "GM", "SZ", "CA", "AP", "PB", "PW", "RE", "C", OPTIONS)
_SETUP = ("AB", "AW", "AE")
_NO_MARKS = ("C", "B", "W", "PL", *_SETUP)
"""Properties of a node that are no marks, since something else of the record holds them."""
_NO_RESULT = ("", "?", "void")
"""What `RE` says of a game whose result is unknown, or that does not count."""
_OFFER = "|draw"
_DEEPEST = 100
"""Variations inside each other."""
_GO = "1"
"""The game of a file without `GM`, by FF[4]."""


def read(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Recorded:
    """Read the first game in *data*, a file called *name*."""
    return next(parts(data, name, source, options)).read()


def parts(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The games in *data*, a file called *name*, one after another, none of them read yet.

    *source* names the game, else the number in `GM[...]` does.  *options* are those that the file
    does not set.  Reading raises `TextError` at the place of a mistake.
    """
    reading = RecordReading(Source(name, decode(data, name)))
    for span in game_spans(reading.source.text) or [Span(0, len(reading.source.text))]:
        yield UnreadGame(
            partial(_read_game, reading, span, source, options), partial(_head, reading, span)
        )


def _read_game(
    reading: RecordReading, span: Span, source: str, options: Mapping[str, object] | None
) -> Recorded:
    return _Reader(reading, dict(options or {})).read(source, _tree(reading, span))


def _tree(reading: RecordReading, span: Span) -> SgfTree:
    return placed_tree(parse_tree(reading, span), reading.source.text, span.start)


def _head(reading: RecordReading, span: Span) -> Mapping[str, str]:
    """The properties of the root, and the persons under the names of their colours."""
    texts = dict[str, str]()
    for value in _tree(reading, span).nodes[0]:
        texts[value.name] = " ".join([*filter(None, [texts.get(value.name)]), value.text])
    return texts | black_and_white(texts)


@define
class _Reader:
    reading: RecordReading
    options: dict[str, object]
    style: Sgf = field(factory=Sgf)
    comments: dict[int, str] = field(factory=dict)
    marks: dict[int, dict[str, tuple[str, ...]]] = field(factory=dict)
    letters: tuple[str, str] = ("B", "W")
    """The properties of moves, `B` and `W` or others: of who begins, and of the other."""
    turned: bool = False
    ending: Ending | None = None
    variations: list[Variation] = field(factory=list)
    left_out: list[str] = field(factory=list)
    readings: list[str] = field(factory=list)
    """Values that mean something else than they say."""
    default_options: set[str] = field(factory=set)
    """The options that the file leaves to the rules, though SGF has a property for them."""

    def read(self, source: str, tree: SgfTree) -> Recorded:
        """Read the recorded game from its tree."""
        nodes = [node for node, _ in tree.line()]
        root = {value.name: value for value in nodes[0]}
        source = source or self._source(root)
        game = self._game(source, root, [v for node in nodes for v in node])
        state = self._line(self._begin(game.start(), nodes), tree, root, 0)
        names = self._names(root)
        if self.ending is None and not state.over and "RE" in root:
            self.ending = self._outside_ending(root["RE"], state)
        notes = dict[str, tuple[str, ...]]()
        for value in self._before_decisions(nodes):
            held = (*_READ, *_NO_MARKS, *self.style.options, *self.letters)
            says_rules = value.name == "RU" and value.text.strip().upper() in self.style.rules
            if value.name not in held and not says_rules:
                name, equal, text = value.text.partition("=")
                note = (name, text) if value.name == NOTES and equal else (value.name, value.text)
                notes[note[0]] = (*notes.get(note[0], ()), note[1])
        doubts = (*self.readings, *_handicap(root, state), *self._compare(root, notes, state))
        marks = {} if self.turned else self.marks
        return Recorded(
            source, state, names, self.ending, self.comments, notes, tuple(self.left_out),
            marks=marks, variations=tuple(self.variations), doubts=doubts,
            default_options=frozenset(self.default_options),
        )  # fmt: skip

    def _line(self, state: State, tree: SgfTree, root: Mapping[str, SgfValue], deep: int) -> State:
        """The state after a line of play, whose variations are read on the way."""
        line = list(tree.line())
        nodes = [node for node, _ in line]
        for number, (node, others) in enumerate(line):
            following = nodes[number + 1] if number + 1 < len(nodes) else []
            state = self._set_up(state, node, nodes[number:], root)
            state = self._node(state, node, following)
            if (number or deep) and state.decisions():
                self._mark(state, node)
            for other in others:
                self._vary(state, other, root, deep + 1)
        return state

    def _vary(self, state: State, tree: SgfTree, root: Mapping[str, SgfValue], deep: int) -> None:
        """Read a variation; one that cannot be played is left out."""
        inside = evolve(self, comments={}, marks={}, variations=[], left_out=[])
        at = len(state.decisions())
        span = next((value.span for node in tree.nodes for value in node), Span(0, 1))
        place = f"in line {self.reading.place(span).line}"
        try:
            if deep > _DEEPEST:
                raise RulewrightError(f"more than {_DEEPEST} variations stand inside each other")
            end = inside._line(state, tree, root, deep)
        except RulewrightError:
            self.left_out.append(f"a variation {place}, which cannot be played,")
            return
        decisions = tuple(end.decisions()[at:])
        self.left_out += inside.left_out
        if not decisions:
            self.left_out.append(f"a variation {place}, which has no moves,")
            return
        self.variations.append(
            Variation(at, decisions, inside.comments, inside.marks, tuple(inside.variations))
        )

    def _compare(
        self, root: Mapping[str, SgfValue], notes: dict[str, tuple[str, ...]], end: State
    ) -> tuple[str, ...]:
        """Keep a result that says more than who won; what to say of one that is contradicted."""
        text = root["RE"].text.strip() if "RE" in root else ""
        own, result = result_text(end, self.ending, self.style), self._in_own_letters(text)
        stated = self._outside_ending(root["RE"], end) if text else None
        agrees = end.over or stated == self.ending
        if text and result != own and agrees:
            notes["RE"] = (result,)
        winner = re.match(r"([BW])(?:\+|$)|(0$|draw$|jigo$)", text, re.IGNORECASE)
        if winner is None and text.casefold() not in _NO_RESULT:
            return (unreadable_result(text),)
        if text and not agrees and not own.startswith(result):
            return (f"the file says {text}, and its moves say: {self.ending}",)
        if end.result is None or winner is None:
            return ()
        side = None
        if winner[1]:
            side = end.game.players[self._colours().index(winner[1].upper()) ^ self.turned]
        if side == end.result.winner:
            return ()
        return (f"the file says {text}, and by the rules it is: {end.result}",)

    def _in_own_letters(self, text: str) -> str:
        """A result with the letters that this program writes for who began and the other."""
        match = re.match(r"[BW](?=\+|$)", text, re.IGNORECASE)
        if match is None:
            return text
        winner = self._colours().index(match[0].upper()) ^ self.turned
        return self.style.colours[winner] + text[1:]

    def _before_decisions(self, nodes: list[list[SgfValue]]) -> Iterator[SgfValue]:
        """The values of the root, and of nodes behind it before the first decision."""
        for node in nodes:
            if node is not nodes[0] and any(self._is_move(value) for value in node):
                return
            yield from node

    # --- the game ---

    def _source(self, root: Mapping[str, SgfValue]) -> str:
        number = root.get("GM") or SgfValue("GM", _GO, Span(0, 1))
        ending = Path(self.reading.source.name).suffix
        games = bundled_with("sgf", "ending", ending) if "GM" not in root and ending else []
        named = number.text.strip().casefold()
        games = games or bundled_with("sgf", "game", named)
        games = games or [name for name in bundled_with("sgf") if name == named]
        if len(games) != 1:
            message = f"no game that is bundled has the number {number.text} in SGF"
            self.reading.fail("bad-record", number.span, message, "name the game")
        return games[0]

    def _game(self, source: str, root: Mapping[str, SgfValue], values: list[SgfValue]) -> Game:
        plain = load_with(source, dict(self.options))
        self.style = formats(plain).sgf
        number = root.get("GM")
        own_number = plain.name if self.style.game is None else self.style.game
        if number is not None and number.text.strip().casefold() != str(own_number):
            message = f"this is game {number.text} of SGF, and {plain.name} is {own_number}"
            self.reading.fail("bad-record", number.span, message)
        in_file, span = self._options(plain, root)
        options = self.options | self._needed_options(values) | in_file
        self.default_options |= set(self.style.options.values()) - options.keys()
        return self.reading.load(source, options, span)

    def _needed_options(self, values: list[SgfValue]) -> dict[str, object]:
        """The options without which some decision of the file would not exist."""
        options_needed, style = dict[str, object](), self.style
        words = {value.text.strip().casefold() for value in values if self._is_move(value)}
        for decision, options in style.needs.items():
            if words & {style.words.get(decision), style.turned.get(decision), decision}:
                options_needed |= options
        return options_needed

    def _options(self, plain: Game, root: Mapping[str, SgfValue]) -> tuple[dict[str, object], Span]:
        """The options that the file sets, and the span of the last one."""
        options, span = dict[str, object](), Span(0, 1)
        if "SZ" in root:
            span = root["SZ"].span
            options |= self._size(plain, root["SZ"])
        elif self.style.size is not None:
            options |= size_options(plain, self.style.size, self.style.size)
        for name, option in self.style.options.items():
            if name in root and (value := root[name].text.strip()):
                span = root[name].span
                meant = self.style.values.get(name, {}).get(value, value.replace(",", "."))
                if meant != value:
                    self.readings.append(f"the file says {name}[{value}], which is read as {meant}")
                options[option] = re.sub(r"\.0*$", "", meant)
        if "RU" in root:
            options |= self.style.rules.get(root["RU"].text.strip().upper(), {})
        if OPTIONS in root:
            span = root[OPTIONS].span
            options |= dict(pair.partition("=")[::2] for pair in root[OPTIONS].text.split(","))
        return options, span

    def _size(self, plain: Game, value: SgfValue) -> dict[str, int]:
        numbers = re.fullmatch(r"\s*(\d{1,4})\s*(?:[:xX]\s*(\d{1,4}))?\s*", value.text)
        if not numbers:
            self.reading.fail("bad-record", value.span, "a size is a whole number, or two: 24:20")
        width, height = int(numbers[1]), int(numbers[2] or numbers[1])
        options, board = size_options(plain, width, height), plain.rules.board
        if not options and (width, height) != (board.width, board.height):
            message = f"{plain.name} is played on {board.width} by {board.height}"
            self.reading.fail("bad-record", value.span, message)
        return options

    def _names(self, root: Mapping[str, SgfValue]) -> tuple[str, str]:
        first, second = self._colours()
        persons = {letter: root[f"P{letter}"].text for letter in "BW" if f"P{letter}" in root}
        return persons.get(first, ""), persons.get(second, "")

    def _colours(self) -> tuple[str, str]:
        """`B` and `W` in the order of who began; files with other letters begin with B."""
        return self.letters if set(self.letters) == {"B", "W"} else ("B", "W")

    # --- moves ---

    def _begin(self, state: State, nodes: list[list[SgfValue]]) -> State:
        """The first position, with whoever moves first in the file at move; notes the letters.

        Where letters stand for the colours of the rules, they stay what they are.  In other games
        files differ in the letter that begins, and it is that of who begins by the rules.
        """
        colours = self.letters = self.style.colours
        moves = [value.name for node in nodes for value in node if self._is_move(value)]
        names = {value.name for value in self._before_decisions(nodes)}
        if not moves or moves[0] == colours[0] or names & {*_SETUP, "PL"}:
            return state
        initials = tuple(name[0].upper() for name in state.game.players)
        if moves[0] == colours[1] and initials == colours:
            return state.game.at(evolve(state.situation.position, mover=1))
        others = {"B": "W", "W": "B", "b": "w" if "w" in moves else "r", "r": "b", "w": "b"}
        self.letters = (moves[0], others.get(moves[0], "?"))
        ending = Path(self.reading.source.name).suffix.casefold()
        if moves[0] == colours[1] and ending != self.style.ending:
            reading = f"{moves[0]} begins in the file and is read as {state.mover}"
            self.readings.append(f"{reading}, who is {colours[0]} in SGF that is written here")
        return state

    def _node(self, state: State, node: list[SgfValue], following: list[SgfValue]) -> State:
        for value in node:
            if self._is_move(value):
                state = self._move(state, value, following)
        for value in node:
            if value.name == "C" and value.text:
                before = self.comments.get(len(state.decisions()), "")
                self.comments[len(state.decisions())] = f"{before}\n{value.text}".strip("\n")
        return state

    def _mark(self, state: State, node: list[SgfValue]) -> None:
        """Keep the properties of a node that say nothing about the game."""
        for value in node:
            if value.name not in _NO_MARKS and not self._is_move(value):
                marks = self.marks.setdefault(len(state.decisions()), {})
                marks[value.name] = (*marks.get(value.name, ()), value.text)

    # --- set-up ---

    def _set_up(
        self,
        state: State,
        node: list[SgfValue],
        nodes: list[list[SgfValue]],
        root: Mapping[str, SgfValue],
    ) -> State:
        """The position that a node sets up; *nodes* begin with it."""
        values = [value for value in node if value.name in (*_SETUP, "PL")]
        if not values:
            return state
        if state.decisions():
            message = "a position is set up in the middle of the game, which is not read"
            self.reading.fail("bad-record", values[0].span, message)
        self.letters = self.style.colours
        position = state.situation.position
        for value in values:
            if value.name != "PL":
                position = position.without(self._stones(state.game, value))
                if value.name != "AE":
                    owner = self.style.colours.index(value.name[1])
                    position = position.put(owner, 0, self._stones(state.game, value))
        mover = self._first_mover(values, nodes, root)
        try:
            return state.game.at(evolve(position, mover=mover))
        except RulewrightError as error:
            self.reading.fail("bad-record", values[0].span, str(error))

    def _stones(self, game: Game, value: SgfValue) -> int:
        """The mask of the points of a value: one, or a rectangle from its left top corner."""
        rules = game.rules
        if len(rules.kinds) != 1 or rules.links or set(self.style.colours) != {"B", "W"}:
            message = f"{game.name} cannot be set up: SGF knows black and white stones only"
            self.reading.fail("bad-record", value.span, message)
        board, points = game.rules.board, Points(game, self.style.points, words=self.style.words)
        corners = [board.by_name.get(points.read(p.strip())) for p in value.text.split(":")]
        first, last = corners[0], corners[-1]
        if first is None or last is None or len(corners) > 2:
            message = f"`{value.text}` is no point of this board"
            self.reading.fail("bad-record", value.span, message)
        columns = range(board.columns[first], board.columns[last] + 1)
        rows = range(board.rows[first], board.rows[last] + 1)
        sites = [board.at(column, row) for column in columns for row in rows]
        return sum(1 << site for site in sites if site >= 0)

    def _first_mover(
        self, values: list[SgfValue], nodes: list[list[SgfValue]], root: Mapping[str, SgfValue]
    ) -> int:
        """Who moves after set-up: by `PL`, else who does, else the other side of a handicap."""
        letters = [v.text.strip()[:1].upper() for v in values if v.name == "PL"]
        letters += [v.name for node in nodes for v in node if self._is_move(v)]
        handicap = root["HA"].text.strip() if "HA" in root else ""
        letters += [self.style.colours[1]] * (handicap not in ("", "0", "1"))
        first = next((c for c in letters if c in self.style.colours), self.style.colours[0])
        return self.style.colours.index(first)

    # --- decisions ---

    def _is_move(self, value: SgfValue) -> bool:
        return value.name in ("B", "W") or (len(value.name) == 1 and value.name.islower())

    def _move(self, state: State, value: SgfValue, following: list[SgfValue]) -> State:
        mover = state.situation.position.mover
        letter = self.letters[mover ^ self.turned]
        if value.name != letter and not state.over and _must_pass(state):
            state = state.follow(0, state.moves[0])  # lists of moves may leave it out
            letter = self.letters[state.situation.position.mover ^ self.turned]
        if value.name != letter and not state.over:
            message = f"{value.name} moves here, and it is the turn of {letter} ({state.mover})"
            self.reading.fail("illegal-move", value.span, message)
        text = value.text.strip()
        if text.endswith(_OFFER):
            text = text.removesuffix(_OFFER)
            self.comments[len(state.decisions()) + 1] = "a draw is offered"
        if self._ends(state, text.casefold()):
            return state
        if self.style.turns:
            return self._turn(state, text, value)
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

    def _play(self, state: State, text: str, value: SgfValue, following: list[SgfValue]) -> State:
        words = {word: decision for decision, word in self.style.turned.items()}
        littlegolem = len(text) == 2 and text.isalpha()  # its points are letters in every game
        style = "letters" if littlegolem else self.style.points
        points = Points(state.game, style, words=self.style.words)
        decision = words.get(text.casefold()) or points.read(text, self.turned)
        if text == "tt" and self.style.points == "letters" and not points.is_site(decision):
            decision = points.read("")  # how FF[3] wrote a pass
        if state.over and decision in self.style.words:
            self.left_out.append(f"`{decision}` after the end")
            return state
        if not state.over and decision not in state.moves.texts:
            message = points.refusal(state, text)
            if message:
                self.reading.fail("illegal-move", value.span, message)
        after = self.reading.play(state, decision, value.span)
        if after.swapped != state.swapped:
            next_letter = next((v.name for v in following if self._is_move(v)), "")
            mirrored = next_letter == self.letters[0]
            self.turned ^= mirrored if next_letter else text.casefold() in words
        return after

    def _turn(self, state: State, text: str, value: SgfValue) -> State:
        """The state after a whole turn, which names its sites."""
        points = Points(state.game, self.style.points, words=self.style.words)
        way = tuple(points.sites(text))
        fitting = [t for t in turns(state, lambda w: way[: len(w)] == w) if t.way == way]
        if not way or not fitting:
            return self.reading.play(state, text, value.span)
        if len({t.states[-1].situation.position for t in fitting}) > 1:
            message = f"`{text[:40]}` may be several turns"
            self.reading.fail("illegal-move", value.span, message)
        return fitting[0].states[-1]

    def _outside_ending(self, value: SgfValue, state: State) -> Ending | None:
        text = value.text.strip()
        if text.casefold() in ("0", "draw", "jigo"):
            return Ending("draw")
        match = re.match(r"([BW])(?:\+(\w*)|$)", text, re.IGNORECASE)
        if match is None:
            return None
        how = HOW.get((match[2] or "")[:1].upper(), "lost")
        winner = self._colours().index(match[1].upper()) ^ self.turned
        return Ending(how, state.game.players[1 - winner])


def _must_pass(state: State) -> bool:
    """Whether the only legal decision names no site."""
    names = state.game.rules.board.by_name
    return len(state.moves) == 1 and not any(name in state.moves[0].text for name in names)


def _handicap(root: Mapping[str, SgfValue], end: State) -> Iterator[str]:
    """What is said of a handicap that is not set up as the file says."""
    text = root["HA"].text.strip() if "HA" in root else ""
    count = end.states()[0].situation.position.owned[0].bit_count()
    if text.isdecimal() and int(text) > 1 and int(text) != count:
        stand = amount(count, "stone")
        yield f"the file says HA[{text[:9]}], and {stand} {plural(count, 'is', 'are')} set up"
