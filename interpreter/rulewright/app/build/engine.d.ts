// What an engine that rulewright has built can be asked.

/** Reads the module and its manifest from a folder, that of this file unless said otherwise. */
export function load(folder?: string | URL): Promise<Game>;

export interface Best {
  /** The decision that looks best. */
  move: string;
  /** The player at move. */
  side: string;
  /** What it is worth for that player: a mean result from -1 to 1, or what a personality says; 0 in
   *  openings. */
  value: number;
  /** Whether the game's result is settled by it; what the personality says must be done is believed. */
  proven: boolean;
  /** The decision and those that may follow. */
  line: string[];
  /** Decisions that were played or weighed to find it. */
  nodes: number;
}

export interface Playouts {
  /** Decisions of all games together. */
  plies: number;
  /** Games that each person won, in the order of the players. */
  wins: number[];
  draws: number;
  /** Games in which the rules were at fault. */
  faults: number;
}

/** A game in progress. */
export class Game {
  /** Names, places in memory, how the board is drawn. */
  readonly manifest: Record<string, any>;
  /** Begins a new game. */
  start(): void;
  /** The legal decisions as texts; none when the game is over. */
  moves(): string[];
  /** Plays one of them; a RangeError if it is none. */
  play(text: string): void;
  /** Takes the last decision back; false if there is none. */
  undo(): boolean;
  /** The player at move, null when the game is over. */
  readonly mover: string | null;
  /** The colour that has won, "draw", or null while the game goes on. */
  readonly result: string | null;
  /** The place of each player at the end, from 1; equal places are shared.  Null while it goes on. */
  readonly places: { player: string; place: number }[] | null;
  /** Whether chance makes the next decision, and no player: `roll` makes it. */
  readonly byChance: boolean;
  /** What chance may decide, and how likely each is; nothing where a player decides. */
  readonly probabilities: { move: string; probability: number }[];
  /** Plays what chance decides, and says it: by a seed always the same, else anything. */
  roll(seed?: number): string;
  /** What stands on the board. */
  readonly pieces: { site: string; owner: string | null; kind: string }[];
  /** How many sequences of exactly so many decisions there are. */
  perft(depth: number): number;
  /** Random games from the position, the same for the same seed. */
  playouts(games: number, seed?: number): Playouts;
  /** The decision that looks best, after so many nodes or milliseconds (1000 unless said).
   *  A TypeError for other limits, a RangeError for a number below 1 (a seed below 0). */
  best(limits?: { nodes?: number; ms?: number; seed?: number }): Best;
}
