// Measuring: a match of two players, watched while it is played, and its games to look at.

import { useState } from "preact/hooks";

import type { Desk } from "./desk";
import { Chart } from "./chart";
import { translate, t } from "./language";
import type { Measured } from "./messages";
import { Fold } from "./fold";
import { MatchGames, SaveGames } from "./games";
import { useKept } from "./keep";
import { Records } from "./records";
import { Tournament } from "./tournament";
import { Tuning } from "./tuning";
import { usePeople } from "./understand";

export function Measure({ desk, active }: { desk: Desk; active: boolean }) {
  const people = usePeople(desk);
  const names = [...people.map((person) => person.name), "search", "random"];
  const [pair, setPair] = useState<[string, string]>(["", ""]);
  const [first, second] = pair.map((name, i) => (names.includes(name) ? name : names[i]!)) as [string, string];
  const [games, setGames] = useState(20);
  const [limit, setLimit] = useState<"nodes" | "seconds">("nodes");
  const [amount, setAmount] = useState(1000);
  const [test, setTest] = useState(false);
  const [measured, setMeasured] = useKept<Measured | null>(`match ${desk.table.source}`, null);
  const [of, setOf] = useKept(`match of ${desk.table.source}`, "");
  const [against, setAgainst] = useKept(`match against ${desk.table.source}`, "");
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    setMeasured(null);
    setOf(first);
    setAgainst(second);
    const limits = limit === "nodes" ? { nodes: amount, seconds: null } : { nodes: null, seconds: amount };
    const request = { first, second, games, ...limits, elo: test ? ([0, 50] as [number, number]) : null };
    const result = await desk.act("compare", request, setMeasured);
    if (result) setMeasured(result);
    setBusy(false);
  };
  const quantities = { games, amount, limit: t(limit) };
  const setting = test ? t("{games} games, {amount} {limit} for each decision, ended when it is sure", quantities) : t("{games} games, {amount} {limit} for each decision", quantities);
  const chooser = (label: string, value: string, set: (name: string) => void) => (
    <select aria-label={label} value={value} onChange={(e) => set(e.currentTarget.value)}>
      {names.map((name) => (
        <option value={name}>{name}</option>
      ))}
    </select>
  );
  return (
    <>
      <h2 class="question">
        {t("Is")} {chooser(t("the first player"), first, (name) => setPair([name, second]))} {t("stronger than")} {chooser(t("the second player"), second, (name) => setPair([first, name]))}?
      </h2>
      <p class="row">
        <button class="b go" disabled={desk.busy || first === second} onClick={() => void start()}>{t("Play the match")}</button>
        {busy && <button class="b" onClick={() => void desk.act("stop", { behind: true })}>{t("Stop")}</button>}
        {busy && <span>{measured ? t("{count} of {all} games", { count: measured.played, all: measured.goal }) : t("the first games are being played")}</span>}
        {first === second && <span class="hint">{t("Choose another player.")}</span>}
      </p>
      <Fold title={t("The match")} quiet={setting}>
        <p class="row">
          <label>
            {t("games")} <input type="number" min="2" step="2" value={games} onInput={(e) => setGames(e.currentTarget.valueAsNumber)} />
          </label>
        </p>
        <p class="row">
          <label>
            {t("each decision")}
            <input type="number" min="0" step="any" value={amount} onInput={(e) => setAmount(e.currentTarget.valueAsNumber)} aria-label={t("{limit} for each decision", { limit: t(limit) })} />
            <select value={limit} onChange={(e) => setLimit(e.currentTarget.value as "nodes" | "seconds")} aria-label={t("of what")}>
              <option value="nodes">{t("nodes")}</option>
              <option value="seconds">{t("seconds")}</option>
            </select>
          </label>
          <label title={t("a sequential test: is the first 50 Elo stronger, or not at all?")}>
            <input type="checkbox" checked={test} onChange={(e) => setTest(e.currentTarget.checked)} />
            {t("stop when it is sure")}
          </label>
        </p>
      </Fold>
      {measured && <MeasuredView desk={desk} measured={measured} first={of} second={against} />}
      <Fold title={t("Who is the best of several?")}><Tournament desk={desk} names={names} /></Fold>
      <Fold title={t("What happened in games on record?")}><Records desk={desk} /></Fold>
      <Fold title={t("Would other factors play better?")}><Tuning desk={desk} people={people} active={active} /></Fold>
    </>
  );
}

/** How many standard errors the likely shares are away. */
const LIKELY = 1.96;

/** What a match says to the question, in a sentence. */
export function answerWords(measured: Measured, first: string, second: string): string {
  const { played, course, ratios, bounds } = measured;
  const ratio = ratios.at(-1) ?? 0;
  if (bounds && ratio >= bounds[1]) return t("Yes, {first} is stronger.", { first });
  if (bounds && ratio <= bounds[0]) return t("No, {first} is not 50 Elo stronger.", { first });
  const share = course.at(-1);
  if (share === undefined || played < ENOUGH) return t("Too early to tell: {played} of the {enough} games that say something.", { played, enough: ENOUGH });
  const wide = LIKELY * Math.sqrt(Math.max(share * (1 - share), 1 / (4 * played)) / played);
  const [low, high] = [Math.max(0, share - wide), Math.min(1, share + wide)].map((value) => Math.round(100 * value)) as [number, number];
  const points = t("{first} makes {points} of 100 points, and {low} to {high} are likely", { first, points: Math.round(100 * share), low, high });
  if (low > 50) return t("Yes: {points}.", { points });
  return high < 50 ? t("No, {second} is: {points}.", { second, points }) : t("{played} games cannot tell: {points}.", { played, points });
}

/** Games from which on a share of points says something. */
const ENOUGH = 30;

function MeasuredView({ desk, measured, first, second }: { desk: Desk; measured: Measured; first: string; second: string }) {
  const share = (value: number, games: number) => (games < ENOUGH ? t("too early to tell") : `${(100 * value).toFixed(1)} %`);
  const points = measured.course.map((value, i) => ({ value, title: t("after {count} games: {share}", { count: i + 1, share: share(value, i + 1) }) }));
  return (
    <>
      <p class="answer" role="status">{answerWords(measured, first, second)}</p>
      <progress max={measured.goal} value={measured.played} aria-label={t("games played")} />
      {points.length > 0 && <Chart label={t("share of the points of {first}, game by game", { first })} points={points} />}
      {measured.bounds && <TestView ratios={measured.ratios} bounds={measured.bounds} />}
      <ul class="summary">
        {measured.lines.map((line) => (
          <li>{translate(line)}</li>
        ))}
      </ul>
      <SaveGames measured={measured} name={`${desk.table.game}-match.jsonl`} />
      <MatchGames desk={desk} games={measured.games} />
    </>
  );
}

/** The course of a sequential test, pair by pair, between the bounds at which it ends. */
function TestView({ ratios, bounds: [low, high] }: { ratios: number[]; bounds: [number, number] }) {
  const place = (ratio: number) => Math.min(1, Math.max(0, (ratio - low) / (high - low)));
  const points = ratios.map((ratio, i) => ({ value: place(ratio), title: t("after {count} pairs: {ratio}", { count: i + 1, ratio: ratio.toFixed(2) }) }));
  const now = ratios[ratios.length - 1] ?? 0;
  return (
    <figure>
      <figcaption>
        {t("sequential test: {now}; at {high} (the top) it is 50 Elo stronger, at {low} not", { now: now.toFixed(2), high: high.toFixed(2), low: low.toFixed(2) })}
      </figcaption>
      <Chart label={t("log-likelihood ratio of the sequential test, pair by pair")} points={points} middle={place(0)} />
    </figure>
  );
}
