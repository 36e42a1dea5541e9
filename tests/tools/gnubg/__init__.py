"""GNU Backgammon as a player of matches."""
