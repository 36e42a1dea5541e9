"""All patterns of a file at once: the walk through their decision structure.

Kernels for every game alike: what differs lies in a description in K, at `pattern_table()` (its
words are named below), and in the game's own `path_ends`.  A record of the structure is four words:
what is asked, two numbers, and the record to go on with when the answer is no; a yes goes on with
the next record.  So a condition that many patterns begin with is asked once.
"""

from __future__ import annotations

from rulewright.codegen.layout import MOVER
from rulewright.codegen.runtime import i64, ints, shift_right, trailing, wrap_add
from rulewright.search.kernels.path_ends_face import path_ends, pattern_table

# words of the description in K
WORDS = 0  # words of a set of sites
OWNED = 1  # where in S the sets of owners begin
LINKS = 2  # where in S the links begin
CROSSING = 3  # the table of what crosses a link, and the length of its rows
CROSSING_ROW = 4
LINK_AT = 5  # for every padded place and step the number of the link, or -1
STEPS = 6  # how many steps a link may have
ROOTS = 7  # 8 roots: (4 if defending) + (2 for the second player) + (1 on the way back)
PADDED = 15  # for every site its padded place
SITES = 16
CELLS = 17  # in X: what stands on each padded place
COUNT = 18  # how many padded places there are
ENDS = 19  # in X: reference points as two sets
FOUND = 20  # in X: what was proposed, pairs of site and pattern
MOST = 21  # how many pairs fit
RANKS = 22  # in X: for every site the rank of the best pattern that proposes it, or 0
BACK = 23  # for every padded place its site
KINDS = 24  # for each move of the rules whether it places a piece on one site
ROW = 25  # words of a decision
WIDEST = 26  # how many decisions are kept at the most
TALLY = 27  # in X: how many decisions have each rank
OWNERS = 28
RANKED = 29  # the highest rank
DESCRIPTION = 30

# what a record asks
END = 0
CELL = 1  # what stands there, as a set of bits
POSSIBLE = 2  # a link could be made
EXISTS = 3  # a link is there
STRONG = 4  # a link ends there
WEAK = 5  # none does
AHEAD = 6  # rows to the border
PROPOSE = 7

# what stands on a place
OWN_PIECE = 1
ENEMY_PIECE = 2
NOTHING = 4
OUTSIDE = 8
NEUTRAL = 16


def lay_out(S: ints, K: ints, X: ints) -> None:
    """Write what stands on each place, as the player to move sees it."""
    d = pattern_table()
    cells = K[d + CELLS]
    if X[cells] == 0:
        for i in range(K[d + COUNT]):
            X[cells + i] = OUTSIDE
    words = K[d + WORDS]
    own = K[d + OWNED] + S[MOVER] * words
    enemy = K[d + OWNED] + (1 - S[MOVER]) * words
    neutral = K[d + OWNED] + 2 * words
    padded = K[d + PADDED]
    for site in range(K[d + SITES]):
        at = K[padded + site]
        if at >= 0:
            w = site >> 6
            one = shift_right(S[own + w], site & 63) & 1
            other = shift_right(S[enemy + w], site & 63) & 1
            third = 0
            if K[d + OWNERS] == 3:
                third = shift_right(S[neutral + w], site & 63) & 1
            X[cells + at] = NOTHING
            if one == 1:
                X[cells + at] = OWN_PIECE
            if other == 1:
                X[cells + at] = ENEMY_PIECE
            if third == 1:
                X[cells + at] = NEUTRAL


def has_link(S: ints, K: ints, d: i64, number: i64) -> i64:
    """Whether the link of a number is there."""
    return shift_right(S[K[d + LINKS] + (number >> 6)], number & 63) & 1


def linkable(S: ints, K: ints, d: i64, number: i64) -> i64:
    """Whether the link of a number could be made: it is not there, and nothing crosses it."""
    if has_link(S, K, d, number) == 1:
        return 0
    at = K[d + CROSSING] + number * K[d + CROSSING_ROW]
    for i in range(K[at]):
        if has_link(S, K, d, K[at + 1 + 3 * i]) == 1:
            return 0
    return 1


def is_strong(S: ints, K: ints, d: i64, place: i64) -> i64:
    """Whether a link ends at a padded place."""
    at = K[d + LINK_AT] + place * K[d + STEPS]
    for i in range(K[d + STEPS]):
        number = K[at + i]
        if number >= 0:
            if has_link(S, K, d, number) == 1:
                return 1
    return 0


def asked(S: ints, K: ints, X: ints, d: i64, record: i64, place: i64) -> i64:
    """The answer to a record around a padded place: 1 or 0."""
    op = K[record]
    if op == CELL:
        return 1 if X[K[d + CELLS] + place + K[record + 1]] & K[record + 2] != 0 else 0
    if op == AHEAD:
        return 1 if K[K[record + 2] + place] == K[record + 1] else 0
    there = place + K[record + 1]
    if op == STRONG:
        return is_strong(S, K, d, there)
    if op == WEAK:
        if X[K[d + CELLS] + there] == OUTSIDE:
            return 0
        return 1 - is_strong(S, K, d, there)
    number = K[K[d + LINK_AT] + there * K[d + STEPS] + K[record + 2]]
    if number < 0:
        return 0
    if op == EXISTS:
        return has_link(S, K, d, number)
    return linkable(S, K, d, number)


def walk(S: ints, K: ints, X: ints, d: i64, root: i64, place: i64, count: i64) -> i64:
    """Try all patterns of a root around a padded place; how many proposals there are now."""
    record = root
    while K[record] != END:
        if K[record] == PROPOSE:
            site = K[K[d + BACK] + place + K[record + 1]]
            if count < K[d + MOST]:
                X[K[d + FOUND] + 2 * count] = site
                X[K[d + FOUND] + 2 * count + 1] = K[record + 2]
                count = count + 1
            rank = K[d + RANKS] + site
            if X[rank] < K[record + 3]:
                X[rank] = K[record + 3]
            record = record + 4
        elif asked(S, K, X, d, record, place) == 1:
            record = record + 4
        else:
            record = K[record + 3]
    return count


def matched(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints) -> i64:
    """Write what all patterns propose to the player to move; how many proposals there are."""
    d = pattern_table()
    lay_out(S, K, X)
    words = K[d + WORDS]
    count = 0
    for defending in range(2):
        player = S[MOVER] ^ defending
        path_ends(S, K, M, H, X, T, player, K[d + ENDS])
        for back in range(2):
            root = K[d + ROOTS + 4 * defending + 2 * player + back]
            for w in range(words):
                rest = X[K[d + ENDS] + back * words + w]
                while rest != 0:
                    site = w * 64 + trailing(rest)
                    rest = rest & wrap_add(rest, -1)
                    count = walk(S, K, X, d, root, K[K[d + PADDED] + site], count)
    return count


def proposed(K: ints, M: ints, X: ints, d: i64, row: i64) -> i64:
    """The rank of a decision: 0 if no pattern proposes it, above all if none could."""
    move = M[row]
    if move < 0:
        return K[d + RANKED] + 1
    if K[K[d + KINDS] + move] == 0:
        return K[d + RANKED] + 1
    return X[K[d + RANKS] + M[row + 2]]


def cut(K: ints, M: ints, X: ints, d: i64, top: i64, n: i64) -> i64:
    """The lowest rank that is kept: the best ones, as many as the file allows; 0 if none is there.

    Decisions of one rank are kept or left out together, those of the best rank always kept.
    """
    tally = K[d + TALLY]
    for i in range(K[d + RANKED] + 2):
        X[tally + i] = 0
    for i in range(top, n):
        rank = proposed(K, M, X, d, i * K[d + ROW])
        X[tally + rank] = X[tally + rank] + 1
    kept = 0
    least = 0
    for i in range(K[d + RANKED]):
        rank = K[d + RANKED] - i
        more = X[tally + rank]
        if more > 0:
            if kept > 0 and kept + more > K[d + WIDEST]:
                return least
            kept = kept + more
            least = rank
    return least


def narrow(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, top: i64, n: i64) -> i64:
    """Keep the decisions in rows top..n that patterns propose; all of them where none fires."""
    d = pattern_table()
    for i in range(K[d + SITES]):
        X[K[d + RANKS] + i] = 0
    if matched(S, K, M, H, X, T) == 0:
        return n
    least = cut(K, M, X, d, top, n)
    if least == 0:
        return n
    size = K[d + ROW]
    kept = top
    for i in range(top, n):
        if proposed(K, M, X, d, i * size) >= least:
            if kept != i:
                for j in range(size):
                    M[kept * size + j] = M[i * size + j]
            kept = kept + 1
    return kept
