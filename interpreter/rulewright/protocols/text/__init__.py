"""The text protocol of rulewright, both sides, for any game (docs/protocols.md)."""

VERSION = 1
"""The number that both sides say first."""
