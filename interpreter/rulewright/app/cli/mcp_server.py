"""The tools and documents of `rulewright mcp`, for the official SDK of the Model Context Protocol.

In: a workshop.  Out: a server, whose tools do what the commands of the same names do.  Tools are
run in threads, so that a client may ask for several at once.
"""

from __future__ import annotations

from functools import partial

import anyio.to_thread
from mcp.server.fastmcp import FastMCP

from rulewright.app.cli import mcp_tools as tools
from rulewright.app.service import compact
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games
from rulewright.ground.disk import read_text

_INSTRUCTIONS = """\
Rulewright plays board games whose rules are plain text.  Read the resource rulewright://languages
first, and the rules of a game that is like the one wanted (rulewright://games/NAME).  Write a file,
`check` it until it is fine, then look at `moves` and `perft`, `test` it, and let people play it.
A game is named by its file in the folder that was opened, or by the name of a bundled game.
"""


def build_server(workshop: tools.Workshop) -> FastMCP:
    """The server of a folder."""
    service = FastMCP("rulewright", instructions=_INSTRUCTIONS, log_level="ERROR")
    _add_files(service, workshop)
    _add_commands(service, workshop)
    _add_questions(service, workshop)
    _add_documents(service)
    return service


def _add_files(service: FastMCP, workshop: tools.Workshop) -> None:
    @service.tool()
    def files() -> str:
        """List the files of games in the folder that was opened."""
        return workshop.files()

    @service.tool()
    def read(file: str) -> str:
        """Read a file of the folder."""
        return workshop.read(file)

    @service.tool()
    def write(file: str, text: str) -> str:
        """Write a whole file of the folder, such as `mine.rules`, in place of what it held."""
        return workshop.write(file, text)


def _add_commands(service: FastMCP, workshop: tools.Workshop) -> None:
    async def run(command: str, *arguments: str) -> str:
        return await anyio.to_thread.run_sync(partial(workshop.run, command, *arguments))

    @service.tool()
    async def check(file: str) -> str:
        """Show every mistake of a text, with its line and a hint how to mend it."""
        return await run("check", workshop.source(file))

    @service.tool()
    async def show(game: str, moves: str = "", options: str = "") -> str:
        """Show the position after some moves: board, player to move, states."""
        return await run("show", workshop.source(game), *tools.position(moves, options))

    @service.tool()
    async def moves(game: str, moves: str = "", options: str = "") -> str:
        """List the legal moves of the position after some moves."""
        return await run("moves", workshop.source(game), *tools.position(moves, options))

    @service.tool()
    async def perft(game: str, depth: int, moves: str = "", options: str = "") -> str:
        """Count the sequences of so many moves, which shows whether rules are as they should be."""
        arguments = tools.position(moves, options)
        return await run("perft", workshop.source(game), f"--depth={depth}", *arguments)

    @service.tool()
    async def test(file: str, seconds: float = 10) -> str:
        """Play random games with a text, and show which of its claims and properties fail."""
        return await run("test", workshop.source(file), workshop.limit(seconds))

    @service.tool()
    async def cover(file: str, seconds: float = 10) -> str:
        """Show how often games reach each line of a text, and which lines nothing reaches."""
        return await run("cover", workshop.source(file), workshop.limit(seconds))


def _add_questions(service: FastMCP, workshop: tools.Workshop) -> None:
    async def run(command: str, *arguments: str) -> str:
        return await anyio.to_thread.run_sync(partial(workshop.run, command, *arguments))

    @service.tool()
    async def best(
        game: str, moves: str = "", options: str = "", personality: str = "", seconds: float = 2
    ) -> str:
        """Let the computer, or a personality, decide in the position after some moves."""
        arguments = [*tools.position(moves, options), workshop.limit(seconds)]
        player = f"--personality={workshop.player(personality)}" if personality else ""
        return await run("best", workshop.source(game), *arguments, player)

    @service.tool()
    async def explain(
        game: str, personality: str, move: str = "", moves: str = "", options: str = ""
    ) -> str:
        """Show what a personality thinks of each move, or of one, and by which factors."""
        player = f"--personality={workshop.player(personality)}"
        arguments = [*tools.position(moves, options), workshop.limit(workshop.seconds)]
        decision = [tools.decision(move)] if move else []
        return await run("explain", workshop.source(game), *decision, player, *arguments)

    @service.tool()
    async def why_not(game: str, move: str, moves: str = "", options: str = "") -> str:
        """Say which clause of the rules forbids a move, and the values that it saw."""
        arguments = tools.position(moves, options)
        return await run("why-not", workshop.source(game), tools.decision(move), *arguments)

    @service.tool()
    def words(word: str = "", language: str = "rules") -> str:
        """Say what a word of a language means, with an example; without a word, list them all."""
        return compact.about(language, word)


def _add_documents(service: FastMCP) -> None:
    @service.resource("rulewright://languages", mime_type="text/markdown")
    def languages() -> str:
        """The languages of rules, evaluators, personalities, patterns and looks, in one text."""
        return compact.text()

    @service.resource("rulewright://games", mime_type="text/plain")
    def games() -> str:
        """The names of the bundled games."""
        return "\n".join(sorted(bundled_games()))

    @service.resource("rulewright://games/{name}", mime_type="text/plain")
    def game(name: str) -> str:
        """The rules of a bundled game, as an example."""
        path = bundled_games().get(name)
        if path is None:
            raise RulewrightError(f"there is no bundled game `{name[:40]}`")
        return read_text(path)
