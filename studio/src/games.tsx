// Games that were played, as a table to choose from; the chosen one is put on the board.

import type { Desk } from "./desk";
import { plain } from "./inside";
import { offer } from "./keep";
import { marked, translate, t } from "./language";
import type { Measured, PlayedGame } from "./messages";

const HEADS = [marked("game"), marked("began"), marked("against"), marked("won"), marked("turns"), marked("why")];

/** Games that were played, a line each, to be put on the board. */
export function GameTable<T extends PlayedGame>({ label, games, show }: { label: string; games: T[]; show(game: T): void }) {
  return (
    <div class="wide games" tabindex={0} role="region" aria-label={label}>
      <table>
        <thead><tr>{HEADS.map((head) => <th>{t(head)}</th>)}</tr></thead>
        <tbody>
          {games.map((game) => (
            <tr>
              <td><button class="move" title={t("show it on the board")} onClick={() => show(game)}>{game.number}</button></td>
              <td>{game.players[0]}</td>
              <td>{game.players.slice(1).join(", ")}</td>
              <td>{game.winner || t("nobody")}</td>
              <td class="number">{game.turns}</td>
              <td>{translate(game.reason)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The games as a file of records, once all are there. */
export function SaveGames({ measured, name }: { measured: Measured; name: string }) {
  if (!measured.over || !measured.record) return null;
  return <p class="row"><button onClick={() => offer(name, measured.record, "application/jsonl")}>{t("Save the games as a record")}</button></p>;
}

export function MatchGames({ desk, games }: { desk: Desk; games: PlayedGame[] }) {
  return <GameTable label={t("games of the match")} games={[...games].reverse()} show={(game) => void show(desk, game)} />;
}

/** Where the board is above what one clicks, as on a phone: bring it into sight. */
export function toBoard(): void {
  document.querySelector("svg.board")?.scrollIntoView({ block: "nearest" });
}

/** Put a game of the match on the board, to be walked through. */
async function show(desk: Desk, game: PlayedGame): Promise<void> {
  const options = Object.fromEntries(desk.table.options.map((o) => [o.name, plain(o.value)]));
  await desk.act("open", { game: desk.table.source, options, moves: game.moves, players: ["human", "human"], position: "" });
  toBoard();
}
