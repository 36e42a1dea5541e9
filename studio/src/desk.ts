// What every part of the page is given: the game on the board, the line to the service, and what
// a part may ask of the page.  Parts import this, and the page (`app.tsx`) imports the parts.

import type { Overlay } from "./overlays";
import type { Held } from "./clicks";
import type { Clock } from "./clock";
import type { Left } from "./left";
import type { Service } from "./link";
import type { Answers, Analysis, Doing, Greeting, Params, Table } from "./messages";
import type { Pair } from "./pair";
import type { Levels } from "./words";

/** What the page shows. */
export type View = "home" | "learn" | "play" | "understand" | "author" | "measure";

/** A way on from what is told. */
export interface Way {
  title: string;
  go(): void;
}

export interface Desk {
  service: Service;
  table: Table;
  /** How many games were begun here. */
  begun: number;
  /** Ask, and show the table that comes back; a refusal is told. */
  act<M extends keyof Params & keyof Answers>(
    method: M,
    params: Params[M],
    progress?: (answer: Answers[M]) => void,
  ): Promise<Answers[M] | null>;
  /** Begin a game of the rules on the board anew, also of those that are written and not saved. */
  anew(game: Params["open"]): Promise<Table | null>;
  /** The file of rules whose unsaved text the board follows; empty where it follows none. */
  followed: string;
  /** That text. */
  followedText: string;
  say(text: string, bad?: boolean, way?: Way): void;
  /** Show something on the board, and be told of clicks on it instead of the game; null: no more. */
  trace(trace: Trace | null): void;
  /** Show where two games part in the place of the board; null: the board again. */
  pair(two: Pair | null): void;
  /** Whether something is done behind the game: one thing at a time, and another would end it. */
  busy: boolean;
  /** How often a text was written, by which there may be other players. */
  written: number;
  /** Games that were left open. */
  left: Left;
  /** The bundled games, and what their looks say of them. */
  games: string[];
  headings: Greeting["headings"];
  /** The levels of play of all games. */
  levels: Levels;
  /** How much of a point a decision costs that is called so, the dearest first. */
  mistakes: Greeting["mistakes"];
  /** The piece in hand that is held, if one is. */
  held: Held | null;
  hold(piece: Held | null): void;
  /** Keep what a position is worth to a player, from -1 to 1, for the bar beside the board. */
  judge(node: number, player: string, value: number): void;
  /** Show on the board what a search finds. */
  find(analysis: Analysis): void;
}

/** What all games and the lessons of one are shown with, also where there is no game on a board yet. */
export interface Entry {
  service: Service;
  table: Table | null;
  left: Left;
  written: number;
  levels: Levels;
  headings: Greeting["headings"];
  /** Open a game and show it; whether it can be. */
  open(game: Params["open"], view: View): Promise<boolean>;
}

export interface Trace {
  overlay: Overlay;
  pick?(site: number): void;
}

/** What the part of the page is given that plays. */
export interface PlayProps {
  desk: Desk;
  paused: boolean;
  setPaused(on: boolean): void;
  alone: boolean;
  clock: Clock;
  /** What the player thinks who is to move. */
  thought: Doing | null;
  /** Begin a new game. */
  begin(): void;
  /** Turn the board. */
  turn(): void;
}
