"""Recorded games of any kind, judged move by move."""
