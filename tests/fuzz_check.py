"""Damaged and random texts for the checker: it must answer each, quickly, and never crash.

`python -m tests.fuzz_check --minutes 10 [--seed N]` mutates the bundled rules files and the corpus
of wrong ones, and checks each text in this process.  An exception, a text that takes longer than a
second, one that needs much memory, or a model with a gap in it is a finding: the text is kept in
`fuzz_findings/` and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import define, field

from rulewright import loading
from rulewright.language.source import Source
from rulewright.loading import Report, check_bytes
from rulewright.model.expressions import Expression, Type

SECONDS = 1.0
MEBIBYTES = 200
REJECTED = Path(__file__).parent / "rejected"
FINDINGS = Path("fuzz_findings")
WORDS = (
    "own enemy empty full sites top corners nowhere near north around diagonal lines groups reach"
    " row column site x y ends leap some every those count sum max min any no not and or in meets"
    " if else for div mod ray from along choose need put clear move to link unlink again swap sides"
    " write let state option board square hexagon graph line pieces links setup action turn first"
    " win lose draw when score claim always start perft symmetric under each within unseen where by"
    " label players format game a1 b2 cell l s 0 1 2 9 1.5 99999999999999999999 true false stuck"
    " ply repeats mover nobody"
)
SIGNS = '( ) [ ] { } / * + - ? | , : := = <> <= >= < > .. # " & % ; \t'
PIECES = (*WORDS.split(), *SIGNS.split(" "), "\n", "\n  ", "\n    ", "\r\n", "\r", "\x00", "\x02")
Mutation = Callable[[random.Random, bytes, list[bytes]], bytes]


def flip_bytes(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    changed = bytearray(text)
    for _index in range(chance.randint(1, 8)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _tokens(text: bytes) -> list[bytes]:
    tokens, word = [], bytearray()
    for byte in text:
        letter = chr(byte).isalnum() or byte == ord("_")
        if not letter:
            tokens += [bytes(word), bytes([byte])] if word else [bytes([byte])]
            word.clear()
        else:
            word.append(byte)
    return [*tokens, bytes(word)]


def change_tokens(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    tokens = _tokens(text)
    for _index in range(chance.randint(1, 6)):
        at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(5):
            case 0:
                tokens[at] = b""
            case 1:
                tokens.insert(at, tokens[other])
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = chance.choice(PIECES).encode()
            case _:
                tokens.insert(at, b" " + chance.choice(PIECES).encode() + b" ")
    return b"".join(tokens)


def change_lines(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    lines = text.split(b"\n")
    for _index in range(chance.randint(1, min(4, len(lines)))):
        line = lines.pop(chance.randrange(len(lines)))
        if chance.random() < 0.6:
            lines.insert(chance.randint(0, len(lines)), line)
        if chance.random() < 0.5:
            lines.insert(chance.randint(0, len(lines)), b" " * chance.randrange(9) + line.strip())
    return b"\n".join(lines)


def splice(chance: random.Random, text: bytes, others: list[bytes]) -> bytes:
    other = chance.choice(others)
    if chance.random() < 0.5:
        return text[: chance.randint(0, len(text))] + other[chance.randint(0, len(other)) :]
    mine, theirs = text.split(b"\n"), other.split(b"\n")
    at = chance.randrange(len(theirs))
    where = chance.randint(0, len(mine))
    mine[where:where] = theirs[at : at + chance.randint(1, 12)]
    return b"\n".join(mine)


def nest(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    opening, closing = chance.choice(
        [(b"(", b")"), (b"not ", b""), (b"-", b""), (b"count(", b")"), (b"[", b"]"), (b"no ", b"")]
    )
    times, tokens = chance.choice([2, 10, 45, 300]), _tokens(text)
    at = chance.randrange(len(tokens))
    tokens[at] = opening * times + tokens[at] + closing * times
    return b"".join(tokens)


def repeat(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    if chance.random() < 0.5:
        lines = text.split(b"\n")
        at = chance.randrange(len(lines))
        lines[at : at + 1] = [lines[at]] * chance.choice([3, 50, 600])
        return b"\n".join(lines)
    tokens = _tokens(text)
    at = chance.randrange(len(tokens))
    piece = b"".join(tokens[at : at + chance.randint(1, 6)]) + b" "
    return b"".join([*tokens[:at], piece * chance.choice([3, 50, 2000]), *tokens[at:]])


def large_numbers(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    tokens = _tokens(text)
    numbers = [i for i, token in enumerate(tokens) if token.isdigit()]
    for at in chance.sample(numbers, min(len(numbers), chance.randint(1, 4))):
        tokens[at] = str(chance.choice([0, 1, 13, 50, 10**6, 2**62, 10**30])).encode()
    return b"".join(tokens)


def foreign(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    signs = "".join(
        chr(chance.choice([chance.randrange(128), chance.randrange(0x3000)])) for _ in "1234"
    )
    at = chance.randint(0, len(text))
    return text[:at] + signs.encode("utf-8", "surrogatepass") + text[at:]


def invent(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    words = (chance.choice(PIECES) for _index in range(chance.randint(1, 400)))
    head = text[: chance.randint(0, len(text))] if chance.random() < 0.5 else b""
    return head + " ".join(words).encode()


MUTATIONS: tuple[Mutation, ...] = (
    flip_bytes, change_tokens, change_tokens, change_tokens, change_lines, splice, nest, repeat,
    large_numbers, foreign, invent,
)  # fmt: skip


def texts(chance: random.Random, seeds: list[bytes]) -> Iterator[bytes]:
    """Endlessly many texts."""
    while True:
        text = chance.choice(seeds)[:65536]
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            text = chance.choice(MUTATIONS)(chance, text or b" ", seeds)[:65600]
        yield text


def gaps(node: Any) -> Iterator[Expression]:
    """Parts of an accepted model that stand in for something wrong: there must be none."""
    if isinstance(node, Expression) and node.type is Type.UNKNOWN:
        yield node
    if isinstance(node, tuple):
        for item in node:
            yield from gaps(item)
    elif hasattr(node, "__attrs_attrs__") and not isinstance(node, Source):
        for attribute in node.__attrs_attrs__:
            if attribute.name != "board":
                yield from gaps(getattr(node, attribute.name))


def complaint(report: Report) -> str:
    """What is wrong with an answer of the checker, or an empty text."""
    for diagnostic in report.diagnostics:
        diagnostic.render()
    if report.ok != (report.game is not None):
        return "the text is neither accepted nor refused"
    if report.game is not None and next(gaps(report.game.rules), None) is not None:
        return "the model of an accepted text has a gap"
    return ""


@define
class Fuzzer:
    """Checks texts and keeps those that it finds something in."""

    findings: int = 0
    checked: int = 0
    slowest: float = 0.0
    _memory: int = field(factory=lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    def check(self, text: bytes) -> None:
        """Check one text."""
        # what making the text needed does not count
        self._memory = max(self._memory, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        began = time.process_time()
        try:
            wrong = complaint(check_bytes("fuzz.rules", text))
        except Exception:  # whatever it is, it is a finding
            wrong = traceback.format_exc()
        seconds = time.process_time() - began
        self.checked += 1
        self.slowest = max(self.slowest, seconds)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - self._memory
        if not wrong and seconds > SECONDS:
            wrong = f"the text takes {seconds:.2f} s"
        if not wrong and grown > MEBIBYTES * 1024:
            wrong = f"the text needs {grown // 1024} MiB"
        if wrong:
            self._keep(text, wrong)

    def _keep(self, text: bytes, wrong: str) -> None:
        FINDINGS.mkdir(exist_ok=True)
        self.findings += 1
        path = FINDINGS / f"{self.findings:03d}.rules"
        path.write_bytes(text)
        sys.stdout.write(f"{path}: {wrong}\n")


def main() -> int:
    """Fuzz for some minutes; the exit status tells whether anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    paths = [*loading.bundled().values(), *sorted(REJECTED.glob("*.rules"))]
    seeds = [path.read_bytes() for path in paths]
    sys.stdout.write(f"seed {options.seed}, {len(seeds)} texts to begin with\n")
    fuzzer, began = Fuzzer(), time.monotonic()
    for seed in seeds:
        fuzzer.check(seed)
    for text in texts(random.Random(options.seed), seeds):
        if time.monotonic() - began > 60 * options.minutes or fuzzer.findings >= 50:
            break
        fuzzer.check(text)
    rate = fuzzer.checked / (time.monotonic() - began)
    done = f"{fuzzer.checked:,} texts, {rate:.0f} a second, the slowest took {fuzzer.slowest:.2f} s"
    sys.stdout.write(f"{done}; {fuzzer.findings} findings\n")
    return 1 if fuzzer.findings else 0


if __name__ == "__main__":
    sys.exit(main())
