"""Speed of games: rates of the kernels and of the search, beside hand-written C where it is."""
