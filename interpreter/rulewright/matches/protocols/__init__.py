"""Talking to programs from outside, and reading and writing their files."""
