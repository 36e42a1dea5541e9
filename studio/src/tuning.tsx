// Tuning: values of factors tried in matches, watched as a plot, the best saved.

import { useState } from "preact/hooks";

import type { Desk } from "./desk";
import { useKept } from "./keep";
import { Chart } from "./chart";
import { translate, t } from "./language";
import { useFactors } from "./understand";
import type { FactorShown, PersonalityShown, TrialShown, Tuned } from "./messages";

const WIDTH = 400;
const HEIGHT = 160;

export function Tuning({ desk, people, active }: { desk: Desk; people: PersonalityShown[]; active: boolean }) {
  const [name, setName] = useState("");
  const [omitted, setOmitted] = useState<string[]>([]);
  const [opponent, setOpponent] = useState("");
  const [trials, setTrials] = useState(12);
  const [games, setGames] = useState(10);
  const [nodes, setNodes] = useState(500);
  const [confirm, setConfirm] = useState(0);
  const [axis, setAxis] = useState("");
  const [busy, setBusy] = useState(false);
  const person = people.find((entry) => entry.name === name) ?? people[0];
  const [tuned, setTuned] = useKept<Tuned | null>(`tuning ${desk.table.source} ${person?.name}`, null);
  const all = useFactors(desk, active && person ? person.name : "");
  if (!person) return <p>{t("This game has no personalities.")}</p>;
  const tunedFactors = all.filter((factor) => !omitted.includes(factor.name));
  const start = async () => {
    setBusy(true);
    setTuned(null);
    const factors = tunedFactors.map((factor) => factor.name);
    const opponents = opponent ? [opponent] : [];
    const request = { personality: person.name, factors, opponents, trials, games, nodes, seconds: null, confirm };
    const result = await desk.act("tune", request, setTuned);
    if (result) setTuned(result);
    setBusy(false);
  };
  const field = (label: string, value: number, set: (value: number) => void, step = 1, min = 1) => (
    <label>{label} <input type="number" min={min} step={step} value={value} onInput={(e) => set(e.currentTarget.valueAsNumber)} /></label>
  );
  return (
    <div class="tuning">
      <p class="row">
        <label>
          {t("tune")}
          <select value={person.name} onChange={(e) => { setName(e.currentTarget.value); setOmitted([]); }}>
            {people.map((entry) => <option value={entry.name}>{entry.name}</option>)}
          </select>
        </label>
        <label>
          {t("against")}
          <select value={opponent} onChange={(e) => setOpponent(e.currentTarget.value)}>
            <option value="">{t("itself as it is")}</option>
            {[...people.map((entry) => entry.name), "search", "random"].map((player) => <option value={player}>{player}</option>)}
          </select>
        </label>
      </p>
      <fieldset class="row">
        <legend>{t("factors that may change")}</legend>
        {all.length === 0 && <span>{t("it has none")}</span>}
        {all.map((factor) => (
          <label title={t(factor.meaning)}>
            <input type="checkbox" checked={!omitted.includes(factor.name)} onChange={(e) => setOmitted(e.currentTarget.checked ? omitted.filter((other) => other !== factor.name) : [...omitted, factor.name])} />
            {factor.name}
          </label>
        ))}
      </fieldset>
      <p class="row">
        {field(t("trials"), trials, setTrials)}
        {field(t("games each"), games, setGames, 2, 2)}
        {field(t("nodes a decision"), nodes, setNodes)}
        {field(t("games to confirm"), confirm, setConfirm, 2, 0)}
      </p>
      <p class="row">
        <button class="b soft" disabled={desk.busy || tunedFactors.length === 0} onClick={() => void start()}>{t("Begin the trials")}</button>
        <button class="b" disabled={!busy} onClick={() => void desk.act("stop", { behind: true })}>{t("Stop")}</button>
        {busy && <span>{tuned ? t("{count} of {all} trials", { count: tuned.trials.length, all: tuned.goal }) : t("the first trial is being played")}</span>}
      </p>
      {tuned && tuned.trials.length > 0 && <TunedView desk={desk} busy={busy} tuned={tuned} person={person} factors={all} axis={axis} setAxis={setAxis} />}
    </div>
  );
}

function TunedView({ desk, busy, tuned, person, factors, axis, setAxis }: { desk: Desk; busy: boolean; tuned: Tuned; person: PersonalityShown; factors: FactorShown[]; axis: string; setAxis(name: string): void }) {
  const best = tuned.trials.find((trial) => trial.number === tuned.best)!;
  const names = Object.keys(best.factors);
  const factor = factors.find((entry) => entry.name === (names.includes(axis) ? axis : names[0]));
  const [title, setTitle] = useState(`${person.name}_tuned`);
  if (!factor) return null;
  const save = async () => {
    const file = await desk.act("save_personality", { personality: person.name, factors: best.factors, name: title });
    if (file) desk.say(t("saved as {path}", { path: file.path }));
  };
  const summary = (trial: TrialShown) => 
    t("trial {number}: {share} with {factors}", { number: trial.number, share: percent(trial.share), factors: Object.entries(trial.factors).map(([name, value]) => `${name} ${short(value)}`).join(", ") });
  return (
    <>
      <Chart label={t("share of the points, trial by trial")} points={tuned.trials.map((trial) => ({ value: trial.share, title: summary(trial) }))} now={tuned.trials.indexOf(best)} />
      <p class="row">
        <label>
          {t("the points by")}
          <select value={factor.name} onChange={(e) => setAxis(e.currentTarget.value)}>
            {names.map((name) => <option value={name}>{name}</option>)}
          </select>
        </label>
      </p>
      <Scatter factor={factor} trials={tuned.trials} best={best} summary={summary} />
      <p>{t("The best so far is {summary}.", { summary: summary(best) })}</p>
      {tuned.lines.map((line) => <p>{translate(line)}</p>)}
      {!busy && (
        <p class="row">
          <label>{t("name")} <input value={title} onInput={(e) => setTitle(e.currentTarget.value)} /></label>
          <button onClick={() => void save()}>{t("Save the best as a personality")}</button>
        </p>
      )}
    </>
  );
}

/** The shares of trials over the values of one factor; a line for its value as it is. */
function Scatter({ factor, trials, best, summary }: { factor: FactorShown; trials: TrialShown[]; best: TrialShown; summary(trial: TrialShown): string }) {
  const x = (value: number) => 30 + ((WIDTH - 40) * (value - factor.low)) / (factor.high - factor.low || 1);
  const y = (share: number) => 8 + (HEIGHT - 36) * (1 - share);
  const label = t("share of the points over {name}, from {low} to {high}", { name: factor.name, low: short(factor.low), high: short(factor.high) });
  return (
    <svg class="chart scatter" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      <line class="middle" x1="30" x2={WIDTH - 10} y1={y(0.5)} y2={y(0.5)} />
      <line class="middle" x1={x(factor.value)} x2={x(factor.value)} y1={y(1)} y2={y(0)} />
      {[0, 0.5, 1].map((share) => <text x="26" y={y(share) + 4} text-anchor="end">{100 * share}</text>)}
      <text x="30" y={HEIGHT - 8}>{short(factor.low)}</text>
      {x(factor.value) > 80 && x(factor.value) < WIDTH - 80 && <text x={x(factor.value)} y={HEIGHT - 8} text-anchor="middle">{short(factor.value)}</text>}
      <text x={WIDTH - 6} y={HEIGHT - 8} text-anchor="end">{short(factor.high)}</text>
      {trials.map((trial) => (
        <circle class={trial === best ? "now" : ""} cx={x(trial.factors[factor.name] ?? factor.value)} cy={y(trial.share)} r={trial === best ? 6 : 4}>
          <title>{summary(trial)}</title>
        </circle>
      ))}
    </svg>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
