"""Syntax of the languages: what a text says, which may be wrong.

Spans take no part in equality, so a reprinted text equals its source.  `depth` counts levels of
nesting; it is kept while a tree is built, so that no later stage can run out of stack.  `syntax`
has all nodes but those of pattern files, which stand in `syntax.patterns`.
"""

from rulewright.language.syntax.expressions import *  # noqa: F403
from rulewright.language.syntax.looks import *  # noqa: F403
from rulewright.language.syntax.players import *  # noqa: F403
from rulewright.language.syntax.statements import *  # noqa: F403
