"""Search: finds the computer's decision."""
