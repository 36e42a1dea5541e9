"""Lines that pass a site twice: a site counts once, and its second time is no other site.

The masks of the sites on a way are joined, never added: a sum would carry into another site.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import loads
from tests.shared.effort import tries
from tests.tools.agreement import states

RULES = """format 1
game crossing
players a b
board square 4 by 4
  line loop: {line}
pieces man "AB"
setup
  put a man at {first}
move slide
  choose s in own
  choose ray from s along loop /[way: empty*], [t: empty]/
  move s to t
  write "{{s}}-{{t}}"
turn slide
win when count(own whole_line({first}, loop)) = 2
draw when repeats >= 2
lose when stuck
"""
SITES = [f"{column}{row}" for row in "4321" for column in "abcd"]


@st.composite
def crossing(draw: st.DrawFn) -> list[str]:
    """A walk over different sites that comes back to some of those that it has left."""
    walk = draw(st.lists(st.sampled_from(SITES), min_size=6, max_size=12, unique=True))
    again = draw(st.lists(st.sampled_from(walk[:-2]), min_size=1, max_size=3, unique=True))
    for site in again:
        places = [n for n in range(walk.index(site) + 2, len(walk) + 1) if walk[n - 1] != site]
        walk.insert(draw(st.sampled_from(places)), site)
    return [site for n, site in enumerate(walk) if n == 0 or site != walk[n - 1]]


@settings(max_examples=tries(30), deadline=None)
@given(crossing(), st.integers(0, 2**32))
def test_ways_are_the_same_by_machine_code_and_by_the_reference(walk: list[str], seed: int) -> None:
    states.walk(loads(RULES.format(line=" ".join(walk), first=walk[0])), seed, 6)
