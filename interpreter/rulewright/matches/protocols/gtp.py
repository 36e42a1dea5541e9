"""The Go Text Protocol, version 2: moves as it writes them, and a controller of other engines.

In: a running engine, games and positions.  Out: the decisions of the engine.  An engine that
refuses a command, resigns or answers what is no move fails.  `gtp_engine.py` has the other side.

After a swap that moves the piece (`swap-pieces`), moves are given for the mirrored board, and the
colours stand for the other players of the rules; then `turned` is true.  After
https://www.lysator.liu.se/~gunnar/gtp/ and, for Hex, https://www.hexwiki.net/index.php/GTP.
"""

from __future__ import annotations

from attrs import define, evolve, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.render.scene import Scene
from rulewright.games.render.scene_building import mirrored, scene_of
from rulewright.matches.protocols.format_settings import Gtp, formats
from rulewright.matches.protocols.points import Points
from rulewright.matches.protocols.process import Program
from rulewright.players.player import Clock, Decision, Failed, GameLimits
from rulewright.search.results import refuse_seats

# --- moves and colours ---


@frozen
class GtpNotation:
    """Converts moves of a game to GTP, and back."""

    game: Game
    style: Gtp
    points: Points

    @classmethod
    def of(cls, game: Game) -> GtpNotation:
        """The notation of a game; raises `RulewrightError` if none of its moves is a point."""
        refuse_seats(game.rules, "GTP")
        style = formats(game).gtp
        points = Points(game, skip=style.skip, words=style.words)
        if not any(points.is_site(move) for move in game.start().moves.texts):
            raise RulewrightError(f"{game.name} cannot be played by GTP: its moves are no points")
        return cls(game, style, points)

    def write(self, decision: str, turned: bool) -> str:
        """Write a decision; *turned*: for the mirrored board."""
        if decision in self.style.turned:
            return self.style.turned[decision]
        return self.points.write(decision, turned)

    def read(self, text: str, turned: bool) -> str:
        """Read the decision that a text stands for; it need not be legal."""
        word = text.casefold()
        for decision, turned_text in self.style.turned.items():
            if word == turned_text:
                return decision
        return self.points.read(word, turned)

    def turns(self, text: str) -> bool:
        """Whether the moves after this one are given for the mirrored board."""
        return text.casefold() in self.style.turned.values()

    def scene(self, state: State, turned: bool) -> Scene:
        """The scene of a position in GTP's names of columns; *turned*: mirrored."""
        scene = scene_of(self.game.play, state.situation.position)
        if scene.columns:
            scene = evolve(scene, columns=self.points.columns(scene.columns))
        return mirrored(scene, self.game.rules) if turned else scene

    def colour(self, state: State, turned: bool) -> str:
        """The colour to move."""
        return self.style.colours[state.situation.position.mover ^ turned]

    def colour_of(self, text: str, turned: bool) -> int:
        """The player of the rules that a colour stands for; raises `RulewrightError`."""
        word = text.casefold()
        for number, name in enumerate(self.style.colours):
            if word in (name, name[0]):
                return number ^ turned
            if word == self.game.players[number]:
                return number
        raise RulewrightError(f"`{text[:40]}` is no colour: {', '.join(self.style.colours)}")


# --- the controller ---


@define
class GtpController:
    """Controls an engine; remembers the moves that it was sent."""

    farewell: tuple[str, ...] = ("quit",)
    _moves: GtpNotation | None = field(default=None, init=False)
    _sent: list[str] = field(factory=list, init=False)
    _turned: list[bool] = field(factory=lambda: [False], init=False)

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Send boardsize, options, clear_board and time_settings."""
        try:
            self._moves = GtpNotation.of(game)
        except RulewrightError as error:
            raise Failed("crash", str(error)) from None
        self._sent, self._turned = [], [False]
        board = game.rules.board
        square = board.width == board.height
        size = f"{board.width}" if square else f"{board.width} {board.height}"
        _ask(program, f"boardsize {size}", deadline)
        for command, option in self._moves.style.options.items():
            _ask(program, f"{command} {game.options[option]}", deadline)
        _ask(program, "clear_board", deadline)
        if limits.seconds is not None or limits.clock is not None:
            main = 0 if limits.clock is None else limits.clock
            stones = f"{limits.seconds:g} 1" if limits.clock is None else "0 0"
            _ask(program, f"time_settings {main:g} {stones}", deadline, may_refuse=True)

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Send the moves played since, and ask for a decision."""
        assert self._moves is not None
        way = state.states()
        common = 0
        moves = [after.move for after in way[1:]]
        while common < min(len(moves), len(self._sent)) and moves[common] == self._sent[common]:
            common += 1
        for _ in self._sent[common:]:
            _ask(program, "undo", deadline)
        self._sent, self._turned = self._sent[:common], self._turned[: common + 1]
        for before, after in zip(way[common:], way[common + 1 :], strict=False):
            colour = self._moves.colour(before, self._turned[-1])
            text = self._moves.write(after.move, self._turned[-1])
            _ask(program, f"play {colour} {text}", deadline, refusing="refused")
            self._remember(after.move, text)
        return self._generate(program, state, clock, deadline)

    def _remember(self, move: str, text: str) -> None:
        assert self._moves is not None
        self._sent.append(move)
        self._turned.append(self._turned[-1] ^ self._moves.turns(text))

    def _generate(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        assert self._moves is not None
        colour = self._moves.colour(state, self._turned[-1])
        if clock.reserve is not None:
            _ask(program, f"time_left {colour} {int(clock.reserve)} 0", deadline, may_refuse=True)
        text = _ask(program, f"genmove {colour}", deadline)
        if text.casefold() == "resign":
            raise Failed("illegal", "resigns")
        move = self._moves.read(text, self._turned[-1])
        if move not in state.moves:
            raise Failed("illegal", f"answers `{text[:80]}`, which is no legal decision here")
        self._remember(move, text)
        return Decision(move)


def _ask(
    program: Program, command: str, deadline: float, may_refuse: bool = False,
    refusing: str = "crash",
) -> str:  # fmt: skip
    """Send a command and return the first line of the answer.

    If the engine refuses the command, raises `Failed` with the reason *refusing*, or returns an
    empty answer if it *may_refuse*.
    """
    program.say(command)
    while True:
        line = program.hear(deadline)
        if line.startswith("="):
            return line[1:].strip()
        if line.startswith("?"):
            if may_refuse:
                return ""
            raise Failed(refusing, f"refuses `{command}`: {line[1:].strip()[:200]}")
