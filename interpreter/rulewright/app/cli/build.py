"""`build`: an engine to take away, as WebAssembly, a library or C."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rulewright.app.build.engine_plan import EnginePlan, engine_for, plan
from rulewright.app.build.judge import EngineJudge, judge_of
from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import load_game, spare
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.ground.disk import write_whole
from rulewright.ground.printable import amount, printable_name
from rulewright.search.results import refuse_secrets

TARGETS = ("wasm", "native", "c")


def build(arguments: Namespace) -> int:
    """Write the files of an engine into a folder, and say which."""
    if arguments.triple and arguments.target != "native":
        raise RulewrightError("--triple is for --target native")
    game = load_game(arguments)
    refuse_secrets(game, "an engine to take away")
    files = _files(_planned(game, arguments.personality), arguments)
    folder = Path(arguments.out)
    for name in files:
        spare(str(folder / name), arguments.force)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RulewrightError(f"{folder}: {error.strerror}") from None
    for name, data in files.items():
        write_whole(folder / name, data)
        print(f"{printable_name(folder / name)}: {amount(len(data), 'byte')}")
    return 0


def _planned(game: Game, personality: str | None) -> EnginePlan:
    engine = engine_for(game)
    if personality is None:
        return plan(engine, game, EngineJudge())
    from rulewright.players.personality import Personality

    return plan(engine, game, judge_of(engine, Personality.load(personality, game)))


def _files(planned: EnginePlan, arguments: Namespace) -> dict[str, bytes]:
    if arguments.target == "wasm":
        from rulewright.app.build import wasm

        return wasm.files(planned)
    if arguments.target == "c":
        from rulewright.app.build import c

        return c.files(planned)
    from rulewright.app.build import native

    return native.files(planned, arguments.triple)


COMMANDS: dict[str, a.Command] = {
    "build": (build, [
        *a.GAME,
        a.value("--personality", "NAME", "the personality that judges positions: a name or a path"),
        a.choice("--target", TARGETS, "wasm", "the kind of engine (default: wasm)"),
        a.value("--out", "DIR", "the folder for it (default: this one)", default="."),
        a.FORCE,
        a.value("--triple", "TRIPLE", "the machine that a native engine is for, as LLVM names it"),
    ]),
}  # fmt: skip
