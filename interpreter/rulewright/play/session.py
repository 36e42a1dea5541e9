"""A game under way: who plays, what was played, undo and redo, saving and loading.

Knows nothing of screens: `cli/play.py` shows it.  Players belong to persons, not to colours, so an
exchange of colours moves nobody to another chair.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from attrs import define, field, frozen

from rulewright.errors import MoveError, RulewrightError
from rulewright.game import Game, State
from rulewright.loading import load_with
from rulewright.players.explain import Explanation
from rulewright.players.judged import Judged
from rulewright.players.personality import Personality
from rulewright.players.played import explain_played
from rulewright.players.player import Clock
from rulewright.players.player import Limits as Allowed
from rulewright.protocols.outside import SPEECHES, OutsidePlayer, outside_player
from rulewright.search.best import best
from rulewright.search.results import Limits, person

MOST_SECONDS = 3600.0
"""The longest that one decision may take."""
OUTSIDE_SECONDS = 5.0
"""What a program from outside has for a decision."""


def _seconds(text: str, who: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= MOST_SECONDS:
        raise RulewrightError(f"{who}:SECONDS needs a time from 0 to 3600, not {text}")
    return value


@frozen
class Player:
    """Who sits on a chair: `human`, `computer`, `random`, a `personality`, or somebody `outside`.

    `seconds` is the most that one decision may take; `name` is the personality, of a human the one
    that gives hints.
    """

    kind: str
    seconds: float = 1.0
    name: str = ""

    @classmethod
    def parse(cls, text: str) -> Player:
        """Read `human`, `human:NAME`, `random`, `computer`, `computer:0.5`, `NAME` or `NAME:5`."""
        kind, _, rest = text.partition(":")
        if kind == "human":
            return cls(kind, name=rest)
        if kind in SPEECHES:
            return cls("outside", OUTSIDE_SECONDS, text)
        if not kind or (kind == "random" and rest):
            known = "human, computer, computer:SECONDS, random or the name of a personality"
            raise RulewrightError(f"a player is {known}, not {text}")
        if kind in ("computer", "random"):
            return cls(kind, _seconds(rest, kind) if rest else 1.0)
        return cls("personality", _seconds(rest, kind) if rest else MOST_SECONDS, kind)


@define
class Session:
    """One game between two players; `source` is the name or path that loads the game again."""

    source: str
    state: State
    players: tuple[Player, Player]
    seed: int = 0
    undone: list[str] = field(factory=list)
    resigned: str | None = None
    _random: Random = field(init=False)
    _known: dict[str, Personality] = field(factory=dict, init=False)
    _programs: dict[str, OutsidePlayer] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._random = Random(self.seed)

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.state.over or self.resigned is not None

    @property
    def player(self) -> Player:
        """Who decides now."""
        return self.players[person(self.state)]

    def verdict(self) -> str:
        """How the game ended, in a sentence."""
        if self.resigned is not None:
            other = next(p for p in self.state.game.players if p != self.resigned)
            return f"{other} wins: {self.resigned} resigned"
        return str(self.state.result)

    def play(self, text: str) -> None:
        """Play decisions or a whole turn; what was undone is forgotten."""
        self.state = self.state.play(text)
        self.undone.clear()

    def choose(self) -> str:
        """The decision of a player who is no human."""
        if self.player.kind == "outside":
            return self._program(self.player.name).choose(self.state, Clock(OUTSIDE_SECONDS)).move
        if self.player.kind == "random":
            return self._random.choice(self.state.moves())
        return self.hint(self.player.seconds)

    def meet(self) -> None:
        """Read the personalities of the players; raises what is wrong with them."""
        for player in self.players:
            if player.kind == "outside":
                self._program(player.name)
            else:
                self._personality(player.name)

    def _program(self, text: str) -> OutsidePlayer:
        """A program from outside, which is started when it is first asked for."""
        if text not in self._programs:
            program = outside_player(text)
            assert program is not None
            program.start(self.state.game, Allowed(seconds=OUTSIDE_SECONDS), self.seed)
            self._programs[text] = program
        return self._programs[text]

    def close(self) -> None:
        """End the programs that play."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()

    def _personality(self, name: str) -> Personality | None:
        if name and name not in self._known:
            self._known[name] = Personality.load(name, self.state.game)
        return self._known.get(name)

    def hint(self, seconds: float = 1.0) -> str:
        """What the player's own personality (without one, the computer) would play here."""
        outside = self.player.kind == "outside"
        own = None if outside else self._personality(self.player.name)
        if own is not None:
            return own.choose(self.state, self._random, seconds)
        seed = self.seed + len(self.state.decisions())
        return best(self.state, Limits(seconds=seconds), seed).move

    def why(self) -> tuple[Explanation, tuple[Judged, ...]]:
        """Why the last decision of a player who is no human was made; it comes first."""
        for state in reversed(self.state.states()):
            before = state.before
            player = self.players[person(before)] if before else None
            if player is not None and player.kind != "human":
                by = self._personality(player.name) if player.kind == "personality" else None
                who = player.name or player.kind
                found = explain_played(state, by or who, player.seconds, self.seed)
                return found, tuple(sorted(found.moves, key=lambda j: j.move != state.move))
        raise RulewrightError("nobody but a human has played yet; `hint` says what is good here")

    def undo(self, times: int = 1) -> int:
        """Take back *times* decisions of a human, and what followed them; returns how many."""
        done = 0
        humans = [p.kind == "human" for p in self.players]
        self.resigned = None
        while done < times and self.state.before is not None:
            self.undone.append(self.state.move)
            self.state = self.state.before
            done += not any(humans) or humans[person(self.state)]
        return done

    def redo(self, times: int = 1) -> int:
        """Play again what was taken back, up to the next decision of a human; returns how many."""
        done = 0
        while self.undone and (done < times or self.player.kind != "human"):
            done += self.player.kind == "human" or "human" not in {p.kind for p in self.players}
            self.state = self.state.play(self.undone.pop())
        return done

    def resign(self) -> None:
        """The player to move gives up."""
        self.resigned = self.state.mover

    # --- files ---

    def save(self, path: Path) -> None:
        """Write the game to *path* as JSON, whole or not at all."""
        record = {
            "format": 1,
            "game": self.source,
            "options": dict(self.state.game.options),
            "moves": " ".join(self.state.decisions()),
            "resigned": self.resigned,
        }
        self._keep_other_files(path)
        fresh = path.with_name(path.name + ".part")
        try:
            fresh.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
            fresh.replace(path)
        except OSError as error:
            raise RulewrightError(f"{path} cannot be written: {error.strerror}") from None

    @staticmethod
    def _keep_other_files(path: Path) -> None:
        """Refuse to write over anything but a saved game."""
        if path.exists():
            try:
                read_record(path)
            except RulewrightError:
                message = f"{path} is there already and is no saved game; choose another name"
                raise RulewrightError(message) from None

    def restore(self, path: Path) -> None:
        """Go on with the game saved in *path*; this one is left as it is if that fails."""
        source, state, resigned = read_record(path)
        if source != self.source:
            raise RulewrightError(f"{path} is a saved game of {source}, not of {self.source}")
        self.source, self.state, self.resigned = source, state, resigned
        self.undone.clear()


def read_record(path: Path) -> tuple[str, State, str | None]:
    """The game source, the state and who resigned, from a saved game."""
    try:
        record: Any = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RulewrightError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RulewrightError(f"{path} is no saved game: it is not JSON text") from None
    try:
        if record["format"] != 1:
            raise RulewrightError(f"{path} has the unknown format {record['format']!r}")
        source, moves, options = record["game"], record["moves"], dict(record["options"])
        game: Game = load_with(str(source), options)
        state = game.start()
        state = state.play(moves) if moves.strip() else state
    except (KeyError, TypeError, AttributeError, ValueError):
        raise RulewrightError(f"{path} is no saved game of rulewright") from None
    except MoveError as error:
        raise RulewrightError(f"{path}: {error}") from None
    resigned = record.get("resigned")
    return str(source), state, resigned if resigned in game.players else None
