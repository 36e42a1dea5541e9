"""Options: their defaults and ranges, and the settings that a caller gives."""

from __future__ import annotations

from typing import Any

from attrs import define

from rulewright.errors import OptionError
from rulewright.language import syntax
from rulewright.language.diagnostics import did_you_mean
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Type
from rulewright.resolve.statements import OptionSetting, Statements


@define
class Options(Statements):
    """The options of one file, in the order in which they may build on each other."""

    def _resolve_options(self) -> None:
        self.resolver.settings_given = bool(self.settings)
        known = {option.name.text for option in self.all(syntax.Option)}
        for name in self.settings:
            if name not in known:
                advice = did_you_mean(name, known)
                has = ", ".join(sorted(known)) or "none"
                message = f"this game has no option `{name}`; it has {has}"
                raise OptionError(f"{message}; {advice}" if advice else message)
        for option in self.all(syntax.Option):
            value = self._option(option)
            if value is None:
                self.resolver.faulty(option.name)
            if value is not None:
                self.options.append(value)
                truth = isinstance(value.value, bool)
                type_ = Type.TRUTH if truth else Type.INT
                type_ = Type.REAL if isinstance(value.value, float) else type_
                self.resolver.options[value.name] = Const(type_, value.value)

    def _option(self, node: syntax.Option) -> r.OptionValue | None:
        resolver, name = self.resolver, node.name.text
        default = resolver.constant(resolver.closed(node.default, Type.UNKNOWN), node.default)
        limits_ = self._range(node.range) if node.range is not None else None
        if not isinstance(default, bool | int | float):
            if default is not None:
                message = "an option is a number, `true` or `false`"
                self.scope.complain("wrong-type", node.default, message)
            return None
        if isinstance(default, bool):
            if node.range is not None:
                message = "an option that is true or false has no range"
                self.scope.complain("wrong-type", node.range, message)
            value = setting_of(name, self.settings.get(name, default), default, None, None)
            return r.OptionValue(name, value, default, None, None, self.scope.origin(node))
        if node.range is None:
            message = f"the option `{name}` is a number, so it needs its range"
            advice = f"`option {name} = {default} in 1..{max(default, 9)}`"
            self.scope.complain("bad-option", node, message, advice)
            return None
        if limits_ is None:
            return None
        low, high = limits_
        if name not in self.settings and not low <= default <= high:
            message = f"{default} lies outside the range {low}..{high}"
            self.scope.complain("out-of-range", node.default, message)
            return None
        value = setting_of(name, self.settings.get(name, default), default, low, high)
        return r.OptionValue(name, value, default, low, high, self.scope.origin(node))

    def _range(self, node: syntax.Expr) -> tuple[int, int] | None:
        """The ends of a constant range."""
        found = self.resolver.closed(node, Type.RANGE)
        value = self.resolver.constant(found, node)
        if not isinstance(value, tuple):
            return None
        low, high = value
        assert isinstance(low, int)
        assert isinstance(high, int)
        if low > high:
            self.scope.complain("out-of-range", node, f"the range {low}..{high} is empty")
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
    return value


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
