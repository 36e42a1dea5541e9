"""The ground: what every room stands on, and what knows nothing of games.

In: bytes, limits, errors. Out: files read and written in one step (`disk`), a cache that
may be slow but never wrong (`cache`), how long names and how large boards may be (`limits`), steps
and seconds that may be spent (`budget`), calls inside calls (`nesting`), records that are packed
and compared (`records`), texts of others made harmless (`printable`). Errors that users see stand
beside this room, in `rulewright.errors`.

Read first: `disk.py`, `budget.py`.
"""
