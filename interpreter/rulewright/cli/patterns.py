"""`rulewright patterns`: the workbench."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

from rulewright.analysis.files import read_games
from rulewright.cli.common import load_state, print_json, read_text, spare, write_text
from rulewright.errors import Fault, MoveError, RulewrightError
from rulewright.game import Game, State
from rulewright.knowledge import Where
from rulewright.language.diagnostics import Collector, TextError, renamed
from rulewright.language.reprint_patterns import converted_patterns
from rulewright.language.source import decode
from rulewright.loading import load
from rulewright.matches.records import SUFFIXES
from rulewright.model.patterns import Pattern, Patterns
from rulewright.pattern_files import SUFFIX, check_patterns, load_patterns
from rulewright.picture.patterns import pattern_text, patterns_svg
from rulewright.picture.svg import position_svg
from rulewright.players.patterns import Best, Coverage, Use, Workbench, cover


def run(arguments: Namespace) -> int:
    """One of the tools for patterns."""
    return _TOOLS[arguments.what](arguments)


def _file(name: str) -> tuple[Game, Patterns]:
    """A pattern file by `GAME/NAME` or by its path, and its game."""
    folder, slash, rest = name.partition("/")
    if not name.endswith(SUFFIX):
        if not slash:
            raise RulewrightError(f"say which game `{name}` is for: `GAME/{name}`, or give a path")
        game = load(folder)
        return game, load_patterns(game, rest)
    path = Path(name)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RulewrightError(f"{path} cannot be read: {error.strerror}") from None
    report = check_patterns(name, data, Where(None, path.parent))
    if report.patterns is None or report.game is None:
        raise TextError(d for d in report.diagnostics if d.severity == "error")
    return report.game, report.patterns


# --- show ---


def _show(arguments: Namespace) -> int:
    _, file = _file(arguments.file)
    wanted = [p for p in file.patterns if arguments.only in (None, p.name, p.title)]
    if not wanted:
        raise RulewrightError(f"{file.name} has no pattern `{arguments.only}`")
    if arguments.svg is not None:
        write_text(arguments.svg, patterns_svg(wanted))
    elif arguments.format == "json":
        print_json({"patterns": [_as_data(pattern) for pattern in wanted]})
    else:
        print("\n\n".join(pattern_text(pattern) for pattern in wanted))
    return 0


def _as_data(pattern: Pattern) -> dict[str, object]:
    return {
        "name": pattern.name, "kind": pattern.kind, "symmetric": pattern.symmetric,
        "set": list(pattern.move), "conditions": [str(c) for c in pattern.conditions],
        "priority": pattern.priority, "about": pattern.about, "line": pattern.line,
    }  # fmt: skip


# --- match, why ---


def _running(arguments: Namespace) -> State:
    """The state that is asked about; somebody is to move there."""
    state = load_state(arguments)
    if state.over:
        raise RulewrightError(f"nothing is proposed: the game is over ({state.result})")
    return state


def _match(arguments: Namespace) -> int:
    state = _running(arguments)
    bench = Workbench(state.game, load_patterns(state.game, arguments.file))
    fired = bench.fired(state)
    near = [] if arguments.fired else bench.near(state, arguments.near)
    if arguments.svg is not None:
        write_text(arguments.svg, _drawn(state, fired))
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
    print(f"{state.mover} to move; {len({u.move for u in fired})} moves proposed")
    print("points: " + (", ".join(" ".join(point) for point in points) or "none"))
    print("\n".join(map(str, fired)) or "nothing fires: every legal move is considered")
    if near:
        print("\nnearly:")
        print("\n".join(map(str, near)))
    return 0


def _drawn(state: State, fired: list[Use]) -> str:
    board = state.game.rules.board
    counts: dict[int, int] = {}
    for use in fired:
        site = board.by_name[use.move]
        counts[site] = counts.get(site, 0) + 1
    most = max(counts.values(), default=1)
    marks = {site: str(count) for site, count in counts.items()}
    heat = {site: count / most for site, count in counts.items()}
    return position_svg(state.game.play, state.situation.position, marks, heat)


def _why(arguments: Namespace) -> int:
    state = _running(arguments)
    bench = Workbench(state.game, load_patterns(state.game, arguments.file))
    names = {name.casefold(): name for name in state.game.rules.board.by_name}
    hole = names.get(arguments.hole.casefold(), "")
    if not hole:
        raise RulewrightError(f"`{arguments.hole}` is not on the board")
    ways = bench.why(state, hole)
    if arguments.format == "json":
        print_json({"move": hole, "ways": [use.as_data() for use in ways]})
        return 0
    fires = [use for use in ways if not use.failing]
    print(f"{hole} is {'' if fires else 'not '}proposed to {state.mover}")
    print("\n".join(str(use) for use in ways[: arguments.most]) or "no pattern reaches it")
    return 0


# --- cover ---


def _cover(arguments: Namespace) -> int:
    game, file = _file(arguments.file)
    bench = Workbench(game, file)
    games = (state for name in arguments.games for state in _games(game, name))
    found = cover(bench, games, _best(game, arguments.personality))
    if arguments.format == "json":
        print_json(_cover_data(found))
    else:
        _print_cover(found, file, arguments.personality is not None)
    return 0


def _games(game: Game, name: str) -> Iterator[State]:
    """The games of a file: whatever `analyze` reads, or lines of moves, each a game."""
    if name != "-" and _is_record(Path(name)):
        for recorded in read_games(name):
            if recorded.game.rules != game.rules:
                message = f"{name} is a game of {_titled(recorded.game)}, not of {_titled(game)}"
                raise RulewrightError(message)
            yield recorded.end
        return
    for number, line in enumerate(read_text(name).splitlines(), 1):
        moves = line.partition("#")[0]
        if moves.strip():
            try:
                yield game.start().play(moves)
            except (MoveError, Fault) as error:
                raise RulewrightError(f"{name}, line {number}: {error}") from None


def _is_record(path: Path) -> bool:
    """Whether a file says itself which game it holds, by its name or its first sign."""
    return path.suffix.casefold() in (*SUFFIXES, ".t1", ".sgf") or read_text(
        str(path)
    ).lstrip().startswith(("{", "("))


def _titled(game: Game) -> str:
    told = [f"{o.name} = {o.value}" for o in game.rules.options if o.value != o.default]
    return f"{game.name} with {', '.join(told)}" if told else game.name


def _best(game: Game, name: str | None) -> Best | None:
    if name is None:
        return None
    from rulewright.players.personality import Personality  # loads the searches

    player = Personality.load(name, game)

    def best(state: State, moves: list[str]) -> str:
        root = player.root(state)
        known = [(line.score, move) for move in moves if (line := root.get(move)) is not None]
        return max(known, key=lambda one: one[0])[1] if known else ""

    return best


def _names(found: Coverage, indices: set[int]) -> list[str]:
    return [found.counts[i].pattern.title for i in sorted(indices)]


def _cover_data(found: Coverage) -> dict[str, object]:
    return {
        "games": found.games, "positions": found.positions, "empty": found.empty,
        "played": found.found,
        "patterns": [
            {
                "name": c.pattern.name, "kind": c.pattern.kind, "line": c.pattern.line,
                "fired": c.fired, "chosen": c.chosen, "best": c.best,
                "covered_by": _names(found, c.covered),
            }
            for c in found.counts
        ],
    }  # fmt: skip


def _print_cover(found: Coverage, file: Patterns, judged: bool) -> None:
    share = found.found / found.positions if found.positions else 0
    print(f"{found.games} games, {found.positions} positions; nothing fired in {found.empty}")
    print(f"{share:.0%} of the moves played were proposed")
    width = max(len(p.title) for p in file.patterns)
    head = f"{'pattern':{width}}  fired  chosen" + ("  best" if judged else "")
    print(head)
    for count in sorted(found.counts, key=lambda c: -c.chosen):
        best = f"  {count.best:4}" if judged else ""
        print(f"{count.pattern.title:{width}}  {count.fired:5}  {count.chosen:6}{best}")
    never = [c.pattern.title for c in found.counts if not c.fired]
    if never:
        print(f"never fired: {', '.join(never)}")
    for count in found.counts:
        if count.fired and count.covered:
            others = ", ".join(_names(found, count.covered))
            print(f"{count.pattern.title} proposed nothing without {others}")


# --- convert ---


def _convert(arguments: Namespace) -> int:
    spare(arguments.to, arguments.force)
    text = _decoded(arguments.file)
    try:
        new = converted_patterns(text)
    except TextError as error:
        raise TextError(renamed(error.diagnostics, arguments.file)) from None
    write_text(arguments.to, new)
    if arguments.to != "-":
        print(f"{arguments.to} written", file=sys.stderr)
    return 0


def _decoded(name: str) -> str:
    """The text of a file; what is no text, or has no lines, is told at its place."""
    if name == "-":
        return read_text(name)
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise RulewrightError(f"{name} cannot be read: {error.strerror}") from None
    found = Collector()
    source = decode(name, data, found)
    if source is None:
        raise TextError(found.diagnostics)
    return source.text


_TOOLS: dict[str, Callable[[Namespace], int]] = {
    "show": _show, "match": _match, "cover": _cover, "why": _why, "convert": _convert,
}  # fmt: skip
