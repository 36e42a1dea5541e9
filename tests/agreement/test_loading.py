"""Object code that is loaded without LLVM does what it does when LLVM loads it."""

import struct
from ctypes import c_int64
from typing import Any

import pytest

from rulewright import load
from rulewright.compiler.backend import Linked
from rulewright.compiler.backend.loading import is_loaded_here
from rulewright.compiler.engine import Engine
from tests.shared.backends import needs_llvm

pytestmark = [
    needs_llvm,
    pytest.mark.skipif(not is_loaded_here(), reason="only objects of Linux are loaded so"),
]
TEXT = """def spread(x: f64, a: floats, n: i64) -> f64:
    for i in range(0, n):
        a[i] = x * 0.375 + 0.125
    return sqrt(x) + a[n - 1]
"""
CLEARING = """def clear(a: ints, n: i64) -> None:
    for i in range(0, n):
        a[i] = 0
"""
PLACES = 4
"""The kind of a section that says where addresses stand."""


def code() -> bytes:
    from rulewright.compiler.backend.native import compile_module

    return compile_module(Linked(TEXT, {}), use_cache=False).code


def places(found: bytes) -> list[int]:
    """Where the kinds of the addresses stand that the code asks for."""
    (start,) = struct.unpack_from("<Q", found, 40)
    (count,) = struct.unpack_from("<H", found, 60)
    heads = [struct.unpack_from("<IIQQQQIIQQ", found, start + 64 * i) for i in range(count)]
    return [
        place + 8
        for head in heads
        if head[1] == PLACES and heads[head[7]][2] & 4  # of a section that is code
        for place in range(head[4], head[4] + head[5], 24)
    ]


def test_code_is_loaded_here_without_llvm() -> None:
    from rulewright.compiler.backend.loading import Image

    assert Image([code()]).address("spread")
    assert not Image([code()]).address("nothing")


@pytest.mark.all_passes  # with few of them LLVM does not know what the loop is
def test_what_lies_far_away_is_reached() -> None:
    from rulewright.compiler.backend.native import Native, compile_module

    source, words = Linked(CLEARING, {}), (c_int64 * 9)(*range(1, 10))
    assert b"memset" in compile_module(source, use_cache=False).code, "LLVM knows what the loop is"
    Native([source], use_cache=False)["clear"](words, 7)
    assert list(words) == [0] * 7 + [8, 9]


def test_nodes_are_dropped_with_careful_code_and_come_again() -> None:
    from rulewright.compiler.backend.native import Native

    source = Linked.of(Linked(CLEARING, {}).module)
    quick = Native([source], use_cache=False, quick=True)
    assert "module" in vars(source), "careful code is still to be made of them"
    quick.improve()
    assert "module" not in vars(source)
    assert source.text == Linked(CLEARING, {}).text


@pytest.mark.parametrize("game", ["connect4", "connect5", "conniption"])
def test_whoever_loads_the_code_it_plays_the_same(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulewright.compiler.backend import loading, native

    def refuse(_: Any) -> None:
        raise loading.Unloadable("as elsewhere")

    play = load(game).play
    engines = [Engine(play, quick=True)]
    monkeypatch.setattr(native, "Image", refuse)
    engines.append(Engine(play, quick=True))
    one, other = (
        (engine.playouts(play.first, 20, 7), engine.perft(play.first, 3)) for engine in engines
    )
    assert one == other


def test_objects_of_other_machines_and_unknown_addresses_are_refused() -> None:
    from rulewright.compiler.backend.loading import Image, Unloadable

    whole = code()
    assert places(whole), "its constants have addresses"
    other = bytearray(whole)
    struct.pack_into("<H", other, 18, 183)  # ARM
    kind = bytearray(whole)
    struct.pack_into("<I", kind, places(whole)[0], 42)
    for damaged in (other, kind):
        with pytest.raises(Unloadable):
            Image([bytes(damaged)])
