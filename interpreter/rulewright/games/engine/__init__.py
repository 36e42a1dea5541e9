"""Games and positions as the library shows them."""
