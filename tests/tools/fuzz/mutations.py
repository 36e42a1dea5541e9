"""Texts made of other texts: bytes, words and lines changed, doubled, nested, mixed.

In: chance, and texts to begin with.  Out: endlessly many texts of 64 KiB and a little at the most.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

WORDS = (
    "own enemy empty full sites top corners nowhere near north around diagonal lines groups reach"
    " row column site x y ends leap some every those count sum max min any no not and or in meets"
    " if else for div mod ray from along choose need put clear move to link unlink again swap sides"
    " write let state option board square hexagon graph line pieces links setup action turn first"
    " win lose draw when score claim always start perft symmetric under each within unseen where by"
    " label players format game a1 b2 cell l s 0 1 2 9 1.5 99999999999999999999 true false stuck"
    " ply repeats mover nobody evaluator personality patterns for value factor search pick"
    " consider Off Def O D R V B true null case cases moves saw turn: mover: over: decision START"
    " TURN BOARD DONE INFO RECTSTART TAKEBACK rule genmove play boardsize undo komi position go"
    " time=1 nodes=2 game seed =1 ?1 best error ok (;FF[4] GM[1] SZ[19] AB[aa] RE[B+R] ;B[aa] ) 1."
    " resign swap -1 1e999 NaN"
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


def change_bits(chance: random.Random, text: bytes, _: list[bytes]) -> bytes:
    """For files that are no text: a run of bytes becomes zeros, ones or something else."""
    changed = bytearray(text)
    for _index in range(chance.randint(1, 4)):
        at, length = chance.randrange(len(changed)), chance.choice([1, 1, 2, 8, 64])
        changed[at : at + length] = chance.choice([b"\0", b"\xff", chance.randbytes(1)]) * len(
            changed[at : at + length]
        )
    return bytes(changed[: chance.choice([len(changed)] * 9 + [chance.randrange(len(changed))])])


MUTATIONS: tuple[Mutation, ...] = (
    flip_bytes, change_tokens, change_tokens, change_tokens, change_lines, splice, nest, repeat,
    large_numbers, foreign, invent,
)  # fmt: skip


BINARY: tuple[Mutation, ...] = (flip_bytes, change_bits)
MOST = 65600
"""Bytes of a text; of files that are no texts as many as they have."""


def texts(chance: random.Random, seeds: list[bytes], ways: Sequence[Mutation]) -> Iterator[bytes]:
    """Endlessly many texts."""
    most = 2**30 if ways is BINARY else MOST
    while True:
        text = chance.choice(seeds)[: most if ways is BINARY else min(most, 65536)]
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            text = chance.choice(ways)(chance, text or b" ", seeds)[:most]
        yield text
