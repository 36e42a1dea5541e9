"""`python -m rulewright`."""

from rulewright.cli import run

run()
