"""All patterns of a file at once: a walk through their decision structure, or the game's own sets.

Kernels for every game alike: what differs lies in a description in the game's tables, at
`pattern_table()` (its words are named below), and in the game's own `path_ends`.  A record of the
structure is four words: what is asked, two numbers, and the record to go on with when the answer is
no; a yes goes on with the next record.  So a condition that many patterns begin with is asked once.
Where a file is matched by sets (`by_sets`) it tells what holds around which points.
"""

from __future__ import annotations

from rulewright.compiler.runtime import GameArrays, i64, shift_right, trailing, wrap_add
from rulewright.search.kernels.game import by_sets, path_ends, pattern_table

# words of the description
WORDS = 0  # words of a set of sites
OWNED = 1  # where in a state the sets of owners begin
LINKS = 2  # where in a state the links begin
CROSSING = 3  # the table of what crosses a link, word by word, and the length of its rows
CROSSING_ROW = 4
LINK_AT = 5  # for every padded place and step the number of the link, or -1
STEPS = 6  # how many steps a link may have
ROOTS = 7  # roots: all that attack, then all that defend; two a player, ahead and on the way back
PADDED = 8  # for every site its padded place
SITES = 9
CELLS = 10  # in the scratch: what stands on each padded place
COUNT = 11  # how many padded places there are
ENDS = 12  # in the scratch: reference points as two sets
PROPOSALS = 13  # in the scratch: what was proposed, pairs of site and pattern
MOST = 14  # how many pairs fit
RANKS = 15  # in the scratch: for every site the rank of the best pattern that proposes it, or 0
BACK = 16  # for every padded place its site
KINDS = 17  # for each move of the rules whether it places a piece on one site
ROW = 18  # words of a decision
WIDEST = 19  # how many decisions are kept at the most
TALLY = 20  # in the scratch: how many decisions have each rank
OWNERS = 21  # players, and nobody where pieces of nobody may stand
RANKED = 22  # the highest rank
LAID = 23  # in the scratch: the pieces that are laid out, as three sets of sites
REST = 24  # how many decisions are kept where no pattern fires, 0: all
HITS = 25  # in the scratch: patterns that hold, with the sets of points around which they do
PLAYERS = 26
DESCRIPTION = 27

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
NEUTRAL = 16  # nobody's, or of a player whom a defence is not about


def belongs(g: GameArrays, d: i64, owner: i64, player: i64) -> i64:
    """Whether an owner's pieces are the enemy's around the points of a player.

    In a defence these are the attacker's, and at own points those of all others.
    """
    if player == g.state.mover:
        return 1 if owner < g.tables[d + PLAYERS] else 0
    return 1 if owner == player else 0


def lay_out(g: GameArrays, player: i64) -> None:
    """Write what stands on each place, as who is to move sees it around the points of a player.

    Only what has changed is written.
    """
    d = pattern_table()
    cells = g.tables[d + CELLS]
    if g.scratch[cells] == 0:
        clear_places(g, d)
    words = g.tables[d + WORDS]
    owned = g.tables[d + OWNED]
    laid = g.tables[d + LAID]
    padded = g.tables[d + PADDED]
    for w in range(words):
        own_word = g.state[owned + g.state.mover * words + w]
        enemy_word = 0
        neutral_word = 0
        for owner in range(g.tables[d + OWNERS]):
            if owner != g.state.mover:
                if belongs(g, d, owner, player) == 1:
                    enemy_word = enemy_word | g.state[owned + owner * words + w]
                else:
                    neutral_word = neutral_word | g.state[owned + owner * words + w]
        changes = (own_word ^ g.scratch[laid + w]) | (enemy_word ^ g.scratch[laid + words + w])
        changes = changes | (neutral_word ^ g.scratch[laid + 2 * words + w])
        g.scratch[laid + w] = own_word
        g.scratch[laid + words + w] = enemy_word
        g.scratch[laid + 2 * words + w] = neutral_word
        while changes != 0:
            bit = trailing(changes)
            changes = changes & wrap_add(changes, -1)
            cell = NOTHING
            if shift_right(own_word, bit) & 1 == 1:
                cell = OWN_PIECE
            if shift_right(enemy_word, bit) & 1 == 1:
                cell = ENEMY_PIECE
            if shift_right(neutral_word, bit) & 1 == 1:
                cell = NEUTRAL
            g.scratch[cells + g.tables[padded + w * 64 + bit]] = cell


def clear_places(g: GameArrays, d: i64) -> None:
    """Lay out an empty board."""
    cells = g.tables[d + CELLS]
    for i in range(g.tables[d + COUNT]):
        g.scratch[cells + i] = OUTSIDE
    padded = g.tables[d + PADDED]
    for site in range(g.tables[d + SITES]):
        if g.tables[padded + site] >= 0:
            g.scratch[cells + g.tables[padded + site]] = NOTHING


def has_link(g: GameArrays, d: i64, number: i64) -> i64:
    """Whether a link is on the board, by its number."""
    return shift_right(g.state[g.tables[d + LINKS] + (number >> 6)], number & 63) & 1


def linkable(g: GameArrays, d: i64, number: i64) -> i64:
    """Whether a link could be made, by its number: it is not there, and no other crosses it."""
    if has_link(g, d, number) == 1:
        return 0
    at = g.tables[d + CROSSING] + number * g.tables[d + CROSSING_ROW]
    links = g.tables[d + LINKS]
    crossing = 0
    for i in range(g.tables[at]):
        word = g.state[links + g.tables[at + 1 + 2 * i]]
        crossing = crossing | word & g.tables[at + 2 + 2 * i]
    return 1 if crossing == 0 else 0


def is_strong(g: GameArrays, d: i64, place: i64) -> i64:
    """Whether a link ends at a padded place."""
    at = g.tables[d + LINK_AT] + place * g.tables[d + STEPS]
    for i in range(g.tables[d + STEPS]):
        number = g.tables[at + i]
        if number >= 0:
            if has_link(g, d, number) == 1:
                return 1
    return 0


def answer_of(g: GameArrays, d: i64, record: i64, place: i64) -> i64:
    """Test what a record asks about a padded place, other than which piece stands there: 1 or 0."""
    op = g.tables[record]
    if op == AHEAD:
        return 1 if g.tables[g.tables[record + 2] + place] == g.tables[record + 1] else 0
    there = place + g.tables[record + 1]
    if op == STRONG:
        return is_strong(g, d, there)
    if op == WEAK:
        if g.scratch[g.tables[d + CELLS] + there] == OUTSIDE:
            return 0
        return 1 - is_strong(g, d, there)
    number = g.tables[g.tables[d + LINK_AT] + there * g.tables[d + STEPS] + g.tables[record + 2]]
    if number < 0:
        return 0
    if op == EXISTS:
        return has_link(g, d, number)
    return linkable(g, d, number)


def walk(g: GameArrays, d: i64, root: i64, place: i64, count: i64) -> i64:
    """Try all patterns of a root around a padded place; how many proposals there are now."""
    record = root
    here = g.tables[d + CELLS] + place
    while g.tables[record] != END:
        if g.tables[record] == CELL:  # most are, and a call would cost more than the answer
            if g.scratch[here + g.tables[record + 1]] & g.tables[record + 2] != 0:
                record = record + 4
            else:
                record = g.tables[record + 3]
        elif g.tables[record] == PROPOSE:
            site = g.tables[g.tables[d + BACK] + place + g.tables[record + 1]]
            count = propose(g, d, site, g.tables[record + 2], g.tables[record + 3], count)
            record = record + 4
        elif answer_of(g, d, record, place) == 1:
            record = record + 4
        else:
            record = g.tables[record + 3]
    return count


def propose(g: GameArrays, d: i64, site: i64, pattern: i64, worth: i64, count: i64) -> i64:
    """Add the proposal of a pattern for a site; the new number of proposals."""
    rank = g.tables[d + RANKS] + site
    if g.scratch[rank] < worth:
        g.scratch[rank] = worth
    if count == g.tables[d + MOST]:
        return count
    g.scratch[g.tables[d + PROPOSALS] + 2 * count] = site
    g.scratch[g.tables[d + PROPOSALS] + 2 * count + 1] = pattern
    return count + 1


def spread(g: GameArrays, d: i64, hits: i64) -> i64:
    """Add the proposals of all patterns that hold, around each of their points; their number."""
    words = g.tables[d + WORDS]
    at = g.tables[d + HITS]
    count = 0
    for _ in range(hits):
        for w in range(words):
            remaining_sites = g.scratch[at + w]
            while remaining_sites != 0:
                site = w * 64 + trailing(remaining_sites) + g.scratch[at + words]
                remaining_sites = remaining_sites & wrap_add(remaining_sites, -1)
                number = g.scratch[at + words + 1]
                count = propose(g, d, site, number, g.scratch[at + words + 2], count)
        at = at + words + 3
    return count


def matched(g: GameArrays) -> i64:
    """Write what all patterns propose to the player to move; how many proposals there are."""
    d = pattern_table()
    hits = by_sets(g, g.tables[d + HITS])
    if hits >= 0:
        return spread(g, d, hits)
    words = g.tables[d + WORDS]
    players = g.tables[d + PLAYERS]
    count = 0
    for after in range(players):
        player = g.state.mover + after
        if player >= players:
            player = player - players
        if after == 0 or players > 2:  # of two the other is the enemy at all points
            lay_out(g, player)
        path_ends(g, player, g.tables[d + ENDS])
        roots = g.tables[d + ROOTS] + 2 * player
        if after > 0:
            roots = roots + 2 * players
        for back in range(2):
            root = g.tables[roots + back]
            for w in range(words):
                remaining_sites = g.scratch[g.tables[d + ENDS] + back * words + w]
                while remaining_sites != 0:
                    site = w * 64 + trailing(remaining_sites)
                    remaining_sites = remaining_sites & wrap_add(remaining_sites, -1)
                    count = walk(g, d, root, g.tables[g.tables[d + PADDED] + site], count)
    return count


def proposed(g: GameArrays, kinds: i64, ranks: i64, above: i64, row: i64) -> i64:
    """The rank of a decision: 0 if no pattern proposes it, above all if none could.

    Where tables and ranks lie is told, as it need not be looked up for every row.
    """
    move = g.rows[row]
    if move < 0:
        return above
    if g.tables[kinds + move] == 0:
        return above
    return g.scratch[ranks + g.rows[row + 2]]


def narrow(g: GameArrays, top: i64, n: i64) -> i64:
    """Keep the decisions in rows top..n that patterns propose; the first ones where none fires."""
    d = pattern_table()
    count = matched(g)
    listed = n * g.tables[d + ROW]  # behind the rows, as they are free
    end = listed
    least = 0
    if count > 0:
        end = pick_proposed(g, d, top, n, listed)
        least = cut(g, d, listed, end)
    if least > 0:
        n = sift(g, d, least, listed, end, top)
    elif g.tables[d + REST] > 0 and g.tables[d + REST] < n - top:
        n = top + g.tables[d + REST]
    if count > 0:
        forget(g, d, count)
    return n


def pick_proposed(g: GameArrays, d: i64, top: i64, n: i64, at: i64) -> i64:
    """Write the numbers of the rows that have a rank to the words from `at` on; the end of them.

    Each is written, and the next one over it where it has none: no branch has to be foreseen.
    """
    size = g.tables[d + ROW]
    kinds = g.tables[d + KINDS]
    ranks = g.tables[d + RANKS]
    above = g.tables[d + RANKED] + 1
    for i in range(top, n):
        g.rows[at] = i
        at = at + (1 if proposed(g, kinds, ranks, above, i * size) > 0 else 0)
    return at


def cut(g: GameArrays, d: i64, listed: i64, end: i64) -> i64:
    """The lowest rank that is kept: the best ones, as many as the file allows; 0 if none is there.

    Decisions of one rank are kept or left out together, those of the best rank always kept.
    """
    tally = g.tables[d + TALLY]
    size = g.tables[d + ROW]
    kinds = g.tables[d + KINDS]
    ranks = g.tables[d + RANKS]
    ranked = g.tables[d + RANKED]
    for i in range(ranked + 2):
        g.scratch[tally + i] = 0
    for i in range(listed, end):
        rank = proposed(g, kinds, ranks, ranked + 1, g.rows[i] * size)
        g.scratch[tally + rank] = g.scratch[tally + rank] + 1
    widest = g.tables[d + WIDEST]
    count = 0
    least = 0
    for i in range(ranked):
        rank = ranked - i
        more = g.scratch[tally + rank]
        if more > 0:
            if count > 0 and count + more > widest:
                return least
            count = count + more
            least = rank
    return least


def sift(g: GameArrays, d: i64, least: i64, listed: i64, end: i64, place: i64) -> i64:
    """Copy the listed rows of at least a rank to *place* and on; the new end."""
    size = g.tables[d + ROW]
    kinds = g.tables[d + KINDS]
    ranks = g.tables[d + RANKS]
    above = g.tables[d + RANKED] + 1
    for i in range(listed, end):
        row = g.rows[i] * size
        if proposed(g, kinds, ranks, above, row) >= least:
            for j in range(size):
                g.rows[place * size + j] = g.rows[row + j]
            place = place + 1
    return place


def forget(g: GameArrays, d: i64, count: i64) -> None:
    """Clear the ranks of all sites."""
    ranks = g.tables[d + RANKS]
    if count < g.tables[d + MOST]:
        for i in range(count):
            g.scratch[ranks + g.scratch[g.tables[d + PROPOSALS] + 2 * i]] = 0
    else:
        for i in range(g.tables[d + SITES]):
            g.scratch[ranks + i] = 0
