"""Hypothesis strategies for texts: random files of rules and of patterns, whole and accepted."""

from tests.generators.files import rule_files
from tests.generators.patterns import pattern_files

__all__ = ["pattern_files", "rule_files"]
