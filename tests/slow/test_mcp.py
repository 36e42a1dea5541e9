"""`rulewright mcp` by the client of the official SDK, and its workshop without any."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent
from pydantic import AnyUrl

from rulewright.app.cli import main, mcp_tools
from rulewright.app.cli.mcp_tools import Workshop
from rulewright.app.service import compact
from rulewright.app.service.words import table
from rulewright.errors import RulewrightError
from tests.shared.places import DOCS

BROKEN = """format 1
game mine

# Three in a row; the text has three mistakes.
players cross nought
bord square 3 by 3
pieces mark "XO"

move place
  choose a in emty
  put mark at a

turn place

win when some(l in lines(3) : l in own)
draw when stuck
claim perft 9, 71
"""
Tool = Callable[..., Awaitable[str]]


def talk(folder: Path, conversation: Callable[[ClientSession, Tool], Awaitable[None]]) -> None:
    """Lead a conversation with the server of a folder; an error of a tool is its text."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "rulewright", "mcp", "."], env={**os.environ}
    )
    command.cwd = folder

    async def lead() -> None:
        async with stdio_client(command) as (lines, out), ClientSession(lines, out) as session:
            await session.initialize()

            async def ask(tool: str, **arguments: object) -> str:
                answer = await session.call_tool(tool, arguments)
                (content,) = answer.content
                assert isinstance(content, TextContent)
                return ("ERROR " * bool(answer.isError)) + content.text

            await conversation(session, ask)

    anyio.run(lead)


def mended(text: str, messages: str) -> str:
    """The text with what the first message says: the name it proposes, or the number it counted."""
    place = re.search(r"mine\.rules:(\d+):(\d+)", messages)
    assert place, messages
    lines = text.splitlines(keepends=True)
    line, column = int(place[1]) - 1, int(place[2]) - 1
    name = re.search(r"did you mean `(\w+)`", messages)
    count = re.search(r"is (\d+), not (\d+)", messages)
    if name:
        lines[line] = lines[line][:column] + re.sub(r"\w+", name[1], lines[line][column:], count=1)
    else:
        assert count, messages
        lines[line] = lines[line].replace(count[2], count[1])
    return "".join(lines)


def test_a_broken_text_becomes_a_right_one_by_the_tools_alone(tmp_path: Path) -> None:
    async def conversation(session: ClientSession, ask: Tool) -> None:
        guide = await session.read_resource(AnyUrl("rulewright://languages"))
        assert "choose NAME in SET" in str(guide.contents[0])
        await ask("write", file="mine.rules", text=BROKEN)
        rounds = 0
        while "fine" not in (messages := await ask("check", file="mine.rules")):
            text = await ask("read", file="mine.rules")
            await ask("write", file="mine.rules", text=mended(text, messages))
            rounds += 1
        assert rounds == 3
        assert await ask("perft", game="mine.rules", depth=3) == "504"
        assert "b2" in await ask("moves", game="mine.rules", moves="a1 a2")
        assert "hold" in await ask("test", file="mine.rules", seconds=3)
        assert "a1" in await ask("why_not", game="mine.rules", move="a1", moves="a1")
        assert '"move": "a3"' in await ask("best", game="mine.rules", moves="a1 b2 a2 c3")
        assert await ask("files") == "mine.rules"

    talk(tmp_path, conversation)
    assert (tmp_path / "mine.rules").read_text().endswith("claim perft 9, 72\n")


def test_the_other_tools_and_what_is_refused(tmp_path: Path) -> None:
    async def conversation(session: ClientSession, ask: Tool) -> None:
        tools = await session.list_tools()
        assert {tool.name for tool in tools.tools} >= {
            "check", "show", "moves", "test", "perft", "best", "explain", "why_not", "cover",
        }  # fmt: skip
        assert all(tool.description for tool in tools.tools)
        rules = await session.read_resource(AnyUrl("rulewright://games/hex"))
        assert "game hex" in str(rules.contents[0])
        assert "tempo" in await ask("explain", game="connect4", personality="counter")
        assert "parts used" in await ask("cover", file="tictactoe", seconds=1)
        assert "R" in await ask("show", game="hex", moves="a1", options="size=3")
        assert (await ask("words", word="choos")).endswith("did you mean `choose`?")
        for name in ("../mine.rules", "/etc/passwd", "a.py", "-", "--help", ""):
            assert (await ask("read", file=name)).startswith("ERROR")
            assert (await ask("check", file=name)).startswith("ERROR")
        assert (await ask("show", game="hex", options="size=3 --svg=x")).startswith("ERROR")

    talk(tmp_path, conversation)
    assert not list(tmp_path.iterdir())


def test_nothing_outside_of_the_folder_is_touched(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    (tmp_path / "secret.rules").write_text("secret")
    (folder / "link.rules").symlink_to(tmp_path / "secret.rules")
    (folder / "up").symlink_to(tmp_path)
    workshop = Workshop(folder)
    for name in (
        "link.rules",
        "up/secret.rules",
        "../secret.rules",
        str(tmp_path / "secret.rules"),
    ):
        for use in (workshop.read, workshop.source, lambda name: workshop.write(name, "mine")):
            with pytest.raises(RulewrightError, match="not below the folder"):
                use(name)
    with pytest.raises(RulewrightError, match="at most 65,536 bytes"):
        workshop.write("a.rules", "x" * 70_000)
    assert workshop.write("below/a.rules", "x\n") == "below/a.rules has 1 lines now"
    assert workshop.files() == "below/a.rules"
    assert (tmp_path / "secret.rules").read_text() == "secret"


def test_a_command_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_tools, "_GRACE", 1.0)
    start = time.monotonic()
    with pytest.raises(RulewrightError, match=r"no answer after 0\.5 seconds"):
        Workshop(tmp_path, 0.5).run("perft", "chess", "--depth=9")
    assert time.monotonic() - start < 10


def test_without_the_sdk_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "rulewright.app.cli.mcp_server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.fastmcp", None)
    assert main(["mcp"]) == 2
    assert 'pip install "rulewright[mcp]"' in capsys.readouterr().err


def test_the_compact_text_has_every_word_and_is_the_page() -> None:
    text = compact.text()
    assert text == (DOCS / "languages.txt").read_text("utf-8")
    assert len(text) < 50_000
    assert all(f"`{entry.form}" in text for words in table().values() for entry in words.values())
    links = re.findall(r"\]\(([\w-]+)\.(html|txt)\)", (DOCS / "llms.txt").read_text("utf-8"))
    assert links
    for name, kind in links:
        assert (DOCS / f"{name}.{'md' if kind == 'html' else 'txt'}").is_file()
