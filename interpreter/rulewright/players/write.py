"""Personalities as text: everything that a personality says, inherited or not, in one file.

In: a personality.  Out: a text that means the same under another name, with every factor and what
it means.  Refuses names that no personality may have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.errors import RulewrightError
from rulewright.language.reprint import formatted
from rulewright.model.evaluation import Factor
from rulewright.model.personality import RESERVED, Number, Personality, Setting, written


def whole_text(model: Personality, name: str) -> str:
    """A whole commented file for a personality like *model*, called *name*."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise RulewrightError(f"a personality's name has letters, digits and `_`, not {name!r}")
    if name in RESERVED:
        raise RulewrightError(f"`{name}` is {RESERVED[name]}; a personality needs another name")
    return formatted("\n".join(_lines(model, name)) + "\n")


def _lines(model: Personality, name: str) -> Iterator[str]:
    yield from ("format 1", f"personality {name} for {model.game}", "")
    yield f"# Like {model.name}. Change what you like: `rulewright check` knows every mistake."
    yield ""
    if model.evaluator is not None:
        yield from (f"use {model.evaluator.name}", "")
        for factor, value in zip(model.evaluator.factors, model.factors, strict=True):
            yield f"{factor.name} = {_quantity(factor, value)}  # {_about(factor)}"
        yield ""
    search = ", ".join([model.search.kind, *map(_setting, model.search.settings)])
    yield f"search {search}"
    if model.consider is not None:
        known = model.consider
        yield f"consider patterns {known.patterns.name}, most {known.most} else all"
    yield from map(str, model.picks)
    if model.prefer:
        yield f"prefer {', '.join(model.prefer)}"
    yield f"ties {model.ties}"
    if model.opening.random:
        yield f"opening random {model.opening.random} turns"
    if model.opening.turns:
        yield "opening " + ", ".join(f'"{turn}"' for turn in model.opening.turns)


def _about(factor: Factor) -> str:
    low, high = (_quantity(factor, n) for n in (factor.low, factor.high))
    unit = f" {factor.unit}" if factor.unit not in ("", "%") else ""
    return f"{low}..{high}{unit}: {factor.meaning}"


def _quantity(factor: Factor, value: Number) -> str:
    return _percent(value) if factor.percent else written(value)


def _percent(share: Number) -> str:
    return f"{share * 100:.10g}%"


def _setting(setting: Setting) -> str:
    if isinstance(setting.value, str):
        unit = " turns" if setting.unit == "turns" else ""
        return f"{setting.name} {setting.value}{unit}"
    if setting.unit == "%":
        return f"{setting.name} {_percent(setting.value)}"
    unit = setting.unit if setting.unit not in ("nodes", "decisions") else ""
    return f"{setting.name} {written(setting.value)} {unit}".rstrip()
