"""A second implementation of the games, independent, slow and plain, to check the engine by."""
