"""Claims written into a file of rules: behind the last that stands there, nothing else changed.

In: a text that parses, and claims as lines.  Out: the longer text.  Claims that stand there already
are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.parse import parse
from rulewright.language.source import Source


def added(text: str, claims: Sequence[str]) -> str:
    """The text with *claims*; lines end as the others do."""
    source = Source("<text>", text)
    there = [i for i in parse(source, Collector()).items if isinstance(i, syntax.Claim)]
    said = {" ".join(text[c.span.start : c.span.end].split()) for c in there}
    fresh = [claim for claim in dict.fromkeys(claims) if claim not in said]
    end = "\r\n" if "\r\n" in text else "\n"
    lines = "".join(f"{claim}{end}" for claim in fresh)
    if not there:
        body = text.rstrip()
        return f"{body}{end}{end}{lines}" if fresh else text
    at = text.find("\n", max(c.span.end for c in there)) + 1
    if at:
        return text[:at] + lines + text[at:]
    return text + end + lines
