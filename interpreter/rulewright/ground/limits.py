"""Limits of texts and games.  Each limit is tested before the work that it bounds begins.

The largest bundled file has 4 kB and the largest bundled board 1,296 sites.  No position of a
bundled game that is looked at takes more than 3,300 steps.
"""

from rulewright.ground.disk import TEXT_BYTES

FILE_BYTES = TEXT_BYTES
"""Bytes of one file."""
DEPTH = 40
"""Levels of brackets, signs and conditions inside one expression."""
BLOCK_DEPTH = 12
"""Levels of blocks, that of the move or action itself included."""
WORD = 60
"""Letters of one name, digits of one number."""
TEXT = 2000
"""Characters of one text between quotes: the moves of a long game have room."""
ACTION_DEPTH = 20
"""Levels of actions that perform each other."""
LINE_TOKENS = 2000
"""Words and signs of one statement."""
REPORTED = 50
"""Mistakes shown for one file; the rest are counted."""
DIAGNOSED = 300
"""Mistakes after which a file is not read any further."""
BASES = 16
"""Games that build on each other."""
SITES = 2500
"""Sites of a board, those cut away by `where` included."""
LAYERS = 26
"""Layers of a board, each of which has a letter."""
OPTIONS = 32
NAMES = 400
"""Definitions, states, moves and actions of one file."""
KINDS = 24
DIRECTIONS = 400
"""Single steps of a board, leaps and the two ways along each drawn line included."""
STATIC_COST = 400_000
"""Elementary steps to find one constant (a board's `where`, a label) when a game is loaded."""
STATIC_TOTAL = 600_000
"""Elementary steps for all constants of one file."""
TABULATED = 2_000_000
"""Elementary steps to work definitions out for each site, for one file; others stay as they are."""
HEIGHT = 100
"""Levels of evaluation of one expression, through all the definitions that it uses."""
RESOLVED = 60_000
"""Parts of expressions read in one file; a definition counts for each combination of types."""
LINKS = 40_000
"""Pairs of sites that a kind of link may join."""
LEAPS = 16
"""Different leaps of one file."""
SEATS = 8
"""Players of a game."""
PILE = 255
"""Pieces of one pile."""
TABLE = 4096
"""Entries of a table of states, for both players together."""
PLAY_COST = 200_000_000
"""Elementary steps that one expression may need in play, at the worst."""
POSITION_STEPS = 200_000
"""Steps of the reference to list the decisions of a position, or to play one: about a second."""
SLOW_STEPS = 40_000
"""Steps after which a position is called slow."""
LOOKING_STEPS = 120_000
"""Steps after which `check` looks at no more positions, and does not write kernels any more."""
CLAIM_STEPS = 200_000
"""Steps that all the claims of a file may take when it is checked, with the positions before."""
KERNELS = 30_000
"""Lines of a game's kernels; a game with more is played by the reference."""
PLAYERS = 150_000
"""Lines of the kernels of one value, or of one file of patterns; beyond it the reference judges."""
CAREFUL = 20_000
"""Lines of kernels up to which careful code is made at once; more take seconds of the processor."""
ENDS = 200
"""Ends of a game that kernels test."""
COURSES = 200
"""Different parts of a turn that can be left, where kernels play a game."""
NUMBER = 2**62
"""Whole numbers stay below this, so that every execution can hold them in 64 bits."""
BRANCHES = 20_000
"""Decisions of one position, and matches of one ray."""
KEPT = 65_536
"""Earlier positions that rules can look back to."""
WAY = 128
"""Decisions of one way through a part of a turn whose longest ways are looked for."""
LINE = 256
"""Decisions of one line that perft counts, and of one turn that is listed whole."""
