"""Scans as kernel text: a walk with registers; one step past the border counts as outside.

In: a scan of an evaluator, asked for at a site along a step.  Out: the value it gives.  Refuses
(`NoPlan`) steps that depend on the position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.codegen.plan import NoPlan
from rulewright.codegen.values import OneStep, Site, Value
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model.expressions import Type

if TYPE_CHECKING:
    from rulewright.codegen.judging import Judging


def scanned(v: Judging, e: m.ScanValue) -> Value:
    """What a scan gives, walking from a site along a step."""
    scan = v.judge.scans[e.scan]
    site, step = v.site(e.site), v.value(e.step)
    next_site = _next(v, step)
    outer, v.frame = v.frame, {0: Site(site), 1: step}
    try:
        return _walked(v, scan, next_site, site)
    finally:
        v.frame = outer


def _walked(v: Judging, scan: ev.Scan, next_site: str, site: str) -> Value:
    w = v.w
    sets = [v.words(reaction.sites) for reaction in scan.reactions]
    for register in scan.registers:
        v.frame[register.slot] = _register(v, register)
    here, more = w.fresh("s"), w.fresh("b")
    w.put(f"{here} = {next_site.format(site)}")
    w.put(f"{more} = 1")
    with w.block(f"while {more} != 0:"):
        done = w.fresh("b")
        w.put(f"{done} = 0")
        for reaction, words in zip(scan.reactions, sets, strict=True):
            with w.block(f"if {done} == 0:"):
                inside = w.fresh("b")
                w.put(f"{inside} = {int(reaction.outside)}")
                with w.block(f"if {here} >= 0:"):
                    w.put(f"{inside} = {w.has(words, here)}")
                with w.block(f"if {inside} != 0:"):
                    w.put(f"{done} = 1")
                    _deeds(v, reaction.deeds, more)
        with w.block(f"if {here} < 0:"):
            w.put(f"{more} = 0")
        with w.block("else:"):
            w.put(f"{here} = {next_site.format(here)}")
    return v.value(scan.give)


def _next(v: Judging, step: Value) -> str:
    """The site one step on (-1 past the border), with a hole for the number of the site."""
    if isinstance(step, OneStep):
        count = len(v.plan.rules.board.names)
        base = v.w.let(f"{v.plan.next_table(step.steps)} + {step.index} * {count}", "k")
        return f"g.tables[{base} + {{0}}]"
    if not isinstance(step, tuple) or len(step) != 1:
        raise NoPlan("a scan along a step that depends on the position")
    return f"g.tables[{v.plan.next_table(step)} + {{0}}]"


def _register(v: Judging, register: ev.SetRegister) -> Value:
    value = v.value(register.value)
    if register.value.type is Type.TRUTH:
        return f"{v.flag(value)} != 0"
    name = v.w.fresh("v")
    v.w.put(f"{name} = {value}")
    return name


def _deeds(v: Judging, deeds: tuple[ev.Deed, ...], more: str) -> None:
    for deed in deeds:
        match deed:
            case ev.SetRegister(slot=slot, value=value):
                name = v.frame[slot].removesuffix(" != 0")
                found = v.value(value)
                truth = value.type is Type.TRUTH
                v.w.put(f"{name} = {f'1 if {found} else 0' if truth else found}")
            case ev.Test(condition=condition, then=then, otherwise=otherwise):
                test = v.flag(v.truth(condition))
                with v.w.block(f"if {test} != 0:"):
                    _deeds(v, then, more)
                with v.w.block("else:"):
                    _deeds(v, otherwise, more)
            case ev.Halt():
                v.w.put(f"{more} = 0")
