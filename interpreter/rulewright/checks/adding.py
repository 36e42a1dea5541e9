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


def _claims(text: str) -> list[syntax.Claim]:
    items = parse(Source("<text>", text), Collector()).items
    return [item for item in items if isinstance(item, syntax.Claim)]


def said(text: str) -> set[str]:
    """The claims of a text, each as one line."""
    return {" ".join(text[c.span.start : c.span.end].split()) for c in _claims(text)}


def added(text: str, claims: Sequence[str]) -> str:
    """The text with *claims*; lines end as the others do."""
    there, known = _claims(text), said(text)
    fresh = [claim for claim in dict.fromkeys(claims) if claim not in known]
    end = "\r\n" if "\r\n" in text else "\n"
    lines = "".join(f"{claim}{end}" for claim in fresh)
    if not there:
        return f"{text.rstrip()}{end}{end}{lines}" if fresh else text
    at = text.find("\n", max(c.span.end for c in there)) + 1
    return text[:at] + lines + text[at:] if at else text + end + lines
