"""Gives texts to readers and keeps those that they do not answer well.

In: readers, a seed.  Out: findings, and texts for the corpus: what brought a message that no text
to begin with brings, cut down to what is needed for it.
"""

from __future__ import annotations

import gc
import hashlib
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from attrs import define, field

from rulewright.games.files.kinds import KnownReports
from tests.shared.places import CORPUS
from tests.tools.fuzz.mutations import texts
from tests.tools.fuzz.reader import Reader, Said

FINDINGS = Path("fuzz_findings")
KNOWN = KnownReports()
"""Bundled rules and what stands beside them, which nobody changes here, are read once."""
MEBIBYTES = 200
HANGS = 20
"""Seconds after which a text is given up, if its reader may not take as many."""
LARGEST, ALL, MOST = 2_000, 250_000, 24
"""Bytes of a text of the corpus, and of all of them; texts for one reader."""


class TooSlow(BaseException):
    """A reader does not come to an end; nothing but the fuzzer may catch it."""


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    def over(_: int, __: FrameType | None) -> None:
        raise TooSlow

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@define
class Fuzzer:
    """Gives texts to one reader; `tell` hears of findings."""

    reader: Reader
    tell: Callable[[str], None] = lambda line: None
    folder: Path = FINDINGS
    grows: bool = False
    few: int | None = None
    """How many of the texts to begin with are used, if not all."""
    findings: int = 0
    done: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    seeds: list[bytes] = field(init=False)
    known: Said = field(factory=set)
    _peak: int = field(factory=_memory)

    def __attrs_post_init__(self) -> None:
        found = self.reader.seeds()
        self.seeds = found[:: -(-len(found) // self.few)] if self.few else found
        for text in self.seeds:
            self.known |= self.give(text)

    def run(self, seed: int, most: int, until: float) -> None:
        """Give *most* texts that *seed* brings, or as many as there is time for."""
        made = texts(random.Random(f"{self.reader.name} {seed}"), self.seeds, self.reader.ways)
        before = self.done
        while self.done < before + most and time.monotonic() < until:
            text = next(made)
            fresh = self.give(text) - self.known
            if fresh:
                self.known |= fresh
                self._grow(text, fresh)

    def give(self, text: bytes) -> Said:
        """Give one text; what was said of it."""
        self._peak = max(self._peak, _memory())  # what making the text needed does not count
        clock = time.monotonic()
        said, wrong, spent = self._read(text)
        if not wrong and spent > self.reader.seconds:
            gc.freeze()  # looking for garbage among what other readers left is not the text's time
            said, wrong, spent = self._read(text)
        self.done, self.seconds = self.done + 1, self.seconds + time.monotonic() - clock
        self.slowest = max(self.slowest, spent)
        grown = _memory() - self._peak
        if not wrong and spent > self.reader.seconds:
            wrong = f"the text takes {spent:.2f} s"
        if not wrong and grown > MEBIBYTES * 1024:
            wrong = f"the text needs {grown // 1024} MiB"
        if wrong:
            self._keep(text, wrong)
        return said

    def _read(self, text: bytes) -> tuple[Said, str, float]:
        """What a text brings, what was wrong with that, and the seconds that it took."""
        began, wrong, said = time.process_time(), "", Said()
        try:
            with _patience(max(HANGS, 2 * self.reader.seconds)), KNOWN.used():
                said = self.reader.read(text)
        except TooSlow:
            wrong = f"no answer after {time.process_time() - began:.0f} s"
        except (Exception, RecursionError):  # whatever it is, it is a finding
            wrong = traceback.format_exc()
        return said, wrong, time.process_time() - began

    def _keep(self, text: bytes, wrong: str) -> None:
        self.folder.mkdir(exist_ok=True)
        self.findings += 1
        name = f"{self.reader.name}-{hashlib.sha256(text).hexdigest()[:12]}"
        path = self.folder / name
        path.write_bytes(text)
        self.tell(f"{path}: {wrong}")

    # --- the corpus ---

    def _grow(self, text: bytes, fresh: Said) -> None:
        if not self.grows or self.reader.seconds > 1 or self.reader.name == "db":
            return
        small = _smaller(text, lambda t: fresh <= self._quietly(t))
        size = sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file())
        folder = CORPUS / self.reader.name
        full = len(list(folder.glob("*"))) >= MOST or size + len(small) > ALL
        if len(small) <= LARGEST and not full:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / hashlib.sha256(small).hexdigest()[:12]).write_bytes(small)
            self.seeds.append(small)

    def _quietly(self, text: bytes) -> Said:
        try:
            with _patience(HANGS), KNOWN.used():
                return self.reader.read(text)
        except (TooSlow, Exception):
            return set()


def _smaller(text: bytes, same: Callable[[bytes], bool], seconds: float = 10.0) -> bytes:
    """*text* without lines, then without words, that *same* does not need."""
    until = time.process_time() + seconds
    for mark in (b"\n", b" "):
        parts = text.split(mark)
        size = max(1, len(parts) // 2)
        while size and time.process_time() < until:
            at = 0
            while at < len(parts) and time.process_time() < until:
                shorter = parts[:at] + parts[at + size :]
                if same(mark.join(shorter)):
                    parts = shorter
                else:
                    at += size
            size //= 2
        text = mark.join(parts)
    return text


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
