"""Speed of games: rates of kernels and of the search, beside hand-written C where there is any."""
