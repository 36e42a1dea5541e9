"""The properties that `test` tries, by the kind of file, each with what it says.

A file can leave one out by its name: `untested NAME "reason"`.
"""

from __future__ import annotations

RULES: dict[str, str] = {
    "start": "The claims about the first position hold.",
    "perft": "The numbers of sequences are right, in the file and in perft.txt beside it.",
    "after": "The claims about positions after certain moves, and about legal decisions, hold.",
    "wins": "A win that the file claims is certain, whatever the other side plays.",
    "stuck": "A player who must decide has a decision, or a rule says how the game ends.",
    "notation": "Each decision is written in its own way, and what is written means it again.",
    "ranges": "Every state stays in its range.",
    "faults": "No clause is asked for what it cannot do, such as `max` of nothing.",
    "undo": "Looking at decisions changes nothing, and after taking one back all is as before.",
    "turns": "Players take turns: the other is next, unless `again` or a swap says otherwise.",
    "exclusive": "Rules that are true at the same end agree on who has won.",
    "printed": "The printed position reads back as the same position.",
    "always": "The claims about every position hold.",
    "symmetric": "The claimed symmetries map legal decisions and results to legal ones.",
    "agreement": "Reference and kernels find the same decisions, effects and results.",
    "blind": "A player has the same decisions wherever the player sees the same.",
    "ends": "Random games come to an end.",
    "within": "No game has more decisions than the file claims.",
    "draws": "No game is drawn where the file claims so.",
    "outcomes": "Each player wins some random game.",
    "hashes": "Equal positions have equal hashes, and different ones do not collide.",
}
EVALUATOR: dict[str, str] = {
    "after": "The claims about certain positions hold.",
    "finite": "Every position and move has a value.",
    "antisymmetric": "The value for one player is minus the value for the other, where claimed.",
    "symmetric": "Symmetric positions have the same value, where claimed.",
}
PERSONALITY: dict[str, str] = {
    "decides": "A legal decision is found in every position, the same for the same seed.",
    "leads": "`must`, `drawn`, `decided` and `hopeless` change no result of a proof.",
    "factors": "Every factor can change a choice.",
}
PATTERNS: dict[str, str] = {
    "examples": "Every example of the file holds.",
    "proposals": "Every move that patterns propose is legal.",
    "turned": "The symmetries that the rules claim turn the proposals with the position.",
}
LOOK: dict[str, str] = {}
ALL = {
    "rules": RULES, "evaluator": EVALUATOR, "personality": PERSONALITY, "patterns": PATTERNS,
    "look": LOOK,
}  # fmt: skip
