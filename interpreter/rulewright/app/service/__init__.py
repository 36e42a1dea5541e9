"""What editors ask about texts: diagnostics, meaning of words, names, completion, layout, colours.

In: texts of every language that may be wrong and half typed.  Out: answers with places as numbers
of characters.  No editor and no protocol is known here; `app/cli/lsp.py` speaks to editors.
"""
