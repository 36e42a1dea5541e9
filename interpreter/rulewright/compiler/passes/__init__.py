"""What is worked out about a game before and beside lowering; fast forms are chosen by it."""
