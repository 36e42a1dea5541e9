"""The Go Text Protocol, version 2, both sides, for games whose moves are points or single words.

After https://www.lysator.liu.se/~gunnar/gtp/ and, for Hex, https://www.hexwiki.net/index.php/GTP.
"""
