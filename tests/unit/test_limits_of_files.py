"""How large a file may be: what has just the size of a limit is read, and one more is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

import rulewright
from rulewright.errors import RulewrightError
from rulewright.ground import limits
from rulewright.ground.disk import TEXT_BYTES

RULES = """format 1
game tiny
players red blue
board {board}
pieces {pieces}
{extra}
move place
  choose at in empty
  {act}
turn place
lose when {when}
"""
PLAIN = {
    "board": "square 3 by 1", "pieces": "stone", "extra": "", "act": "put stone at at",
    "when": "stuck",
}  # fmt: skip


def told(parts: Mapping[str, str]) -> str:
    """Why rules are refused; empty where they are read."""
    try:
        rulewright.loads(RULES.format(**{**PLAIN, **parts}))
    except RulewrightError as error:
        return str(error)
    return ""


def blocks(number: int) -> str:
    heads = (f"if ply < 9\n{'  ' * (level + 2)}" for level in range(number))
    return "".join(heads) + "put stone at at"


def actions(number: int) -> str:
    calls = [f"action d{level}(s)\n  d{level + 1}(s)" for level in range(number - 1)]
    return "\n".join([*calls, f"action d{number - 1}(s)\n  put stone at s"])


def leaps(number: int) -> str:
    return "\n".join(f"let l{across} = leap(1, {across})" for across in range(2, number + 2))


def kinds(number: int) -> str:
    return ", ".join(["stone", *(f'k{n} "{chr(0x391 + n)}"' for n in range(number - 1))])


LIMITS: dict[str, tuple[int, str, Callable[[int], dict[str, str]]]] = {
    "names": (400, "401 names", lambda n: {
        "extra": "\n".join(f"let l{i} = {i}" for i in range(n - 4))}),
    "options": (32, "33 options", lambda n: {
        "extra": "\n".join(f"option o{i} = 1 in 1..2" for i in range(n))}),
    "kinds": (24, "25 kinds of pieces", lambda n: {"pieces": kinds(n)}),
    "letters": (60, "61 characters", lambda n: {"extra": f"let {'a' * n} = 1"}),
    "digits": (60, "61 characters", lambda n: {"when": f"ply = {'9'.rjust(n, '0')}"}),
    # the statement and the innermost word are levels too
    "brackets": (38, "deeper than 40 levels", lambda n: {"when": f"{'(' * n}stuck{')' * n}"}),
    "blocks": (11, "blocks are nested deeper than 12", lambda n: {"act": blocks(n)}),
    "words": (1997, "2000 words and signs", lambda n: {"when": f"{'not ' * n}stuck"}),
    "text": (1998, "2,001 characters", lambda n: {"pieces": f'stone "{"x" * n}"'}),
    "number": (2**62 - 1, "more than 62 bits", lambda n: {"when": f"ply = {n}"}),
    "actions": (20, "deeper than 20 levels", lambda n: {"extra": actions(n), "act": "d0(at)"}),
    "leaps": (16, "at most 16 different leaps", lambda n: {"extra": leaps(n)}),
    "sites": (2500, "2,501 sites", lambda n: {
        "board": {2500: "square 50 by 50", 2501: "square 61 by 41"}[n]}),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_what_has_the_size_of_a_limit_is_read_and_one_more_is_refused(name: str) -> None:
    most, refusal, parts = LIMITS[name]
    assert refusal not in told(parts(most))
    assert refusal in told(parts(most + 1))


def test_a_file_has_64_kib() -> None:
    text = RULES.format(**PLAIN)
    whole = text + "#" * (65_536 - len(text) - 1) + "\n"
    assert len(whole) == TEXT_BYTES == limits.FILE_BYTES
    assert rulewright.loads(whole).name == "tiny"
    with pytest.raises(RulewrightError, match="has more than 64 KiB"):
        rulewright.loads("#" + whole)
