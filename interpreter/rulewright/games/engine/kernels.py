"""Loading the kernels of a game: compiled once, cached, and kept as long as the game lives."""

from __future__ import annotations

import functools
import sys
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from rulewright import compiler
from rulewright.compiler.engine import (
    Engine,
    emitted_of,
    fastest,
    native_is_there,
    not_too_long,
)
from rulewright.compiler.layout import Emitted, Unsupported
from rulewright.games.engine import model_cache
from rulewright.games.engine.packed import Machine, stepping_kernels
from rulewright.ground import cache
from rulewright.ground.records import Record, record
from rulewright.reference.play import ReferencePlay

NO_LLVM = "machine code needs the package llvmlite, which is not installed"
_NAMES = {"llvm": "native"}
"""The names of engines, by the names of backends where they differ."""
NO_WASM = "WebAssembly needs the package wasmtime, which is not installed"


class Compilable(Protocol):
    """A game that kernels are compiled for, such as a `Game`."""

    @property
    def play(self) -> ReferencePlay:
        """The rules as the reference plays them, with the engines compiled for them."""

    @property
    def place(self) -> Path | None:
        """The path of the cached model; None if the model is not cached."""


@record
class PlayingBackend(Record):
    """The backend that plays a game by default: `native`, `wasm` or `reference`.

    `reason` says why it is not machine code.
    """

    backend: str
    reason: str = ""


def playing_backend(game: Compilable) -> PlayingBackend:
    """The backend that plays a game; writes its kernels to find out, and does not compile them."""
    backend = fastest()
    if backend is None:
        return PlayingBackend("reference", NO_LLVM)
    try:
        not_too_long(emitted_of(game.play))
    except Unsupported as reason:
        return PlayingBackend("reference", str(reason))
    return PlayingBackend(backend)


_warned = set[str]()


def load_engine(
    game: Compilable, backend: str | None = None, use_cache: bool = True, quick: bool = False
) -> Engine | str:
    """Load the engine of a game; the reason in words if there is none.

    *backend*: by default machine code.  *quick*: code that is compiled fast will do; by default it
    is improved first, unless the kernels are long.
    """
    wanted = _NAMES.get(backend or "", backend) or fastest() or "native"
    if wanted == "reference":
        return "the reference was asked for"
    if wanted == "native" and not native_is_there():
        _warn("llvmlite")
        return NO_LLVM
    if wanted == "wasm":
        from rulewright.compiler.backend.wasm_host import wasm_is_there

        if not wasm_is_there():
            _warn("wasmtime")
            return NO_WASM
    engines = game.play.engines
    if wanted not in engines or (backend and isinstance(engines[wanted], str)):
        try:
            place = _place(game) if use_cache else None
            content = (game.play.rules, *game.play.links)
            emitted = model_cache.read(place, Emitted, content) if place else None
            compiled = Engine(game.play, wanted, use_cache, emitted, quick, place)
            engines[wanted] = compiled
            if place and emitted is None and compiled.emitted:
                model_cache.write(place, compiled.emitted, content)
        except Unsupported as reason:
            engines[wanted] = f"{game.play.rules.name} is played by the reference: {reason}"
    engine = engines[wanted]
    assert isinstance(engine, Engine | str)
    if isinstance(engine, Engine) and not (quick or engine.long):
        engine.improve()
    return engine


def keep_for_others(game: Compilable, page: bool) -> None:
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


def has_kept_kernels(game: Compilable) -> bool:
    """Whether the cache has the kernels of a game, written here or where a page was exported."""
    place = _place(game)
    return place is not None and cache.read(place) is not None


def _place(game: Compilable) -> Path | None:
    """The path of the cached kernels of a game: beside its model, for this version of the code."""
    if game.place is None:
        return None
    return game.place.with_suffix(f".{_writers()[:12]}.kernels")


@functools.cache
def _writers() -> str:
    """Return a digest of the files that write kernels."""
    return cache.contents(Path(compiler.__file__).parent.rglob("*.py"))


def _warn(package: str) -> None:
    """Warn once that a package is missing, so that everything is slow."""
    if package not in _warned:
        _warned.add(package)
        text = f"rulewright: {package} is not installed; everything is right but slow"
        print(text, file=sys.stderr)


def machine_of(
    game: Compilable, backend: str | None = None, compiling: bool = True
) -> Machine | str | None:
    """The machine that plays positions by kernels; the reason if there is none, None if not yet.

    *compiling*: kernels that are not there yet are compiled now.
    """
    wanted = _NAMES.get(backend or "", backend) or fastest()
    if wanted is None:
        return NO_LLVM
    engine = game.play.engines.get(wanted)
    if not isinstance(engine, Engine | str):
        if not compiling:
            return None
        engine = load_engine(game, backend, quick=True)
    if isinstance(engine, str):
        return engine
    try:
        engine.linked(stepping_kernels())  # what cannot be linked is known before any position is
        return Machine(engine)
    except Unsupported as reason:
        return str(reason)
