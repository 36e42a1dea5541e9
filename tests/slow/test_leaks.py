"""Every byte that leaves is the same for a player wherever that player has observed the same.

For each bundled and each sample game with secrets: random games, and beside a position where a
player decides another one that looks the same to that player, drawn by `Completions`.  Both go out
by every way there is, and what comes out is compared.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random

import anyio
import pytest
from attrs import frozen
from starlette.testclient import TestClient

import rulewright
from rulewright.app.cli import main
from rulewright.app.cli.explained import explanation_lines
from rulewright.app.cli.mcp_server import build_server
from rulewright.app.cli.mcp_tools import Workshop
from rulewright.app.cli.play import _export
from rulewright.app.play.dialogue import Helpers
from rulewright.app.play.game_table import GameTable
from rulewright.app.play.saved_games import Autosave, read_saved_game
from rulewright.app.play.screen import Size, frame
from rulewright.app.play.seats import Seat
from rulewright.app.play.session import Session
from rulewright.app.play.terminal import LineTerminal
from rulewright.app.studio import messages as m
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.reply import WorkerDesk
from rulewright.app.studio.server import application
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.games.engine.sight import sight
from rulewright.games.files.games import bundled_games
from rulewright.games.render.board_text import plain
from rulewright.search.completions import Completions
from tests.shared.places import TESTS

SMALLER: Mapping[str, Mapping[str, int]] = {
    "goofspiel": {"cards": 4},
    "battleship": {"width": 4, "height": 3, "ships": 2, "shots": 4},
}
"""Options of games whose positions are otherwise too many to meet two that look alike."""
DEEPEST, SEEDS = 5, 2
"""Decisions of a game, and games."""


def secret_games() -> Iterator[Path]:
    samples = sorted((TESTS / "games" / "sample").glob("*.rules"))
    for path in (*bundled_games().values(), *samples):
        if re.search(r"^sees |^state .* hidden\b", path.read_text("utf-8"), re.MULTILINE):
            yield path


GAMES = {path.stem: path for path in secret_games()}


def options_of(name: str) -> list[str]:
    return [w for n, v in SMALLER.get(name, {}).items() for w in ("--set", f"{n}={v}")]


def twin(game: Game, state: State) -> State | None:
    """A game that has gone otherwise, of which the player to move has observed the same."""
    completions = Completions.of(state, state.position.mover, len(state.decisions()), 12)
    for other in completions.states:
        if other.situation.position != state.situation.position:
            return game.start().play(" ".join(other.decisions()))
    return None


def twins(name: str, seed: int) -> Iterator[tuple[State, State]]:
    """Positions of a random game, each with one that looks the same to the player to move."""
    random = Random(seed)
    game = rulewright.load(str(GAMES[name]), backend="reference", **SMALLER.get(name, {}))
    state = game.start()
    while not state.over and len(state.decisions()) < DEEPEST:
        if not state.by_chance and state.before is not None:
            other = twin(game, state)
            if other is not None:
                yield state, other
        state = state.play_decision(random_decision(state, random))


@cache
def pairs(name: str) -> list[tuple[State, State]]:
    """The latest such position of some games, each with its twin."""
    return [pair for seed in range(SEEDS) for pair in [*twins(name, seed)][-1:]]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


# --- the ways out ---


def texts_to_try(state: State) -> list[str]:
    """Decisions that are legal, of which the first and the last; sites, and what is no decision."""
    legal = state.moves.texts
    names = state.game.rules.board.names
    return [legal[0], legal[-1], names[0], names[-1], f"{names[0]}-{names[-1]}", "x9 x9"]


def by_commands(name: str, state: State) -> str:
    """What the commands that show, advise and explain print."""
    asked = [["show"], ["show", "--svg", "-"], ["moves"], ["best", "--nodes", "40"]]
    asked += [["explain"], ["explain", state.moves.texts[0]], ["solve"]]
    asked += [[word, text] for word in ("why", "why-not") for text in texts_to_try(state)]
    for command, *more in asked:
        moves = ["--moves", " ".join(state.decisions()), *options_of(name)]
        print(command, more, main([command, str(GAMES[name]), *more, *moves]))
    return ""


def by_terminal(name: str, state: State) -> str:
    """What the terminal says, line by line and as a frame."""
    mover, players = state.position.mover, len(state.game.players)
    texts = ["human" if n == mover else "random" for n in range(players)]
    seats = tuple(Seat.of(text, state.game) for text in texts)
    helpers = Helpers(explanation_lines, read_saved_game, _export)
    table = GameTable(Session(name, state, seats, seed=3), helpers, Autosave.fresh(name))
    typed = [
        "?", "legal", "moves", "why", "undo", "redo", "to 1", "back", "replay", "seats", "claim",
        f"seat {state.mover} random", f"seat {state.mover} human", "save out.json", "help",
        *(text for text in texts_to_try(state) if text not in state.moves), "quit",
    ]  # fmt: skip
    shown = plain(frame(table.session, "", "", Size(60, 24)))
    LineTerminal(table, io.StringIO("\n".join(typed) + "\n")).play()
    return shown


Say = Callable[[str], list[str]]
"""Sends a message of a page; all that comes back for it."""


def by_page(name: str, state: State, say: Say) -> str:
    """What a page is sent by its host, mistakes included."""
    mover, players = state.position.mover, len(state.game.players)
    texts = ["human" if n == mover else "random" for n in range(players)]
    options = {n: str(v) for n, v in SMALLER.get(name, {}).items()}
    path = Path(f"{name}.rules")
    path.write_text(GAMES[name].read_text("utf-8"), "utf-8")
    moves = " ".join(state.decisions())
    opened = {"game": str(path), "options": options, "players": texts, "moves": moves}
    left_out = {"hello", "write", "compare", "tournament", "resign", "open", "read_game", "play"}
    left_out.add("think")  # plays a decision, which may be one that meets what was not seen
    asked = [("open", opened), *(pair for pair in requests(state) if pair[0] not in left_out)]
    sent = list[str]()
    for number, (method, params) in enumerate(asked):
        sent += say(json.dumps({"id": number, "method": method, "params": params}))
    assert '"result"' in sent[0], sent[0]
    return "\n".join(sent)


def by_worker(name: str, state: State) -> str:
    """What Python in a page sends to the page."""
    sent = list[str]()
    worker = WorkerDesk(Path.cwd(), sent.append)
    worker.desk = Desk(Folder(Path.cwd()), seed=3)

    def say(text: str) -> list[str]:
        sent.clear()
        return [worker.ask(text), *sent]

    return by_page(name, state, say)


def by_server(name: str, state: State) -> str:
    """What a server sends to a page, but for how its compiling gets on."""
    app = application(Folder(Path.cwd()), "", {})
    app.state.desks.make = lambda: Desk(Folder(Path.cwd()), seed=3)
    client = TestClient(app, headers={"Host": "localhost"})
    with client.websocket_connect(f"/talk?token={app.state.door.token}&desk=one") as socket:

        def say(text: str) -> list[str]:
            socket.send_text(text)
            sent = [str(socket.receive_text())]
            while not {"result", "error"} & json.loads(sent[-1]).keys():
                sent.append(str(socket.receive_text()))
            return [line for line in sent if '"doing": ' not in line or "compiling" not in line]

        return by_page(name, state, say)


def requests(state: State) -> Iterator[tuple[str, dict[str, object]]]:
    params: dict[str, dict[str, object]] = {
        "goto": {"node": 1}, "sit": {"chair": 1, "player": "human"}, "search": {"seconds": 0},
        "curve": {"seconds": 0.01}, "factors": {"personality": "x"}, "patterns": {"file": "x"},
        "write_game": {"form": "txt"},
    }  # fmt: skip
    for text in texts_to_try(state):
        yield "why_not", {"text": text}
        yield "why", {"text": text}
        if text not in state.moves:
            yield "play", {"text": text}
    for method in m.METHODS:
        yield method, params.get(method, {})


@frozen
class Bench(Workshop):
    """A workshop whose commands run here, and search by nodes instead of by the clock."""

    def run(self, command: str, *arguments: str) -> str:
        words = [w for w in arguments if w and not w.startswith("--time")]
        words += ["--nodes=40"] if command == "best" else []
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            status = main([command, *words])
        return f"{said.getvalue()}{status}"


def by_assistant(name: str, state: State) -> str:
    """What an assistant is sent that asks about the position, mistakes included."""
    Path(f"{name}.rules").write_text(GAMES[name].read_text("utf-8"), "utf-8")
    service = build_server(Bench(Path.cwd()))
    options = " ".join(f"{n}={v}" for n, v in SMALLER.get(name, {}).items())
    where = {"game": f"{name}.rules", "moves": " ".join(state.decisions()), "options": options}
    asked = [(tool, where) for tool in ("show", "moves", "best")]
    asked.append(("explain", where | {"personality": "x"}))
    asked += [("why_not", where | {"move": text}) for text in texts_to_try(state)[3:5]]

    async def answers() -> list[str]:
        return [str(await service.call_tool(tool, arguments)) for tool, arguments in asked]

    return "\n".join(anyio.run(answers))


WAYS: Mapping[str, Callable[[str, State], str]] = {
    "commands": by_commands, "terminal": by_terminal, "worker": by_worker, "server": by_server,
    "assistant": by_assistant,
}  # fmt: skip


def all_bytes(way: str, name: str, state: State, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    text = WAYS[way](name, state)
    out, err = capsys.readouterr()
    said = re.sub(r'"seconds": [\d.e-]+', "", f"{text}\n{out}\n{err}")
    lines = said.splitlines()
    return [line for line in lines if "seconds" not in line]


def test_all_games_with_secrets_are_here() -> None:
    assert {"darkhex", "phantom", "leduc", "kuhn", "goofspiel", "rps"} <= GAMES.keys()
    assert {"battleship", "dark_chess"} <= GAMES.keys()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_nothing_leaks(name: str, way: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert pairs(name)
    for state, other in pairs(name):
        assert sight(state, state.mover).text() == sight(other, state.mover).text()
        here, there = (all_bytes(way, name, s, capsys) for s in (state, other))
        assert here == there, (state.decisions(), other.decisions())
