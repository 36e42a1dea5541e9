// What people are told: names of players and games, and what somebody thinks, in words.

import type { Doing, Greeting, Level, Scene, SceneMove, ShownValue, Table } from "./messages";

/** The levels of each game that was measured, those of all others under no name. */
export type Levels = Greeting["levels"];
const RANKS = ["a little", "fairly", "well"];

/** The levels of a game, the weakest first: for whoever has no name in mind. */
export function levelsOf(levels: Levels, game: string): Level[] {
  return levels[game] ?? levels[""]!;
}

/** The level at which a game begins. */
export function middleLevel(levels: Levels, game: string): string {
  const ladder = levelsOf(levels, game);
  return ladder[Math.floor((ladder.length - 1) / 2)]!.player;
}

/** How well the computer plays, for whoever has chosen no game yet. */
export const STRENGTHS = ["Plays a little", "Plays fairly", "Plays its best"];

/** The level of a game that one of the `STRENGTHS` means there. */
export function levelAt(levels: Levels, game: string, strength: number): string {
  const ladder = levelsOf(levels, game);
  return strength === 1 ? middleLevel(levels, game) : ladder.at(strength === 0 ? 0 : -1)!.player;
}

/** The name of a player, as the list of players has it. */
export function playerName(player: string, ladder: Level[]): string {
  const own: Record<string, string> = { human: "A person", search: "Computer, the rules alone", random: "Chance" };
  const rank = ladder.findIndex((level) => level.player === player);
  if (rank < 0) return own[player] ?? player;
  return `Computer, plays ${rank === ladder.length - 1 ? "its best" : RANKS[rank]}`;
}

/** What a level is worth, as it was measured; nothing for who is no level. */
export function measuredWords(player: string, ladder: Level[]): string {
  const rank = ladder.findIndex((level) => level.player === player);
  if (rank < 0) return "";
  const { wins, draws, losses } = ladder[rank]!;
  const games = wins + draws + losses;
  if (games === 0) return "How strong this is here was not measured.";
  return `Measured: wins ${wins} of ${games}${draws ? `, draws ${draws},` : ""} against ${rank === 0 ? "chance" : "the level below"}.`;
}

/** The name of a game as its look has it; a file without one keeps its own. */
export function gameName(game: string, titles: Record<string, string> = {}): string {
  return titles[game] || (/^[a-z]/.test(game) && !/[./\\]/.test(game) ? capital(game) : game);
}

/** The title that a look gives to the game of a table. */
export function titleOf({ game, scene }: Table): string {
  const { title } = scene.drawing.phrases;
  return title === game ? gameName(game) : title;
}

/** What players call a side. */
export function sideWords(scene: Scene, player: string): string {
  return capital(scene.drawing.phrases.sides[scene.players.indexOf(player)] ?? player);
}

/** The text and the help of the button of a decision that no click can mean. */
export function buttonWords({ drawing }: Scene, move: SceneMove): [text: string, help: string] {
  return drawing.phrases.buttons[move.name] ?? [move.text === "-" ? "Pass on" : capital(move.text), ""];
}

/** What a decision is called, for whoever only hears it. */
export function moveWords({ drawing }: Scene, move: SceneMove): string {
  const word = drawing.phrases.words[move.name];
  return word ? `${word} ${move.text}` : move.text;
}

/** A value that is shown beside the board or a player, in words. */
export function valueText({ value, text }: ShownValue): string {
  return `${value} ${text}`.trim();
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The chair of the one person at the table; the first where there are none or two. */
export function ownChair(table: Table): 0 | 1 {
  return table.chairs[1].human && !table.chairs[0].human ? 1 : 0;
}

export const OWN_TURN = "Your turn";

/** Whose turn it is, for whoever sits there. */
export function turnWords(table: Table): string {
  const scene: Scene = table.scene;
  const alone = table.chairs.filter((chair) => chair.human).length === 1;
  if (alone && table.chairs[ownChair(table)].colour === scene.mover) return OWN_TURN;
  return `${capital(String(scene.mover))} to move`;
}

/** The result, for whoever sits there. */
export function resultWords(table: Table): string {
  const own = table.chairs.filter((chair) => chair.human);
  const winner = table.scene.winner ?? /^(.+?) wins: /.exec(table.verdict)?.[1];
  if (!winner) return "A draw";
  return own.length === 1 && own[0]!.colour === winner ? "You win" : `${capital(winner)} wins`;
}

/** Why the game is over, in the words of the rules' author where there are some. */
export function whyWords(table: Table): string {
  const why = table.verdict.replace(/^(.+? wins|draw): /, "");
  const words = why.replace(` (${table.scene.reason})`, "");
  return words === why && table.scene.reason && why.startsWith(table.scene.reason) ? "" : capital(words);
}

/** What a player thinks: how far it looks, what it takes the game for, what it expects. */
export function thoughtWords(doing: Doing): string {
  const far = doing.depth > 0 ? `Looks ${doing.depth} ${doing.depth === 1 ? "move" : "moves"} ahead, ` : "";
  const line = doing.line.length > 0 ? `; expects ${doing.line.slice(0, 4).join(" ")}` : "";
  return capital(`${far}${valueWords(doing)}${line}`);
}

function valueWords({ value, proven }: Doing): string {
  if (proven) return proven === "draw" ? "sees a draw" : `sees a ${proven}`;
  if (value === null) return "thinks";
  if (Math.abs(value) < 0.15) return "thinks it is about even";
  return `thinks it is ${value > 0 ? "ahead" : "behind"}`;
}
