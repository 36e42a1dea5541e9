"""Random games on a graphics card, beside what the processor said of the same games.

    python benchmarks/gpu/run.py FOLDER

The folder is one that `make.py` wrote.  Needed are Python's standard library and NVIDIA's driver.
Each lane of the card plays games one after another from its own seed.  Winners, plies and the
generator's last state are compared word by word with those of the lanes that the processor played;
then come games and plies a second, the second of two runs.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import time
from pathlib import Path
from typing import Any

BLOCK = 64
OUT = 6
"""Words that a lane writes: plies, the generator's last state, four counts."""


def seed_of(lane: int) -> int:
    """A seed for each lane, none of them 0 (splitmix64)."""
    z = (lane + 1) * 0x9E3779B97F4A7C15 & 2**64 - 1
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 2**64 - 1
    z = (z ^ z >> 27) * 0x94D049BB133111EB & 2**64 - 1
    return z ^ z >> 31


class Card:
    """The first card, by the driver alone."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.ask("cuInit", 0)
        device, context, self.name = ctypes.c_int(), ctypes.c_void_p(), ""
        self.ask("cuDeviceGet", ctypes.byref(device), 0)
        self.ask("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.ask("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(100)
        self.ask("cuDeviceGetName", name, 100, device)
        self.name = name.value.decode()

    def ask(self, name: str, *arguments: Any) -> None:
        """Call the driver; an error ends the program with its number."""
        status = getattr(self.cuda, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(status, ctypes.byref(text))
            raise SystemExit(f"{name}: {(text.value or b'').decode()} ({status})")

    def memory(self, size: int) -> Any:
        """So many bytes of the card, all 0."""
        place = ctypes.c_uint64()
        self.ask("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(size))
        self.ask("cuMemsetD32_v2", place, 0, ctypes.c_size_t(size // 4))
        return place

    def upload(self, words: list[int]) -> Any:
        """Words in memory of the card."""
        data = (ctypes.c_uint64 * len(words))(*(word & 2**64 - 1 for word in words))
        place = self.memory(8 * len(words))
        self.ask("cuMemcpyHtoD_v2", place, data, ctypes.c_size_t(8 * len(words)))
        return place

    def download(self, place: Any, count: int) -> list[int]:
        """Words from memory of the card."""
        data = (ctypes.c_int64 * count)()
        self.ask("cuMemcpyDtoH_v2", data, place, ctypes.c_size_t(8 * count))
        return list(data)

    def function(self, text: str) -> tuple[Any, dict[str, int]]:
        """The kernel of a text of PTX, with its registers and its bytes of local memory."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.ask("cuModuleLoadData", ctypes.byref(module), text.encode())
        self.ask("cuModuleGetFunction", ctypes.byref(function), module, b"lanes")
        found = {}
        for word, number in (("registers", 4), ("local", 3)):
            value = ctypes.c_int()
            self.ask("cuFuncGetAttribute", ctypes.byref(value), number, function)
            found[word] = value.value
        return function, found

    def launch(self, function: Any, lanes: int, *arguments: Any) -> float:
        """Run a kernel on all lanes; seconds until it was done."""
        places = (ctypes.c_void_p * len(arguments))(
            *(ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in arguments)
        )
        start = time.perf_counter()
        grid = (lanes // BLOCK, 1, 1, BLOCK, 1, 1)
        self.ask("cuLaunchKernel", function, *grid, 0, None, places, None)
        self.ask("cuCtxSynchronize")
        return time.perf_counter() - start


def run(folder: Path) -> None:
    """Compare and measure every game of a folder; a line of JSON for each."""
    card = Card()
    print(card.name, flush=True)
    for file in sorted(folder.glob("*.ptx")):
        about = json.loads(file.with_suffix(".json").read_text())
        told = {"game": file.stem, **measured(card, file.read_text(), about)}
        print(json.dumps(told), flush=True)


def measured(card: Card, text: str, about: dict[str, Any]) -> dict[str, Any]:
    """What a game's kernel does on the card."""
    lanes, games, start = about["lanes"], about["games"], time.perf_counter()
    function, resources = card.function(text)
    loading = time.perf_counter() - start
    room = 8 * lanes * sum(about["sizes"].values())
    out = card.memory(8 * OUT * lanes)
    seeds = card.upload([seed_of(lane) for lane in range(lanes)])
    given = (card.upload(about["first"]), card.upload(about["table"]), card.memory(room))
    spent = []
    for _ in range(2):
        card.ask("cuMemsetD32_v2", given[2], 0, ctypes.c_size_t(room // 4))
        spent.append(card.launch(function, lanes, *given, seeds, out, ctypes.c_int64(games)))
    words = card.download(out, OUT * lanes)
    said = zip(about["plies"], about["ends"], about["counts"], strict=True)
    wrong = sum(words[OUT * i : OUT * i + OUT] != [p, e, *c] for i, (p, e, c) in enumerate(said))
    plies = sum(words[::OUT])
    for place in (*given, seeds, out):
        card.ask("cuMemFree_v2", place)
    return {
        "games_compared": len(about["plies"]) * games, "lanes_that_differ": wrong,
        "games_per_s": lanes * games / spent[1], "plies_per_s": plies / spent[1],
        "cores": plies / spent[1] / about["plies_per_s"], "seconds": spent,
        "loading_s": loading, "mib": room >> 20, **resources,
    }  # fmt: skip


def main() -> None:
    """Run on the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Random games on a graphics card.")
    parser.add_argument("folder", type=Path)
    run(parser.parse_args().folder)


if __name__ == "__main__":
    main()
