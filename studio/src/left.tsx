// Games that were left open: the browser keeps them, so that they can be gone back to.

import { again } from "./inside";
import { useStored } from "./keep";
import { t } from "./language";
import type { Params, Table } from "./messages";
import { titleOf } from "./words";

/** A game that waits: what puts it on a desk, and what people know it by. */
export interface LeftGame {
  /** What people call it. */
  game: string;
  moves: number;
  open: Params["open"];
}

/** Games that are kept; the oldest goes first. */
const MOST = 8;

export interface Left {
  games: LeftGame[];
  /** Keep a game that is under way; null if there is nothing to keep. */
  leave(table: Table | null): LeftGame | null;
  /** Forget a game, which is on the board again or not wanted. */
  drop(open: Params["open"]): void;
}

export function useLeft(): Left {
  const [games, setGames] = useStored<LeftGame[]>("left games", []);
  const others = (now: LeftGame[], open: Params["open"]) => now.filter((entry) => !isSame(entry.open, open));
  return {
    games,
    leave(table) {
      if (!table || table.nodes.length === 0 || table.over) return null;
      const open = again(table);
      const game = { game: titleOf(table), moves: open.moves!.split(" ").filter(Boolean).length, open };
      if (game.moves === 0) return null;
      setGames((now) => [game, ...others(now, open)].slice(0, MOST));
      return game;
    },
    drop: (open) => setGames((now) => others(now, open)),
  };
}

/** Whether two requests put the same game on the board. */
export function isSame(a: Params["open"], b: Params["open"]): boolean {
  const key = ({ game, options, moves, players }: Params["open"]) => JSON.stringify([game, options, moves, players]);
  return key(a) === key(b);
}

/** What is said when a game was put aside. */
export function keptText(game: LeftGame): string {
  return t("Your game of {game} is kept at move {move}.", { game: game.game, move: game.moves });
}

export function LeftGames({ left, open }: { left: Left; open(game: Params["open"]): void }) {
  if (left.games.length === 0) return null;
  return (
    <ul class="left-games" aria-label={t("games left open")}>
      {left.games.map((game) => (
        <li>
          <span>{t("{game}, move {move}", { game: game.game, move: game.moves })}</span>
          <button onClick={() => open(game.open)}>{t("Go on")}</button>
          <button class="quiet" onClick={() => left.drop(game.open)}>{t("Forget")}</button>
        </li>
      ))}
    </ul>
  );
}
