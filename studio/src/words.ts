// What people are told: names of players and games, and what somebody thinks, in words.

import { marked, t } from "./language";
import type { Doing, Greeting, Level, Scene, SceneMove, ShownValue, Table } from "./messages";

/** The levels of each game that was measured, those of all others under no name. */
export type Levels = Greeting["levels"];
const RANKS = [marked("Computer, plays a little"), marked("Computer, plays fairly"), marked("Computer, plays well")];

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
export const STRENGTHS = [marked("Plays a little"), marked("Plays fairly"), marked("Plays its best")];

/** The one of them that holds until another is chosen. */
export const MIDDLE = 1;

/** The level of a game that one of the `STRENGTHS` means there. */
export function levelAt(levels: Levels, game: string, strength: number): string {
  const ladder = levelsOf(levels, game);
  return strength === MIDDLE ? middleLevel(levels, game) : ladder.at(strength === 0 ? 0 : -1)!.player;
}

/** The name of a player, as the list of players has it. */
export function playerName(player: string, ladder: Level[]): string {
  const own: Record<string, string> = { human: t("A person"), search: t("Computer, the rules alone"), random: t("Chance") };
  const rank = ladder.findIndex((level) => level.player === player);
  if (rank < 0) return own[player] ?? player;
  return rank === ladder.length - 1 ? t("Computer, plays its best") : t(RANKS[rank]!);
}

/** Whether a game has a level between its weakest and its strongest one. */
export function hasMiddle(levels: Levels, game: string): boolean {
  return levelsOf(levels, game).length > 2;
}

/** Letters of what a personality says of itself that a list shows. */
const ABOUT = 64;

/** The beginning of what a personality says of itself, up to a comma where that is near enough. */
export function shortAbout(about: string): string {
  const whole = about.replace(/\.$/, "");
  if (whole.length <= ABOUT) return whole;
  const start = whole.slice(0, ABOUT);
  const end = Math.max(...[...",:;"].map((sign) => start.lastIndexOf(sign)));
  return end > ABOUT / 3 ? start.slice(0, end) : `${start.slice(0, start.lastIndexOf(" "))} …`;
}

/** How a level did against chance and against the level below it, each without draws and with some. */
const MEASURED = {
  chance: [marked("Measured: wins {wins} of {games} against chance."), marked("Measured: wins {wins} of {games}, draws {draws}, against chance.")],
  below: [marked("Measured: wins {wins} of {games} against the level below."), marked("Measured: wins {wins} of {games}, draws {draws}, against the level below.")],
} as const;

/** What a level is worth, as it was measured; nothing for who is no level. */
export function measuredWords(player: string, ladder: Level[]): string {
  const rank = ladder.findIndex((level) => level.player === player);
  if (rank < 0) return "";
  const { wins, draws, losses } = ladder[rank]!;
  const games = wins + draws + losses;
  if (games === 0) return t("How strong this is here was not measured.");
  const counts = { wins, games, draws };
  const [alone, drawn] = rank === 0 ? MEASURED.chance : MEASURED.below;
  return t(draws ? drawn : alone, counts);
}

/** The name of a game as its look has it; a file without one keeps its own. */
export function gameName(game: string, headings: Greeting["headings"] = {}): string {
  return headings[game]?.title || (/^[a-z]/.test(game) && !/[./\\]/.test(game) ? capital(game) : game);
}

/** The title that a look gives to the game of a table. */
export function titleOf({ game, scene }: Table): string {
  const { title } = scene.drawing.phrases;
  return t(title === game ? gameName(game) : title);
}

/** What players call a side, with what tells it from the other. */
export function sideWords(scene: Scene, player: string): string {
  return t(capital(scene.drawing.phrases.sides[scene.players.indexOf(player)] ?? player));
}

/** The name of a side in a sentence: what stands before the first comma of its words. */
export function sideName(scene: Scene, player: string): string {
  return sideWords(scene, player).split(",")[0]!;
}

/** How the paints of the sides are called, by their numbers. */
const SIDES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/** The light and the dark value of the colour of a side. */
export function sidePaint({ drawing }: Scene, owner: number): [light: string, dark: string] {
  const name = drawing.states[SIDES[owner]!]!;
  return drawing.colours[name.slice(4, -1)]!;
}

/** The text and the help of the button of a decision that no click can mean. */
export function buttonWords({ drawing }: Scene, move: SceneMove): [text: string, help: string] {
  const words = drawing.phrases.buttons[move.name];
  return words ? [t(words[0]), t(words[1])] : [move.text === "-" ? t("Pass on") : capital(move.text), ""];
}

/** What a decision is called, for whoever only hears it. */
export function moveWords({ drawing }: Scene, move: SceneMove): string {
  const word = drawing.phrases.words[move.name];
  return word ? `${word} ${move.text}` : move.text;
}

/**
 * What tells a decision from the others that the same clicks mean: the piece that is chosen, else what its move
 * is called, else how it is written.
 */
export function choiceWords({ drawing }: Scene, move: SceneMove, choices: SceneMove[]): string {
  const words = (choice: SceneMove) => drawing.phrases.words[choice.name] ?? "";
  for (const named of [({ kind }: SceneMove) => kind.replaceAll("_", " "), words]) {
    const names = new Set(choices.map(named));
    if (names.size === choices.length && !names.has("")) return capital(named(move));
  }
  return move.text;
}

/** A value that is shown beside the board or a player, in words. */
export function valueText({ value, text }: ShownValue): string {
  return `${value} ${t(text)}`.trim();
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The chair of the person at the screen: the one person's, who sees a part of a game with secrets; else the first. */
export function ownChair({ viewer, chairs }: Table): number {
  return Math.max(0, chairs.findIndex((chair) => (viewer !== null ? chair.colour === viewer : chair.human)));
}

export const OWN_TURN = marked("Your turn");

/** Whose turn it is, for whoever sits there. */
export function turnWords(table: Table): string {
  const scene: Scene = table.scene;
  const alone = table.chairs.filter((chair) => chair.human).length === 1;
  if (alone && table.chairs[ownChair(table)]!.colour === scene.mover) return t(OWN_TURN);
  return t("{side} to move", { side: sideName(scene, String(scene.mover)) });
}

/** What stands before the reason in a verdict: who wins, that nobody does, or all by their places. */
const STANDING = /^(.+? wins?|draw|1 .+?): /;

/** The result, for whoever sits there. */
export function resultWords(table: Table): string {
  const own = table.chairs.filter((chair) => chair.human);
  const winner = table.scene.winner ?? /^(.+?) wins: /.exec(table.verdict)?.[1];
  const shared = /^(.+?) win: /.exec(table.verdict)?.[1] ?? /^1 (.+? and .+?)[,:]/.exec(table.verdict)?.[1];
  if (!winner) return shared ? t("{sides} win", { sides: sidesNamed(table, shared) }) : t("A draw");
  if (table.chairs.length === 1) return winner === table.chairs[0]!.colour ? t("Solved") : t("Not solved");
  return own.length === 1 && own[0]!.colour === winner ? t("You win") : t("{side} wins", { side: sideName(table.scene, winner) });
}

/** Everybody with a place, where there are more than a winner and the others. */
export function placesText(table: Table): string {
  const places = /^(1 .+?): /.exec(table.verdict)?.[1];
  return places ? sidesNamed(table, places) : "";
}

/** Why the game is over, in the words of the rules' author where there are some. */
export function whyWords(table: Table): string {
  const why = table.verdict.replace(STANDING, "").replace(` (${table.scene.reason})`, "");
  const words = table.given_up ? sidesNamed(table, why) : why;
  return words === why && table.scene.reason && why.startsWith(table.scene.reason) ? "" : capital(words);
}

/** How a line ends, and after how many moves. */
export function endWords(ends: string, distance: number | null): string {
  const count = distance ?? 0;
  return ends === "win" ? t("win in {count}", { count }) : ends === "loss" ? t("loss in {count}", { count }) : t("draw in {count}", { count });
}

/** A text of the service with the sides as players call them. */
function sidesNamed({ scene }: Table, text: string): string {
  const named = (words: string, player: string) => words.replaceAll(new RegExp(`\\b${player}\\b`, "g"), sideName(scene, player));
  return scene.players.reduce(named, text).replaceAll(" and ", t(" and "));
}

/** What a player thinks: how far it looks, what it takes the game for, what it expects. */
export function thoughtWords(doing: Doing): string {
  const far = doing.depth > 0 ? t("Looks {depth} ahead", { depth: doing.depth }) : "";
  const line = doing.line.length > 0 ? t("expects {moves}", { moves: doing.line.slice(0, 4).join(" ") }) : "";
  return capital([far, valueWords(doing), line].filter(Boolean).join(", "));
}

function valueWords({ value, proven }: Doing): string {
  if (proven) return proven === "draw" ? t("sees a draw") : proven === "win" ? t("sees a win") : t("sees a loss");
  if (value === null) return t("thinks");
  if (Math.abs(value) < 0.15) return t("thinks it is about even");
  return value > 0 ? t("thinks it is ahead") : t("thinks it is behind");
}
