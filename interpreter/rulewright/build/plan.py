"""What an engine to take away is made of, whatever it is written as.

In: a game, and what judges its positions.  Out: a `Plan`: one module of kernels, the arrays that
they share with what lies in these at first, and functions over them without arrays.  Refuses games
without kernels, and personalities whose search is none that an engine can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from rulewright.build import face, thinking
from rulewright.build.notation import written_down
from rulewright.codegen import layout as p
from rulewright.codegen.backend import Linked, load
from rulewright.codegen.engine import Engine
from rulewright.codegen.ir import nodes as n
from rulewright.codegen.ir.parse import parse
from rulewright.codegen.ir.types import FLOATS, INTS, Signature
from rulewright.codegen.runtime import place
from rulewright.engine.game import Game
from rulewright.engine.kernels import load_engine
from rulewright.errors import RulewrightError
from rulewright.search.driver import DEEPEST
from rulewright.search.kernels import montecarlo, thread
from rulewright.search.trees import tree_search
from rulewright.search.workspace import (
    WORD,
    Evaluator,
    Guide,
    Workspace,
    alpha_beta,
    no_guide,
    no_patterns,
    no_value,
)

MEMORY = 8 * 1024 * 1024
"""Bytes for the transposition table, or for the tree."""
PLAYED = 4096
"""Decisions that can be taken back."""
_FEW = 16
"""Words of short arrays."""
BYTES = 512
"""Bytes of the longest text."""
EXPORTS = {
    "start": "start", "moves": "moves", "play": "play_number", "undo": "undo", "mover": "mover",
    "result": "result", "fault": "fault", "write": "write", "find": "find",
    "perft": "perft_here", "playouts": "playouts_here", "counted": "counted",
    "think": "think", "think_on": "think_on", "think_end": "think_end", "value": "best_value",
    "proven": "is_proven", "nodes": "seen_nodes", "line": "line_length", "write_line": "write_line",
}  # fmt: skip
"""What an engine can be asked, and the kernel behind each."""
PREFIX = "rw_"


@frozen
class Block:
    """An array of an engine: its type, its length, what lies in it at first; the rest is 0."""

    type: str
    size: int
    first: tuple[float, ...] = ()


@frozen
class Judge:
    """What judges positions, how deep a search goes by itself, and whether depth counts turns.

    `guide` is how a text leads the search.
    """

    evaluator: Evaluator | None = None
    depth: int | None = None
    turns: bool = False
    guide: Guide | None = None


@frozen
class Plan:
    """One module whose `exports` take no arrays: these are its blocks, by name."""

    game: Game
    layout: p.StateLayout
    module: n.Module
    blocks: Mapping[str, Block]
    exports: tuple[str, ...]


def engine_for(game: Game) -> Engine:
    """The kernels of a game, of which the text is wanted only."""
    engine = load_engine(game, "python")
    if isinstance(engine, str):
        raise RulewrightError(f"there is nothing to build: {engine}")
    return engine


def plan(engine: Engine, game: Game, judge: Judge) -> Plan:
    """The plan of an engine."""
    faces = load(face, thinking)
    value = judge.evaluator.linked if judge.evaluator else no_value()
    led = judge.guide.linked if judge.guide else (no_guide(),)
    parts = (value, no_patterns(), *led, alpha_beta(), tree_search(), faces)
    modules = [parse(engine.text), *(_module(part) for part in parts)]
    arrays = faces.module.functions["start"].signature.flat
    blocks = dict(zip((name for name, _ in arrays), _blocks(engine, judge), strict=True))
    module, names = merged(modules)
    for name, kernel in EXPORTS.items():
        _export(module, PREFIX + name, module.functions[names[kernel]], len(arrays))
    exports = tuple(PREFIX + name for name in EXPORTS)
    return Plan(game, engine.plan, _reached(module, exports), blocks, exports)


def _module(part: Linked) -> n.Module:
    """The nodes of a module, which nobody else has: they are changed."""
    return parse(part.text, part.outside)


# --- kernels ---


def merged(modules: Sequence[n.Module]) -> tuple[n.Module, dict[str, str]]:
    """All kernels as one module, and what those of the last one that are visible are called there.

    Of two with one name the later one gets another.
    """
    functions, scope = dict[str, n.Function](), dict[str, str]()
    for number, module in enumerate(modules):
        own = {m: m if m not in functions else f"{m}_in_{number}" for m in module.functions}
        scope = scope | own
        for function in module.functions.values():
            function.name = own[function.name]
            for call in {id(c): c for c in _calls(function)}.values():
                call.name = scope[call.name]
            functions[function.name] = function
    return n.Module(functions), scope


def _calls(function: n.Function) -> Iterable[n.Call]:
    todo = [e for s in n.statements(function.body) for e in n.values(s)]
    while todo:
        e = todo.pop()
        if isinstance(e, n.Call):
            yield e
        todo += n.parts(e)


def _reached(module: n.Module, names: Iterable[str]) -> n.Module:
    """What is called from some kernels, in the order of the module."""
    todo, found = list(names), set[str]()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [call.name for call in _calls(module.functions[name])]
    return n.Module({name: f for name, f in module.functions.items() if name in found})


def _export(module: n.Module, name: str, kernel: n.Function, arrays: int) -> None:
    """Add a kernel that hands the arrays over to another."""
    flat = kernel.signature.flat
    given = [n.Array(a, t) for a, t in flat[:arrays]]
    taken = [n.Local(a, t) for a, t in flat[arrays:]]
    call = n.Call(kernel.name, (*given, *taken), kernel.signature.gives)
    body: list[n.Stmt] = [n.Do(call)] if n.gives_nothing(kernel) else [n.Return(call)]
    signature = Signature(flat[arrays:], kernel.signature.gives)
    module.functions[name] = n.Function(name, signature, dict(flat[arrays:]), body)


# --- arrays ---


def _blocks(engine: Engine, judge: Judge) -> list[Block]:
    """The arrays of `face.Face`, in order."""
    space = Workspace(engine, MEMORY if judge.evaluator else 0, judge.evaluator, guide=judge.guide)
    space.control.turns = int(judge.turns)
    size, whole, row = engine.plan.size, engine.plan.whole, engine.row
    node = montecarlo.HEAD + row
    room = max(20_480 + 2, (0 if judge.evaluator else MEMORY) // (node * WORD + WORD))
    space.control.room = room
    threads = [_block(array) for array in space.arrays]
    book = _book(engine)
    deepest, grows = min(judge.depth or DEEPEST, DEEPEST), int(judge.evaluator is None)
    told = _words(face.Told, room=PLAYED, deepest=deepest, grows=grows)
    return [
        *threads,
        Block(INTS, room * node), Block(FLOATS, room), Block(INTS, thread.PATH + 1),
        Block(INTS, _FEW), Block(INTS, len(book), tuple(book)), Block(INTS, _FEW, told),
        Block(INTS, _FEW, _words(face.Counts, levels=face.DEEP)),
        Block(INTS, whole * (face.DEEP + 1)), Block(INTS, size * (PLAYED + 1)),
        Block(INTS, p.MARGIN), Block(INTS, row * (thinking.LONGEST + 1)),
        Block(INTS, BYTES // WORD), Block(INTS, BYTES // WORD),
    ]  # fmt: skip


def _words(layout: type, **values: int) -> tuple[int, ...]:
    """The words of a short array with names."""
    words = [0] * _FEW
    for name, value in values.items():
        words[place(layout, name)] = value
    return tuple(words)


def _block(array: Any) -> Block:
    """An array of plain kernels as a block."""
    used = array._values  # what was written so far; the rest is 0
    last = max((i + 1 for i, value in enumerate(used) if value), default=0)
    floats = any(isinstance(value, float) for value in used)
    return Block(FLOATS if floats else INTS, len(array), tuple(used[:last]))


def _book(engine: Engine) -> list[int]:
    """The first position and the notation, behind the words that say where they are."""
    first = engine.encode(engine.play.first)
    head = [2, 0]
    head[1], words = written_down(engine.play, engine.plan, len(head) + len(first))
    return [*head, *first, *words]
