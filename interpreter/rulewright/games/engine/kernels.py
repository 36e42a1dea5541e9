"""Loading the kernels of a game: compiled once, cached, and kept as long as the game lives."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from rulewright.compiler.engine import (
    Engine,
    emitted_of,
    fastest,
    native_is_there,
    not_too_long,
)
from rulewright.compiler.layout import ChosenForm, Emitted, Unsupported
from rulewright.compiler.plan import slow_parts
from rulewright.games.engine import model_cache
from rulewright.games.engine.interpreted import Playable
from rulewright.games.engine.packed import Machine, stepping_kernels
from rulewright.ground import cache
from rulewright.ground.records import Record, record

NO_LLVM = "machine code needs the package llvmlite, which is not installed"
_NAMES = {"llvm": "native"}
"""The names of engines, by the names of backends where they differ."""
NO_WASM = "WebAssembly needs the package wasmtime, which is not installed"


@record
class PlayingBackend(Record):
    """The backend that plays a game by default: `native`, `wasm` or `reference`.

    `reason` says why it is not machine code, `slow` what kernels do slowly that can be written
    otherwise.
    """

    backend: str
    reason: str = ""
    slow: tuple[ChosenForm, ...] = ()


def playing_backend(game: Playable) -> PlayingBackend:
    """The backend that plays a game; writes its kernels to find out, and does not compile them."""
    backend = fastest()
    if backend is None:
        return PlayingBackend("reference", NO_LLVM)
    try:
        emitted = emitted_of(game.play)
        not_too_long(emitted)
    except Unsupported as reason:
        where = f" ({reason.where})" * bool(reason.where)
        return PlayingBackend("reference", f"{reason}{where}")
    return PlayingBackend(backend, slow=tuple(slow_parts(emitted.layout)))


_warnings = set[str]()


def load_engine(
    game: Playable, backend: str | None = None, use_cache: bool = True, quick: bool = False
) -> Engine | str:
    """Load the engine of a game; the reason in words if there is none.

    *backend*: by default machine code.  *quick*: code that is compiled fast will do; by default it
    is improved first, unless the kernels are long.
    """
    name = _NAMES.get(backend or "", backend) or fastest() or "native"
    if name == "reference":
        return "the reference was asked for"
    if name == "native" and not native_is_there():
        _warn("llvmlite")
        return NO_LLVM
    if name == "wasm":
        from rulewright.compiler.backend.wasm_host import wasm_is_there

        if not wasm_is_there():
            _warn("wasmtime")
            return NO_WASM
    engines = game.play.engines
    if name not in engines or (backend and isinstance(engines[name], str)):
        try:
            place = _place(game) if use_cache else None
            content = (game.play.rules, *game.play.links)
            emitted = model_cache.read(place, Emitted, content) if place else None
            compilation = Engine(game.play, name, use_cache, emitted, quick, place)
            engines[name] = compilation
            if place and emitted is None and compilation.emitted:
                model_cache.write(place, compilation.emitted, content)
        except Unsupported as reason:
            engines[name] = f"{game.play.rules.name} is played by the reference: {reason}"
    engine = engines[name]
    assert isinstance(engine, Engine | str)
    if isinstance(engine, Engine) and not (quick or engine.long):
        engine.improve()
    return engine


def keep_for_others(game: Playable, page: bool) -> None:
    """Cache the code that plays a game elsewhere, in a *page* or not, if it can be compiled."""
    place, content = _place(game), (game.play.rules, *game.play.links)
    with suppress(Unsupported):
        emitted = emitted_of(game.play)
        not_too_long(emitted)
        if place:
            model_cache.write(place, emitted, content)
        if page:
            from rulewright.compiler.backend.wasm_host import keep_for_page

            keep_for_page([emitted.linked, stepping_kernels()])
        else:
            from rulewright.compiler.backend.native import keep_for_all

            keep_for_all(emitted.linked)


def has_kept_kernels(game: Playable) -> bool:
    """Whether the cache has the kernels of a game, written here or where a page was exported."""
    place = _place(game)
    return place is not None and cache.read(place) is not None


def _place(game: Playable) -> Path | None:
    """The path of the cached kernels of a game: beside its model, for this version of the code."""
    if game.place is None:
        return None
    return game.place.with_suffix(f".{cache.program('compiler')[:12]}.kernels")


def _warn(package: str) -> None:
    """Warn once that a package is missing, so that everything is slow."""
    if package not in _warnings:
        _warnings.add(package)
        text = f"rulewright: {package} is not installed; everything is right but slow"
        print(text, file=sys.stderr)


def machine_of(
    game: Playable, backend: str | None = None, may_compile: bool = True
) -> Machine | str | None:
    """The machine that plays positions by kernels; the reason if there is none, None if not yet.

    *may_compile*: kernels that are not there yet are compiled now.
    """
    name = _NAMES.get(backend or "", backend) or fastest()
    if name is None:
        return NO_LLVM
    engine = game.play.engines.get(name)
    if not isinstance(engine, Engine | str):
        if not may_compile:
            return None
        engine = load_engine(game, backend, quick=True)
    if isinstance(engine, str):
        return engine
    try:
        engine.linked(stepping_kernels())  # what cannot be linked is known before any position is
        return Machine(engine)
    except Unsupported as reason:
        return str(reason)
