"""Answers GTP or the text protocol from a table, and misbehaves as its argument says."""

import sys
import time

HOW = sys.argv[1]
GTP = {
    "refuses": "? unacceptable size\n",
    "resigns": "= resign\n",
    "nonsense": "= z99\n",
    "slow": "",
    "unasked": "= \n\n= \n\n= a1\n",
}
TEXT = {
    "text-refuses": "error I do not like this game\n",
    "text-nonsense": "hello\n",
    "text-empty": "best\n",
    "text-illegal": "best z99\n",
    "text-odd": "info depth 3\nbest a1 value=much depth=inf nodes=7\n",
}

for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if HOW in GTP:
        asked = word == ("boardsize" if HOW == "refuses" else "genmove")
        if asked and HOW == "slow":
            time.sleep(600)
        print(GTP[HOW] if asked else "=", end="\n\n", flush=True)
    elif word == "go" or (word == "game" and HOW == "text-refuses"):
        print(TEXT[HOW], end="", flush=True)
    else:
        print("rulewright 1 talker" if word == "rulewright" else "ok", flush=True)
