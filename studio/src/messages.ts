// Made by `make studio` from the classes of the service; not to be changed by hand.

/** Letters of a message. */
export const LONGEST = 8000000;
/** Endings of files of games. */
export const ENDINGS = ".t1,.ggf,.psq,.kif,.kifu,.sfen,.usi,.sgf,.tsgf,.hsgf,.hgf,.pdn,.pgn,.fen,.epd,.scores,.json,.txt";

/** A site: its middle, the size of a piece on it, and the number of its shape. */
export interface DrawnSite {
  site: number;
  place: [number, number];
  size: number;
  shape: number;
}

/** How pieces of a kind and owner are drawn: the symbol, and at which sites (none: anywhere). */
export interface Form {
  kind: string;
  owner: number;
  symbol: string;
  scale: number;
  sites: number[];
  halo: string;
  number: number;
  points: boolean;
  ends: number[];
}

/** How the pieces of a pile lie at a site. */
export interface PileForm {
  site: number;
  first: [number, number];
  way: [number, number];
  length: number;
}

/** How a number at a site is drawn: so many of a symbol around `place`, in a room. */
export interface HeapForm {
  site: number;
  symbol: string;
  place: [number, number];
  room: [number, number];
}

/** A small board beside the board: the symbol of a square, and where that of each site is. */
export interface CardForm {
  symbol: string;
  squares: Record<string, [number, number]>;
}

/** A line of a link, one of several upon each other: its colour, width and opacity. */
export interface Stroke {
  colour: string;
  width: number;
  opacity: number;
}

/** How links of a kind and owner are drawn. */
export interface LinkForm {
  kind: string;
  owner: number;
  strokes: Stroke[];
}

/** What a move puts where it is clicked: a kind, whose piece, -1 for the mover's. */
export interface Entry {
  move: string;
  kind: string;
  owner: number;
}

/** What players read of a game: its title, the sides, moves by name, buttons and their help. */
export interface Phrases {
  title: string;
  sides: string[];
  words: Record<string, string>;
  buttons: Record<string, [string, string]>;
}

/** A click on any site of a group means the only legal decision of *move* in that group. */
export interface Gesture {
  move: string;
  groups: number[][];
}

/** What never changes in the pictures of a game. */
export interface BoardDrawing {
  width: number;
  height: number;
  ground: string;
  over: string;
  coordinates: string;
  shown: "inside" | "outside" | "hover" | "none";
  symbols: Record<string, string>;
  sites: DrawnSite[];
  shapes: string[];
  forms: Form[];
  links: LinkForm[];
  states: Record<string, string>;
  marks: Record<string, string>;
  motions: Record<string, string>;
  entries: Entry[];
  sides: string[];
  phrases: Phrases;
  gestures: Gesture[];
  exchanges: string[];
  colours: Record<string, [string, string]>;
  piles: PileForm[];
  heaps: HeapForm[];
  cards: CardForm[];
  dice: string[];
}

/** A value that is shown beside the board (`owner` None) or a player. */
export interface ShownValue {
  display: "tokens" | "number" | "pile" | "pieces" | "bar" | "card";
  text: string;
  value: number;
  owner: number | null;
  piece: string;
  move: string;
}

/** A die that shows a value, from 1 to 6, in the middle of some sites. */
export interface ShownDie {
  value: number;
  sites: number[];
}

/** The sites that a card shows, by its number among those of the drawing. */
export interface ShownCard {
  number: number;
  sites: number[];
  text: string;
}

/** What a look says of one position: sites with a mark, values beside the board, dice. */
export interface Shown {
  marks: Record<string, number[]>;
  beside: ShownValue[];
  numbers: Record<string, number>;
  forms: Record<string, number>;
  dice: ShownDie[];
  cards: ShownCard[];
}

/** A piece on a site, with its sign; the `owner` nobody is the number of players. */
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
  below: Piece[];
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
  kind: string;
}

/** A position as every drawing shows it. */
export interface Scene {
  game: string;
  players: string[];
  style: "cells" | "holes" | "points" | "lines";
  hexagonal: boolean;
  framed: boolean;
  kinds: number;
  letters: string[];
  spots: SceneSite[];
  columns: string[];
  rows: Record<string, string>;
  strokes: [number, number][];
  drawing: BoardDrawing;
  shown: Shown;
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

/** The cards of games, by their names or paths; of a few at a time. */
export interface Gallery {
  games: string[];
}

/** Pictures and a puzzle of a game. */
export interface Learn {
  game: string;
}

/** Open a game: its name or path, options as they are typed, moves played so far. */
export interface OpenGame {
  game: string;
  options?: Record<string, string>;
  moves?: string;
  players?: string[];
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

/** Give up the game; *late*: because no time is left. */
export interface Resign {
  late?: boolean;
}

/** Choose the player of a chair, from 0: `human`, or the text of a player. */
export interface Sit {
  chair: number;
  player: string;
}

/** Let the player to move decide, within *seconds* or the player's own limits. */
export interface Think {
  seconds?: number | null;
}

/** Search for good decisions, by the rules alone, for so many seconds. */
export interface Search {
  seconds?: number;
}

/** Explain the decision of a personality with changed factors, within *seconds*. */
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

/** Compare the decision of a personality with another's, and find the factors behind it. */
export interface Against {
  personality: string;
  other: string;
  factors?: Record<string, number>;
  seconds?: number;
}

/** Judge the position after each decision so far, within so many seconds in all. */
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

/** The patterns of a file that fire in the position; the file by its name. */
export interface Match {
  file: string;
}

/** Show the pattern at an offset on the board, at site *at* in frame *frame*. */
export interface LookAt {
  path: string;
  text: string;
  offset: number;
  at?: number | null;
  frame?: number | null;
}

/** Add a condition to the pattern at an offset, or remove it where it is there already. */
export interface EditPattern {
  path: string;
  text: string;
  offset: number;
  at: number;
  frame: number;
  word: string;
  site: number;
  other?: number | null;
}

/** A decision as it is written, or as the sites that were clicked, in order. */
export interface Ask {
  text: string;
  sites?: number[];
}

/** The factors of a personality. */
export interface OfPersonality {
  personality: string;
}

/** Write a personality with changed factors to a new file below the opened folder. */
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

/** The text that an editor holds for a file. */
export interface Text {
  path: string;
  text: string;
}

/** An offset in the text that an editor holds for a file, in code points. */
export interface TextOffset {
  path: string;
  text: string;
  offset: number;
}

/** Play by a rules text: on from the position on the board, or *moves* from the beginning. */
export interface Follow {
  path: string;
  text: string;
  moves?: string | null;
  options?: Record<string, string>;
  players?: string[] | null;
}

/** Look at a *name* for a new text of the same kind as another. */
export interface NewName {
  name: string;
  like: string;
}

/** Rename the name at an offset, in all files of the game. */
export interface Rename {
  path: string;
  text: string;
  offset: number;
  name: string;
}

/** Add claims to a rules text. */
export interface AddClaims {
  path: string;
  text: string;
  claims: string[];
}

/** Study a text: its `properties`, `faults` put into it, or its `coverage`. */
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

/** Put a recipe into a text at an offset, by its title. */
export interface PutRecipe {
  path: string;
  text: string;
  offset: number;
  title: string;
}

/** Open a game from a text, or from the bytes of a file in base64, in the format of its name. */
export interface ReadGame {
  name: string;
  text?: string;
  data?: string;
}

/** Write the game so far in a format: `sgf`, `txt` or any other of `convert`. */
export interface WriteGame {
  form: string;
}

/** Pack the game so far with the texts that it needs; `text` stands for that of its rules. */
export interface MakeParcel {
  text?: string;
}

/** Stop a long request: the one that is waited for, or the one *behind*. */
export interface Stop {
  behind?: boolean;
}

/** An option of the rules: a number within limits, or yes and no; *about* is its comment. */
export interface Option {
  name: string;
  value: number | boolean;
  low: number | null;
  high: number | null;
  about: string;
}

/** A decision of the game's tree; *turn* counts finished turns before it, *by* is the player. */
export interface Node {
  node: number;
  parent: number | null;
  text: string;
  turn: number;
  mover: string;
  by: string;
  shown: string;
}

/** A chair: the player, the player's name for people, and the colour played now. */
export interface Chair {
  player: string;
  label: string;
  human: boolean;
  colour: string;
}

/** The game to show: its scene, its tree with the current node, its players. */
export interface Table {
  game: string;
  source: string;
  options: Option[];
  scene: Scene;
  nodes: Node[];
  at: number;
  end: number;
  chairs: Chair[];
  thinking: boolean;
  over: boolean;
  verdict: string;
  folder: string;
  warning: string;
  claimable: boolean;
  given_up: boolean;
  viewer: string | null;
}

/** What a look says of its game: what people call it, a line, a family; empty without one. */
export interface Heading {
  title: string;
  tell: string;
  family: string;
}

/** A player with its limits; the games it won, drew and lost against the level below. */
export interface Level {
  player: string;
  wins: number;
  draws: number;
  losses: number;
}

/** The games: *headings* of their looks, *places* of those not bundled, *own* in the folder. */
export interface Greeting {
  version: string;
  process: string;
  games: Record<string, string>;
  headings: Record<string, Heading>;
  places: Record<string, string>;
  own: string[];
  opened: string | null;
  folder: string | null;
  levels: Record<string, Level[]>;
  mistakes: Record<string, number>;
}

/** A decision with its value for the player to move, and a site to show it at. */
export interface Candidate {
  move: string;
  value: number | null;
  site: number | null;
  shown: string;
}

/** The result of a search: best decision, principal variation as people write it, candidates. */
export interface Analysis {
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
  by: string;
}

/** An explanation, as `explain --format json` prints it, and its heat map by site. */
export interface Explained {
  explanation: any;
  texts: Record<string, string>;
  shares: Record<string, number>;
  decision_site: number | null;
  notes: string[];
  lines: Record<string, string[]>;
}

/** A game of a match; `players` in the order of their seats, `winner` empty for a draw. */
export interface PlayedGame {
  number: number;
  players: string[];
  winner: string;
  reason: string;
  turns: number;
  moves: string;
}

/** The standing of a match: `lines` for people, and its course. */
export interface Measured {
  played: number;
  goal: number;
  lines: string[];
  course: number[];
  ratios: number[];
  bounds: [number, number] | null;
  games: PlayedGame[];
  over: boolean;
  table: string[][];
  record: string;
}

/** A game on record: `source` names its rules, `opening` is the number of given moves. */
export interface RecordedGame {
  number: number;
  players: string[];
  winner: string;
  reason: string;
  turns: number;
  moves: string;
  source: string;
  options: Record<string, string>;
  opening: number;
  date: string;
}

/** The games of a file of records, and messages about lines that cannot be read. */
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

/** The standing of a tuning: its trials, the number of the best, and the final result. */
export interface Tuned {
  trials: TrialShown[];
  goal: number;
  best: number | null;
  lines: string[];
  over: boolean;
}

/** A condition of a pattern on the board: its site (-1: beyond the board), and if it holds. */
export interface LaidCondition {
  test: string;
  site: number;
  other: number | null;
  text: string;
  holds: boolean;
  line: number;
}

/** A pattern at a point: the site it is placed at, the site it proposes, the reason in words. */
export interface Fired {
  pattern: string;
  at: number;
  site: number;
  reason: string;
  fires: boolean;
  conditions: LaidCondition[];
}

/** The files of patterns of the game, and the uses of those of one file in the position. */
export interface Matched {
  files: string[];
  points: number[];
  uses: Fired[];
}

/** The reason why a decision is legal or not, in words, and the sites that these name. */
export interface Reason {
  text: string;
  sites: number[];
  words: string;
}

/** A text of the opened folder; a bundled one may only be read. */
export interface FileShown {
  path: string;
  kind: string;
  writable: boolean;
}

/** The text of a file, and the digest of the file on the disk. */
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

/** *text* replaces the code points from *start* to *end*. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A quick fix: edits, and the number of the diagnostic that they mend. */
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

/** The meaning of the word from *start* to *end*, as Markdown. */
export interface Meaning {
  text: string;
  start: number;
  end: number;
}

/** A completion; the `insert` of a snippet has stops `${1:name}`. */
export interface Item {
  label: string;
  kind: string;
  detail: string;
  about: string;
  insert: string;
  snippet: boolean;
}

/** Completions for the word that begins at `start`. */
export interface Completions {
  start: number;
  items: Item[];
}

/** A game as a file. */
export interface GameText {
  name: string;
  text: string;
}

/** An empty answer. */
export interface Done {
}

/** A pattern of a text on the board: the site it is placed at, its frame, its conditions. */
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

/** The board that a number is evaluated on, and the sites that it is about. */
export interface Lit {
  scene: Scene;
  sites: number[];
}

/** The decisions of two personalities as people write them. */
export interface Versus {
  first: string;
  second: string;
  factors: string[];
}

/** A result about a line (0: about the whole text). */
export interface StudyNote {
  line: number;
  text: string;
  claim: string;
  dead: boolean;
  moves: string | null;
  options: Record<string, string>;
  other: string | null;
}

/** The results of a study so far: a summary, notes, how often lines were reached. */
export interface Study {
  what: string;
  summary: string;
  notes: StudyNote[];
  counts: Record<string, number>;
  rows: [string, string, string][];
  holding: number[];
  whole: boolean;
}

/** The first difference of two games: `lines` of words, the decisions before it, both scenes. */
export interface Differed {
  lines: string[];
  moves: string;
  first: Scene | null;
  second: Scene | null;
  only_first: string[];
  only_second: string[];
  endings: [string, string];
}

/** The edits of the open text, and the other files that were written. */
export interface Renamed {
  edits: Edit[];
  files: string[];
}

/** The path that a new text gets, or the refusal of its name. */
export interface Named {
  path: string;
  refusal: string;
}

/** A picture as SVG, and what it shows or asks. */
export interface LessonShown {
  picture: string;
  text: string;
  moves: string;
  answer: string;
}

/** What there is to learn of a game: pictures, and a puzzle if it has one. */
export interface Introduced {
  game: string;
  title: string;
  tell: string;
  pictures: LessonShown[];
  puzzle: LessonShown | null;
}

/** A game for whoever has other files: a zip in base64, its name, the texts that are in it. */
export interface Parcel {
  name: string;
  data: string;
  game: string;
  texts: Record<string, string>;
}

/** A personality of the game; *about* is its file's first sentence. */
export interface PersonalityShown {
  name: string;
  about: string;
}

/** A position of a game with its value, from -1 to 1 for whoever began, and what is proven. */
export interface JudgedNode {
  node: number;
  value: number;
  proven: string | null;
  best: string;
  shown: string;
  drop: number;
  name: string;
  refutation: string[];
  depth: number;
}

/** A place in a file. */
export interface Where {
  path: string;
  start: number;
  end: number;
}

/** A recipe: what happens, a sentence about it, its statements. */
export interface Recipe {
  title: string;
  about: string;
  text: string;
  turn: string;
  piece: string;
  square: boolean;
}

/** A factor of a personality: its value, default and limits, and its meaning. */
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

/** A game to choose: an own title, a line, a picture as SVG, a family, empty without one. */
export interface GameCard {
  game: string;
  title: string;
  tell: string;
  picture: string;
  family: string;
  seats: number;
}

/** What is done before there is an answer: `compiling`, `waiting` or `thinking`. */
export interface Doing {
  what: string;
  parts: number;
  seconds: number;
  depth: number;
  value: number | null;
  proven: string | null;
  line: string[];
  move: string;
}

export interface Params {
  hello: Nothing;
  gallery: Gallery;
  learn: Learn;
  open: OpenGame;
  table: Nothing;
  play: Play;
  goto: GoTo;
  play_on: Nothing;
  resign: Resign;
  claim_draw: Nothing;
  sit: Sit;
  hand_over: Nothing;
  think: Think;
  hurry: Nothing;
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
  draw: EditPattern;
  why_not: Ask;
  why: Ask;
  personalities: Nothing;
  factors: OfPersonality;
  save_personality: SavePersonality;
  files: Nothing;
  read: File;
  write: Write;
  texts: Nothing;
  check: Text;
  hover: TextOffset;
  complete: TextOffset;
  define: TextOffset;
  format: Text;
  follow: Follow;
  new_name: NewName;
  rename: Rename;
  claim: AddClaims;
  study: FindOut;
  diff: Diff;
  recipes: Text;
  recipe: PutRecipe;
  read_game: ReadGame;
  write_game: WriteGame;
  parcel: MakeParcel;
  stop: Stop;
}

export interface Answers {
  open: Table;
  table: Table;
  play: Table;
  goto: Table;
  play_on: Table;
  resign: Table;
  claim_draw: Table;
  hand_over: Table;
  sit: Table;
  think: Table;
  follow: Table;
  read_game: Table;
  hello: Greeting;
  search: Analysis;
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
  hurry: Done;
  pattern: PatternShown;
  lit: Lit;
  versus: Versus;
  study: Study;
  diff: Differed;
  rename: Renamed;
  new_name: Named;
  learn: Introduced;
  parcel: Parcel;
  personalities: PersonalityShown[];
  files: FileShown[];
  curve: JudgedNode[];
  define: Where[];
  format: Edit[];
  draw: Edit[];
  claim: Edit[];
  recipe: Edit[];
  recipes: Recipe[];
  factors: FactorShown[];
  gallery: GameCard[];
}

export const CLASSES = {
  DrawnSite: {"site": "number", "place": ["tuple", "number", "number"], "size": "number", "shape": "number"},
  Form: {"kind": "string", "owner": "number", "symbol": "string", "scale": "number", "sites": ["list", "number"], "halo": "string", "number": "number", "points": "boolean", "ends": ["list", "number"]},
  PileForm: {"site": "number", "first": ["tuple", "number", "number"], "way": ["tuple", "number", "number"], "length": "number"},
  HeapForm: {"site": "number", "symbol": "string", "place": ["tuple", "number", "number"], "room": ["tuple", "number", "number"]},
  CardForm: {"symbol": "string", "squares": ["record", ["tuple", "number", "number"]]},
  Stroke: {"colour": "string", "width": "number", "opacity": "number"},
  LinkForm: {"kind": "string", "owner": "number", "strokes": ["list", "Stroke"]},
  Entry: {"move": "string", "kind": "string", "owner": "number"},
  Phrases: {"title": "string", "sides": ["list", "string"], "words": ["record", "string"], "buttons": ["record", ["tuple", "string", "string"]]},
  Gesture: {"move": "string", "groups": ["list", ["list", "number"]]},
  BoardDrawing: {"width": "number", "height": "number", "ground": "string", "over": "string", "coordinates": "string", "shown": ["is", "inside", "outside", "hover", "none"], "symbols": ["record", "string"], "sites": ["list", "DrawnSite"], "shapes": ["list", "string"], "forms": ["list", "Form"], "links": ["list", "LinkForm"], "states": ["record", "string"], "marks": ["record", "string"], "motions": ["record", "string"], "entries": ["list", "Entry"], "sides": ["list", "string"], "phrases": "Phrases", "gestures": ["list", "Gesture"], "exchanges": ["list", "string"], "colours": ["record", ["tuple", "string", "string"]], "piles": ["list", "PileForm"], "heaps": ["list", "HeapForm"], "cards": ["list", "CardForm"], "dice": ["list", "string"]},
  ShownValue: {"display": ["is", "tokens", "number", "pile", "pieces", "bar", "card"], "text": "string", "value": "number", "owner": ["one", "number", "null"], "piece": "string", "move": "string"},
  ShownDie: {"value": "number", "sites": ["list", "number"]},
  ShownCard: {"number": "number", "sites": ["list", "number"], "text": "string"},
  Shown: {"marks": ["record", ["list", "number"]], "beside": ["list", "ShownValue"], "numbers": ["record", "number"], "forms": ["record", "number"], "dice": ["list", "ShownDie"], "cards": ["list", "ShownCard"]},
  Piece: {"owner": "number", "kind": "string", "letter": "string"},
  SceneSite: {"site": "number", "name": "string", "column": "number", "row": "number", "place": ["tuple", "number", "number"], "outline": ["list", ["tuple", "number", "number"]], "piece": ["one", "Piece", "null"], "bar": ["list", ["tuple", "number", "number"]], "below": ["list", "Piece"]},
  SceneLink: {"ends": ["tuple", "number", "number"], "kind": "string", "owner": "number", "change": ["is", "", "new", "gone"]},
  Fact: {"name": "string", "values": ["list", "string"]},
  SceneMove: {"text": "string", "name": "string", "clicks": ["list", ["list", "number"]], "kind": "string"},
  Scene: {"game": "string", "players": ["list", "string"], "style": ["is", "cells", "holes", "points", "lines"], "hexagonal": "boolean", "framed": "boolean", "kinds": "number", "letters": ["list", "string"], "spots": ["list", "SceneSite"], "columns": ["list", "string"], "rows": ["record", "string"], "strokes": ["list", ["tuple", "number", "number"]], "drawing": "BoardDrawing", "shown": "Shown", "dots": ["list", ["tuple", "number", "number"]], "links": ["list", "SceneLink"], "mover": ["one", "string", "null"], "winner": ["one", "string", "null"], "reason": "string", "last_turn": "string", "last": ["list", "number"], "left": ["list", "number"], "winning": ["list", "number"], "facts": ["list", "Fact"], "moves": ["list", "SceneMove"]},
  Option: {"name": "string", "value": ["one", "number", "number", "boolean"], "low": ["one", "number", "number", "null"], "high": ["one", "number", "number", "null"], "about": "string"},
  Node: {"node": "number", "parent": ["one", "number", "null"], "text": "string", "turn": "number", "mover": "string", "by": "string", "shown": "string"},
  Chair: {"player": "string", "label": "string", "human": "boolean", "colour": "string"},
  Table: {"game": "string", "source": "string", "options": ["list", "Option"], "scene": "Scene", "nodes": ["list", "Node"], "at": "number", "end": "number", "chairs": ["list", "Chair"], "thinking": "boolean", "over": "boolean", "verdict": "string", "folder": "string", "warning": "string", "claimable": "boolean", "given_up": "boolean", "viewer": ["one", "string", "null"]},
  Heading: {"title": "string", "tell": "string", "family": "string"},
  Level: {"player": "string", "wins": "number", "draws": "number", "losses": "number"},
  Greeting: {"version": "string", "process": "string", "games": ["record", "string"], "headings": ["record", "Heading"], "places": ["record", "string"], "own": ["list", "string"], "opened": ["one", "string", "null"], "folder": ["one", "string", "null"], "levels": ["record", ["list", "Level"]], "mistakes": ["record", "number"]},
  Candidate: {"move": "string", "value": ["one", "number", "null"], "site": ["one", "number", "null"], "shown": "string"},
  Analysis: {"side": "string", "move": "string", "value": "number", "proven": ["one", "string", "null"], "line": ["list", "string"], "depth": "number", "nodes": "number", "seconds": "number", "candidates": ["list", "Candidate"], "arrows": ["list", ["list", "number"]], "by": "string"},
  Explained: {"explanation": "any", "texts": ["record", "string"], "shares": ["record", "number"], "decision_site": ["one", "number", "null"], "notes": ["list", "string"], "lines": ["record", ["list", "string"]]},
  PlayedGame: {"number": "number", "players": ["list", "string"], "winner": "string", "reason": "string", "turns": "number", "moves": "string"},
  Measured: {"played": "number", "goal": "number", "lines": ["list", "string"], "course": ["list", "number"], "ratios": ["list", "number"], "bounds": ["one", ["tuple", "number", "number"], "null"], "games": ["list", "PlayedGame"], "over": "boolean", "table": ["list", ["list", "string"]], "record": "string"},
  RecordedGame: {"number": "number", "players": ["list", "string"], "winner": "string", "reason": "string", "turns": "number", "moves": "string", "source": "string", "options": ["record", "string"], "opening": "number", "date": "string"},
  Records: {"games": ["list", "RecordedGame"], "damaged": ["list", "string"]},
  TrialShown: {"number": "number", "factors": ["record", "number"], "share": "number"},
  Tuned: {"trials": ["list", "TrialShown"], "goal": "number", "best": ["one", "number", "null"], "lines": ["list", "string"], "over": "boolean"},
  LaidCondition: {"test": "string", "site": "number", "other": ["one", "number", "null"], "text": "string", "holds": "boolean", "line": "number"},
  Fired: {"pattern": "string", "at": "number", "site": "number", "reason": "string", "fires": "boolean", "conditions": ["list", "LaidCondition"]},
  Matched: {"files": ["list", "string"], "points": ["list", "number"], "uses": ["list", "Fired"]},
  Reason: {"text": "string", "sites": ["list", "number"], "words": "string"},
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
  Study: {"what": "string", "summary": "string", "notes": ["list", "StudyNote"], "counts": ["record", "number"], "rows": ["list", ["tuple", "string", "string", "string"]], "holding": ["list", "number"], "whole": "boolean"},
  Differed: {"lines": ["list", "string"], "moves": "string", "first": ["one", "Scene", "null"], "second": ["one", "Scene", "null"], "only_first": ["list", "string"], "only_second": ["list", "string"], "endings": ["tuple", "string", "string"]},
  Renamed: {"edits": ["list", "Edit"], "files": ["list", "string"]},
  Named: {"path": "string", "refusal": "string"},
  LessonShown: {"picture": "string", "text": "string", "moves": "string", "answer": "string"},
  Introduced: {"game": "string", "title": "string", "tell": "string", "pictures": ["list", "LessonShown"], "puzzle": ["one", "LessonShown", "null"]},
  Parcel: {"name": "string", "data": "string", "game": "string", "texts": ["record", "string"]},
  PersonalityShown: {"name": "string", "about": "string"},
  JudgedNode: {"node": "number", "value": "number", "proven": ["one", "string", "null"], "best": "string", "shown": "string", "drop": "number", "name": "string", "refutation": ["list", "string"], "depth": "number"},
  Where: {"path": "string", "start": "number", "end": "number"},
  Recipe: {"title": "string", "about": "string", "text": "string", "turn": "string", "piece": "string", "square": "boolean"},
  FactorShown: {"name": "string", "value": "number", "default": "number", "low": "number", "high": "number", "whole": "boolean", "percent": "boolean", "unit": "string", "meaning": "string"},
  GameCard: {"game": "string", "title": "string", "tell": "string", "picture": "string", "family": "string", "seats": "number"},
  Doing: {"what": "string", "parts": "number", "seconds": "number", "depth": "number", "value": ["one", "number", "null"], "proven": ["one", "string", "null"], "line": ["list", "string"], "move": "string"},
};

export const RESULTS = {
  open: "Table",
  table: "Table",
  play: "Table",
  goto: "Table",
  play_on: "Table",
  resign: "Table",
  claim_draw: "Table",
  hand_over: "Table",
  sit: "Table",
  think: "Table",
  follow: "Table",
  read_game: "Table",
  hello: "Greeting",
  search: "Analysis",
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
  hurry: "Done",
  pattern: "PatternShown",
  lit: "Lit",
  versus: "Versus",
  study: "Study",
  diff: "Differed",
  rename: "Renamed",
  new_name: "Named",
  learn: "Introduced",
  parcel: "Parcel",
  personalities: ["list", "PersonalityShown"],
  files: ["list", "FileShown"],
  curve: ["list", "JudgedNode"],
  define: ["list", "Where"],
  format: ["list", "Edit"],
  draw: ["list", "Edit"],
  claim: ["list", "Edit"],
  recipe: ["list", "Edit"],
  recipes: ["list", "Recipe"],
  factors: ["list", "FactorShown"],
  gallery: ["list", "GameCard"],
};
