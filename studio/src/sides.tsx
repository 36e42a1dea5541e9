// Two personalities side by side: what each would play here, on the board as A and B, and what makes them part.

import { useEffect, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { t } from "./language";
import type { Overlay } from "./overlays";
import type { Explained, PersonalityShown, Versus } from "./messages";
import { endWords, shortAbout } from "./words";

interface Answer {
  names: [string, string];
  thoughts: [Explained, Explained];
  versus: Versus;
}

const SHOWN = 4;

export function Sides(props: { desk: Desk; people: PersonalityShown[]; first: string; factors: Record<string, number>; setOverlay(overlay: Overlay | null): void }) {
  const { desk, people, first, factors, setOverlay } = props;
  const [rival, setRival] = useState("");
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const others = people.filter((person) => person.name !== first);
  const second = others.find((person) => person.name === rival)?.name ?? others[0]?.name ?? "";
  useEffect(() => setAnswer(null), [desk.table.at, desk.table.source, first]);
  if (others.length === 0) return null;
  const compare = async () => {
    setBusy(true);
    const mine = await desk.act("explain", { personality: first, factors });
    const its = mine && (await desk.act("explain", { personality: second }));
    const versus = its && (await desk.act("versus", { personality: first, other: second, factors }));
    setBusy(false);
    if (!mine || !its || !versus) return;
    setAnswer({ names: [first, second], thoughts: [mine, its], versus });
    setOverlay(choices([mine, its]));
  };
  return (
    <section class="sides" aria-label={t("Two players side by side")}>
      <h2>{t("Who would play what?")}</h2>
      <p class="row asking">
        <b>{first}</b>
        <label>
          {t("beside")}
          <select value={second} disabled={busy} onChange={(e) => setRival(e.currentTarget.value)}>
            {others.map((person) => <option value={person.name}>{person.name === second ? person.name : `${person.name}: ${shortAbout(t(person.about))}`}</option>)}
          </select>
        </label>
        <button class="b" disabled={desk.table.over || busy} onClick={() => void compare()}>{busy ? t("Both think") : t("Ask both")}</button>
        {busy && <button class="b" onClick={() => void desk.act("stop", {})}>{t("Stop")}</button>}
      </p>
      {answer && (
        <>
          <div class="two">
            {answer.names.map((name, i) => <Side desk={desk} letter={"AB"[i]!} name={name} thought={answer.thoughts[i]!} show={setOverlay} back={() => setOverlay(choices(answer.thoughts))} />)}
          </div>
          <p class="parting">{partingWords(answer)}</p>
        </>
      )}
    </section>
  );
}

/** What one of the two would play, and what it holds of the next best. */
function Side({ desk, letter, name, thought, show, back }: { desk: Desk; letter: string; name: string; thought: Explained; show(overlay: Overlay): void; back(): void }) {
  const { explanation } = thought;
  const spelled = (move: string) => thought.lines[move]?.[0] ?? move;
  const warm = () => show({ heat: thought.shares, marks: thought.texts, chosen: thought.decision_site });
  return (
    <section aria-label={name} tabindex={0} onMouseEnter={warm} onFocus={warm} onMouseLeave={back} onBlur={back}>
      <h3><span class="letter">{letter}</span> {name}</h3>
      <p>{t("plays")} <button class="move now" onClick={() => void desk.act("play", { text: explanation.decision })}>{spelled(explanation.decision)}</button></p>
      <ol>
        {(explanation.moves as { move: string; value: number; ends: string | null; distance: number | null }[]).slice(0, SHOWN).map((move) => (
          <li>{spelled(move.move)} <span class="number">{move.ends ? endWords(move.ends, move.distance) : Number(move.value.toPrecision(3))}</span></li>
        ))}
      </ol>
      {explanation.decided_by && <p class="hint">{t("decided by {reason}", { reason: explanation.decided_by })}</p>}
    </section>
  );
}

/** The two choices as letters. */
function choices([mine, its]: [Explained, Explained]): Overlay {
  const letters: Record<string, string> = {};
  for (const [thought, letter] of [[mine, "A"], [its, "B"]] as const) {
    if (thought.decision_site !== null) letters[thought.decision_site] = thought.decision_site in letters ? "AB" : letter;
  }
  return { letters };
}

function partingWords({ names: [first, second], versus }: Answer): string {
  if (versus.first === versus.second) return t("{name} plays {move} too.", { name: second, move: versus.second });
  const factors = versus.factors.join(t(" or "));
  const reason = factors ? t("With only {factors} of {other}, {name} would too.", { factors, other: second, name: first }) : t("No factor alone makes the difference.");
  return `${t("{name} plays {move}.", { name: second, move: versus.second })} ${reason}`;
}
