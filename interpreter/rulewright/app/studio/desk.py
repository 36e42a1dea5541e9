"""The desk of a page: a game, its players and texts, and an answer to every request.

In: requests (`messages.py`).  Out: answers of the classes that belong to them, or a
`RulewrightError` whose text is for people.  Knows neither sockets nor pages, so that a server and a
worker in a browser use the same desk.  Long requests report progress, and ask whether to stop; they
change the desk only when they end.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from secrets import token_hex
from threading import Event, Lock, RLock

from attrs import define, evolve, field

from rulewright import __version__
from rulewright.app.play.game_table import fresh_seed
from rulewright.app.play.saved_games import Autosave, SavedGame
from rulewright.app.play.seats import HUMAN, Seat, seats_of
from rulewright.app.play.session import resignation_text
from rulewright.app.studio import answers as a
from rulewright.app.studio import menu
from rulewright.app.studio import messages as m
from rulewright.app.studio import results as r
from rulewright.app.studio.analysing import (
    best_moves,
    explain_parting,
    explain_state,
    prepare_players,
    remember_decision,
)
from rulewright.app.studio.drawing import Drawing
from rulewright.app.studio.folder import Folder, games_listed, headings_of
from rulewright.app.studio.gallery import CARDS, card, introduction_of
from rulewright.app.studio.judging import curve
from rulewright.app.studio.levels import levels_offered
from rulewright.app.studio.measuring import play_match, play_tournament, records, tune_factors
from rulewright.app.studio.parcels import parcel_of
from rulewright.app.studio.secrecy import Secrecy
from rulewright.app.studio.studying import game_of, stoppable
from rulewright.app.studio.thinking import (
    Telling,
    factors,
    in_turn,
    match_patterns,
    personalities,
    personality_of,
    refuse_endless,
    refuse_no_sites,
    refuse_outsiders,
    tell_thoughts,
    whole_where_needed,
)
from rulewright.app.studio.tree import (
    GameTree,
    TooSlow,
    compile_kernels,
    option_of,
    refuse_slow,
    replay,
    start_state,
)
from rulewright.app.studio.uploads import hidden_parts, uploaded_game
from rulewright.app.studio.writing import Writing
from rulewright.checks.reasons import why_not, why_not_clicked
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import by_name
from rulewright.ground import budget
from rulewright.ground.printable import amount, plural, printable
from rulewright.language.diagnostics import TextError
from rulewright.matches.game_files import FileHints, game_bytes
from rulewright.matches.protocols.recorded import Recorded
from rulewright.matches.protocols.saved_game import DRAW
from rulewright.players.builtin import WarmUp, own_queue
from rulewright.players.personality import Personality, whole_text
from rulewright.players.player import claims_draw
from rulewright.players.term_sites import lit_sites
from rulewright.search.results import person

_SOON = 5.0
"""Seconds for finding the sites of a number."""
_NAMING = ("txt", "json")
"""Formats that name the rules by their file, which is looked for beside the record."""
FIRST = "tictactoe"
"""The game that is shown by default."""


@define(eq=False)
class Desk:
    """The desk of a page; `opened` is the game or file that the studio was started with."""

    folder: Folder = field(factory=Folder)
    opened: str = ""
    options: dict[str, str] = field(factory=dict)
    source: str = ""
    tree: GameTree = field(init=False)
    seats: tuple[Seat, ...] = field(init=False)
    """Who sits on each chair: a chair for everybody who decides."""
    holder: int = 0
    """The chair of the person at the screen, in a game with secrets between people."""
    autosave: Autosave | None = None
    resigned: str | None = None
    late: bool = False
    """Whether who has resigned had no time left."""
    seed: int = field(factory=fresh_seed)
    token: str = field(factory=partial(token_hex, 8), init=False)
    """Identifies this desk: another one that is begun in its place has another token."""
    warning: str = ""
    writing: Writing = field(init=False)
    _prepared: Game | None = field(default=None, init=False)
    _changing: RLock = field(factory=RLock, init=False)
    """Held while a request changes the desk: long ones end while others run."""
    _searching: Lock = field(factory=Lock, init=False)
    """Held by the long request that runs: it is told to end when the next one comes and waits."""
    _soon: Event = field(factory=Event, init=False)
    """Set where the player that thinks is to decide by what it has found."""
    _warming: WarmUp = field(factory=partial(WarmUp, 1.0), init=False)
    """Gets the players of this desk ready: a second at most is added to what they think."""

    def __attrs_post_init__(self) -> None:
        name = self.opened or FIRST
        self.writing = Writing(self.folder)
        try:
            self._begin(name, start_state(self.folder.game_path(name), self.options))
        except (TextError, TooSlow):  # the page is where its author mends it
            self._begin(FIRST, start_state(FIRST, {}))
            self.warning = f"{name} has mistakes; see Author"

    # --- requests ---

    def answer(self, request: m.Request, telling: Telling) -> object:
        """Answer a request; raises `RulewrightError` with a message for people."""
        handle = self.handler(request.method)
        self._secrecy().check(request)
        if request.method in m.LONG:
            with in_turn(self._searching, telling), own_queue(self._warming):
                return handle(request.params, telling)
        if request.method in m.BEHIND:
            return handle(request.params, telling)
        with self._unless_refused():
            return handle(request.params)

    def handler(self, method: str) -> Callable[..., object]:
        """The function that answers a method: of the desk, else of its editor."""
        own: Callable[..., object] | None = getattr(self, f"_{method}", None)
        return own or getattr(self.writing, method)

    @contextmanager
    def _unless_refused(self) -> Iterator[None]:
        """A block that changes the desk; if it raises, the desk is as before."""
        with self._changing:
            tree, seats, seed = self.tree, self.seats, self.seed
            table = self.source, self.resigned, self.late, self.warning, self.autosave
            nodes, shown = len(tree.places), (tree.at, tree.end)
            texts = self.writing.workspace.documents
            try:
                yield
            except BaseException:
                tree.cut(nodes, *shown)
                self.tree, self.seats, self.seed = tree, seats, seed
                self.source, self.resigned, self.late, self.warning, self.autosave = table
                self.writing.workspace.restore(texts)
                raise
            for seat in seats:
                if seat not in self.seats:
                    seat.close()

    def _hello(self, _: m.Nothing) -> menu.Greeting:
        folder = str(self.folder.path) if self.folder.path else None
        games, places = games_listed(self.folder)
        own = headings_of(games), places, tuple(self.folder.rules()), self.opened or None, folder
        return menu.Greeting(__version__, self.token, games, *own, levels_offered())

    def _gallery(self, params: m.Gallery) -> list[menu.GameCard]:
        return [card(name, self.folder) for name in params.games[:CARDS]]

    def _learn(self, params: m.Learn) -> menu.Introduced:
        return introduction_of(params.game, self.folder)

    def _open(self, params: m.OpenGame) -> a.Table:
        state = start_state(self.folder.game_path(params.game), params.options)
        state = state.game.read(params.position) if params.position.strip() else state
        state = state.play(params.moves) if params.moves.strip() else state
        self._begin(params.game, state, params.players)
        return self._snapshot()

    def _table(self, _: m.Nothing) -> a.Table:
        return self._snapshot()

    def _play(self, params: m.Play) -> a.Table:
        if params.at is not None and not self._secrecy().holds:
            self.tree.goto(params.at)
        if self._given_up() is not None:
            raise RulewrightError(f"{self._verdict()}; go back to play on")
        self.tree.play(params.text, params.by)
        self.resigned = None
        return self._save_table()

    def _goto(self, params: m.GoTo) -> a.Table:
        self.tree.goto(params.node)
        return self._snapshot()

    def _play_on(self, _: m.Nothing) -> a.Table:
        """Go on from the node that is shown, also where somebody has resigned there."""
        self.tree.play_on()
        self.resigned = None
        return self._save_table()

    def _resign(self, params: m.Resign) -> a.Table:
        self._refuse_looking()
        if not self.tree.state.over:
            self.resigned, self.late = self.tree.state.mover, params.late
        return self._save_table()

    def _claim_draw(self, _: m.Nothing) -> a.Table:
        self._refuse_looking()
        if self.resigned is not None or not self.tree.state.claimable:
            raise RulewrightError("no draw may be claimed here")
        self.resigned = DRAW
        return self._save_table()

    def _refuse_looking(self) -> None:
        """Refuse to end a game while another position of it is shown."""
        if self.tree.at != self.tree.end:
            raise RulewrightError("an earlier position is shown; go back, or play on from here")

    def _given_up(self) -> str | None:
        """Who has given up where the shown position is the game's, `DRAW` where it was claimed."""
        return self.resigned if self.tree.at == self.tree.end else None

    def _sit(self, params: m.Sit) -> a.Table:
        if not 0 <= params.chair < len(self.seats):
            raise RulewrightError(f"the chairs are 0 to {len(self.seats) - 1}")
        refuse_outsiders(self.tree.state.game, params.player)
        seat = Seat.of(params.player, self.tree.state.game)
        self._secrecy().check_seat(self.seats[params.chair], seat)
        self.seats = (*self.seats[: params.chair], seat, *self.seats[params.chair + 1 :])
        return self._snapshot()

    def _hand_over(self, _: m.Nothing) -> a.Table:
        """Show the part of the person who is to move, who has the screen now."""
        self.holder = person(self.tree.state)
        return self._snapshot()

    def _why_not(self, params: m.Ask) -> a.Reason:
        state = self.tree.state
        refuse_no_sites(state, *params.sites)
        sites, names = params.sites, state.game.rules.board.by_name
        reason = why_not_clicked(state, sites) if sites else why_not(state, params.text)
        sites_named = [names[value] for _, value in reason.values if value in names]
        return a.Reason(printable(str(reason)), tuple(sites_named), printable(reason.sentence))

    _why = _why_not

    def _patterns(self, params: m.Match) -> a.Matched:
        return match_patterns(self.tree.state, params.file)

    def _pattern(self, params: m.LookAt) -> a.PatternShown:
        return self._drawing(params).view()

    def _draw(self, params: m.EditPattern) -> list[a.Edit]:
        return self._drawing(params).edits(params.word, params.site, params.other)

    def _drawing(self, params: m.LookAt | m.EditPattern) -> Drawing:
        path = self.folder.find(params.path)
        return Drawing(
            self.tree.state, path.name, path.parent, params.text, params.offset, params.at,
            params.frame,
        )  # fmt: skip

    def _personalities(self, _: m.Nothing) -> list[a.PersonalityShown]:
        return list(personalities(self.tree.state.game))

    def _factors(self, params: m.OfPersonality) -> list[a.FactorShown]:
        return factors(personality_of(self.tree.state.game, params.personality))

    def _lit(self, params: m.LightUp) -> a.Lit:
        personality = self._with_factors(params.personality, params.factors)
        with budget.within_seconds(_SOON, 1.0, "finding the sites"):
            sites = lit_sites(self.tree.state, personality, params.value, params.line, params.name)
        return a.Lit(sites.state.scene.as_json(), sites.sites)

    def _files(self, _: m.Nothing) -> list[a.FileShown]:
        return list(self.folder.files(self.tree.state.game.name))

    def _texts(self, _: m.Nothing) -> a.Archive:
        packed = self.folder.archive(self.source if by_name(self.source) else "")
        return a.Archive("rulewright.zip", b64encode(packed).decode())

    def _follow(self, params: m.Follow) -> a.Table:
        """Play on by the text of rules, as far as the game is legal there; draw it by a look's."""
        path = self.folder.find(params.path)
        if path.suffix == ".look":
            self.tree.wear(path, params.text)
            return self._snapshot()
        if path.suffix != ".rules":
            raise RulewrightError("the board follows rules and looks")
        same, new = path == self.folder.rules_path(self.source), params.moves is not None
        options = params.options if new else self.tree.options if same else {}
        game = game_of(path, params.text, options)
        refuse_slow(game)
        moves = (params.moves or "").split() if new else self.tree.state.decisions() if same else []
        state, unplayed = replay(game, moves)
        players = params.players or tuple(seat.text for seat in self.seats)
        self._begin(self.source if same else params.path, state, players)
        if unplayed:
            message = f"{amount(unplayed, 'decision')} of the game {plural(unplayed, 'is', 'are')}"
            self.warning = f"{message} not legal any more"
        return self._snapshot()

    def _read_game(self, params: m.ReadGame) -> a.Table:
        hints = FileHints(self.folder.game_path(self.source))
        recorded = uploaded_game(params, hints, self.folder)
        self._begin(self.folder.game_name(recorded.source), recorded.end)
        table = self._save_table()
        self.warning = self.warning or hidden_parts(recorded)
        return evolve(table, warning=self.warning)

    def _records(self, params: m.ReadRecords) -> r.Records:
        return records(params, self.folder.name_in_record)

    def _write_game(self, params: m.WriteGame) -> a.GameText:
        name = f"{self.tree.state.game.name}.{params.form}"
        path = self.folder.game_path(self.source)
        source = Path(path).name if params.form in _NAMING else path
        recorded = Recorded(source, self.tree.last_state)
        return a.GameText(name, game_bytes(Path(name), recorded).decode())

    def _parcel(self, params: m.MakeParcel) -> a.Parcel:
        return parcel_of(self.folder, self.source, self.tree.last_state, params.text)

    def _save_personality(self, params: m.SavePersonality) -> a.FileShown:
        personality = self._with_factors(params.personality, params.factors)
        own = PurePosixPath("" if by_name(self.source) else self.source)
        path = str(own.parent / f"{params.name}.personality")  # beside the user's own rules
        self.folder.write(path, whole_text(personality.model, params.name), "")
        return a.FileShown(path, "personality")

    def _stop(self, _: m.Stop) -> a.Done:
        return a.Done()

    # --- requests that may take seconds: the desk may change as soon as they have begun ---

    def _think(self, params: m.Think, telling: Telling) -> a.Table:
        """Let the player to move decide, and play that, unless the page has gone on meanwhile."""
        with self._changing:
            tree, at = self.tree, self.tree.at
            state, seat = tree.state, self._seat()
            if state.over or self._given_up() is not None:
                raise RulewrightError("the game is over")
        if params.seconds is not None:
            refuse_endless(params.seconds)
        self._soon.clear()
        with tell_thoughts(seat, telling, self._soon, partial(tree.findings.notation.line, state)):
            decision = seat.decide(state, self.seed, params.seconds)
        remember_decision(tree.findings, state, seat, decision)
        with self._unless_refused():
            if (self.tree, tree.at) != (tree, at) or seat not in self.seats:
                return self._snapshot()
            if telling.ended():
                raise RulewrightError("thinking was stopped")
            tree.play_on()
            if claims_draw(state, decision):
                return self._claim_draw(m.Nothing())
            tree.play(decision.move, seat.text)
            self.resigned = None
            return self._save_table()

    def _hurry(self, _: m.Nothing) -> a.Done:
        self._soon.set()
        return a.Done()

    def _search(self, params: m.Search, telling: Telling) -> a.Analysis:
        tree, state = self.tree, self.tree.state
        analysis = best_moves(state, params.seconds, telling, tree.findings)
        return tree.findings.notation.analysis(state, analysis)

    def _explain(self, params: m.Explain, telling: Telling) -> a.Explained:
        with self._changing:
            tree, state = self.tree, self.tree.state
            personality = self._with_factors(params.personality, params.factors)
        with stoppable(params.seconds, "explaining", telling):
            return explain_state(state, personality, self.seed, tree.findings)

    def _versus(self, params: m.Against, telling: Telling) -> a.Versus:
        with self._changing:
            tree, state = self.tree, self.tree.state
            personality = self._with_factors(params.personality, params.factors)
            rival = personality_of(state.game, params.other)
        with stoppable(params.seconds, "comparing", telling):
            return explain_parting(state, (personality, rival), self.seed, tree.findings)

    def _curve(self, params: m.Curve, telling: Telling) -> list[a.JudgedNode]:
        with self._changing:
            tree = self.tree
            line = [(number, tree.places[number].state) for number in tree.whole_path()]
        return curve(line, params.seconds, telling, tree.findings)

    def _compare(self, params: m.Compare, telling: Telling) -> r.Measured:
        source, options = self._game_for(params.first, params.second)
        return play_match(source, options, params, telling)

    def _tournament(self, params: m.Tournament, telling: Telling) -> r.Measured:
        source, options = self._game_for(*params.players)
        return play_tournament(source, options, params, telling)

    def _tune(self, params: m.Tune, telling: Telling) -> r.Tuned:
        with self._changing:
            personality_of(self.tree.state.game, params.personality)
            source, options = self._game_for(*params.opponents)
        return tune_factors(source, options, params, telling)

    def _game_for(self, *players: str) -> tuple[str, Mapping[str, int | float | bool]]:
        """The source and options of the game that players meet in; refuses programs."""
        with self._changing:
            game = self.tree.state.game
            refuse_outsiders(game, *players)
            return self.folder.game_path(self.source), game.options

    def _with_factors(self, name: str, factors: dict[str, float]) -> Personality:
        """Load a personality, and change some of its factors."""
        personality = personality_of(self.tree.state.game, name)
        return personality.with_factors(**whole_where_needed(personality, factors))

    def _begin(self, source: str, state: State, players: tuple[str, ...] = (HUMAN,)) -> None:
        """Put a game on the desk; the last of the players sits on all chairs that are left."""
        refuse_outsiders(state.game, *players)
        seats = seats_of(players, state.game)
        worn = self.tree.worn if self.source == source else None
        self.tree = GameTree.of(state, worn, self.seed)
        self.seats = seats
        self.source, self.resigned, self.warning = source, None, ""
        self.autosave, self.holder = None, person(self.tree.state)

    def _secrecy(self) -> Secrecy:
        return Secrecy(self.tree, self.seats, self._given_up() is not None, self.holder)

    def _seat(self) -> Seat:
        return self.seats[person(self.tree.state)]

    def _save_table(self) -> a.Table:
        """Save the game; returns the table, with a warning if saving failed."""
        if self.autosave is None:
            self.autosave = Autosave.fresh(self.source)
        idle = len(self.tree.state.game.players) - len(self.seats)
        players = (*(seat.text for seat in self.seats), *[HUMAN] * idle)
        path = self.folder.game_path(self.source)
        game = SavedGame(path, self.tree.state, self.resigned, players, self.seed)
        table = self._snapshot()  # a game that cannot be shown is not saved
        self.autosave.write(game)
        self.warning = self.autosave.failed
        return evolve(table, warning=self.warning)

    def _snapshot(self) -> a.Table:
        state, game = self.tree.state, self.tree.state.game
        over, stands = state.over or self._given_up() is not None, self.tree.at == self.tree.end
        return a.Table(
            game.name, self.source,
            tuple(option_of(option, game) for option in game.rules.options),
            *self._secrecy().shown(), tuple(map(self._chair, range(len(self.seats)))),
            stands and not over and not self._seat().human,
            over, self._verdict(), str(self.folder.path or ""), self.warning,
            state.claimable and stands and not over, self._given_up() is not None,
            self._secrecy().player,
        )  # fmt: skip

    def _chair(self, number: int) -> a.Chair:
        seat, colours = self.seats[number], self.tree.state.game.players
        return a.Chair(seat.text, seat.label, seat.human, colours[number ^ self.tree.state.swapped])

    def _verdict(self) -> str:
        state, given_up = self.tree.state, self._given_up()
        if given_up is not None:
            return resignation_text(state.game.players, given_up, self.late)
        return state.result.description if state.result else ""

    def prepare(self) -> None:
        """Compile the kernels of the game on the desk, so that no click waits for them."""
        if self._prepared is not (state := self.tree.state).game:
            self._prepared = state.game
            compile_kernels(state)

    def prepare_players(self) -> None:
        """Get players ready while a person decides: who thinks at once does so by itself."""
        if not self.tree.state.over and self._seat().human:
            with own_queue(self._warming):
                prepare_players(self.tree.state, self.seats, self.seed, self._searching)

    def close(self) -> None:
        """End the programs that play."""
        for seat in self.seats:
            seat.close()
