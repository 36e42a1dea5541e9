"""What a reader is for the fuzzer, and what its answers must be like.

A `Reader` has a name, texts to begin with, and `read`, which takes a text and tells what was said
of it: codes, or messages without their particulars.  It raises `Complaint` where the answer is no
good: a diagnostic without a place, a model with a gap.  Any other exception is a finding too.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import frozen

from rulewright.errors import RulewrightError
from rulewright.language.diagnostics import Diagnostic, TextError
from tests.shared.places import CORPUS
from tests.tools.fuzz.mutations import MUTATIONS, Mutation

Said = set[str]


class Complaint(AssertionError):
    """An answer that is no good."""


@frozen
class Reader:
    """Reads texts; `seconds` of processor time are generous for one of them."""

    name: str
    begin: Callable[[], list[bytes]]
    read: Callable[[bytes], Said]
    ways: tuple[Mutation, ...] = MUTATIONS
    seconds: float = 1.0

    def seeds(self) -> list[bytes]:
        """Texts to begin with, and those of the corpus."""
        kept = sorted((CORPUS / self.name).glob("*"))
        return [*self.begin(), *(path.read_bytes() for path in kept)]


def outline(message: str) -> str:
    """A message without names, numbers and places: what kind of complaint it is."""
    first = message.strip().splitlines()[0] if message.strip() else ""
    return re.sub(r"`[^`]*`|\"[^\"]*\"|'[^']*'|\d+|; .*|\?.*", "_", first)[:30]


def located(error: RulewrightError, place: str) -> Said:
    """What a refusal says, which must have a place."""
    if isinstance(error, TextError):
        return codes(error.diagnostics)
    if not re.search(place, str(error)):
        raise Complaint(f"no place: {error}")
    return {outline(re.sub(place, "", str(error)))}


def codes(diagnostics: tuple[Diagnostic, ...]) -> Said:
    """The codes of diagnostics, each of which must show its place."""
    for one in diagnostics:
        if one.place.line < 1 or one.place.column < 1 or not one.place.file:
            raise Complaint(f"no place: {one}")
        one.render()
        one.as_data()
    return {one.code for one in diagnostics}
