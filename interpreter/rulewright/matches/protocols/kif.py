"""Games in KIF, the Japanese record of Shogi: a head, and a numbered line for each move.

In: the bytes of a file (UTF-8, or Shift-JIS), or a recorded game.  Out: the recorded game with its
comments and variations, or the bytes in UTF-8.  What pieces, handicaps and ends are called stands
in the table `[kif]` of `GAME.toml`; sites are those of `usi.py`.  Refuses, each at its place:
handicaps without a position, lines that are no moves, moves that are not legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import define, evolve, field

from rulewright.errors import Fault, MoveError, RulewrightError, UnreadableMove
from rulewright.games.engine.game import State
from rulewright.language.source import Source, Span
from rulewright.matches.protocols.format_settings import Kif, bundled_with, formats
from rulewright.matches.protocols.recorded import (
    Ending,
    Recorded,
    RecordReading,
    Variation,
    in_a_line,
)
from rulewright.matches.protocols.usi import UsiText

_NUMBERS = "〇一二三四五六七八九十"
_WIDE = str.maketrans("０１２３４５６７８９　", "0123456789 ")
_HEADER = re.compile(r"([^：:\s]+)[：:]\s*(.*)")
_LINE = re.compile(r"\s*(\d+)\s+(\S.*?)\s*(?:\(\s*[\d:]+\s*/\s*[\d:]*\s*\))?\s*\+?\s*")
_MOVE = re.compile(
    r"(同\s*|([1-9])([一二三四五六七八九]))([^\s\d(]+?)(打|成|不成)?(?:\((\d)(\d)\))?"
)
_VARIATION = re.compile(r"\s*変化：\s*(\d+)手.*")
_SUMMARY = re.compile(r"まで\d+手で(時間切れにより)?([先後上下]手)の(反則)?勝ち.*")
"""Matches the line that says who has won, for records whose last move does not."""
_SKIPPED = ("手数----", "#", "まで", "&")
FIRST = re.compile("(手合割|先手|後手|開始日時|棋戦|下手|上手)：")
"""Matches a line of a head."""
_FIRSTS, _SECONDS = ("先手", "下手"), ("後手", "上手")
TAGS = r"[^：:\s]+"
"""Matches the names of the lines of a head."""
_HANDICAP, _PLAIN = "手合割", "平手"


def _text_of(data: bytes, name: str) -> str:
    """Decode a file called *name*: as UTF-8, else as Shift-JIS; raises `TextError`."""
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return data.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    reading = RecordReading(Source(name, data.decode("latin-1")))
    message = "a record in KIF is written in UTF-8 or Shift-JIS, and this is neither"
    return reading.fail("bad-record", Span(0, 1), message)


def looks(start: bytes) -> bool:
    """Whether a file begins like a record; a letter may be cut at the end."""
    for encoding in ("utf-8-sig", "cp932"):
        try:
            text = start.decode(encoding)
        except UnicodeDecodeError as error:
            if error.start < len(start) - 4:
                continue
            text = start[: error.start].decode(encoding)
        return FIRST.search(text) is not None
    return False


def read(
    data: bytes, name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Recorded:
    """Read the game in *data*, a file called *name*; raises `TextError` at a mistake."""
    reading = RecordReading(Source(name, _text_of(data, name)))
    source = source or bundled_with("kif")[0]
    game = reading.load(source, options or {}, Span(0, 1))
    style, usi = formats(game).kif, formats(game).usi
    if style is None or usi is None:
        message = f"{game.name} has no records in KIF: {game.name}.toml has no [kif] and [usi]"
        reading.fail("bad-record", Span(0, 1), message)
    return _Reader(reading, style, UsiText(game, usi)).read(source)


@define
class _Played:
    """A line of play while it is read: its states from the one in which it begins."""

    at: int
    states: list[State]
    comments: dict[int, str] = field(factory=dict)

    @property
    def length(self) -> int:
        return self.at + len(self.states) - 1

    def variation(self, inside: list[Variation]) -> Variation:
        return Variation(
            self.at, tuple(s.move for s in self.states[1:]), self.comments, {}, tuple(inside)
        )


@define
class _Reader:
    reading: RecordReading
    style: Kif
    usi: UsiText
    head: dict[str, str] = field(factory=dict)
    lines: list[_Played] = field(factory=list)
    ending: Ending | None = None

    def read(self, source: str) -> Recorded:
        """The recorded game."""
        for line in re.finditer(r"[^\n]*", self.reading.source.text):
            if line[0].strip():
                self._line(line)
        if not (self.head or self.lines):
            self.reading.fail("bad-record", Span(0, 1), "a record in KIF has a head, or moves")
        main, *branches = self._begun()
        first = next((self.head[n] for n in _FIRSTS if n in self.head), "")
        second = next((self.head[n] for n in _SECONDS if n in self.head), "")
        special = (*_FIRSTS, *_SECONDS, _HANDICAP)
        notes = {n: (text,) for n, text in self.head.items() if n not in special and text}
        return Recorded(
            source, main.states[-1], (first, second), self.ending, main.comments, notes,
            variations=tuple(_nested(branches, main)),
        )  # fmt: skip

    def _begun(self) -> list[_Played]:
        """The lines of play, of which the main line begins with the first move or comment."""
        if not self.lines:
            self.lines.append(_Played(0, [self._start()]))
        return self.lines

    def _span(self, line: re.Match[str]) -> Span:
        return Span(line.start(), max(line.end(), line.start() + 1))

    def _line(self, line: re.Match[str]) -> None:
        text = in_a_line(line[0])
        header, move, branch = (
            _HEADER.fullmatch(text),
            _LINE.fullmatch(text),
            _VARIATION.fullmatch(text),
        )
        if text.startswith("*"):
            self._comment(text[1:].strip())
        elif branch is not None:
            self._branch(line, int(branch[1]))
        elif text.startswith(_SKIPPED):
            self._summary(text)
        elif move is not None:
            self._move(line, move[2].translate(_WIDE).strip())
        elif header is not None and not self.lines:
            self._header(line, header[1], in_a_line(header[2]))
        else:
            message = f"`{text[:30]}` is no move; they are written like `1 ７六歩(77)`"
            self.reading.fail("bad-record", self._span(line), message)

    def _header(self, line: re.Match[str], name: str, text: str) -> None:
        self.head[name] = text
        if name == _HANDICAP and text not in (_PLAIN, "", *self.style.handicaps):
            message = f"the handicap `{text[:20]}` is none of {', '.join(self.style.handicaps)}"
            self.reading.fail("bad-record", self._span(line), message)

    def _start(self) -> State:
        sfen = self.style.handicaps.get(self.head.get(_HANDICAP, ""), "")
        return self.usi.read_position(sfen.split()) if sfen else self.usi.game.start()

    def _comment(self, text: str) -> None:
        played = self._begun()[-1]
        before = played.comments.get(played.length, "")
        played.comments[played.length] = f"{before}\n{text}".strip("\n")

    def _summary(self, text: str) -> None:
        match = _SUMMARY.fullmatch(text)
        if match is not None and self._goes_on():
            how = "time" if match[1] else "forfeit" if match[3] else "lost"
            self.ending = Ending(how, self.usi.game.players[match[2] in _FIRSTS])

    def _goes_on(self) -> bool:
        """Whether nothing has said yet how the main line ends."""
        lines = self._begun()
        return len(lines) == 1 and self.ending is None and not lines[0].states[-1].over

    def _branch(self, line: re.Match[str], number: int) -> None:
        """Begin a variation that replaces a move of the last line that has it."""
        for played in reversed(self._begun()):
            if played.at < number <= played.length + 1:
                start = played.states[: number - played.at]
                self.lines.append(_Played(number - 1, [start[-1]]))
                return
        message = f"there is no move {number} that this could replace"
        self.reading.fail("bad-record", self._span(line), message)

    def _move(self, line: re.Match[str], text: str) -> None:
        played = self._begun()[-1]
        state = played.states[-1]
        how = self.style.ends.get(text)
        if how is not None:
            if self._goes_on():
                self.ending = _ending(state, how)
            return
        if self.ending is not None and len(self.lines) == 1:
            self.reading.fail("illegal-move", self._span(line), "this move follows the end")
        try:
            played.states.append(self.usi.read(state, self._usi_text(state, text)))
        except (MoveError, Fault) as error:
            self.reading.fail("illegal-move", self._span(line), str(error))

    def _usi_text(self, state: State, text: str) -> str:
        """A move in the words of USI; raises `UnreadableMove`."""
        match = _MOVE.fullmatch(text)
        if match is None:
            raise UnreadableMove(f"`{text[:30]}` is no move; they are written like `７六歩(77)`")
        end = f"{match[2]}{chr(96 + _NUMBERS.index(match[3]))}" if match[2] else self._last(state)
        if match[6]:
            start = f"{match[6]}{chr(96 + int(match[7]))}"
            return f"{start}{end}{'+' * (match[5] == '成')}"
        letters = {sign: name for name, sign in self.style.pieces.items()}
        kinds = {kind.name: kind for kind in state.game.rules.kinds}
        if match[4] not in letters:
            raise UnreadableMove(f"`{match[4]}` is no piece: {', '.join(letters)}")
        return f"{kinds[letters[match[4]]].letters[0]}*{end}"

    def _last(self, state: State) -> str:
        """Where the last move went."""
        if state.before is None:
            raise UnreadableMove("`同` is where the last move went, and there was none")
        return self.usi.write(state.move).rstrip("+")[-2:]


def _ending(state: State, how: str) -> Ending | None:
    """The end that a word says of who is to move."""
    mover = state.situation.position.mover
    if how == "none":
        return None
    if how == "draw":
        return Ending("draw")
    won = how == "won"
    return Ending("forfeit" if won else how, state.game.players[1 - mover if won else mover])


def _nested(branches: list[_Played], main: _Played) -> list[Variation]:
    """Variations of the main line by their moves; one of a variation stands inside it."""
    return sorted(_variations(branches, main), key=lambda variation: variation.at)


def _variations(branches: list[_Played], main: _Played) -> Iterator[Variation]:
    for number, branch in enumerate(branches):
        own = main.states[branch.at] if branch.at < len(main.states) else None
        if own is branch.states[0] and len(branch.states) > 1:
            inside = [b for b in branches[number + 1 :] if _stands_in(b, branch)]
            yield branch.variation(_nested(inside, _whole(main, branch)))


def _stands_in(inner: _Played, outer: _Played) -> bool:
    return any(inner.states[0] is state for state in outer.states[1:])


def _whole(main: _Played, branch: _Played) -> _Played:
    """A variation with the moves of the main line before it."""
    return evolve(branch, at=0, states=[*main.states[: branch.at], *branch.states])


# --- writing ---


def write(recorded: Recorded) -> bytes:
    """Write the game in UTF-8; reading it gives the same game again."""
    game = recorded.game
    style, usi = formats(game).kif, formats(game).usi
    if style is None or usi is None:
        raise RulewrightError(f"{game.name} has no records in KIF: {game.name}.toml has no [kif]")
    writer = _Writer(style, UsiText(game, usi))
    return ("\n".join(writer.lines(recorded)) + "\n").encode()


@define
class _Writer:
    style: Kif
    usi: UsiText

    def lines(self, recorded: Recorded) -> Iterator[str]:
        """The lines of a record."""
        for name, texts in recorded.notes.items():
            if re.fullmatch(TAGS, name):
                yield f"{name}：{in_a_line(' '.join(texts))}"
        yield f"{_HANDICAP}：{self._handicap(recorded)}"
        names = [in_a_line(name) for name in recorded.names]
        yield from (f"{n}：{t}" for n, t in zip(("先手", "後手"), names, strict=True))
        yield "手数----指手---------消費時間--"
        line = Variation(0, (), recorded.comments, {}, recorded.variations)
        yield from self._play(recorded.end.states(), line, self._end(recorded))

    def _handicap(self, recorded: Recorded) -> str:
        if not recorded.is_set_up:
            return _PLAIN
        first = recorded.first.situation.position
        for name, sfen in self.style.handicaps.items():
            if self.usi.read_position(sfen.split()).situation.position == first:
                return name
        raise RulewrightError("this game begins from a position that is no handicap of KIF")

    def _end(self, recorded: Recorded) -> str:
        """The line that says how a game ended; empty if it goes on, or by the rules.

        It is a word that whoever is to move says, or the summary where there is none.
        """
        ending, count = recorded.ending, len(recorded.decisions)
        if ending is None:
            return ""
        spoken = ending.loser in (None, recorded.end.mover)
        how = ending.how if spoken else {"forfeit": "won"}.get(ending.how, "")
        words = [w for w, meaning in self.style.ends.items() if meaning == how != "lost"]
        word = next(iter(words), "")
        if word or ending.loser is None:
            return f"{count + 1:4} {word}" if word else ""
        winner = (_SECONDS if ending.loser == recorded.game.players[0] else _FIRSTS)[0]
        return f"まで{count}手で{'時間切れにより' * (ending.how == 'time')}{winner}の勝ち"

    def _play(self, states: list[State], line: Variation, end: str = "") -> Iterator[str]:
        yield from self._comment(line, line.at)
        for number, after in enumerate(states[1:], line.at + 1):
            yield f"{number:4} {self._move(states[number - line.at - 1], after.move)}"
            yield from self._comment(line, number)
        if end:
            yield end
        for branch in sorted(line.variations, key=lambda v: -v.at):  # as records have them
            inside = [states[branch.at - line.at]]
            for decision in branch.decisions:
                inside.append(inside[-1].play_decision(decision))
            yield ""
            yield f"変化：{branch.at + 1}手"
            yield from self._play(inside, branch)

    def _comment(self, line: Variation, number: int) -> Iterator[str]:
        yield from (f"*{row}" for row in line.comments.get(number, "").split("\n") if row)

    def _move(self, before: State, decision: str) -> str:
        """A move in Japanese: where to, which piece, from where."""
        usi = self.usi.write(decision)
        end = re.findall(r"\d[a-z]", usi)[-1]
        place = f"{'０１２３４５６７８９'[int(end[0])]}{_NUMBERS[ord(end[1]) - 96]}"
        if "*" in usi:
            return f"{place}{self.style.pieces[decision.partition('@')[0]]}打"
        board, position = before.game.rules.board, before.situation.position
        site = board.by_name[re.findall(r"[a-z]+\d+", decision)[0]]
        piece = position.piece(1 << site)
        assert piece is not None
        kind = before.game.rules.kinds[piece[1]].name
        promoted = self.usi.is_promoted(position, site)
        sign = self.style.turned.get(kind, "") if promoted else self.style.pieces[kind]
        start = usi[:2]
        return f"{place}{sign}{'成' * usi.endswith('+')}({start[0]}{ord(start[1]) - 96})"
