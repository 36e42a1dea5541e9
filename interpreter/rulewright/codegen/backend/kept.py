"""Code for this machine that is kept between runs, with what is in it.

In: code and the functions in it.  Out: bytes for the cache, and both again.  What was cut off
counts as absent: whoever loads code trusts it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from rulewright.codegen.ir.types import Signature

MOST_BYTES = 64 * 1024 * 1024
"""Code kept at the most; the files used longest ago go first."""


def packed(code: bytes, functions: Mapping[str, Signature]) -> bytes:
    """Code with what is in it and its length."""
    known_as = {name: (s.parameters, s.gives, s.flat) for name, s in functions.items()}
    return json.dumps([len(code), known_as]).encode() + b"\n" + code


def unpacked(kept: bytes | None) -> tuple[bytes, dict[str, Signature]] | None:
    """The code and its functions; None where it is not whole, or not there."""
    head, _, code = (kept or b"").partition(b"\n")
    try:
        length, known_as = json.loads(head)
        functions = {name: _signature(*s) for name, s in known_as.items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return (code, functions) if length == len(code) else None


def _signature(parameters: list[list[str]], gives: str, flat: list[list[str]]) -> Signature:
    return Signature(tuple((n, t) for n, t in parameters), gives, tuple((n, t) for n, t in flat))
