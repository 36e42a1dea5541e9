"""Games in SGF: one line of play, with names, result and comments.

In: the bytes of a file, or a recorded game.  Out: the recorded game, or the bytes.  The grammar is
that of the library `sgfmill` (extra `sgf`); what a number in `GM[...]` means, and how moves are
written, stands in the text beside the rules (`formats.py`).  Refuses, each at its place: what is no
SGF, games that nobody knows the number of, positions that are set up, moves that are not legal.
Variations are left out, and said to be.  After https://www.red-bean.com/sgf/ (FF[4]).
"""

from rulewright.protocols.sgf.reading import read
from rulewright.protocols.sgf.writing import write

__all__ = ["read", "write"]
