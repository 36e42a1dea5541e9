// Modes of CodeMirror 6 for the texts of rulewright, made by rulewright.app.service.highlighting:
//   import {StreamLanguage} from "@codemirror/language"
//   import {simpleMode} from "@codemirror/legacy-modes/mode/simple-mode"
//   import {modes} from "./rulewright.js"
//   StreamLanguage.define(simpleMode(modes.rules))
const texts = {
  "rules": {
    "start": [
      {
        "regex": "#.*",
        "token": "comment"
      },
      {
        "regex": "\"[^\"\\n]*\"",
        "token": "string"
      },
      {
        "regex": "\\b[0-9]+(?:\\.[0-9]+)?(?:%|\\b)",
        "token": "number"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b(?=\\()",
        "token": "def"
      },
      {
        "regex": "\\b(?:action|after|again|along|always|and|any|at|be|board|by|chance|choose|claim|claimed|clear|count|div|draw|each|else|extends|first|for|format|from|game|hidden|if|in|label|let|line|link|links|longest|lose|may|meets|mod|move|need|no|not|of|option|or|perft|pieces|player|players|put|ray|score|sees|setup|sides|stacked|start|state|swap|symmetric|to|together|turn|under|unlink|unseen|untested|when|where|win|with|within|without|wrap|write)\\b",
        "token": "keyword"
      },
      {
        "regex": "\\b(?:around|board_repeats|border|bottom|corners|diagonal|down|east|empty|enemy|false|full|left|mover|near|next|nobody|none|north|northeast|northwest|nowhere|orthogonal|others|own|players|ply|repeats|right|sides|sites|south|southeast|southwest|stuck|top|true|up|west)\\b",
        "token": "atom"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b",
        "token": "variable"
      },
      {
        "regex": ":=|<>|<=|>=|\\.\\.|[-=<>+*/?|,:]",
        "token": "operator"
      }
    ],
    "languageData": {
      "name": "rules",
      "commentTokens": {
        "line": "#"
      }
    }
  },
  "evaluator": {
    "start": [
      {
        "regex": "#.*",
        "token": "comment"
      },
      {
        "regex": "\"[^\"\\n]*\"",
        "token": "string"
      },
      {
        "regex": "\\b[0-9]+(?:\\.[0-9]+)?(?:%|\\b)",
        "token": "number"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b(?=\\()",
        "token": "def"
      },
      {
        "regex": "\\b(?:after|along|and|antisymmetric|any|by|claim|costs|count|div|else|evaluator|factor|flipped|for|format|from|give|if|in|into|let|meets|mod|move|no|not|of|on|opening|or|over|path|position|ray|reply|scan|search|sides|start|step|stop|swap|symmetric|table|to|twice|under|untested|use|value|when|with)\\b",
        "token": "keyword"
      },
      {
        "regex": "\\b(?:around|board_repeats|border|bottom|change|corners|diagonal|down|east|empty|enemy|false|full|left|mobility|mover|near|next|nobody|none|north|northeast|northwest|nowhere|orthogonal|others|outside|own|players|ply|power|random|repeats|right|sides|sites|south|southeast|southwest|stuck|top|true|up|west)\\b",
        "token": "atom"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b",
        "token": "variable"
      },
      {
        "regex": ":=|<>|<=|>=|\\.\\.|[-=<>+*/?|,:]",
        "token": "operator"
      }
    ],
    "languageData": {
      "name": "evaluator",
      "commentTokens": {
        "line": "#"
      }
    }
  },
  "personality": {
    "start": [
      {
        "regex": "#.*",
        "token": "comment"
      },
      {
        "regex": "\"[^\"\\n]*\"",
        "token": "string"
      },
      {
        "regex": "\\b[0-9]+(?:\\.[0-9]+)?(?:%|\\b)",
        "token": "number"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b(?=\\()",
        "token": "def"
      },
      {
        "regex": "\\b(?:after|best|book|consider|decided|drawn|else|extends|for|forcing|format|hopeless|if|must|opening|order|passing|personality|pick|policy|prefer|reduce|reply|search|threats|ties|untested|use)\\b",
        "token": "keyword"
      },
      {
        "regex": "\\b(?:none)\\b",
        "token": "atom"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b",
        "token": "variable"
      },
      {
        "regex": ":=|<>|<=|>=|\\.\\.|[-=<>+*/?|,:]",
        "token": "operator"
      }
    ],
    "languageData": {
      "name": "personality",
      "commentTokens": {
        "line": "#"
      }
    }
  },
  "patterns": {
    "start": [
      {
        "regex": "#.*",
        "token": "comment"
      },
      {
        "regex": "([ \\t]*)((?:[Uu][Ss][Ee]|[Ss][Yy][Mm][Mm][Ee][Tt][Rr][Yy]|[Ss][Tt][Rr][Oo][Nn][Gg]|[Ss][Ee][Tt]|[Rr][Oo][Ww]|[Pp][Rr][Ii][Oo][Rr][Ii][Tt][Yy]|[Pp][Aa][Tt][Tt][Ee][Rr][Nn][Ss]|[Oo][Ww][Nn]|[Oo][Pp][Pp]|[Oo][Ff][Ff][Ss]|[Oo][Ff][Ff]|[Nn][Ss][Tt][Rr][Oo][Nn][Gg]|[Mm][Ii][Dd][Dd][Ll][Ee]|[Ll][Ee][Ff][Tt]|[Ff][Rr][Ee][Ee]|[Ff][Oo][Rr][Mm][Aa][Tt]|[Ee][Xx][Aa][Mm][Pp][Ll][Ee]|[Ee][Dd][Gg][Ee]|[Dd][Ee][Ff][Ss]|[Dd][Ee][Ff]|[Bb][Pp][Oo][Ss][Ss]|[Bb][Ee][Xx][Ii][Ss][Tt]|[Aa][Rr][Oo][Uu][Nn][Dd])(?![\\w-]))",
        "token": [
          null,
          "keyword"
        ],
        "sol": true
      },
      {
        "regex": "\\|[^|\\n]*\\|",
        "token": "string"
      },
      {
        "regex": "[+-]?\\b[0-9]+\\b(?![\\w.])",
        "token": "number"
      },
      {
        "regex": "[A-Za-z_0-9][\\w-]*",
        "token": "variable"
      },
      {
        "regex": ",",
        "token": "operator"
      }
    ],
    "languageData": {
      "name": "patterns",
      "commentTokens": {
        "line": "#"
      }
    }
  },
  "look": {
    "start": [
      {
        "regex": "#.*",
        "token": "comment"
      },
      {
        "regex": "\"[^\"\\n]*\"",
        "token": "string"
      },
      {
        "regex": "\\b[0-9]+(?:\\.[0-9]+)?(?:%|\\b)",
        "token": "number"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b(?=\\()",
        "token": "def"
      },
      {
        "regex": "\\b(?:after|along|and|animate|any|as|at|beside|board|button|by|click|colour|coordinates|count|dark|dice|div|else|extends|family|for|format|from|ground|if|in|is|label|learn|let|links|look|mark|means|meets|mod|no|not|numbers|or|path|piece|pile|pitch|puzzle|ray|refuse|show|side|tell|thumbnail|title|to|turned|view|with|word)\\b",
        "token": "keyword"
      },
      {
        "regex": "\\b(?:around|board_repeats|border|bottom|corners|diagonal|down|east|empty|enemy|false|full|left|mover|near|next|nobody|none|north|northeast|northwest|nowhere|orthogonal|others|own|players|ply|repeats|right|sides|sites|south|southeast|southwest|stuck|top|true|up|west)\\b",
        "token": "atom"
      },
      {
        "regex": "\\b[A-Za-z_][A-Za-z0-9_]*\\b",
        "token": "variable"
      },
      {
        "regex": ":=|<>|<=|>=|\\.\\.|[-=<>+*/?|,:]",
        "token": "operator"
      }
    ],
    "languageData": {
      "name": "look",
      "commentTokens": {
        "line": "#"
      }
    }
  },
  "cases": {
    "start": [
      {
        "regex": "#.*",
        "token": "comment"
      },
      {
        "regex": "\"[^\"\\n]*\"",
        "token": "string"
      },
      {
        "regex": "([ ]*)(\\b(?:case|cases|format|moves|saw|set)\\b)",
        "token": [
          null,
          "keyword"
        ],
        "sol": true
      },
      {
        "regex": "\\bfor\\b",
        "token": "keyword"
      },
      {
        "regex": "\\b[0-9]+\\b",
        "token": "number"
      },
      {
        "regex": "[^\\s\\\"#=]+",
        "token": "variable"
      },
      {
        "regex": "=",
        "token": "operator"
      }
    ],
    "languageData": {
      "name": "cases",
      "commentTokens": {
        "line": "#"
      }
    }
  }
}

export const modes = Object.fromEntries(Object.entries(texts).map(([name, mode]) => [name, {
  ...mode,
  start: mode.start.map(rule => ({...rule, regex: new RegExp(rule.regex)})),
}]))
