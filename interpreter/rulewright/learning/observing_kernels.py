"""Kernels of what a seat sees of a lane: planes of bytes, each 0 or 1, a byte for each site.

Kernel Python.  In: a position, tables that `planes.py` makes.  Out: the sets of the position, its
links and what lies in its piles, each as planes one behind the other.
"""

from __future__ import annotations

from rulewright.compiler.runtime import (
    StateWords,
    i64,
    ints,
    shift_right,
    wrap_add,
    wrap_mul,
    wrap_shl,
)
from rulewright.learning.kernels import Lane

EACH_BYTE = 72340172838076673  # 0x0101...
EACH_BIT = -9205322385119247871  # 0x8040201008040201: bit i of byte i
UP_TO_TOP = 9187201950435737471  # 0x7f7f...


def observe_lane(state: StateWords, lane: Lane, places: ints, planes: ints) -> None:
    """Write the sets of a position as planes of bytes, each 0 or 1, as a seat sees them.

    `places` holds how many words there are, then for each player where they lie in the position.
    """
    count = places[0]
    own = 1 + viewer_of(state, lane) * count
    for i in range(count):
        spread_bits(planes, 8 * i, state[places[own + i]])


def observe_part_of_lane(
    state: StateWords, lane: Lane, seen_sites: ints, places: ints, planes: ints
) -> None:
    """Write planes as above, without what the seat does not see.

    `places` also holds, behind each place, where in `seen_sites` the sites lie that are seen of it.
    """
    count = places[0]
    own = 1 + 2 * viewer_of(state, lane) * count
    for i in range(count):
        at = own + 2 * i
        spread_bits(planes, 8 * i, state[places[at]] & seen_sites[places[at + 1]])


def viewer_of(state: StateWords, lane: Lane) -> i64:
    """The player who observes."""
    if lane.viewer < 0:
        return state.mover
    return lane.viewer ^ state.swapped


def spread_bits(planes: ints, at: i64, bits: i64) -> None:
    """Write 64 bits as bytes from word `at` on."""
    for i in range(8):
        byte = shift_right(bits, 8 * i) & 255
        apart = wrap_mul(byte, EACH_BYTE) & EACH_BIT
        planes[at + i] = shift_right(wrap_add(apart, UP_TO_TOP), 7) & EACH_BYTE


def mark_byte(planes: ints, number: i64) -> None:
    """Set the byte of a number to 1."""
    at = shift_right(number, 3)
    planes[at] = planes[at] | wrap_shl(1, 8 * (number & 7))


def observe_links_of_lane(state: StateWords, links: ints, planes: ints) -> None:
    """Write planes of links: the sites at whose ends links lead by a step."""
    for i in range(links[1]):
        planes[links[0] + i] = 0
    for i in range(links[3]):
        word = state[links[2] + i]
        for bit in range(64):
            if shift_right(word, bit) & 1 == 1:
                number = 4 + 2 * (64 * i + bit)
                mark_byte(planes, links[number])
                mark_byte(planes, links[number + 1])


def observe_piles_of_lane(state: StateWords, lane: Lane, piles: ints, planes: ints) -> None:
    """Write planes of what lies below the top of piles, by depth, owner and kind."""
    size = piles[3]
    for i in range(piles[2] * size):
        planes[piles[1] * size + i] = 0
    for site in range(piles[0]):
        height = state[piles[4] + site]
        for level in range(height - 1):
            plane = plane_of_piece(state, lane, piles, site, level)
            mark_byte(planes, 8 * size * plane + site)


def plane_of_piece(state: StateWords, lane: Lane, piles: ints, site: i64, level: i64) -> i64:
    """The plane of a piece, at a level from the bottom of the pile on a site."""
    kinds = piles[9]
    players = piles[10]
    word = state[piles[5] + site * piles[6] + level // piles[7]]
    piece = shift_right(word, level % piles[7] * piles[8]) & (wrap_shl(1, piles[8]) - 1)
    owner = piece // kinds
    if owner < players:
        owner = (owner + players - viewer_of(state, lane)) % players
    depth = state[piles[4] + site] - 1 - level
    return piles[1] + ((depth - 1) * piles[11] + owner) * kinds + piece % kinds
