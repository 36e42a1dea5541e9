"""A page's desk: the game on it, its players, its texts, and an answer to every request.

In: requests (`messages.py`).  Out: answers of the classes that belong to them, or a
`RulewrightError` whose text is for people.  Knows neither sockets nor pages, so that a server and a
worker in a browser run the same.  Long requests tell what is known so far, and ask whether they
shall end; they change the desk only when they end.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from secrets import token_hex
from threading import RLock

from attrs import define, evolve, field

from rulewright import __version__, budget
from rulewright.checks.reasons import why_not, why_not_clicked
from rulewright.disk import is_there, read_text
from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.files.catalog import PERSONALITY
from rulewright.files.games import by_name, load_with
from rulewright.files.kinds import files_of
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import Wanted, read_data, written
from rulewright.model.personality import RESERVED
from rulewright.play.game_table import fresh_seed
from rulewright.play.saved_games import DRAW, Autosave, SavedGame
from rulewright.play.seats import COMPUTER, HUMAN, SEARCH, Seat
from rulewright.play.session import resignation_text
from rulewright.players.lint import difference
from rulewright.players.lit import lit
from rulewright.players.personality import Personality, whole_text
from rulewright.players.player import claims_draw
from rulewright.printable import amount, plural, printable
from rulewright.protocols.recorded import Recorded
from rulewright.search.results import person
from rulewright.studio import answers as a
from rulewright.studio import messages as m
from rulewright.studio.drawing import Drawing
from rulewright.studio.folder import Folder, games_listed
from rulewright.studio.measuring import compared, contested, records, tuned
from rulewright.studio.studying import Studied, game_of, stoppable
from rulewright.studio.studying import compared as told_apart
from rulewright.studio.thinking import (
    Telling,
    curve,
    explained,
    factors,
    matched,
    personalities,
    refuse_endless,
    searched,
    whole_where_needed,
)
from rulewright.studio.tree import GameTree, TooSlow, TreePlace, refuse_slow, replayed, started
from rulewright.studio.writing import Writing

_GRACE = 1.0
"""Seconds beside its limit that an explanation may take to be written down."""
_SOON = 5.0
"""Seconds for what should be there at once."""
FIRST = "tictactoe"
"""The game that is shown where none is asked for."""


@define(eq=False)
class Desk:
    """What one page works on; `opened` is the game or file that the studio was started with."""

    folder: Folder = field(factory=Folder)
    opened: str = ""
    options: dict[str, str] = field(factory=dict)
    source: str = ""
    tree: GameTree = field(init=False)
    seats: tuple[Seat, Seat] = field(init=False)
    autosave: Autosave | None = None
    resigned: str | None = None
    seed: int = field(factory=fresh_seed)
    token: str = field(factory=partial(token_hex, 8), init=False)
    """What tells this desk from one that was begun in its place."""
    warning: str = ""
    writing: Writing = field(init=False)
    _prepared: Game | None = field(default=None, init=False)
    _changing: RLock = field(factory=RLock, init=False)
    """Held by whoever may change the desk: thoughts end beside other requests."""

    def __attrs_post_init__(self) -> None:
        name = self.opened or FIRST
        self.writing = Writing(self.folder)
        try:
            self._begin(name, started(self._path(name), self.options))
        except (TextError, TooSlow):  # there is a page to mend it
            self._begin(FIRST, started(FIRST, {}))
            self.warning = f"{name} has mistakes; see Author"

    # --- requests ---

    def answer(self, request: m.Request, telling: Telling) -> object:
        """The answer to a request; raises what is wrong, for people."""
        ask: Callable[..., object] = getattr(self, f"_{request.method}")
        if request.method in m.LONG | m.BEHIND:
            return ask(request.params, telling)
        with self._unless_refused():
            return ask(request.params)

    @contextmanager
    def _unless_refused(self) -> Iterator[None]:
        """Change the desk in this block, but for nothing where it raises."""
        with self._changing:
            tree, seats, seed = self.tree, self.seats, self.seed
            table = self.source, self.resigned, self.warning, self.autosave
            nodes, at, texts = len(tree.places), tree.at, self.writing.workspace.documents
            try:
                yield
            except BaseException:
                tree.cut(nodes, at)
                self.tree, self.seats, self.seed = tree, seats, seed
                self.source, self.resigned, self.warning, self.autosave = table
                self.writing.workspace.held_again(texts)
                raise
            for seat in seats:
                if seat not in self.seats:
                    seat.close()

    def _hello(self, _: m.Nothing) -> a.Greeting:
        folder = str(self.folder.path) if self.folder.path else None
        games, places = games_listed(self.folder)
        own = tuple(self.folder.rules())
        return a.Greeting(__version__, self.token, games, places, own, self.opened or None, folder)

    def _open(self, asked: m.OpenGame) -> a.Table:
        state = started(self._path(asked.game), asked.options)
        state = state.game.read(asked.position) if asked.position.strip() else state
        state = state.play(asked.moves) if asked.moves.strip() else state
        self._begin(asked.game, state, asked.players)
        return self._shown()

    def _table(self, _: m.Nothing) -> a.Table:
        return self._shown()

    def _play(self, asked: m.Play) -> a.Table:
        if self.resigned is not None:
            raise RulewrightError(f"{self._verdict()}; go back to play on")
        if asked.at is not None:
            self.tree.goto(asked.at)
        self.tree.play(asked.text, asked.by)
        return self._kept()

    def _goto(self, asked: m.GoTo) -> a.Table:
        self.tree.goto(asked.node)
        self.resigned = None
        return self._kept()

    def _resign(self, _: m.Nothing) -> a.Table:
        if not self.tree.state.over:
            self.resigned = self.tree.state.mover
        return self._kept()

    def _claim_draw(self, _: m.Nothing) -> a.Table:
        if self.resigned is not None or not self.tree.state.claimable:
            raise RulewrightError("no draw may be claimed here")
        self.resigned = DRAW
        return self._kept()

    def _sit(self, asked: m.Sit) -> a.Table:
        if asked.chair not in (0, 1):
            raise RulewrightError("the chairs are 0 and 1")
        self._refuse_outsiders(asked.player, self.tree.state.game)
        seat = Seat.of(asked.player, self.tree.state.game)
        self.seats = (seat, self.seats[1]) if asked.chair == 0 else (self.seats[0], seat)
        return self._shown()

    def _why_not(self, asked: m.Ask) -> a.Reason:
        state = self.tree.state
        self._refuse_no_sites(*asked.sites)
        reason = why_not_clicked(state, asked.sites) if asked.sites else why_not(state, asked.text)
        names = state.game.rules.board.by_name
        named = [names[value] for _, value in reason.values if value in names]
        return a.Reason(printable(str(reason)), tuple(named))

    def _why(self, asked: m.Ask) -> a.Reason:
        return self._why_not(asked)

    def _patterns(self, asked: m.Match) -> a.Matched:
        return matched(self.tree.state, asked.file)

    def _pattern(self, asked: m.LookAt) -> a.PatternShown:
        return self._drawing(asked).shown()

    def _draw(self, asked: m.Draw) -> list[a.Edit]:
        return self._drawing(asked).edits(asked.word, asked.site, asked.other)

    def _drawing(self, asked: m.LookAt | m.Draw) -> Drawing:
        path = self.folder.find(asked.path)
        return Drawing(
            self.tree.state, path.name, path.parent, asked.text, asked.offset, asked.at,
            asked.frame,
        )  # fmt: skip

    def _personalities(self, _: m.Nothing) -> list[a.PersonalityShown]:
        return list(personalities(self.tree.state.game))

    def _factors(self, asked: m.Whose) -> list[a.FactorShown]:
        return factors(self._personality(asked.personality))

    def _lit(self, asked: m.LightUp) -> a.Lit:
        changed = self._changed(asked.personality, asked.factors)
        with budget.within_seconds(_SOON, _GRACE, "finding the sites"):
            found = lit(self.tree.state, changed, asked.value, asked.line, asked.name)
        return a.Lit(found.state.scene.as_json(), found.sites)

    def _files(self, _: m.Nothing) -> list[a.FileShown]:
        return list(self.folder.files(self.tree.state.game.name))

    def _read(self, asked: m.File) -> a.FileText:
        return self.folder.read(asked.path)

    def _write(self, asked: m.Write) -> a.FileText:
        return self.folder.write(asked.path, asked.text, asked.digest)

    def _texts(self, _: m.Nothing) -> a.Archive:
        return a.Archive("rulewright.zip", b64encode(self.folder.archive()).decode())

    def _check(self, asked: m.Text) -> a.Checked:
        return self.writing.look(asked)

    def _hover(self, asked: m.Spot) -> a.Meaning:
        return self.writing.hover(asked)

    def _complete(self, asked: m.Spot) -> a.Completions:
        return self.writing.complete(asked)

    def _define(self, asked: m.Spot) -> list[a.Where]:
        return self.writing.define(asked)

    def _format(self, asked: m.Text) -> list[a.Edit]:
        return self.writing.format(asked)

    def _follow(self, asked: m.Follow) -> a.Table:
        """Play on by the text of a rules file, as far as the game is legal there."""
        path = self.folder.find(asked.path)
        if path.suffix != ".rules":
            raise RulewrightError("the board follows rules")
        same, anew = path == self._file(self.source), asked.moves is not None
        state = self.tree.state
        options = asked.options if anew else state.game.options if same else {}
        game = game_of(path, asked.text, options)
        refuse_slow(game)
        moves = (asked.moves or "").split() if anew else state.decisions() if same else []
        state, left = replayed(game, moves)
        players = (self.seats[0].text, self.seats[1].text)
        self._begin(asked.path, state, players)
        if left:
            told = f"{amount(left, 'decision')} of the game {plural(left, 'is', 'are')}"
            self.warning = f"{told} not legal any more"
        return self._shown()

    def _rename(self, asked: m.Rename) -> a.Renamed:
        return self.writing.rename(asked)

    def _claim(self, asked: m.AddClaims) -> list[a.Edit]:
        return self.writing.claim(asked)

    def _read_game(self, asked: m.ReadGame) -> a.Table:
        data = asked.text.encode("utf-8", "surrogatepass")
        name = Path(Path(asked.name).name)
        try:
            found = read_data(name, data, Wanted())
        except RulewrightError:  # a file that does not say which game it is of
            found = read_data(name, data, Wanted(self._path(self.source)))
        self._begin(self._name(found.source), found.end)
        return self._kept()

    def _records(self, asked: m.ReadRecords) -> a.Records:
        return records(asked, self._source)

    def _source(self, game: str) -> str:
        """What the page calls the game of a record; as the record does, where it may not see it."""
        if by_name(game) or not is_there(game):
            return game
        return self.folder.name(Path(game).resolve()) or game

    def _write_game(self, asked: m.WriteGame) -> a.GameText:
        name = f"{self.tree.state.game.name}.{asked.form}"
        return a.GameText(
            name, written(Path(name), Recorded(self._path(self.source), self.tree.state)).decode()
        )

    def _save_personality(self, asked: m.SavePersonality) -> a.FileShown:
        changed = self._changed(asked.personality, asked.factors)
        own = PurePosixPath("" if by_name(self.source) else self.source)
        path = str(own.parent / f"{asked.name}.personality")  # beside rules of one's own
        self.folder.write(path, whole_text(changed.model, asked.name), "")
        return a.FileShown(path, "personality")

    def _stop(self, _: m.Stop) -> a.Done:
        return a.Done()

    # --- what may take seconds ---

    def _think(self, asked: m.Think, telling: Telling) -> a.Table:
        """Let whoever is to move decide, and play that, unless the page has gone on meanwhile."""
        tree, at = self.tree, self.tree.at
        state, seat = tree.state, self._seat()
        if state.over or self.resigned is not None:
            raise RulewrightError("the game is over")
        if asked.seconds is not None:
            refuse_endless(asked.seconds)
        decision = seat.decide(state, self.seed, asked.seconds)
        with self._unless_refused():
            if telling.ended() or self.tree is not tree or tree.at != at:
                return self._shown()
            if claims_draw(state, decision):
                return self._claim_draw(m.Nothing())
            tree.play(decision.move, seat.text)
            return self._kept()

    def _search(self, asked: m.Search, telling: Telling) -> a.Found:
        return searched(self.tree.state, asked.seconds, telling)

    def _explain(self, asked: m.Explain, _: Telling) -> a.Explained:
        changed = self._changed(asked.personality, asked.factors)
        refuse_endless(asked.seconds)
        with budget.within_seconds(asked.seconds, _GRACE, "explaining"):
            return explained(self.tree.state, changed, self.seed)

    def _versus(self, asked: m.Against, telling: Telling) -> a.Versus:
        changed = self._changed(asked.personality, asked.factors)
        other = self._personality(asked.other)
        with stoppable(asked.seconds, "comparing", telling):
            found = difference(self.tree.state, changed, other, self.seed)
        return a.Versus(found.first, found.second, found.factors)

    def _curve(self, asked: m.Curve, telling: Telling) -> list[a.JudgedNode]:
        places = self.tree.places
        line = [(number, places[number].state) for number in self.tree.path()]
        return curve(line, asked.seconds, telling)

    def _compare(self, asked: m.Compare, telling: Telling) -> a.Measured:
        game = self.tree.state.game
        for player in (asked.first, asked.second):
            self._refuse_outsiders(player, game)
        return compared(self._path(self.source), game.options, asked, telling)

    def _tournament(self, asked: m.Tournament, telling: Telling) -> a.Measured:
        game = self.tree.state.game
        for player in asked.players:
            self._refuse_outsiders(player, game)
        return contested(self._path(self.source), game.options, asked, telling)

    def _tune(self, asked: m.Tune, telling: Telling) -> a.Tuned:
        game = self.tree.state.game
        self._personality(asked.personality)
        for player in asked.opponents:
            self._refuse_outsiders(player, game)
        return tuned(self._path(self.source), game.options, asked, telling)

    def _study(self, asked: m.FindOut, telling: Telling) -> a.Study:
        path = self.folder.find(asked.path)
        return Studied(path, asked.text, asked.seconds, telling).study(asked.what)

    def _diff(self, asked: m.Diff, telling: Telling) -> a.Differed:
        path = self.folder.find(asked.path)
        first = game_of(path, asked.text, asked.options)
        name = asked.against or path.name
        if asked.other is not None:
            second = game_of(path, asked.other, asked.options)
        elif asked.against:
            second = load_with(self._path(asked.against), dict(asked.options))
        else:
            second = game_of(path, read_text(path), asked.options)
        names = ("as you have it", name if asked.against else "as it is saved")
        return told_apart((first, second), names, asked.moves, asked.seconds, telling)

    # --- the desk ---

    def _file(self, name: str) -> Path:
        """The rules file of a game on the desk."""
        return by_name(name) or self.folder.find(name)

    def _path(self, name: str) -> str:
        """What loads a game that the page names: one with a name, or a file that it may see."""
        return name if by_name(name) else str(self.folder.find(name))

    def _name(self, source: str) -> str:
        """What the page calls a game that a file names; refuses what the page may not see."""
        if by_name(source):
            return source
        return self.folder.name(Path(source).resolve()) or self.folder.find(source).name

    def _personality(self, name: str) -> Personality:
        """A personality of the game, by its name alone: a page names no other files."""
        game = self.tree.state.game
        if name not in files_of(PERSONALITY, game):
            raise RulewrightError(f"{game.name} has no personality `{name}`")
        return Personality.load(name, game)

    def _changed(self, name: str, factors: dict[str, float]) -> Personality:
        """A personality with other values of some factors."""
        known = self._personality(name)
        return known.with_factors(**whole_where_needed(known, factors))

    def _refuse_no_sites(self, *sites: int | None) -> None:
        there = self.tree.state.game.rules.board.sites
        for site in sites:
            if site is not None and not (site >= 0 and there >> site & 1):
                raise RulewrightError(f"there is no site {site} on this board")

    def _refuse_outsiders(self, player: str, game: Game) -> None:
        """A page starts no programs, and names no files."""
        who = player.removeprefix(f"{HUMAN}:").partition("@")[0]
        known = {HUMAN, COMPUTER, SEARCH, *RESERVED, *files_of(PERSONALITY, game)}
        if who.partition(":")[0] not in known:
            raise RulewrightError(f"nobody called `{player}` plays {game.name} here")

    def _begin(self, source: str, state: State, players: tuple[str, str] = (HUMAN, HUMAN)) -> None:
        """Put a game on the desk."""
        for text in players:
            self._refuse_outsiders(text, state.game)
        first, second = (Seat.of(text, state.game) for text in players)
        self.tree = GameTree.of(state)
        self.seats = (first, second)
        self.source, self.resigned, self.warning = source, None, ""
        self.autosave = None

    def _seat(self) -> Seat:
        return self.seats[person(self.tree.state)]

    def _kept(self) -> a.Table:
        """The table, once the game is kept; where that fails the page is told."""
        if self.autosave is None:
            self.autosave = Autosave.fresh(self.source)
        players = (self.seats[0].text, self.seats[1].text)
        saved = SavedGame(
            self._path(self.source), self.tree.state, self.resigned, players, self.seed
        )
        shown = self._shown()  # what cannot be shown is not kept
        self.autosave.write(saved)
        self.warning = self.autosave.failed
        return evolve(shown, warning=self.warning)

    def _shown(self) -> a.Table:
        state, game = self.tree.state, self.tree.state.game
        over = state.over or self.resigned is not None
        return a.Table(
            game.name, self.source,
            tuple(a.Option(name, value) for name, value in game.options.items()),
            state.scene.as_json(), tuple(_node(place, self.tree) for place in self.tree.places[1:]),
            self.tree.at, (self._chair(0), self._chair(1)), not over and not self._seat().human,
            over, self._verdict(), str(self.folder.path or ""), self.warning,
            state.claimable and not over,
        )  # fmt: skip

    def _chair(self, number: int) -> a.Chair:
        seat, state = self.seats[number], self.tree.state
        colour = state.game.players[number ^ state.swapped]
        return a.Chair(seat.text, seat.called, seat.human, colour)

    def _verdict(self) -> str:
        state = self.tree.state
        if self.resigned is not None:
            return resignation_text(state.game.players, self.resigned)
        return state.result.description if state.result else ""

    def prepare(self) -> None:
        """Compile what plays the game on the desk, before a click would have to wait for that.

        A decision is played, as the first one takes longer than all that follow.
        """
        state = self.tree.state
        if state.game.compiles and not state.over and self._prepared is not state.game:
            from rulewright.engine.kernels import machine_of  # with it comes LLVM

            self._prepared = state.game
            machine_of(state.game)
            with suppress(RulewrightError):  # whoever plays it is told what is wrong with it
                state.play_decision(state.moves.texts[0]).scene.as_json()

    def close(self) -> None:
        """End the programs that play."""
        for seat in self.seats:
            seat.close()


def _node(place: TreePlace, tree: GameTree) -> a.Node:
    """A decision, with the turn that it belongs to."""
    assert place.parent is not None
    before = tree.places[place.parent].state
    return a.Node(
        place.number, place.parent, place.state.move, before.ply, str(before.mover), place.by
    )
