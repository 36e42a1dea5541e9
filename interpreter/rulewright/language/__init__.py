"""Language: from the text of a file to the model, and every mistake to a message with a place.

In: bytes. Out: syntax with spans (`parse.py`), and from it the model (`resolve/`), or diagnostics
that are collected and never raised one by one. The grammars are data, in `grammar/`, and so are
hints for what people write out of habit from other languages (`habits.toml`).

Read first: `parse.py`, `diagnostics.py`, `resolve/rules.py`.
"""
