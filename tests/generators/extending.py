"""Files that build on random rules: statements replaced, called by the base's name, left out."""

from __future__ import annotations

import re

from attrs import frozen
from hypothesis import strategies as st

from tests.generators.files import rule_files

_LET = re.compile(r"^let (\w+)(\([^)]*\))?(?: for (\w+))? = ", re.MULTILINE)
_MOVE = re.compile(r"^move (\w+)$", re.MULTILINE)
_ACTION = re.compile(r"^action (\w+)(\([^)]*\))$", re.MULTILINE)
_END = re.compile(r"^(?:win|lose|draw|score) .*$", re.MULTILINE)


@frozen
class ExtendingFile:
    """The text of rules called `sample`, and of rules that build on them."""

    base: str
    text: str


@st.composite
def extending_files(draw: st.DrawFn) -> ExtendingFile:
    """Rules that build on random ones; they may be refused where the base's are."""
    base: str = draw(rule_files())
    lines = ["format 1", "game larger extends sample"]
    for name, parameters, player in _LET.findall(base):
        if draw(st.booleans()):
            head = f"let {name}{parameters}" + (f" for {player}" if player else "")
            lines.append(f"{head} = (sample {name}{parameters})")
    for name, parameters in _ACTION.findall(base):
        if draw(st.booleans()):
            lines.append(f"action {name}{parameters}\n  sample {name}{parameters}")
    moves: list[str] = _MOVE.findall(base)
    for name in moves:
        if draw(st.booleans()):
            lines.append(f"move {name}\n  sample {name}\n  need ply < 40")
    turns: list[str] = ["", "turn sample", "turn sample sample?"]
    lines.append(draw(st.sampled_from(turns)))
    ends: list[str] = _END.findall(base)
    if draw(st.booleans()) and ends:
        lines.append(draw(st.sampled_from(ends)))
    if len(moves) > 1 and draw(st.booleans()):
        lines.append(f"without {draw(st.sampled_from(moves))}")
    return ExtendingFile(base, "\n".join(filter(None, lines)) + "\n")
