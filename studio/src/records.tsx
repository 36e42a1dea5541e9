// Records of matches: opened from the disk, filtered, their games put on the board.

import { useState } from "preact/hooks";

import type { Desk } from "./desk";
import { GameTable, toBoard } from "./games";
import type { RecordedGame, Records as Found } from "./messages";

const MOST = 200;
const MOST_TURNS = 10_000;

export function Records({ desk }: { desk: Desk }) {
  const [found, setFound] = useState<Found | null>(null);
  const [name, setName] = useState("");
  const [player, setPlayer] = useState("");
  const [winner, setWinner] = useState("");
  const [text, setText] = useState("");
  const [turns, setTurns] = useState<[number, number]>([0, MOST_TURNS]);
  const open = async (file: File | undefined) => {
    if (!file) return;
    const data = file.name.endsWith(".db") ? await base64(file) : await file.text();
    const answer = await desk.act("records", { name: file.name, data });
    if (!answer) return;
    setFound(answer);
    setName(file.name);
    setPlayer("");
    setWinner("");
    setText("");
    setTurns([0, MOST_TURNS]);
  };
  const games = found?.games ?? [];
  const players = [...new Set(games.flatMap((game) => game.players))].sort();
  const words = text.trim().toLowerCase();
  const shown = games.filter(
    (game) =>
      (!player || game.players.includes(player)) &&
      (!winner || (winner === "-" ? game.winner === "" : game.winner === winner)) &&
      game.turns >= turns[0] &&
      game.turns <= turns[1] &&
      (!words || game.reason.toLowerCase().includes(words) || game.moves.toLowerCase().startsWith(words)),
  );
  return (
    <>
      <h2>Games on record</h2>
      <p class="row">
        <label class="file">
          a record of a match <input type="file" accept=".jsonl,.db" onChange={(e) => void open(e.currentTarget.files?.[0])} />
        </label>
        {found && <span>{name}: {games.length} games</span>}
      </p>
      {found && found.damaged.length > 0 && <details><summary>{found.damaged.length} lines cannot be read</summary><ul>{found.damaged.map((one) => <li>{one}</li>)}</ul></details>}
      {found && (
        <div class="records">
          <p class="row">
            <Choice label="with" value={player} set={setPlayer} options={[["", "anybody"], ...players.map((one): [string, string] => [one, one])]} />
            <Choice label="won by" value={winner} set={setWinner} options={[["", "anybody or nobody"], ["-", "nobody"], ...players.map((one): [string, string] => [one, one])]} />
            <label>turns <input type="number" min="0" value={turns[0]} onInput={(e) => setTurns([e.currentTarget.valueAsNumber || 0, turns[1]])} aria-label="turns at least" /></label>
            <label>to <input type="number" min="0" value={turns[1]} onInput={(e) => setTurns([turns[0], e.currentTarget.valueAsNumber || 0])} aria-label="turns at most" /></label>
            <label>reason, or first moves <input value={text} spellcheck={false} onInput={(e) => setText(e.currentTarget.value)} /></label>
          </p>
          <p>{shown.length} of {games.length}{shown.length > MOST && `; the first ${MOST}`}{shown.length > 0 && `; whoever began won ${share(shown)}`}</p>
          <Games desk={desk} games={shown.slice(0, MOST)} />
        </div>
      )}
    </>
  );
}

function share(games: RecordedGame[]): string {
  const won = games.filter((game) => game.winner === game.players[0] && game.players[0] !== game.players[1]).length;
  return `${((100 * won) / games.length).toFixed(0)} %`;
}

function Choice({ label, value, set, options }: { label: string; value: string; set(value: string): void; options: [string, string][] }) {
  return (
    <label>
      {label}
      <select value={value} onChange={(e) => set(e.currentTarget.value)}>
        {options.map(([one, title]) => <option value={one}>{title}</option>)}
      </select>
    </label>
  );
}

function Games({ desk, games }: { desk: Desk; games: RecordedGame[] }) {
  const show = async (game: RecordedGame) => {
    const found = await desk.act("open", { game: game.source, options: game.options, moves: game.moves, players: ["human", "human"], position: "" });
    if (found) toBoard();
  };
  return <GameTable label="games on record" games={games} show={(game) => void show(game)} />;
}

async function base64(file: File): Promise<string> {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
