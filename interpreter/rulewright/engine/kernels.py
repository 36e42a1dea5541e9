"""Kernels for a game, where there are any: compiled once for a game, kept as long as it lives."""

from __future__ import annotations

import functools
import sys
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from rulewright import cache, codegen
from rulewright.codegen.backend import Linked
from rulewright.codegen.engine import (
    Engine,
    emitted_of,
    fastest,
    native_is_there,
    not_too_long,
    text_of,
)
from rulewright.codegen.layout import Emitted, Unsupported
from rulewright.engine import model_cache
from rulewright.engine.packed import Machine, played_with
from rulewright.records import Record, record
from rulewright.reference.play import ReferencePlay

NO_LLVM = "machine code needs the package llvmlite, which is not installed"
_NAMES = {"llvm": "native"}
"""What engines are called, of which machine code is the usual kind."""
NO_WASM = "WebAssembly needs the package wasmtime, which is not installed"


class Compilable(Protocol):
    """What kernels are made for, such as a `Game`."""

    @property
    def play(self) -> ReferencePlay:
        """The rules in motion, with the engines that were made for them."""

    @property
    def place(self) -> Path | None:
        """Where the model is kept between runs, if it is."""


@record
class Played(Record):
    """What plays a game unless somebody asks for another backend: `native`, `wasm` or `reference`.

    `reason` says why it is not machine code.
    """

    backend: str
    reason: str = ""


def played_by(game: Compilable) -> Played:
    """What plays a game; its kernels are written for that, and not compiled."""
    backend = fastest()
    if backend is None:
        return Played("reference", NO_LLVM)
    try:
        not_too_long(text_of(emitted_of(game.play)))
    except Unsupported as reason:
        return Played("reference", str(reason))
    return Played(backend)


_warned = set[str]()


def load_engine(
    game: Compilable, backend: str | None = None, use_cache: bool = True, quick: bool = False
) -> Engine | str:
    """The engine of a game, or the reason why there is none.

    *backend* unsaid: machine code.  *quick*: code that is there soon will do; whoever does not say
    so has the best code that there is, of long kernels what is there soon.
    """
    wanted = _NAMES.get(backend or "", backend) or fastest() or "native"
    if wanted == "reference":
        return "the reference was asked for"
    if wanted == "native" and not native_is_there():
        _warn("llvmlite")
        return NO_LLVM
    if wanted == "wasm":
        from rulewright.codegen.backend.wasm_host import wasm_is_there

        if not wasm_is_there():
            _warn("wasmtime")
            return NO_WASM
    engines = game.play.engines
    if wanted not in engines or (backend and isinstance(engines[wanted], str)):
        try:
            place = _place(game) if use_cache else None
            given = (game.play.rules, *game.play.links)
            emitted = model_cache.read(place, Emitted, given) if place else None
            made = Engine(game.play, wanted, use_cache, emitted, quick, place)
            engines[wanted] = made
            if place and emitted is None and made.emitted:
                model_cache.write(place, made.emitted, given)
        except Unsupported as reason:
            engines[wanted] = f"{game.play.rules.name} is played by the reference: {reason}"
    engine = engines[wanted]
    assert isinstance(engine, Engine | str)
    if isinstance(engine, Engine) and not (quick or engine.long):
        engine.improve()
    return engine


def keep_for_others(game: Compilable, page: bool) -> None:
    """Cache what plays a game elsewhere, in a *page* or not, unless nothing would compile it."""
    place, given = _place(game), (game.play.rules, *game.play.links)
    with suppress(Unsupported):
        emitted = emitted_of(game.play)
        not_too_long(text_of(emitted))
        if place:
            model_cache.write(place, emitted, given)
        module = Linked(text_of(emitted), {}, emitted.module)
        if page:
            from rulewright.codegen.backend.wasm_host import keep_for_page

            keep_for_page([module, played_with()])
        else:
            from rulewright.codegen.backend.native import keep_for_all

            keep_for_all(module)


def kept(game: Compilable) -> bool:
    """Whether the kernels of a game were written before, here or where a page was exported."""
    place = _place(game)
    return place is not None and cache.read(place) is not None


def _place(game: Compilable) -> Path | None:
    """Where the kernels of a game are kept: beside its model, for these very program files."""
    if game.place is None:
        return None
    return game.place.with_suffix(f".{_writers()[:12]}.kernels")


@functools.cache
def _writers() -> str:
    """What the files say that write kernels."""
    return cache.contents(Path(codegen.__file__).parent.rglob("*.py"))


def _warn(package: str) -> None:
    """Say once that everything will be slow."""
    if package not in _warned:
        _warned.add(package)
        print(
            f"rulewright: {package} is not installed; everything is right but slow", file=sys.stderr
        )


def machine_of(
    game: Compilable, backend: str | None = None, compiling: bool = True
) -> Machine | str | None:
    """What plays positions by kernels; the reason if nothing will, None if nothing does yet.

    *compiling*: it is made now, and kernels with it.
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
        engine.linked(played_with())  # what cannot be linked is known before any position is
        return Machine(engine)
    except Unsupported as reason:
        return str(reason)
