"""The options of rules, in the order in which they may build on each other.

In: syntax, and a caller's settings.  Out: the options with their values, which later expressions
know.  Refuses settings that no option takes, and values out of range.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.errors import OptionError
from rulewright.language import syntax
from rulewright.language.diagnostics import offer
from rulewright.language.resolve.scope import UNKNOWN, Scope
from rulewright.language.resolve.values import constant_value, read_closed
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Type

OptionSetting = int | float | bool


def resolve_options(
    scope: Scope, nodes: list[syntax.Option], settings: Mapping[str, OptionSetting]
) -> tuple[r.OptionValue, ...]:
    """Give every option its value; raises `OptionError` where no option takes a setting."""
    scope.settings_given = bool(settings)
    _check_settings({node.name.text for node in nodes}, settings)
    options = []
    for node in nodes:
        name, option = node.name.text, _read_option(scope, node, settings)
        if option is None:
            scope.options.setdefault(name, UNKNOWN)
            continue
        options.append(option)
        type_ = {bool: Type.TRUTH, int: Type.INT, float: Type.REAL}[type(option.value)]
        scope.options[name] = Const(type_, option.value)
    return tuple(options)


def _check_settings(names: set[str], settings: Mapping[str, OptionSetting]) -> None:
    for name in settings:
        if name not in names:
            advice = offer(name, sorted(names))
            raise OptionError(f"this game has no option `{name}`; {advice}")


def _read_option(
    scope: Scope, node: syntax.Option, settings: Mapping[str, OptionSetting]
) -> r.OptionValue | None:
    name, low, high = node.name.text, None, None
    default = constant_value(scope, read_closed(scope, node.default, Type.UNKNOWN), node.default)
    ends = read_range(scope, node.range) if node.range is not None else None
    if not isinstance(default, bool | int | float):
        if default is not None:
            message = "an option is a number, `true` or `false`"
            scope.complain("wrong-type", node.default, message)
        return None
    if isinstance(default, bool):
        if node.range is not None:
            message = "an option that is true or false has no range"
            scope.complain("wrong-type", node.range, message)
    elif node.range is None:
        message = f"the option `{name}` is a number, so it needs its range"
        advice = f"`option {name} = {default} in 1..{max(default, 9)}`"
        scope.complain("bad-option", node, message, advice)
        return None
    elif ends is None:
        return None
    else:
        low, high = ends
        if name not in settings and not low <= default <= high:
            message = f"{default} lies outside the range {low}..{high}"
            scope.complain("out-of-range", node.default, message)
            return None
    value = setting_of(name, settings.get(name, default), default, low, high)
    return r.OptionValue(name, value, default, low, high, scope.origin(node))


def read_range(scope: Scope, node: syntax.Expr) -> tuple[int, int] | None:
    """The ends of a constant range."""
    value = constant_value(scope, read_closed(scope, node, Type.RANGE), node)
    if not isinstance(value, tuple):
        return None
    low, high = value
    assert isinstance(low, int)
    assert isinstance(high, int)
    if low > high:
        scope.complain("out-of-range", node, f"the range {low}..{high} is empty")
        return None
    return low, high


def setting_of(
    name: str, value: Any, default: OptionSetting, low: float | None, high: float | None
) -> OptionSetting:
    """A caller's value for an option, tested; raises `OptionError`."""
    if isinstance(value, str):
        value = _read(name, value, default)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise OptionError(f"option {name} is yes or no, not {value!r}")
        return value
    whole = isinstance(default, int)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OptionError(f"option {name} is a number, not {value!r}")
    if whole and not isinstance(value, int):
        raise OptionError(f"option {name} is a whole number, not {value!r}")
    if low is not None and high is not None and not low <= value <= high:
        raise OptionError(f"option {name} must be in {low}..{high}, not {value}")
    return value if whole else float(value)


def _read(name: str, text: str, default: OptionSetting) -> OptionSetting:
    if isinstance(default, bool):
        words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
        if text.casefold() not in words:
            raise OptionError(f"option {name} is yes or no, not {text!r}")
        return words[text.casefold()]
    try:
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        raise OptionError(f"option {name} is a number, not {text!r}") from None
