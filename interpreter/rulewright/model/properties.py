"""The properties that `test` tries, by the kind of file, each with what it says.

A file can leave one out by its name: `untested NAME "reason"`.
"""

from __future__ import annotations

RULES: dict[str, str] = {
    "start": "What the file claims of the first position holds.",
    "perft": "The claimed numbers of sequences, and those of perft.txt beside the file, are right.",
    "after": "What the file claims of positions after certain moves, and of what is legal, holds.",
    "wins": "Whoever the file claims to win does win, whatever the other side plays.",
    "stuck": "A player who must decide has a decision, or a rule says how the game ends.",
    "notation": "Each decision is written in its own way, and what is written means it again.",
    "ranges": "Every state stays in its range.",
    "faults": "No clause is asked for what it cannot do, such as `max` of nothing.",
    "undo": "Looking at decisions changes nothing, and after taking one back all is as before.",
    "turns": "Players take turns: the other one is next, unless `again` or a swap says otherwise.",
    "exclusive": "Rules that are true at the same end agree on who has won.",
    "printed": "The printed position reads back as the same position.",
    "always": "What the file claims of every position holds.",
    "symmetric": "The claimed symmetries map legal decisions and results to legal ones.",
    "agreement": "Reference and kernels find the same decisions, effects and results.",
    "blind": "What a player may decide is the same wherever the player sees the same.",
    "ends": "Random games come to an end.",
    "within": "No game has more decisions than the file claims.",
    "draws": "No game is drawn where the file claims so.",
    "outcomes": "Each player wins some random game.",
    "hashes": "Equal positions have equal hashes, and different ones do not collide.",
}
EVALUATOR: dict[str, str] = {
    "after": "What the file claims of certain positions holds.",
    "finite": "Every position and move has a value.",
    "antisymmetric": "The value for one player is minus the value for the other, where claimed.",
    "symmetric": "Symmetric positions have the same value, where claimed.",
}
PERSONALITY: dict[str, str] = {
    "decides": "A legal decision is found in every position, the same for the same seed.",
    "leads": "What `must`, `drawn`, `decided` and `hopeless` say changes no result of a proof.",
    "factors": "Every factor can change a choice.",
}
PATTERNS: dict[str, str] = {
    "examples": "Every example of the file holds.",
    "proposals": "What patterns propose is legal.",
    "turned": "A position that is turned as the rules claim has proposals that are turned so too.",
}
LOOK: dict[str, str] = {}
ALL = {
    "rules": RULES, "evaluator": EVALUATOR, "personality": PERSONALITY, "patterns": PATTERNS,
    "look": LOOK,
}  # fmt: skip
