// What a search finds, for people: a verdict in words, the best decisions as letters, how good each is.

import type { Desk } from "./desk";
import type { Overlay } from "./overlays";
import type { Analysis, Candidate } from "./messages";
import { capital, sideWords } from "./words";

/** Candidates that have a letter. */
const LETTERS = "ABCDEF";
/** Decisions of the expected line that are drawn. */
const MATE = 1e14;

/** Of a hundred points, how many a value is worth. */
export function pointsOf(value: number): number {
  return Math.round(50 * (Math.max(-1, Math.min(1, value)) + 1));
}

/** How a position stands for a side, by the words of players. */
export function verdictWords(side: string, other: string, { proven, value }: Pick<Analysis, "proven" | "value">): string {
  if (proven === "draw") return "A draw, if nobody errs";
  if (proven) return `${proven === "win" ? side : other} wins from here`;
  const size = Math.abs(value);
  if (size < 0.1) return "Nobody is ahead";
  const who = value > 0 ? side : other;
  return size < 0.3 ? `${who} is a little better` : size < 0.6 ? `${who} is clearly better` : `${who} is winning`;
}

/** How a decision compares with the best one. */
function rankWords(candidate: Candidate, best: Candidate, proven: string | null): string {
  const { value } = candidate;
  if (value === null || best.value === null) return "not looked at";
  if (Math.abs(value) > MATE) return `${value > 0 ? "wins" : "loses"} in ${Math.round(1e15 - Math.abs(value))}`;
  if (proven && Math.abs(value) === 1) return value > 0 ? "wins" : "loses";
  const lost = (Math.min(1, best.value) - value) / 2;
  if (candidate === best) return "best";
  if (lost < 0.02) return "as good";
  return lost < 0.1 ? "a little worse" : lost < 0.2 ? "an inaccuracy" : lost < 0.3 ? "a mistake" : "a blunder";
}

/** Letters of the best decisions and heat below them, none where two name the same site. */
export function candidateMarks(analysis: Analysis): Overlay {
  const letters: Record<string, string> = {};
  const heat: Record<string, number> = {};
  for (const [i, { site }] of analysis.candidates.slice(0, LETTERS.length).entries()) {
    if (site === null || site in letters) continue;
    letters[site] = LETTERS[i]!;
    heat[site] = 1 - i / LETTERS.length;
  }
  const first = analysis.arrows[0] ?? [];
  return { letters, heat, arrows: first.length > 1 ? [first] : [] };
}

/** What a position is worth to the side at move, from -1 to 1. */
export function worth({ proven, value }: Pick<Analysis, "proven" | "value">): number {
  return proven ? ({ win: 1, loss: -1 }[proven] ?? 0) : value;
}

export function Verdict({ desk, analysis }: { desk: Desk; analysis: Analysis }) {
  const { scene } = desk.table;
  const other = scene.players.find((player: string) => player !== analysis.side)!;
  const [mine, its] = [sideWords(scene, analysis.side), sideWords(scene, other)];
  const points = pointsOf(worth(analysis));
  const best = analysis.candidates[0];
  const line = () => desk.trace({ overlay: { arrows: analysis.arrows } });
  return (
    <section class="told-verdict" aria-label="How it stands">
      <h2>{verdictWords(mine, its, analysis)}</h2>
      <Share label={`${mine} ${points} of 100 points`} share={points / 100} />
      <p class="hint">
        {analysis.proven ? "Every way on was looked at." : `From here ${mine} would make about ${points} of 100 points.`}{" "}
        Looked {analysis.depth} {analysis.depth === 1 ? "move" : "moves"} ahead, {analysis.nodes.toLocaleString("en")} positions in {analysis.seconds.toFixed(1)} s.
      </p>
      <h3>Best moves for {mine}</h3>
      <ol class="candidates" aria-label={`best moves for ${mine}`}>
        {analysis.candidates.map((candidate, i) => (
          <li class={i === 0 ? "now" : ""}>
            <span class="letter">{LETTERS[i] ?? ""}</span>
            <button class="move" onClick={() => void desk.act("play", { text: candidate.move })}>{candidate.move}</button>
            <span class="hint">{rankWords(candidate, best!, analysis.proven)}</span>
            {candidate.value !== null && <Share label={`${pointsOf(candidate.value)} of 100 points`} share={pointsOf(candidate.value) / 100} />}
            <span class="number">{candidate.value === null ? "" : pointsOf(candidate.value)}</span>
          </li>
        ))}
      </ol>
      {analysis.line.length > 1 && (
        <p>
          <button class="b expected" onMouseEnter={line} onFocus={line} onMouseLeave={() => desk.trace(null)} onBlur={() => desk.trace(null)}>
            Expected: {analysis.line.slice(0, 6).join(" ")}
          </button>
        </p>
      )}
    </section>
  );
}

/** A share of all, as a bar. */
export function Share({ label, share }: { label: string; share: number }) {
  return (
    <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="all" width="100" height="6" />
      <rect class="part" width={100 * share} height="6" />
    </svg>
  );
}

/** The decision that speaks for itself, and what speaks for it against the next one. */
export function whyWords(choice: string, rival: string, parts: { name: string; mine: number; its: number }[]): string {
  const apart = parts.filter((part) => part.mine !== part.its).sort((a, b) => Math.abs(b.mine - b.its) - Math.abs(a.mine - a.its));
  if (apart.length === 0) return `Nothing in the formula tells ${choice} and ${rival} apart.`;
  const sum = (wanted: boolean) => apart.filter((part) => part.mine > part.its === wanted).slice(0, 2).map((part) => `${part.name} (${signed(part.mine - part.its)})`);
  const [better, worse] = [sum(true), sum(false)];
  const gains = better.length > 0 ? `has more of ${better.join(" and ")}` : "has more of nothing";
  return capital(`${choice} ${gains} than ${rival}${worse.length > 0 ? `, and less of ${worse.join(" and ")}` : ""}.`);
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${Number(value.toPrecision(3))}`;
}
