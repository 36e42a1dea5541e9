"""The first stage: text becomes syntax, and every mistake becomes a diagnostic with a place."""
