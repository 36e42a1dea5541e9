"""Hypothesis strategies: random files of rules and patterns, and random play of any game.

>>> from rulewright.strategies import rule_files
>>> rule_files()
rule_files()

Needs the package Hypothesis, which beside this only `checks/shrink.py` imports.
"""

from rulewright.strategies.files import rule_files
from rulewright.strategies.machine import GameMachine, machine
from rulewright.strategies.patterns import pattern_files
from rulewright.strategies.play import decisions, games, positions

__all__ = [
    "GameMachine",
    "decisions",
    "games",
    "machine",
    "pattern_files",
    "positions",
    "rule_files",
]
