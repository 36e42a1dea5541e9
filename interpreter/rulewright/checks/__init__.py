"""Verification: whether a rules file keeps what it claims."""
