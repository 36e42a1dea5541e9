"""Positions as pictures: text that reads back, and SVG."""
