"""The tree of a game: all decisions played, with branches, and the node that the page shows.

In: names of games, states and decisions.  Out: nodes with numbers, the path from the root.  A
decision that was played before leads to its node.  Where `-` is the only decision, it is played
automatically.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock

from attrs import define, field, frozen

from rulewright.app.studio import answers as a
from rulewright.app.studio.findings import Findings
from rulewright.app.studio.written_moves import WrittenAnswers
from rulewright.checks.sampling import waiting
from rulewright.errors import MoveError, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import throw
from rulewright.games.files.catalog import LOOK
from rulewright.games.files.dresser import LookPreview
from rulewright.games.files.games import find, is_bundled, load_with
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.games.render.scene import Scene
from rulewright.ground.disk import read_source, state_of
from rulewright.model.expressions import Value
from rulewright.model.rules import CHANCE, OptionValue
from rulewright.reference.decisions import NONE

MOST = 20_000
"""Nodes of a game at most."""
_TRIED = 2
"""Positions that are tried while a text is typed."""
_MOST_TREES = 128
"""Games whose first state is cached, with what was compiled for them: more than are bundled."""
_ONE_EACH: defaultdict[object, Lock] = defaultdict(Lock)
"""Held while a game is loaded, so that two pages load it once."""


class TooSlow(RulewrightError):
    """Raised for rules that would keep a page waiting."""


def start_state(name: str, options: Mapping[str, str]) -> State:
    """The first state of a game; the same texts with the same options give the same state.

    Raises `RulewrightError` with the mistakes of the game.
    """
    path = find(name)
    changes = _changed_options(path, options) if is_bundled(path) else options
    looks = tuple((look.name, state_of(str(look))) for look in path.parent.glob("*.look"))
    key = path, (read_source(path), *sorted(looks)), tuple(sorted(changes.items()))
    with _ONE_EACH[key]:  # who asks for another game does not wait for this one
        return _start_state(*key)


def _changed_options(path: Path, options: Mapping[str, str]) -> dict[str, str]:
    """The options that differ from their defaults: a page sends all of them."""
    usual = load_with(path, {}).rules.options if options else ()
    defaults = {option.name: typed_value(option.default) for option in usual}
    return {name: value for name, value in options.items() if value != defaults.get(name)}


def typed_value(value: object) -> str:
    """Write the value of an option as it is typed."""
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


@lru_cache(_MOST_TREES)
def _start_state(path: Path, _: tuple[object, ...], options: tuple[tuple[str, str], ...]) -> State:
    game = load_with(path, dict(options))
    if not is_bundled(path):
        refuse_slow(game)
    return game.start()


def refuse_slow(game: Game) -> None:
    """Refuse rules whose first positions would keep a page waiting, as `check` does."""
    for diagnostic in waiting(game, most=_TRIED):
        if diagnostic.severity == "error":
            raise TooSlow(f"{diagnostic.message}; {diagnostic.hint}")


def compile_kernels(state: State) -> None:
    """Compile what decisions need, and play one: the first takes longer than all that follow."""
    if state.game.compiles and not state.over:
        from rulewright.games.engine.kernels import machine_of  # with it comes LLVM

        machine_of(state.game)
        with suppress(RulewrightError):  # playing the decision again reports the error
            state.play_decision(state.moves.texts[0]).scene.as_json()


def replay(game: Game, decisions: Sequence[str]) -> tuple[State, int]:
    """Play decisions as far as they are legal; returns the state, and how many are left."""
    state = game.start()
    for count, move in enumerate(decisions):
        try:
            state = state.play_decision(move)
        except MoveError:
            return state, len(decisions) - count
    return state, 0


@frozen(eq=False)
class TreePlace:
    """A node: the state, the parent node, and the player who decided, as a chair's text.

    `shown` is the decision in standard notation, empty where the game has none.
    """

    number: int
    state: State
    parent: int | None
    by: str = ""
    shown: str = ""


@define(eq=False)
class GameTree:
    """The tree of a game; `at` is the node that is shown, `end` the one where the game stands."""

    places: list[TreePlace] = field(factory=list)
    at: int = 0
    end: int = 0
    look_preview: LookPreview | None = None
    """The look that is tried on the game while its text is written."""
    worn: tuple[Path, str] | None = None
    """The file and the text of that look."""
    seed: int = 0
    """Of what chance decides."""
    findings: Findings = field(factory=Findings)
    """What searches have said of its positions."""
    _after: dict[tuple[int, str], int] = field(factory=dict)

    @classmethod
    def of(cls, end: State, worn: tuple[Path, str] | None = None, seed: int = 0) -> GameTree:
        """The tree of the one line that led to a state, in the look that is tried, if it fits."""
        first, *rest = end.states()
        findings = Findings(WrittenAnswers.of(first.game))
        tree = cls([TreePlace(0, first, None)], seed=seed, findings=findings)
        for state in rest:
            tree._add(state, "")
        tree._play_forced()
        if worn is not None:
            with suppress(RulewrightError):  # another game, or a board too small for what it says
                tree.wear(*worn)
        return tree

    @property
    def state(self) -> State:
        """The state of the node that is shown."""
        return self.places[self.at].state

    @property
    def scene(self) -> Scene:
        """The scene of the node that is shown."""
        return self.look_preview.scene(self.state) if self.look_preview else self.state.scene

    @property
    def options(self) -> dict[str, Value]:
        """The options of the game that were set; the others are as its text says."""
        return {o.name: o.value for o in self.state.game.rules.options if o.value != o.default}

    def wear(self, path: Path, text: str) -> None:
        """Draw the game as the text of a look says, without its lines that have mistakes."""
        game, data = self.state.game, text.encode("utf-8", "surrogatepass")
        if not LOOK.of(game, text):
            raise RulewrightError(f"the board shows {game.name}; this look is for another game")
        report = check_file(LOOK, path.name, data, FileContext(game, path.parent, tries=False))
        self.look_preview, self.worn = LookPreview.of(report.loaded(), game), (path, text)

    def play(self, text: str, by: str = "") -> None:
        """Play decisions, or a whole turn."""
        before = len(self.state.states())
        for state in self.state.play(text).states()[before:]:
            self._add(state, by)
        self._play_forced()

    def goto(self, number: int) -> None:
        """Show another node; the game stands where it stood."""
        if not 0 <= number < len(self.places):
            raise RulewrightError(f"there is no node {number} in this game")
        self.at = number

    def play_on(self) -> None:
        """Let the game stand at the node that is shown."""
        self.end = self.at

    def cut(self, nodes: int, at: int, end: int) -> None:
        """Drop all but the first *nodes*; show node *at*, the game stands at *end*."""
        del self.places[nodes:]
        self._after = {way: number for way, number in self._after.items() if number < nodes}
        self.at, self.end = at, end

    def whole_path(self) -> list[int]:
        """The nodes from the root to the end of the game, if the shown one is on the way there."""
        way = self._path(self.end)
        return way if self.at in way else self.path()

    @property
    def last_state(self) -> State:
        """The last state of the game, as `whole_path` reaches it."""
        return self.places[self.whole_path()[-1]].state

    def path(self) -> list[int]:
        """The numbers of the nodes from the root to the shown one."""
        return self._path(self.at)

    def _path(self, end: int) -> list[int]:
        way = [end]
        while (parent := self.places[way[-1]].parent) is not None:
            way.append(parent)
        return way[::-1]

    def _add(self, state: State, by: str) -> None:
        number = self._after.get((self.at, state.move))
        if number is None:
            if len(self.places) >= MOST:
                raise RulewrightError(f"a game has {MOST:,} nodes at most")
            number = len(self.places)
            shown = self.findings.notation.move(self.state, state)
            self.places.append(TreePlace(number, state, self.at, by, shown))
            self._after[self.at, state.move] = number
        self.at = self.end = number

    def _play_forced(self) -> None:
        """Play what no player decides: `none` where it is the only decision, and chance."""
        while not self.state.over:
            if self.state.by_chance:
                self._add(self.state.play_decision(throw(self.state, self.seed)), CHANCE)
            elif self.state.moves.texts == [NONE]:
                self._add(self.state.play_decision(NONE), "")
            else:
                return


def option_of(option: OptionValue, game: Game) -> a.Option:
    """An option of the rules as the page has it."""
    value, about = game.options[option.name], game.rules.origins[option.origin].about
    return a.Option(option.name, value, option.low, option.high, about)


def node_of(place: TreePlace, tree: GameTree) -> a.Node:
    """A decision of the tree as the page has it."""
    assert place.parent is not None
    before = tree.places[place.parent].state
    return a.Node(
        place.number, place.parent, place.state.move, before.ply, str(before.mover), place.by,
        place.shown,
    )  # fmt: skip
