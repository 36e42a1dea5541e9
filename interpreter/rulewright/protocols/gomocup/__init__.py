"""The protocol of Gomocup, both sides: for games in which a turn puts one piece on a rectangle.

After https://plastovicka.github.io/protocl2en.htm.
"""
