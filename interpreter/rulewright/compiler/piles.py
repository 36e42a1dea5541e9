"""Piles of pieces on a site: how they lie in words, and kernels that lay, lift and carry them.

In: the layout of a position whose board is stacked, and piles of the reference or words.  Out:
kernels with their constants, words, and piles of the reference.  A pile is a number of pieces and
words of digits, the lowest piece first; a digit is the number of an owner and a kind.  The sets of
owners and kinds hold the top pieces.  A kernel that cannot do what it should returns the number of
a fault and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.compiler.faults import FAULTS
from rulewright.ground.records import Record, record
from rulewright.model.rules import Rules
from rulewright.reference.position import Pile


@record
class PileLayout(Record):
    """Where the piles of a position lie: from `heights` on, nothing where it is not stacked."""

    stacked: int
    sites: int
    owners: int
    kinds: int
    heights: int
    hand: int
    """Where in the scratch array pieces lie that are carried from pile to pile."""

    @classmethod
    def of(cls, rules: Rules, owners: int, heights: int, hand: int) -> PileLayout:
        """Make the layout of piles that lie from an offset on."""
        board = rules.board
        return cls(board.stacked, len(board.names), owners, len(rules.kinds), heights, hand)

    @property
    def pieces(self) -> int:
        """The offset of the pieces, which lie behind a word for each site's height."""
        return self.heights + self.sites * bool(self.stacked)

    @property
    def bits_each(self) -> int:
        """Bits of a digit."""
        return max(1, (self.owners * self.kinds - 1).bit_length())

    @property
    def digits(self) -> int:
        """Pieces that a word holds, which stays a whole number without a sign."""
        return 62 // self.bits_each

    @property
    def words(self) -> int:
        """Words of the pieces of a pile."""
        return -(-self.stacked // self.digits)

    @property
    def end(self) -> int:
        """The offset of what lies behind the piles."""
        return self.pieces + self.sites * self.words

    def parts(self) -> list[tuple[str, int, int]]:
        """List the parts that have words, as (name, offset, words)."""
        if not self.stacked:
            return []
        return [
            ("heights", self.heights, self.sites),
            ("piles", self.pieces, self.sites * self.words),
        ]

    def reasons(self) -> list[str]:
        """Say in a line how piles are kept."""
        each = f"a word for its height and {self.words} of {self.digits} pieces each"
        return [f"piles: for each site {each}; sets hold the pieces on top"] * bool(self.stacked)

    def constants(self, owned: int, words: int) -> dict[str, int]:
        """Return the constants of `PILES` by name.

        Sets lie from `owned` on, of so many words each.
        """
        if not self.stacked:
            return {}
        return {
            "HEIGHTS": self.heights,
            "PILES": self.pieces,
            "PILE_WORDS": self.words,
            "DIGITS": self.digits,
            "BITS": self.bits_each,
            "DIGIT": (1 << self.bits_each) - 1,
            "MOST_HIGH": self.stacked,
            "KINDS": self.kinds,
            "OWNED": owned,
            "OWNER_SETS": self.owners,
            "KIND_SETS": self.kinds if self.kinds > 1 else 0,
            "WORDS": words,
            "HAND": self.hand,
            "TOO_HIGH": FAULTS.index("too-high"),
            "TOO_FEW": FAULTS.index("too-few"),
        }

    def words_of(self, piles: Iterable[Pile]) -> Iterator[tuple[int, int]]:
        """List the words of piles as (offset, word)."""
        for site, pile in enumerate(piles):
            yield self.heights + site, len(pile)
            for word in range(self.words):
                part = pile[word * self.digits : (word + 1) * self.digits]
                digits = (
                    (o * self.kinds + k) << i * self.bits_each for i, (o, k) in enumerate(part)
                )
                yield self.pieces + site * self.words + word, sum(digits)

    def piles_of(self, words: Sequence[int]) -> tuple[Pile, ...]:
        """Return the piles of a position's words; none where the board is not stacked."""
        heights = words[self.heights : self.pieces]
        return tuple(
            tuple(self._piece(words, site, level) for level in range(height))
            for site, height in enumerate(heights)
        )

    def _piece(self, words: Sequence[int], site: int, level: int) -> tuple[int, int]:
        word, digit = divmod(level, self.digits)
        number = words[self.pieces + site * self.words + word] >> digit * self.bits_each
        return divmod(number & (1 << self.bits_each) - 1, self.kinds)


PILES = '''def pile_piece(state: StateWords, site: i64, level: i64) -> i64:
    word = state[PILES + site * PILE_WORDS + level // DIGITS]
    return shift_right(word, level % DIGITS * BITS) & DIGIT


def set_pile_piece(state: StateWords, site: i64, level: i64, piece: i64) -> None:
    at = PILES + site * PILE_WORDS + level // DIGITS
    shift = level % DIGITS * BITS
    state[at] = state[at] & ~(DIGIT << shift) | piece << shift
    return


def show_top(state: StateWords, site: i64) -> None:
    """Let the sets of owners and kinds tell what lies on top."""
    word = site // 64
    bit = wrap_shl(1, site % 64)
    for part in range(OWNER_SETS + KIND_SETS):
        at = OWNED + part * WORDS + word
        state[at] = state[at] & ~bit
    if state[HEIGHTS + site] == 0:
        return
    piece = pile_piece(state, site, state[HEIGHTS + site] - 1)
    owner = OWNED + piece // KINDS * WORDS + word
    state[owner] = state[owner] | bit
    if KIND_SETS > 0:
        kind = OWNED + (OWNER_SETS + piece % KINDS) * WORDS + word
        state[kind] = state[kind] | bit
    return


def lay_piece(g: GameArrays, state: StateWords, site: i64, piece: i64) -> i64:
    height = state[HEIGHTS + site]
    if height >= MOST_HIGH:
        return TOO_HIGH
    set_pile_piece(state, site, height, piece)
    state[HEIGHTS + site] = height + 1
    show_top(state, site)
    return 0


def lift_pieces(g: GameArrays, state: StateWords, site: i64, number: i64) -> i64:
    height = state[HEIGHTS + site]
    if number < 0 or number > height:
        return TOO_FEW
    for level in range(height - number, height):
        set_pile_piece(state, site, level, 0)
    state[HEIGHTS + site] = height - number
    show_top(state, site)
    return 0


def move_pieces(
    g: GameArrays, state: StateWords, source: i64, target: i64, number: i64, under: i64
) -> i64:
    height = state[HEIGHTS + source]
    if number < 0 or number > height:
        return TOO_FEW
    below = height - number if source == target else state[HEIGHTS + target]
    if below + number > MOST_HIGH:
        return TOO_HIGH
    for i in range(number):
        g.scratch[HAND + i] = pile_piece(state, source, height - number + i)
    lifted = lift_pieces(g, state, source, number)
    first = below
    if under != 0:
        first = 0
        for i in range(below):
            set_pile_piece(
                state, target, below - 1 - i + number, pile_piece(state, target, below - 1 - i)
            )
    for i in range(number):
        set_pile_piece(state, target, first + i, g.scratch[HAND + i])
    state[HEIGHTS + target] = below + number
    show_top(state, target)
    return lifted


'''
"""Kernels of games whose boards are stacked; `HAND` is room for the pieces that are carried."""
