"""The studio: a page that shows a game, its players and its texts, and the service behind it."""
