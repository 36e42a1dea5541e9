"""The limits of time and memory that the fuzzer holds readers to."""

from __future__ import annotations

import time
from pathlib import Path

from tests.tools.fuzz.fuzzer import Fuzzer
from tests.tools.fuzz.reader import Complaint, Reader


def test_every_kind_of_fault_is_detected(tmp_path: Path) -> None:
    def read(text: bytes) -> set[str]:
        match text:
            case b"crash":
                raise IndexError
            case b"gap":
                raise Complaint("a gap")
            case b"slow":
                until = time.process_time() + 4.1
                while time.process_time() < until:
                    pass
            case b"hungry":
                bytearray(b"x") * (500 * 2**20)
        return set()

    texts = [b"fine", b"crash", b"gap", b"slow", b"hungry"]
    told = list[str]()
    fuzzer = Fuzzer(Reader("any", lambda: texts, read, seconds=4), told.append, tmp_path)
    assert fuzzer.findings == len(told) == 4
    for word, line in zip(("IndexError", "a gap", "takes", "MiB"), told, strict=True):
        assert word in line
    assert len(list(tmp_path.iterdir())) == 4
