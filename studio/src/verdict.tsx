// What a search finds, for people: a verdict in words, the best decisions as letters, how good each is.

import type { Desk } from "./desk";
import { language, t } from "./language";
import type { Overlay } from "./overlays";
import type { Analysis, Candidate } from "./messages";
import { capital, sideName } from "./words";

/** Candidates that have a letter. */
const LETTERS = "ABCDEF";
/** Decisions of the expected line that are drawn. */
const MATE = 1e14;

/** Of a hundred points, how many a value is worth. */
export function pointsOf(value: number): number {
  return Math.round(50 * (Math.max(-1, Math.min(1, value)) + 1));
}

/** How a position stands for a side, by the words of players; without an *other* who plays alone, or against several. */
export function verdictWords(side: string, other: string | null, { proven, value }: Pick<Analysis, "proven" | "value">): string {
  if (proven === "draw") return t("A draw, if nobody errs");
  if (proven && (proven === "win" || other !== null)) return t("{side} wins from here", { side: proven === "win" ? side : other! });
  if (proven) return t("{side} loses from here", { side });
  const size = Math.abs(value);
  if (size < 0.1) return t("Nobody is ahead");
  const who = value > 0 ? side : other;
  if (who === null) return size < 0.3 ? t("{side} is a little behind", { side }) : size < 0.6 ? t("{side} is clearly behind", { side }) : t("{side} is losing", { side });
  return size < 0.3 ? t("{side} is a little better", { side: who }) : size < 0.6 ? t("{side} is clearly better", { side: who }) : t("{side} is winning", { side: who });
}

/** How a decision compares with the best one. */
function rankWords(candidate: Candidate, best: Candidate, proven: string | null, mistakes: Desk["mistakes"]): string {
  const { value } = candidate;
  if (value === null || best.value === null) return t("not looked at");
  const count = Math.round(1e15 - Math.abs(value));
  if (Math.abs(value) > MATE) return value > 0 ? t("wins in {count}", { count }) : t("loses in {count}", { count });
  if (proven && Math.abs(value) === 1) return value > 0 ? t("wins") : t("loses");
  const lost = (Math.min(1, best.value) - value) / 2;
  if (candidate === best) return t("best");
  if (lost < 0.02) return t("as good");
  const name = Object.keys(mistakes).find((name) => lost >= mistakes[name]!);
  return name ? mistakeWords(name) : t("a little worse");
}

/** A decision that costs something, as people call it. */
export function mistakeWords(name: string): string {
  return { inaccuracy: t("an inaccuracy"), mistake: t("a mistake") }[name] ?? t("a blunder");
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

/** Whether the time was too short for any search: what would be played is a guess then. */
export function isGuess({ nodes, proven }: Analysis): boolean {
  return nodes === 0 && proven === null;
}

export function Verdict({ desk, analysis }: { desk: Desk; analysis: Analysis }) {
  const { scene, chairs } = desk.table;
  const others = chairs.filter((chair) => chair.colour !== analysis.side);
  const mine = sideName(scene, analysis.side);
  const its = others.length === 1 ? sideName(scene, others[0]!.colour) : null;
  if (isGuess(analysis)) return <p class="hint">{t("There was no time to look at anything here. Give it more seconds.")}</p>;
  const points = pointsOf(worth(analysis));
  const best = analysis.candidates[0];
  const line = () => desk.trace({ overlay: { arrows: analysis.arrows } });
  return (
    <section class="told-verdict" aria-label={t("How it stands")}>
      <h2>{verdictWords(mine, its, analysis)}</h2>
      <Share label={t("{side} {points} of 100 points", { side: mine, points })} share={points / 100} />
      <p class="hint">
        {analysis.proven ? t("Every way on was looked at.") : t("From here {side} would make about {points} of 100 points.", { side: mine, points })}{" "}
        {effortWords(analysis)}
      </p>
      <h3>{t("Best moves for {side}", { side: mine })}</h3>
      <ol class="candidates" aria-label={t("best moves for {side}", { side: mine })}>
        {analysis.candidates.map((candidate, i) => (
          <li class={i === 0 ? "now" : ""}>
            <span class="letter">{LETTERS[i] ?? ""}</span>
            <button class="move" onClick={() => void desk.act("play", { text: candidate.move })}>{candidate.shown || candidate.move}</button>
            <span class="hint">{rankWords(candidate, best!, analysis.proven, desk.mistakes)}</span>
            {candidate.value !== null && <Share label={t("{points} of 100 points", { points: pointsOf(candidate.value) })} share={pointsOf(candidate.value) / 100} />}
            <span class="number">{candidate.value === null ? "" : pointsOf(candidate.value)}</span>
          </li>
        ))}
      </ol>
      {analysis.line.length > 1 && (
        <p>
          <button class="b expected" onMouseEnter={line} onFocus={line} onMouseLeave={() => desk.trace(null)} onBlur={() => desk.trace(null)}>
            {t("Expected: {moves}", { moves: analysis.line.slice(0, 6).join(" ") })}
          </button>
        </p>
      )}
    </section>
  );
}

/** How far a search looked, and how much that was. */
function effortWords({ depth, nodes, seconds, by }: Analysis): string {
  const counts = { depth, count: nodes.toLocaleString(language()), seconds: seconds.toFixed(1), player: by };
  if (by) return depth === 1 ? t("{player} looked 1 move ahead, {count} positions in {seconds} s.", counts) : t("{player} looked {depth} moves ahead, {count} positions in {seconds} s.", counts);
  return depth === 1 ? t("Looked 1 move ahead, {count} positions in {seconds} s.", counts) : t("Looked {depth} moves ahead, {count} positions in {seconds} s.", counts);
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
  if (apart.length === 0) return t("Nothing in the formula tells {move} and {other} apart.", { move: choice, other: rival });
  const sum = (wanted: boolean) => apart.filter((part) => part.mine > part.its === wanted).slice(0, 2).map((part) => `${part.name} (${signed(part.mine - part.its)})`);
  const [better, worse] = [sum(true), sum(false)];
  const list = (parts: string[]) => parts.join(t(" and "));
  const words = { move: choice, other: rival, gains: better.length > 0 ? list(better) : t("nothing"), losses: list(worse) };
  return capital(worse.length > 0 ? t("{move} has more of {gains} than {other}, and less of {losses}.", words) : t("{move} has more of {gains} than {other}.", words));
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${Number(value.toPrecision(3))}`;
}
