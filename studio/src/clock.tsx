// Clocks: seconds for each side, some given back after each turn; whoever has none left has lost.

import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "./language";
import type { Table } from "./messages";

export interface Clock {
  /** Seconds of a side for the whole game; 0 where nobody counts them. */
  base: number;
  plus: number;
  /** Seconds that each chair has left. */
  seconds: number[];
  set(base: number, plus: number): void;
  /** Seconds that a computer takes for its next decision; null where it takes what it likes. */
  share(): number | null;
}

const TICK = 100;

/** The clock of a page; *lost* is called when whoever is to move has no time left. */
export function useClock(table: Table | null, running: boolean, lost: () => void): Clock {
  const [terms, setTerms] = useState({ base: 0, plus: 0 });
  const [seconds, setSeconds] = useState<number[]>([]);
  const now = useRef(seconds);
  now.current = seconds;
  const chairs = table?.chairs ?? [];
  const mover = table ? chairToMove(table) : -1;
  const nodes = table?.nodes.length ?? 0;
  const before = useRef({ game: "", mover: -1, nodes: 0 });
  const game = table ? `${table.source} ${nodes === 0}` : "";

  useEffect(() => {
    const { mover: last, ...was } = before.current;
    if (was.game !== game && nodes === 0) setSeconds(chairs.map(() => terms.base));
    else if (mover !== last && last >= 0 && nodes > was.nodes) {
      // a turn was played; who only walks through the game gets nothing back
      setSeconds((now) => changed(now, last, terms.plus));
    }
    before.current = { game, mover, nodes };
  }, [game, mover, nodes]);

  useEffect(() => {
    if (terms.base === 0 || mover < 0 || !running) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const spent = (performance.now() - last) / 1000;
      last += spent * 1000;
      const after = Math.max(0, now.current[mover]! - spent);
      setSeconds((now) => changed(now, mover, after - now[mover]!));
      if (after === 0) {
        clearInterval(timer);
        lost();
      }
    }, TICK);
    return () => clearInterval(timer);
  }, [mover, running, terms.base]);

  const set = (base: number, plus: number) => {
    setTerms({ base, plus });
    setSeconds(chairs.map(() => base));
  };
  const share = () => (terms.base === 0 || mover < 0 ? null : Math.max(0.05, now.current[mover]! / 25 + terms.plus / 2));
  return { ...terms, seconds, set, share };
}

/** The seconds of all chairs, some more for one of them. */
function changed(seconds: number[], chair: number, more: number): number[] {
  return seconds.map((left, i) => (i === chair ? left + more : left));
}

/** The chair whose turn it is; -1 when nobody's. */
function chairToMove(table: Table): number {
  return table.over ? -1 : table.chairs.findIndex((chair) => chair.colour === table.scene.mover);
}

export function ClockFace({ seconds, running }: { seconds: number; running: boolean }) {
  const tenths = seconds < 20 ? `.${Math.floor(seconds * 10) % 10}` : "";
  const text = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}${tenths}`;
  return (
    <span class={running ? "clock running" : "clock"} role="timer">
      {text}
    </span>
  );
}

export function ClockTerms({ clock }: { clock: Clock }) {
  const [minutes, setMinutes] = useState(5);
  const [plus, setPlus] = useState(3);
  const on = clock.base > 0;
  return (
    <p class="clock-terms">
      <label>
        <input type="checkbox" checked={on} onChange={() => (on ? clock.set(0, 0) : clock.set(minutes * 60, plus))} /> {t("clocks")}
      </label>
      <label>
        {t("minutes")} <input class="short" type="number" min="0.1" step="any" value={minutes} disabled={on} onInput={(e) => setMinutes(e.currentTarget.valueAsNumber)} />
      </label>
      <label>
        {t("and seconds a turn")} <input class="short" type="number" min="0" step="any" value={plus} disabled={on} onInput={(e) => setPlus(e.currentTarget.valueAsNumber)} />
      </label>
    </p>
  );
}
