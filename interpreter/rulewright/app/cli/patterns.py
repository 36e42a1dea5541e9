"""`rulewright patterns`: tools to show, match, explain and convert patterns."""

from __future__ import annotations

from argparse import Namespace

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import (
    decoded,
    load_state,
    print_json,
    read_text,
    say,
    settings,
    spare,
    tell,
    write_text,
)  # fmt: skip
from rulewright.app.cli.pattern_cover import cover_patterns, given_game, pattern_file
from rulewright.app.cli.pattern_mine import mine_patterns
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.kinds import load_file
from rulewright.games.render.pattern_pictures import pattern_text, patterns_svg
from rulewright.games.render.scene_building import scene_of
from rulewright.games.render.svg import Annotations, scene_svg
from rulewright.ground.disk import read_source
from rulewright.ground.printable import amount, printable_name
from rulewright.ground.records import fields_as_json
from rulewright.language.diagnostics import TextError, with_file_name
from rulewright.language.reprint_patterns import converted_patterns
from rulewright.learning.mining import LEAST, MOST
from rulewright.model.patterns import Pattern
from rulewright.players.pattern_use import PatternUse, Workbench, tell_ways


def patterns(arguments: Namespace) -> int:
    """Run one of the tools for patterns."""
    status: int = arguments.tool(arguments)
    return status


# --- show ---


def _show(arguments: Namespace) -> int:
    _, file = pattern_file(arguments.file, settings(arguments.set), given_game(arguments))
    patterns = [p for p in file.patterns if arguments.only in (None, p.name, p.title)]
    if not patterns:
        raise RulewrightError(f"{file.name} has no pattern `{arguments.only}`")
    if arguments.svg is not None:
        write_text(arguments.svg, patterns_svg(patterns))
    elif arguments.format == "json":
        print_json({"patterns": [_as_data(pattern) for pattern in patterns]})
    else:
        print("\n\n".join(pattern_text(pattern) for pattern in patterns))
    return 0


def _as_data(pattern: Pattern) -> dict[str, object]:
    head = fields_as_json(pattern, "name kind symmetric")
    body = {"set": list(pattern.move), "conditions": [str(c) for c in pattern.conditions]}
    return {**head, **body, **fields_as_json(pattern, "priority about line")}


# --- match, why ---


def _running(arguments: Namespace) -> State:
    """Load the position; raises `RulewrightError` if the game is over there."""
    state = load_state(arguments)
    if state.over:
        raise RulewrightError(f"nothing is proposed: the game is over ({state.result})")
    return state


def _match(arguments: Namespace) -> int:
    state = _running(arguments)
    bench = Workbench(state.game, load_file(PATTERNS, state.game, arguments.file))
    fired = bench.fired(state)
    near = [] if arguments.fired else bench.near(state, arguments.near)
    if arguments.svg is not None:
        write_text(arguments.svg, _drawing(state, fired))
        return 0
    points = bench.references(state)
    if arguments.format == "json":
        print_json({
            "mover": state.mover,
            "references": [{"player": p, "at": a, "direction": d} for p, a, d in points],
            "fired": [use.as_data() for use in fired],
            "near": [use.as_data() for use in near],
        })  # fmt: skip
        return 0
    proposed = amount(len({use.move for use in fired}), "move")
    tell(f"{state.mover} to move; {proposed} proposed")
    tell("points: " + (", ".join(" ".join(point) for point in points) or "none"))
    tell("\n".join(map(str, fired)) or "nothing fires: every legal move is considered")
    if near:
        tell("\nnearly:")
        print("\n".join(map(str, near)))
    return 0


def _drawing(state: State, fired: list[PatternUse]) -> str:
    board = state.game.rules.board
    counts: dict[int, int] = {}
    for use in fired:
        site = board.by_name[use.move]
        counts[site] = counts.get(site, 0) + 1
    most = max(counts.values(), default=1)
    marks = {site: str(count) for site, count in counts.items()}
    heat = {site: count / most for site, count in counts.items()}
    scene = scene_of(state.game.play, state.situation.position)  # without marks of the last turn
    return scene_svg(scene, Annotations(marks, heat))


def _why(arguments: Namespace) -> int:
    state = _running(arguments)
    bench = Workbench(state.game, load_file(PATTERNS, state.game, arguments.file))
    names = {name.casefold(): name for name in state.game.rules.board.by_name}
    hole = names.get(arguments.hole.casefold(), "")
    if not hole:
        raise RulewrightError(f"`{arguments.hole}` is not on the board")
    position = state.situation.position
    ways = bench.why(position, hole)
    if arguments.format == "json":
        passed = [skipped.as_data() for skipped in bench.not_looked_at(position, hole)]
        print_json({"move": hole, "ways": [u.as_data() for u in ways], "not_looked_at": passed})
        return 0
    print("\n".join(tell_ways(bench, position, hole, arguments.most)))
    return 0


# --- convert ---


def _convert(arguments: Namespace) -> int:
    return convert_patterns(arguments.file, arguments.to, arguments.force)


def convert_patterns(file: str, to: str, force: bool) -> int:
    """Write patterns of T1's older dialect in today's words."""
    spare(to, force)
    text = _decoded(file)
    try:
        new = converted_patterns(text)
    except TextError as error:
        raise TextError(with_file_name(error.diagnostics, file)) from None
    write_text(to, new)
    if to != "-":
        say(f"{printable_name(to)} written")
    return 0


def _decoded(name: str) -> str:
    """Read the text of a file, or of the standard input for `-`; raises `TextError`."""
    return read_text(name) if name == "-" else decoded(name, read_source(name))


# --- the tools with their arguments ---

_OF = [
    a.value("file", "FILE", "a pattern file: its path, or GAME/NAME"),
    a.value("--game", "GAME", "the game, where the file names no game"),
    a.SETTINGS,
]
_WITH = a.value("--with", "FILE", "a name or a path of patterns", dest="file", required=True)
TOOLS: dict[str, tuple[str, a.Command]] = {
    "show": ("draw each pattern of a file", (_show, [
        *_OF, a.value("--only", "NAME", "one pattern"),
        a.value("--svg", "OUT", "draw them as SVG; - writes it to the output"), a.FORM,
    ])),
    "match": ("list what fires in a position, and what nearly does", (_match, [
        *a.GAME, *a.position(), _WITH,
        a.value(
            "--near", "N",
            "also show patterns that only N conditions keep from firing (default 1)",
            type=a.whole, default=1,
        ),
        a.flag("--fired", "show only what fires"),
        a.value("--svg", "OUT", "draw the proposals on the board; - writes it"), a.FORM,
    ])),
    "cover": ("count over games how often each pattern was of use", (cover_patterns, [
        *_OF,
        a.value(
            "--games", "GAMES",
            "files of games: SGF, T1j's, saved ones, records, or lines of moves; - reads lines",
            nargs="+", required=True,
        ),
        a.value("--personality", "P", "the judge of proposals"), a.FORM,
    ])),
    "why": ("say why a hole is proposed or not", (_why, [
        *a.GAME, a.value("hole", "HOLE", "the site of the move"), *a.position(), _WITH,
        a.value("--most", "N", "ways shown (default 8)", type=a.whole, default=8), a.FORM,
    ])),
    "mine": ("learn patterns from recorded games", (mine_patterns, [
        *a.GAME,
        a.value("--games", "FILE", "recorded games, of any format", nargs="+", required=True),
        a.value("--out", "FILE", "the new NAME.patterns", required=True),
        a.value("--like", "FILE", "patterns whose reference points are used (default: all stones)"),
        a.value("--beside", "FILE", "patterns that are judged as well", nargs="+", default=()),
        a.value(
            "--reach", "N", "how far a move may lie from its point (default 5)",
            type=a.whole, default=5,
        ),
        a.value(
            "--near", "N", "how far conditions may lie from point or move (default 2)",
            type=a.whole, default=2,
        ),
        a.value(
            "--least", "N", f"moves that a pattern must be about (default {LEAST})",
            type=a.whole, default=LEAST,
        ),
        a.value(
            "--most", "N", f"patterns that are kept (default {MOST})", type=a.whole, default=MOST
        ),
        a.value(
            "--skip", "N", "decisions at the beginning of each game that are left out",
            type=a.whole, default=0,
        ),
        a.flag("--winners", "learn from the decisions of winners alone"),
        a.value(
            "--held-out", "SHARE", "share of the games that judges (default 0.2)", type=a.share,
            default=0.2,
        ),
        a.seed(1), a.FORM,
    ])),
    "convert": ("write T1's older dialect in today's words", (_convert, [
        a.value("file", "FILE", "patterns in T1's older dialect; - reads them"),
        a.value("--to", "OUT", "where to write (default: the output)", default="-"), a.FORCE,
    ])),
}  # fmt: skip
COMMANDS: dict[str, a.Command] = {"patterns": (patterns, [a.tools(TOOLS)])}
