"""Personalities at work: searches in reference form, choosing, and explanations."""
