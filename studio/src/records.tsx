// Records of matches: opened from the disk, filtered, their games put on the board.

import { useState } from "preact/hooks";

import type { Desk } from "./desk";
import { GameTable, toBoard } from "./games";
import { base64 } from "./keep";
import { t } from "./language";
import type { RecordedGame, Records as Found } from "./messages";

const MOST = 200;
const MOST_TURNS = 10_000;

export function Records({ desk }: { desk: Desk }) {
  const [record, setRecord] = useState<Found | null>(null);
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
    setRecord(answer);
    setName(file.name);
    setPlayer("");
    setWinner("");
    setText("");
    setTurns([0, MOST_TURNS]);
  };
  const games = record?.games ?? [];
  const players = [...new Set(games.flatMap((game) => game.players))].sort();
  const words = text.trim().toLowerCase();
  const rows = games.filter(
    (game) =>
      (!player || game.players.includes(player)) &&
      (!winner || (winner === "-" ? game.winner === "" : game.winner === winner)) &&
      game.turns >= turns[0] &&
      game.turns <= turns[1] &&
      (!words || game.reason.toLowerCase().includes(words) || game.moves.toLowerCase().startsWith(words)),
  );
  return (
    <>
      <p class="row">
        <label class="b file">
          {t("Open a record of a match")} <input class="sr" type="file" accept=".jsonl,.db" onChange={(e) => void open(e.currentTarget.files?.[0])} />
        </label>
        {record && <span>{t("{name}: {count} games", { name, count: games.length })}</span>}
      </p>
      {record && record.damaged.length > 0 && <details><summary>{t("{count} lines cannot be read", { count: record.damaged.length })}</summary><ul>{record.damaged.map((complaint) => <li>{complaint}</li>)}</ul></details>}
      {record && (
        <div class="records">
          <p class="row">
            <Choice label={t("with")} value={player} set={setPlayer} options={[["", t("anybody")], ...players.map((name): [string, string] => [name, name])]} />
            <Choice label={t("won by")} value={winner} set={setWinner} options={[["", t("anybody or nobody")], ["-", t("nobody")], ...players.map((name): [string, string] => [name, name])]} />
            <label>{t("turns")} <input type="number" min="0" value={turns[0]} onInput={(e) => setTurns([e.currentTarget.valueAsNumber || 0, turns[1]])} aria-label={t("turns at least")} /></label>
            <label>{t("to")} <input type="number" min="0" value={turns[1]} onInput={(e) => setTurns([turns[0], e.currentTarget.valueAsNumber || 0])} aria-label={t("turns at most")} /></label>
            <label>{t("reason, or first moves")} <input value={text} spellcheck={false} onInput={(e) => setText(e.currentTarget.value)} /></label>
          </p>
          <p>{t("{count} of {all}", { count: rows.length, all: games.length })}{rows.length > MOST && t("; the first {most}", { most: MOST })}{rows.length > 0 && t("; the first player won {share}", { share: share(rows) })}</p>
          <Games desk={desk} games={rows.slice(0, MOST)} />
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
        {options.map(([value, title]) => <option value={value}>{title}</option>)}
      </select>
    </label>
  );
}

function Games({ desk, games }: { desk: Desk; games: RecordedGame[] }) {
  const show = async (game: RecordedGame) => {
    const table = await desk.act("open", { game: game.source, options: game.options, moves: game.moves, players: ["human", "human"], position: "" });
    if (table) toBoard();
  };
  return <GameTable label={t("games on record")} games={games} show={(game) => void show(game)} />;
}
