// Made by `make studio` from the classes of the service; not to be changed by hand.

/** Letters of a message. */
export const LONGEST = 8000000;

/** What stands on a site; `owner` is 0, 1 or 2 for nobody, `letter` the sign in texts. */
export interface Piece {
  owner: number;
  kind: string;
  letter: string;
}

/** One site: its name, its place, its corners (none where it is a point), what stands there. */
export interface SceneSite {
  site: number;
  name: string;
  column: number;
  row: number;
  place: [number, number];
  outline: [number, number][];
  piece: Piece | null;
  bar: [number, number][];
}

/** A link from site to site; `owner` is 0, 1 or 2, `change` what the last turn did to it. */
export interface SceneLink {
  ends: [number, number];
  kind: string;
  owner: number;
  change: "" | "new" | "gone";
}

/** A state that a player must see: one value, or one for each player. */
export interface Fact {
  name: string;
  values: string[];
}

/** A legal decision: its text, the name of its declaration, and the clicks that can mean it. */
export interface SceneMove {
  text: string;
  name: string;
  clicks: number[][];
}

/** Everything that is to be seen. */
export interface Scene {
  game: string;
  players: [string, string];
  style: "cells" | "holes" | "points" | "lines";
  hexagonal: boolean;
  framed: boolean;
  kinds: number;
  letters: string[];
  spots: SceneSite[];
  columns: string[];
  rows: Record<string, string>;
  strokes: [number, number][];
  dots: [number, number][];
  links: SceneLink[];
  mover: string | null;
  winner: string | null;
  reason: string;
  last_turn: string;
  last: number[];
  left: number[];
  winning: number[];
  facts: Fact[];
  moves: SceneMove[];
}

/** No parameters. */
export interface Nothing {
}

/** Play a game: its name or path, options as a command line has them, what has been played. */
export interface OpenGame {
  game: string;
  options?: Record<string, string>;
  moves?: string;
  players?: [string, string];
  position?: string;
}

/** Play a decision as it is written, or a whole turn. */
export interface Play {
  text: string;
  at?: number | null;
  by?: string;
}

/** Show a node of the game. */
export interface GoTo {
  node: number;
}

/** Let somebody sit on a chair, 0 or 1; `human`, or what a match calls a player. */
export interface Sit {
  chair: number;
  player: string;
}

/** Let whoever is to move decide within so many seconds; the player's own limits if unsaid. */
export interface Think {
  seconds?: number | null;
}

/** Look for good decisions here, by rules alone, for so many seconds. */
export interface Search {
  seconds?: number;
}

/** What a personality thinks here, with other values of its factors, within *seconds*. */
export interface Explain {
  personality: string;
  factors?: Record<string, number>;
  seconds?: number;
}

/** The sites that a term or a factor is about, at the end of the line of a decision. */
export interface LightUp {
  personality: string;
  value: string;
  line: string[];
  name: string;
  factors?: Record<string, number>;
}

/** What another personality decides here, and what makes it so. */
export interface Against {
  personality: string;
  other: string;
  factors?: Record<string, number>;
  seconds?: number;
}

/** How the game stands after each decision up to here, within so many seconds in all. */
export interface Curve {
  seconds?: number;
}

/** Play a match of two players of the game, with the options of the one on the board. */
export interface Compare {
  first: string;
  second: string;
  games?: number;
  seconds?: number | null;
  nodes?: number | null;
  elo?: [number, number] | null;
}

/** Let several players of the game meet: everybody everybody, or the first all others. */
export interface Tournament {
  players: string[];
  games?: number;
  seconds?: number | null;
  nodes?: number | null;
  gauntlet?: boolean;
}

/** The games of a file of records: lines of JSON, or a database (`.db`) in base64. */
export interface ReadRecords {
  name: string;
  data: string;
}

/** Try other values of factors in matches of so many games each; no factors: all of them. */
export interface Tune {
  personality: string;
  factors?: string[];
  opponents?: string[];
  trials?: number;
  games?: number;
  seconds?: number | null;
  nodes?: number | null;
  confirm?: number;
}

/** Which patterns of a file fire here; the file by its name, beside the game's. */
export interface Match {
  file: string;
}

/** The pattern at a place of a text on the board: around site *at*, as frame *frame* lays it. */
export interface LookAt {
  path: string;
  text: string;
  offset: number;
  at?: number | null;
  frame?: number | null;
}

/** Say a condition of a pattern by clicks: its word (or `erase`), one site or two. */
export interface Draw {
  path: string;
  text: string;
  offset: number;
  at: number;
  frame: number;
  word: string;
  site: number;
  other?: number | null;
}

/** A decision as it is written, or as the sites that were clicked one after the other. */
export interface Ask {
  text: string;
  sites?: number[];
}

/** The factors of a personality. */
export interface Whose {
  personality: string;
}

/** Write a personality with other factors as a file of its own below the opened folder. */
export interface SavePersonality {
  personality: string;
  factors: Record<string, number>;
  name: string;
}

/** A file below the opened folder, by its path from there. */
export interface File {
  path: string;
}

/** Write a file, if its content still has the digest that the page has seen (empty: new). */
export interface Write {
  path: string;
  text: string;
  digest: string;
}

/** What an editor holds of a file. */
export interface Text {
  path: string;
  text: string;
}

/** A place in what an editor holds of a file: how many code points stand before it. */
export interface Spot {
  path: string;
  text: string;
  offset: number;
}

/** Play a rules text: on from what is on the board, or *moves* from the beginning. */
export interface Follow {
  path: string;
  text: string;
  moves?: string | null;
  options?: Record<string, string>;
}

/** Give the name at a place of a text another text, in all files of the game. */
export interface Rename {
  path: string;
  text: string;
  offset: number;
  name: string;
}

/** Claims to be written into a rules text. */
export interface AddClaims {
  path: string;
  text: string;
  claims: string[];
}

/** Find out about a text: its `properties`, `faults` put into it, or its `coverage`. */
export interface FindOut {
  path: string;
  text: string;
  what: string;
  seconds?: number;
}

/** Compare a rules text with another: *other*, the rules *against*, or the file as it is. */
export interface Diff {
  path: string;
  text: string;
  against?: string;
  other?: string | null;
  moves?: string | null;
  options?: Record<string, string>;
  seconds?: number;
}

/** Go on with a game from the text of a file, of the format that its name tells. */
export interface ReadGame {
  name: string;
  text: string;
}

/** The game up to here in a format: `sgf`, `txt` or what else `convert` knows. */
export interface WriteGame {
  form: string;
}

/** End what takes long: what is waited for, or what goes on *behind*. */
export interface Stop {
  behind?: boolean;
}

/** An option of the rules: a number within limits, or yes and no. */
export interface Option {
  name: string;
  value: number | boolean;
}

/** A decision of the game's tree; *turn* counts finished turns before it, *by* says whose. */
export interface Node {
  node: number;
  parent: number | null;
  text: string;
  turn: number;
  mover: string;
  by: string;
}

/** Who sits on a chair, what a page calls that, and the colour played now. */
export interface Chair {
  player: string;
  called: string;
  human: boolean;
  colour: string;
}

/** The game as it is to be seen: the scene, where it stands in the tree, who plays. */
export interface Table {
  game: string;
  source: string;
  options: Option[];
  scene: Scene;
  nodes: Node[];
  at: number;
  chairs: [Chair, Chair];
  thinking: boolean;
  over: boolean;
  verdict: string;
  folder: string;
  warning: string;
  claimable: boolean;
}

/** What there is: *places* of games that are not bundled, *own* rules in the folder. */
export interface Greeting {
  version: string;
  process: string;
  games: Record<string, string>;
  places: Record<string, string>;
  own: string[];
  opened: string | null;
  folder: string | null;
}

/** A decision with its value for the player who is to move; proven is win, loss or draw. */
export interface Candidate {
  move: string;
  value: number | null;
  site: number | null;
}

/** What a search knows: the best first, and the line that it expects, as texts. */
export interface Found {
  side: string;
  move: string;
  value: number;
  proven: string | null;
  line: string[];
  depth: number;
  nodes: number;
  seconds: number;
  candidates: Candidate[];
  arrows: number[][];
}

/** An explanation: as `explain --format json`, and its heat by site. */
export interface Explained {
  explanation: any;
  texts: Record<string, string>;
  shares: Record<string, number>;
  chosen: number | null;
  notes: string[];
}

/** A game of a match; `players` in the order of their seats, no `winner` where it is drawn. */
export interface PlayedGame {
  number: number;
  players: [string, string];
  winner: string;
  reason: string;
  turns: number;
  moves: string;
}

/** Where a match stands: `lines` for people, and the course of what was counted. */
export interface Measured {
  played: number;
  wanted: number;
  lines: string[];
  course: number[];
  ratios: number[];
  bounds: [number, number] | null;
  games: PlayedGame[];
  over: boolean;
  table: string[][];
  record: string;
}

/** A game on record: `source` is what is played, `opening` how many moves were given. */
export interface RecordedGame {
  number: number;
  source: string;
  options: Record<string, string>;
  players: [string, string];
  winner: string;
  reason: string;
  turns: number;
  opening: number;
  moves: string;
  date: string;
}

/** The games of a file of records, and what of it cannot be read. */
export interface Records {
  games: RecordedGame[];
  damaged: string[];
}

/** A trial: the values of the factors, and the share of the points, from 0 to 1. */
export interface TrialShown {
  number: number;
  factors: Record<string, number>;
  share: number;
}

/** How a tuning stands: its trials, the number of the best, and what the end of it says. */
export interface Tuned {
  trials: TrialShown[];
  wanted: number;
  best: number | null;
  lines: string[];
  over: boolean;
}

/** What a pattern asks of a site (-1: beyond the board), or of two, and whether it is so. */
export interface LaidCondition {
  test: string;
  site: number;
  other: number | null;
  text: string;
  holds: boolean;
  line: number;
}

/** A pattern at a point: from where it looks, what it proposes, in words why (or why not). */
export interface Fired {
  pattern: string;
  at: number;
  site: number;
  told: string;
  fires: boolean;
  conditions: LaidCondition[];
}

/** The files of patterns that the game has, and what those of one do here. */
export interface Matched {
  files: string[];
  points: number[];
  uses: Fired[];
}

/** Why a decision is legal or not, as the command says it; the sites that it names. */
export interface Reason {
  text: string;
  sites: number[];
}

/** A text of the opened folder; a bundled one may only be read. */
export interface FileShown {
  path: string;
  kind: string;
  writable: boolean;
}

/** The text of a file, and the digest of what is on the disk. */
export interface FileText {
  path: string;
  text: string;
  digest: string;
}

/** All texts of the opened folder as a zip archive, in base64. */
export interface Archive {
  name: string;
  data: string;
}

/** *text* instead of what stands from one code point to another. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** What a hint says to write: edits, and the number of the mistake that they mend. */
export interface Mend {
  title: string;
  problem: number;
  edits: Edit[];
}

/** Mistakes of a text, as `check --format json` has them, each with its `start` and `end`. */
export interface Checked {
  diagnostics: any;
  mends: Mend[];
  colours: [number, number, string][];
}

/** What the word from one place to another means, as Markdown. */
export interface Meaning {
  text: string;
  start: number;
  end: number;
}

/** Something that may stand at a place; a snippet has stops `${1:name}` in what is inserted. */
export interface Item {
  label: string;
  kind: string;
  detail: string;
  about: string;
  insert: string;
  snippet: boolean;
}

/** What may stand in the place of a word that begins at `start`. */
export interface Completions {
  start: number;
  items: Item[];
}

/** A game as a file. */
export interface GameText {
  name: string;
  text: string;
}

/** Nothing to say. */
export interface Done {
}

/** A pattern of a text on the board: around which site, in which of the frames, what it asks. */
export interface PatternShown {
  title: string;
  line: number;
  at: number;
  frame: number;
  frames: string[];
  conditions: LaidCondition[];
  points: number[];
  fired: [number, number][];
  sound: boolean;
}

/** The board where a number is worked out, and the sites that it is about. */
export interface Lit {
  scene: Scene;
  sites: number[];
}

/** What two personalities decide, and the factors of the second that alone make the first agree. */
export interface Versus {
  first: string;
  second: string;
  factors: string[];
}

/** What was found out about a line (0: about the whole), and what can be done with it. */
export interface StudyNote {
  line: number;
  text: string;
  claim: string;
  dead: boolean;
  moves: string | null;
  options: Record<string, string>;
  other: string | null;
}

/** What is known of a text so far, in words, by notes, and how often lines were reached. */
export interface Study {
  what: string;
  told: string;
  notes: StudyNote[];
  counts: Record<string, number>;
  rows: [string, string, string][];
  whole: boolean;
}

/** Where two games part: in words, after which decisions, both scenes, what only one has. */
export interface Differed {
  told: string[];
  moves: string;
  first: Scene | null;
  second: Scene | null;
  only_first: string[];
  only_second: string[];
  endings: [string, string];
}

/** The edits of the text that is open, and the other files that were written. */
export interface Renamed {
  edits: Edit[];
  files: string[];
}

/** A personality of the game; *about* is its file's first sentence. */
export interface PersonalityShown {
  name: string;
  about: string;
}

/** A position of a game, judged: from -1 to 1 for whoever began, and what is sure of it. */
export interface JudgedNode {
  node: number;
  value: number;
  proven: string | null;
}

/** A place in a file. */
export interface Where {
  path: string;
  start: number;
  end: number;
}

/** A factor of a personality: its value, default and limits, what it means. */
export interface FactorShown {
  name: string;
  value: number;
  default: number;
  low: number;
  high: number;
  whole: boolean;
  percent: boolean;
  unit: string;
  meaning: string;
}

export interface Params {
  hello: Nothing;
  open: OpenGame;
  table: Nothing;
  play: Play;
  goto: GoTo;
  resign: Nothing;
  claim_draw: Nothing;
  sit: Sit;
  think: Think;
  search: Search;
  explain: Explain;
  lit: LightUp;
  versus: Against;
  curve: Curve;
  compare: Compare;
  tournament: Tournament;
  records: ReadRecords;
  tune: Tune;
  patterns: Match;
  pattern: LookAt;
  draw: Draw;
  why_not: Ask;
  why: Ask;
  personalities: Nothing;
  factors: Whose;
  save_personality: SavePersonality;
  files: Nothing;
  read: File;
  write: Write;
  texts: Nothing;
  check: Text;
  hover: Spot;
  complete: Spot;
  define: Spot;
  format: Text;
  follow: Follow;
  rename: Rename;
  claim: AddClaims;
  study: FindOut;
  diff: Diff;
  read_game: ReadGame;
  write_game: WriteGame;
  stop: Stop;
}

export interface Answers {
  open: Table;
  table: Table;
  play: Table;
  goto: Table;
  resign: Table;
  claim_draw: Table;
  sit: Table;
  think: Table;
  follow: Table;
  read_game: Table;
  hello: Greeting;
  search: Found;
  explain: Explained;
  compare: Measured;
  tournament: Measured;
  records: Records;
  tune: Tuned;
  patterns: Matched;
  why_not: Reason;
  why: Reason;
  save_personality: FileShown;
  read: FileText;
  texts: Archive;
  write: FileText;
  check: Checked;
  hover: Meaning;
  complete: Completions;
  write_game: GameText;
  stop: Done;
  pattern: PatternShown;
  lit: Lit;
  versus: Versus;
  study: Study;
  diff: Differed;
  rename: Renamed;
  personalities: PersonalityShown[];
  files: FileShown[];
  curve: JudgedNode[];
  define: Where[];
  format: Edit[];
  draw: Edit[];
  claim: Edit[];
  factors: FactorShown[];
}

export const CLASSES = {
  Piece: {"owner": "number", "kind": "string", "letter": "string"},
  SceneSite: {"site": "number", "name": "string", "column": "number", "row": "number", "place": ["tuple", "number", "number"], "outline": ["list", ["tuple", "number", "number"]], "piece": ["one", "Piece", "null"], "bar": ["list", ["tuple", "number", "number"]]},
  SceneLink: {"ends": ["tuple", "number", "number"], "kind": "string", "owner": "number", "change": ["is", "", "new", "gone"]},
  Fact: {"name": "string", "values": ["list", "string"]},
  SceneMove: {"text": "string", "name": "string", "clicks": ["list", ["list", "number"]]},
  Scene: {"game": "string", "players": ["tuple", "string", "string"], "style": ["is", "cells", "holes", "points", "lines"], "hexagonal": "boolean", "framed": "boolean", "kinds": "number", "letters": ["list", "string"], "spots": ["list", "SceneSite"], "columns": ["list", "string"], "rows": ["record", "string"], "strokes": ["list", ["tuple", "number", "number"]], "dots": ["list", ["tuple", "number", "number"]], "links": ["list", "SceneLink"], "mover": ["one", "string", "null"], "winner": ["one", "string", "null"], "reason": "string", "last_turn": "string", "last": ["list", "number"], "left": ["list", "number"], "winning": ["list", "number"], "facts": ["list", "Fact"], "moves": ["list", "SceneMove"]},
  Option: {"name": "string", "value": ["one", "number", "number", "boolean"]},
  Node: {"node": "number", "parent": ["one", "number", "null"], "text": "string", "turn": "number", "mover": "string", "by": "string"},
  Chair: {"player": "string", "called": "string", "human": "boolean", "colour": "string"},
  Table: {"game": "string", "source": "string", "options": ["list", "Option"], "scene": "Scene", "nodes": ["list", "Node"], "at": "number", "chairs": ["tuple", "Chair", "Chair"], "thinking": "boolean", "over": "boolean", "verdict": "string", "folder": "string", "warning": "string", "claimable": "boolean"},
  Greeting: {"version": "string", "process": "string", "games": ["record", "string"], "places": ["record", "string"], "own": ["list", "string"], "opened": ["one", "string", "null"], "folder": ["one", "string", "null"]},
  Candidate: {"move": "string", "value": ["one", "number", "null"], "site": ["one", "number", "null"]},
  Found: {"side": "string", "move": "string", "value": "number", "proven": ["one", "string", "null"], "line": ["list", "string"], "depth": "number", "nodes": "number", "seconds": "number", "candidates": ["list", "Candidate"], "arrows": ["list", ["list", "number"]]},
  Explained: {"explanation": "any", "texts": ["record", "string"], "shares": ["record", "number"], "chosen": ["one", "number", "null"], "notes": ["list", "string"]},
  PlayedGame: {"number": "number", "players": ["tuple", "string", "string"], "winner": "string", "reason": "string", "turns": "number", "moves": "string"},
  Measured: {"played": "number", "wanted": "number", "lines": ["list", "string"], "course": ["list", "number"], "ratios": ["list", "number"], "bounds": ["one", ["tuple", "number", "number"], "null"], "games": ["list", "PlayedGame"], "over": "boolean", "table": ["list", ["list", "string"]], "record": "string"},
  RecordedGame: {"number": "number", "source": "string", "options": ["record", "string"], "players": ["tuple", "string", "string"], "winner": "string", "reason": "string", "turns": "number", "opening": "number", "moves": "string", "date": "string"},
  Records: {"games": ["list", "RecordedGame"], "damaged": ["list", "string"]},
  TrialShown: {"number": "number", "factors": ["record", "number"], "share": "number"},
  Tuned: {"trials": ["list", "TrialShown"], "wanted": "number", "best": ["one", "number", "null"], "lines": ["list", "string"], "over": "boolean"},
  LaidCondition: {"test": "string", "site": "number", "other": ["one", "number", "null"], "text": "string", "holds": "boolean", "line": "number"},
  Fired: {"pattern": "string", "at": "number", "site": "number", "told": "string", "fires": "boolean", "conditions": ["list", "LaidCondition"]},
  Matched: {"files": ["list", "string"], "points": ["list", "number"], "uses": ["list", "Fired"]},
  Reason: {"text": "string", "sites": ["list", "number"]},
  FileShown: {"path": "string", "kind": "string", "writable": "boolean"},
  FileText: {"path": "string", "text": "string", "digest": "string"},
  Archive: {"name": "string", "data": "string"},
  Edit: {"start": "number", "end": "number", "text": "string"},
  Mend: {"title": "string", "problem": "number", "edits": ["list", "Edit"]},
  Checked: {"diagnostics": "any", "mends": ["list", "Mend"], "colours": ["list", ["tuple", "number", "number", "string"]]},
  Meaning: {"text": "string", "start": "number", "end": "number"},
  Item: {"label": "string", "kind": "string", "detail": "string", "about": "string", "insert": "string", "snippet": "boolean"},
  Completions: {"start": "number", "items": ["list", "Item"]},
  GameText: {"name": "string", "text": "string"},
  Done: {},
  PatternShown: {"title": "string", "line": "number", "at": "number", "frame": "number", "frames": ["list", "string"], "conditions": ["list", "LaidCondition"], "points": ["list", "number"], "fired": ["list", ["tuple", "number", "number"]], "sound": "boolean"},
  Lit: {"scene": "Scene", "sites": ["list", "number"]},
  Versus: {"first": "string", "second": "string", "factors": ["list", "string"]},
  StudyNote: {"line": "number", "text": "string", "claim": "string", "dead": "boolean", "moves": ["one", "string", "null"], "options": ["record", "string"], "other": ["one", "string", "null"]},
  Study: {"what": "string", "told": "string", "notes": ["list", "StudyNote"], "counts": ["record", "number"], "rows": ["list", ["tuple", "string", "string", "string"]], "whole": "boolean"},
  Differed: {"told": ["list", "string"], "moves": "string", "first": ["one", "Scene", "null"], "second": ["one", "Scene", "null"], "only_first": ["list", "string"], "only_second": ["list", "string"], "endings": ["tuple", "string", "string"]},
  Renamed: {"edits": ["list", "Edit"], "files": ["list", "string"]},
  PersonalityShown: {"name": "string", "about": "string"},
  JudgedNode: {"node": "number", "value": "number", "proven": ["one", "string", "null"]},
  Where: {"path": "string", "start": "number", "end": "number"},
  FactorShown: {"name": "string", "value": "number", "default": "number", "low": "number", "high": "number", "whole": "boolean", "percent": "boolean", "unit": "string", "meaning": "string"},
};

export const RESULTS = {
  open: "Table",
  table: "Table",
  play: "Table",
  goto: "Table",
  resign: "Table",
  claim_draw: "Table",
  sit: "Table",
  think: "Table",
  follow: "Table",
  read_game: "Table",
  hello: "Greeting",
  search: "Found",
  explain: "Explained",
  compare: "Measured",
  tournament: "Measured",
  records: "Records",
  tune: "Tuned",
  patterns: "Matched",
  why_not: "Reason",
  why: "Reason",
  save_personality: "FileShown",
  read: "FileText",
  texts: "Archive",
  write: "FileText",
  check: "Checked",
  hover: "Meaning",
  complete: "Completions",
  write_game: "GameText",
  stop: "Done",
  pattern: "PatternShown",
  lit: "Lit",
  versus: "Versus",
  study: "Study",
  diff: "Differed",
  rename: "Renamed",
  personalities: ["list", "PersonalityShown"],
  files: ["list", "FileShown"],
  curve: ["list", "JudgedNode"],
  define: ["list", "Where"],
  format: ["list", "Edit"],
  draw: ["list", "Edit"],
  claim: ["list", "Edit"],
  factors: ["list", "FactorShown"],
};
