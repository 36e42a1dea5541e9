"""What an engine to take away is made of, whatever it is written as.

In: a game, and what judges its positions.  Out: an `EnginePlan`: one module of kernels, the arrays
that they share with what lies in these at first, and functions over them without arrays.  Refuses
games without kernels, and personalities whose search is none that an engine can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from rulewright.app.build import choosing, face, openings, thinking
from rulewright.app.build.judge import EngineJudge, EnginePlayer
from rulewright.app.build.notation import BookWriter, described, written_down
from rulewright.compiler import layout as p
from rulewright.compiler.backend import Linked, load
from rulewright.compiler.engine import Engine
from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.inline import renamed
from rulewright.compiler.ir.types import FLOATS, INTS, Signature
from rulewright.compiler.runtime import float_bits, place
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.search.deepening import fills
from rulewright.search.driver import DEEPEST
from rulewright.search.kernels import amaf, random_games, root, several, thread, weighing, windows
from rulewright.search.kernels.montecarlo import HEAD
from rulewright.search.one_ply import levels_of
from rulewright.search.results import EXPLORE, BeamShape
from rulewright.search.thread_arrays import (
    INFINITE,
    WORD,
    ThreadArrays,
    alpha_beta,
    at_root,
    buckets,
    no_guide,
    no_patterns,
    no_value,
    proof_numbers,
)
from rulewright.search.trees import several_kernels, tree_search

MEMORY = 8 * 1024 * 1024
"""Bytes for the transposition table, or for the tree."""
PLAYED = 4096
"""Decisions that can be taken back."""
PROOFS = MEMORY // 4
"""Bytes for the table of proofs, where wins by threats are looked for."""
_FEW = 24
"""Words of short arrays."""
_MIND = 48
"""Words of what an engine thinks."""
BYTES = 512
"""Bytes of the longest text."""
EXPORTS = {
    "start": "start", "moves": "moves", "play": "play_number", "undo": "undo", "mover": "mover",
    "result": "result", "place": "seat_place", "by_chance": "is_by_chance",
    "likelihood": "likelihood", "roll": "roll", "fault": "fault", "write": "write", "find": "find",
    "perft": "perft_here", "playouts": "playouts_here", "counted": "counted",
    "think": "think", "think_within": "allow", "think_on": "think_on", "think_end": "think_end",
    "value": "best_value", "proven": "is_proven", "nodes": "seen_nodes", "line": "line_length",
    "write_line": "write_line",
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
class EnginePlan:
    """One module whose `exports` take no arrays: these are its blocks, by name."""

    game: Game
    layout: p.StateLayout
    module: n.Module
    blocks: Mapping[str, Block]
    exports: tuple[str, ...]


def engine_for(game: Game) -> Engine:
    """The kernels of a game, which nobody runs here."""
    engine = load_engine(game, "python")
    if isinstance(engine, str):
        raise RulewrightError(f"there is nothing to build: {engine}")
    return engine


def plan(engine: Engine, game: Game, judge: EngineJudge) -> EnginePlan:
    """The plan of an engine."""
    if game.rules.has_several:
        judge = evolve(judge, how=thinking.SEVERAL)
    modules = [part.module for part in (engine.lowered, *_parts(judge))]
    faces = _faces().module.functions["start"].signature.flat
    blocks = _blocks([name for name, _ in faces], engine, judge)
    module, names = merge_modules(modules)
    for name in _never_asked(judge):
        module.functions[names[name]] = _hollow(module.functions[names[name]])
    for name, kernel in EXPORTS.items():
        _export(module, PREFIX + name, module.functions[names[kernel]], len(faces))
    exports = tuple(PREFIX + name for name in EXPORTS)
    return EnginePlan(game, engine.plan, _reached(module, exports), blocks, exports)


def _faces() -> Linked:
    """List the modules of kernels that an engine exports: its questions and its search."""
    return load(face, choosing, openings, thinking)


def _parts(judge: EngineJudge) -> Iterator[Linked]:
    """All kernels but the game's; of two with one name the later one is meant from there on."""
    yield from (no_value(), no_patterns(), no_guide())
    if judge.evaluator is not None and judge.evaluator.linked not in judge.linked:
        yield judge.evaluator.linked
    yield from judge.linked
    yield from judge.candidates.linked if judge.candidates else ()
    yield from judge.guide.linked if judge.guide else ()
    yield from (alpha_beta(), proof_numbers(), at_root(), load(weighing))
    yield from (tree_search(), several_kernels(), _faces())


_NEEDED = {
    thinking.GROW: ("plant", "grow", "branch"),
    thinking.SEVERAL: ("plant_several", "grow_several", "branch_several"),
    thinking.DEEPEN: (
        "forget", "narrowed", "begin_deepening", "deepen", "break_off", "all_proven", "is_win",
        "follow_line", "begin_alphabeta", "judge_roots", "proves",
    ),
    thinking.BEAM: ("begin_beam", "look_behind", "look_behind_all", "end_beam", "expected_line"),
}  # fmt: skip
"""What only one way of thinking asks for."""


def _never_asked(judge: EngineJudge) -> Iterator[str]:
    """The kernels that this engine has no use for."""
    for how, names in _NEEDED.items():
        if how != judge.how:
            yield from names
    led = judge.guide
    if judge.candidates is None and not (led and (led.must or led.considered)):
        yield "narrowed"
    if not judge.threats:
        yield from (
            "begin_answer",
            "answer_on",
            "attack_first",
            "begin_attack",
            "come_home",
            "put_position",
        )
    if not judge.prove:
        yield from ("begin_proof", "end_proof", "glance", "has_proof", "prove_on")
    if led is None or led.grown is None:
        yield from ("begin_later", "with_later", "note_decision", "note_site", "led_game")
        yield from ("note_game", "learn_later")
    player = judge.player
    if not (player.random or player.turns or player.lines):
        yield "opening_decides"
    if not player.lines:
        yield "keep_line_moves"
    if judge.how in (thinking.GROW, thinking.SEVERAL):
        yield from ("way", "decide_by")
    elif not judge.weighs:
        yield "weigh_all"


def _hollow(kernel: n.Function) -> n.Function:
    """An empty kernel with the signature of one that is never called."""
    gives = kernel.signature.gives
    body: list[n.Stmt] = [] if n.gives_nothing(kernel) else [n.Return(n.Const(0, gives))]
    return evolve(kernel, body=body)


# --- kernels ---


def merge_modules(modules: Sequence[n.Module]) -> tuple[n.Module, dict[str, str]]:
    """All kernels as one module, and what those of the last one that are visible are called there.

    Of two with one name the later one gets another.
    """
    functions, scope = dict[str, n.Function](), dict[str, str]()
    for number, module in enumerate(modules):
        own = {m: m if m not in functions else f"{m}_in_{number}" for m in module.functions}
        scope = scope | own
        functions |= {own[name]: renamed(f, scope) for name, f in module.functions.items()}
    return n.Module(functions), scope


def _reached(module: n.Module, names: Iterable[str]) -> n.Module:
    """Keep the kernels that some kernels call, in the order of the module."""
    todo, reached = list(names), set[str]()
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += [call.name for call in n.calls(module.functions[name])]
    return n.Module({name: f for name, f in module.functions.items() if name in reached})


def _export(module: n.Module, name: str, kernel: n.Function, arrays: int) -> None:
    """Add a kernel that hands the arrays over to another."""
    flat = kernel.signature.flat
    array_arguments = [n.Array(a, t) for a, t in flat[:arrays]]
    locals_ = [n.Local(a, t) for a, t in flat[arrays:]]
    call = n.Call(kernel.name, (*array_arguments, *locals_), kernel.signature.gives)
    body: list[n.Stmt] = [n.Do(call)] if n.gives_nothing(kernel) else [n.Return(call)]
    signature = Signature(flat[arrays:], kernel.signature.gives)
    module.functions[name] = n.Function(name, signature, dict(flat[arrays:]), body)


# --- arrays ---


def _blocks(names: Iterable[str], engine: Engine, judge: EngineJudge) -> dict[str, Block]:
    """The arrays of `face.Face`, by their dotted names and in their order."""
    worker = _worker(engine, judge)
    blocks = _thinking_blocks(engine, worker, judge) | _game_blocks(engine, judge.player)
    # rules that look back see the first position too, which `start` puts into place
    engine.put(engine.play.first, engine.zeros(engine.plan.size), worker.game[3])
    threads = [name for name in names if name.startswith("f.root.thread.")]
    blocks |= dict(zip(threads, map(_block, worker.arrays), strict=True))
    factors = Block(FLOATS, max(1, len(judge.factors)), judge.factors)
    blocks |= {"f.root.thread.factors": factors} | _beam(judge.beam)
    return {name: blocks[name] for name in names}


def _game_blocks(engine: Engine, player: EnginePlayer) -> dict[str, Block]:
    """The game in progress, what is counted from its position, texts."""
    size, whole, row = engine.plan.size, engine.plan.whole, engine.row
    book = _book(engine, player)
    remembered = max([random_games.REMEMBERED, *(line.last for line in player.lines)])
    return {
        "f.book": Block(INTS, len(book), tuple(book)),
        "f.words": Block(INTS, _FEW, _words(face.GameWords, room=PLAYED)),
        "f.counts": Block(INTS, _FEW, _words(face.Counts, levels=face.DEEP)),
        "f.root.saved": Block(INTS, whole * (face.DEEP + 1)),
        "f.before": Block(INTS, size * (PLAYED + 1)),
        "f.decision_rows": Block(INTS, row * PLAYED),
        "f.last": Block(INTS, remembered),
        "f.root.line": Block(INTS, row * root.LONGEST),
        "f.text": Block(INTS, BYTES // WORD),
        "f.wanted": Block(INTS, BYTES // WORD),
    }


def _thinking_blocks(engine: Engine, worker: ThreadArrays, judge: EngineJudge) -> dict[str, Block]:
    """The tree and the decisions of the root; what the tree has room for is a setting."""
    grows = judge.how in (thinking.GROW, thinking.SEVERAL)
    led = judge.guide is not None and judge.guide.grown is not None
    head = HEAD if judge.how == thinking.GROW else several.BEFORE_WORTHS + worker.control.seats
    node, more = head + worker.engine.row, amaf.WORDS if led else 0
    room = max(p.MARGIN + 2, MEMORY // ((node + more) * WORD)) if grows else 1
    worker.control.room, worker.control.led = room, int(led)
    parts = max((len(value.parts) for value in judge.player.values), default=1)
    scores = p.MARGIN * (parts + 1) if judge.weighs else 1
    names = ("order", "next_order", "progress", "marks", "new_marks")
    words = dict.fromkeys(names, Block(INTS, p.MARGIN))
    floats = dict.fromkeys(("values", "new_values"), Block(FLOATS, p.MARGIN))
    return {
        "f.tree.nodes": Block(INTS, room * node),
        "f.tree.path": Block(INTS, thread.PATH + 1),
        "f.tree.chance": Block(INTS, _FEW),
        "f.tree.later": Block(INTS, room * amaf.WORDS if led else 1),
        "f.tree.trail": Block(INTS, random_games.TRAIL + 1 if led else 1),
        "f.tree.last_played": Block(INTS, 2 * random_games.MARKS if led else 1),
        "f.tree.last": Block(INTS, 2 * random_games.REMEMBERED),
        "f.mind": Block(INTS, _MIND, _mind(judge)),
        "f.root.search": Block(INTS, _MIND, _search(engine, judge)),
        **{f"f.root.moves.{name}": block for name, block in (words | floats).items()},
        "f.root.moves.refuted": Block(INTS, p.MARGIN if judge.threats else 1),
        "f.candidates": Block(INTS, p.MARGIN),
        "f.scores.words": Block(INTS, _FEW, _scores(judge)),
        "f.scores.numbers": Block(INTS, scores),
        "f.scores.parts": Block(INTS, parts),
        "f.kept_settings": Block(INTS, thread.SETTINGS if judge.prove else 1),
        "f.root.proofs": Block(INTS, PROOFS // WORD if judge.threats else 1),
    }


def _worker(engine: Engine, judge: EngineJudge) -> ThreadArrays:
    """The arrays of a search, with its settings."""
    memory = MEMORY if judge.how == thinking.DEEPEN else 0
    worker = ThreadArrays(
        engine, memory, judge.evaluator, candidates=judge.candidates, guide=judge.guide
    )
    worker.control.turns = int(judge.turns)
    if judge.exact:  # nothing that may change a value
        worker.no_bets()
        if worker.control.table == thread.AT_LEAST:
            worker.control.table = thread.SAME_DEPTH
    return worker


def _mind(judge: EngineJudge) -> tuple[int, ...]:
    """Return the words of `face.Mind`: how an engine searches."""
    grown = judge.guide.grown if judge.guide else None
    return _words(
        face.Mind, how=judge.how,
        explore=float_bits(grown.explore if grown else EXPLORE),
        prove=round(judge.prove * windows.SHARES),
    )  # fmt: skip


def _scores(judge: EngineJudge) -> tuple[int, ...]:
    """Return the words of `weighing.ScoreWords`: how decisions are scored, and a beam's width."""
    shape = judge.beam or BeamShape(0, 1, 0, 0)
    return _words(
        weighing.ScoreWords, ends=int(judge.ends), breadth=shape.breadth,
        share=float_bits(1.0 - shape.fade),
    )  # fmt: skip


def _search(engine: Engine, judge: EngineJudge) -> tuple[int, ...]:
    """Return the words of `root.RootWords`: how the root is searched."""
    deepest = min(judge.depth, DEEPEST) if judge.how == thinking.DEEPEN else judge.depth
    return _words(
        root.RootWords, deepest=deepest, full=int(judge.exact), every=int(judge.exact),
        edge=float_bits(INFINITE), fills=int(fills(engine.play.rules)),
        threats=int(judge.threats), proofs=(buckets(PROOFS) >> 1) - 1,
    )  # fmt: skip


def _beam(shape: BeamShape | None) -> dict[str, Block]:
    """The arrays of `weighing.Beam`, of one word where there is no beam."""
    levels = levels_of(shape) if shape else ()
    return {
        "f.beam.breadths": Block(INTS, max(1, len(levels)), levels),
        "f.beam.weights": Block(FLOATS, thread.ROWS if shape else 1),
        "f.beam.lines": Block(INTS, thread.LINE * thread.LINE if shape else 1),
        "f.beam.best": Block(FLOATS, thread.LINE if shape else 1),
    }


def _words(layout: type, **values: int) -> tuple[int, ...]:
    """The words of a short array with names."""
    words = [0] * _MIND
    for name, value in values.items():
        words[place(layout, name)] = value
    last = max((i + 1 for i, word in enumerate(words) if word), default=0)
    return tuple(words[:last])


def _block(array: Any) -> Block:
    """An array of plain kernels as a block."""
    words = array._values  # what was written so far; the rest is 0
    last = max((i + 1 for i, value in enumerate(words) if value), default=0)
    floats = any(isinstance(value, float) for value in words)
    return Block(FLOATS if floats else INTS, len(array), tuple(words[:last]))


def _book(engine: Engine, player: EnginePlayer) -> list[int]:
    """The first position, the notation and the player, behind the words that say where they are."""
    first = engine.encode(engine.play.first)
    head = [3, 0, 0]
    book = BookWriter(len(head) + len(first))
    head[1] = written_down(engine.play, engine.plan, book)
    head[2] = described(engine.play, engine.plan, player, book)
    return [*head, *first, *book.words]
