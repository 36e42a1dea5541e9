// Playing: who sits there, the moves so far with their branches, what can be done, and how it ended.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Chip } from "./chip";
import { ClockFace } from "./clock";
import type { Desk, PlayProps } from "./desk";
import { Ending, Verdict } from "./end";
import { HandOver, isWaiting } from "./handover";
import { Icon } from "./icons";
import { lineOf } from "./inside";
import type { Node, PersonalityShown, Scene, ShownValue, Table } from "./messages";
import { More } from "./more";
import { InHand } from "./hand";
import { marked, t } from "./language";
import { PlayerSelect } from "./newgame";
import { Spoken } from "./spoken";
import { usePeople } from "./understand";
import { isGuess } from "./verdict";
import { ownChair, sideWords, thoughtWords, valueText } from "./words";

export function Play(props: PlayProps & { asked: ComponentChildren; notes: ComponentChildren }) {
  const { desk, clock, notes } = props;
  const people = usePeople(desk);
  const [more, setMore] = useState(false);
  const own = ownChair(desk.table);
  const seat = (chair: number, place: string) => <Strip key={chair} {...props} chair={chair} place={place} people={people} clock={clock} />;
  const { chairs } = desk.table;
  const others = chairs.slice(1).map((_, i) => (own + 1 + i) % chairs.length); // in the order of their turns
  return (
    <div class="play">
      {others.map((chair) => seat(chair, "theirs"))}
      <Moves desk={desk} />
      {props.asked}
      {desk.table.over ? <Ending desk={desk} /> : <Say {...props} />}
      {notes}
      {seat(own, "ours")}
      <Acts {...props} more={more} setMore={setMore} />
      {more && <More {...props} close={() => setMore(false)} />}
    </div>
  );
}

/** A side: who plays it, how, with which clock, and what is thought there. */
function Strip(props: PlayProps & { chair: number; place: string; people: PersonalityShown[] }) {
  const { desk, chair: number, people, clock, thought } = props;
  const { scene, over, chairs } = desk.table;
  const chair = chairs[number]!;
  const moves = scene.mover === chair.colour && !over;
  const nth = scene.players.indexOf(chair.colour);
  const about = people.find((person) => person.name === chair.player)?.about ?? "";
  const shown = scene.shown.beside.filter((value) => value.owner === nth);
  const states = shown.length > 0 ? [] : scene.facts.filter((fact) => fact.values.length > 1);
  const facts = states.map((fact) => `${fact.name}: ${fact.values[nth]}`);
  return (
    <div class={`player ${props.place}${moves ? " on mover" : ""}`} data-chair={number}>
      <Chip scene={scene} owner={nth} />
      <div class="who">
        <PlayerSelect desk={desk} label={t("who plays {side}", { side: sideWords(scene, chair.colour) })} value={chair.player} people={people} choose={(player) => void desk.act("sit", { chair: number, player })} />
        <small title={t(about)}>{[sideWords(scene, chair.colour), ...facts, t(about)].filter(Boolean).join(", ")}</small>
      </div>
      {shown.filter((value) => !value.piece).map((value) => <Beside value={value} scene={scene} />)}
      <Hand desk={desk} values={shown.filter((value) => value.piece && value.value > 0)} owner={nth} />
      {clock.base > 0 && <ClockFace seconds={clock.seconds[number] ?? clock.base} running={moves} />}
      {moves && !chair.human && <p class="think">{thought ? thoughtWords(thought) : ""}</p>}
    </div>
  );
}

function Hand({ desk, values, owner }: { desk: Desk; values: ShownValue[]; owner: number }) {
  if (values.length === 0) return null;
  return (
    <div class="hand" role="group" aria-label={t("Pieces in hand")}>
      {values.map((value) => <InHand key={value.piece} desk={desk} value={value} owner={owner} />)}
    </div>
  );
}

/** Tokens that are shown one by one; more of them are a number. */
const COUNTED = 6;

/** A value of a player, as the look shows it. */
function Beside({ value, scene }: { value: ShownValue; scene: Scene }) {
  const alike = scene.shown.beside.filter((other) => other.text === value.text).map((other) => other.value);
  const piled = ["tokens", "pile", "pieces"].includes(value.display) && value.value <= COUNTED;
  return (
    <p class={`beside as-${value.display}`} aria-label={valueText(value)}>
      {value.display === "bar" && <meter max={Math.max(1, ...alike)} value={value.value} />}
      <b>{piled ? Array.from({ length: value.value }, () => <i />) : value.value}</b>
      <small>{t(value.text)}</small>
    </p>
  );
}

/** Whose turn it is, and what can be done without a site. */
function Say(props: PlayProps) {
  const { desk, alone, paused, setPaused, clock } = props;
  const { table } = desk;
  const looks = table.at !== table.end || table.given_up;
  return (
    <div class={looks ? "say away" : "say"}>
      <Verdict table={table} />
      {table.thinking && !alone && (
        <p class="row">
          <button class="b" onClick={() => void desk.act("hurry", {})}>{t("Move now")}</button>
        </p>
      )}
      {alone && !table.over && (
        <p class="row">
          <button class="b" onClick={() => setPaused(!paused)}>{paused ? t("Let them play") : t("Pause")}</button>
          <button class="b" disabled={!paused} onClick={() => void desk.act("think", { seconds: clock.share() })}>{t("One move")}</button>
        </p>
      )}
      {isWaiting(table) && <HandOver desk={desk} />}
      {!table.thinking && !looks && <Spoken key={table.at} scene={table.scene} play={(text) => void desk.act("play", { text })} />}
      {table.claimable && <p class="row"><button class="b" onClick={() => void desk.act("claim_draw", {})}>{t("Claim a draw")}</button></p>}
    </div>
  );
}

/** How the game stands, above what else is done with it. */
export function Brief({ desk, notes }: { desk: Desk; notes: ComponentChildren }) {
  return (
    <div class="brief">
      <Verdict table={desk.table} />
      {notes}
    </div>
  );
}

const PROVEN: Record<string, string> = { win: marked("It is a proven win."), draw: marked("It is a proven draw."), loss: marked("It is a proven loss.") };

/** Seconds of a hint, and of one where these went into getting ready. */
const HINT = 1;
const LONG_HINT = 5;

/** What a short search would play, told and drawn; nothing is played. */
function Hint({ desk }: { desk: Desk }) {
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    let analysis = await desk.act("search", { seconds: HINT });
    if (analysis && isGuess(analysis)) analysis = await desk.act("search", { seconds: LONG_HINT });
    setBusy(false);
    if (!analysis) return;
    if (isGuess(analysis)) return desk.say(t("There was no time to look at anything here. Give it more seconds."));
    desk.find(analysis);
    const sure = analysis.proven ? t(PROVEN[analysis.proven]!) : "";
    desk.say(`${t("A short search would play {move}.", { move: analysis.candidates[0]?.shown || analysis.move })} ${sure}`.trim());
  };
  return <button class="b" disabled={busy || desk.table.over || desk.table.thinking || isWaiting(desk.table)} onClick={() => void ask()}><Icon name="hint" />{busy ? t("Thinking") : t("Hint")}</button>;
}

function Acts(props: PlayProps & { more: boolean; setMore(on: boolean): void }) {
  const { desk, more, setMore } = props;
  const to = takenBack(desk.table);
  const takeBack = async () => {
    if (desk.table.thinking) await desk.act("stop", {});
    if (await desk.act("goto", { node: to! })) await desk.act("play_on", {});
  };
  const { before, after } = neighbours(desk.table);
  const go = (node: number | undefined) => node !== undefined && void desk.act("goto", { node });
  return (
    <div class="acts">
      <button class="b" disabled={to === null} onClick={() => void takeBack()}><Icon name="undo" />{t("Take back")}</button>
      <Hint desk={desk} />
      <button class="b phone" disabled={before === undefined} onClick={() => go(before)}><Icon name="back" />{t("Back")}</button>
      <button class="b phone" disabled={after === undefined} onClick={() => go(after)}><Icon name="forward" />{t("Forward")}</button>
      <button class="b ico desktop" aria-label={t("Turn the board")} title={t("Turn the board")} onClick={props.turn}><Icon name="turn" /></button>
      <button class="b ico" aria-label={t("More")} aria-expanded={more} onClick={() => setMore(!more)}><Icon name="more" /><span class="phone">{t("More")}</span></button>
    </div>
  );
}

/** The node before the last decision of a person, against a computer; else before the last one. */
function takenBack(table: Table): number | null {
  if (table.viewer !== null) return null; // who takes back has seen what the answer tells
  const line = lineOf(table, table.end);
  const against = table.chairs.filter((chair) => chair.human).length === 1;
  const own = against ? line.filter((node) => node.by === "") : line;
  const last = own[own.length - 1];
  return last ? last.parent ?? 0 : null;
}

/** The decisions from the root through the shown one, and on along the first way. */
function shownLine(table: Table): Node[] {
  const line = lineOf(table);
  const next = (parent: number) => table.nodes.find((node) => (node.parent ?? 0) === parent);
  for (let node = next(table.at); node; node = next(node.node)) line.push(node);
  return line;
}

function neighbours(table: Table): { before?: number; after?: number } {
  if (table.viewer !== null) return {};
  const line = shownLine(table);
  const place = line.findIndex((node) => node.node === table.at);
  return { before: place < 0 ? undefined : place === 0 ? 0 : line[place - 1]!.node, after: line[place + 1]?.node };
}

/** The tree of the game: the line that is shown, with what else was played from where. */
function Moves({ desk }: { desk: Desk }) {
  const { nodes, at, end } = desk.table;
  const line = shownLine(desk.table);
  const place = line.findIndex((node) => node.node === at);
  const still = desk.table.viewer !== null; // an earlier position would show more than was seen there
  const go = (node: number) => still || void desk.act("goto", { node });
  const step = (to: number) => go(to < 0 ? 0 : line[Math.min(to, line.length - 1)]!.node);
  useEffect(() => document.querySelector(".moves .now")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [at]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const typing = (event.target as Element).closest("input, select, textarea, .editor, .board, [role=tablist], dialog");
      if (typing || still || line.length === 0) return;
      const moves: Record<string, number> = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: -1, End: line.length - 1 };
      const to = moves[event.key];
      if (to === undefined) return;
      event.preventDefault();
      step(to);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  return (
    <div class="moves">
      <ol class="line" aria-label={t("Moves")} tabindex={0}>
        {rounds(line, Math.max(2, desk.table.chairs.length)).map((turns, i) => (
          <li>
            <span class="turn">{i + 1}</span>
            {turns.map((turn) => (
              <span class="cell">
                {turn.map((node) => (
                  <MoveButton node={node} now={node.node === at} later={line.indexOf(node) > place} others={nodes.filter((other) => other !== node && (other.parent ?? 0) === (node.parent ?? 0))} go={go} />
                ))}
              </span>
            ))}
          </li>
        ))}
      </ol>
      <div class="walk" role="group" aria-label={t("through the game")}>
        <button class="b bare" disabled={still || at === 0} onClick={() => step(-1)} aria-label={t("to the beginning")}><Icon name="first" /></button>
        <button class="b bare" disabled={still || at === 0} onClick={() => step(place - 1)} aria-label={t("one back")}><Icon name="back" /></button>
        <button class="b bare" disabled={place === line.length - 1} onClick={() => step(place + 1)} aria-label={t("one on")}><Icon name="forward" /></button>
        <button class="b bare" disabled={place === line.length - 1} onClick={() => step(line.length - 1)} aria-label={t("to the end")}><Icon name="last" /></button>
      </div>
      {(at !== end || desk.table.given_up) && (
        <p class="row looking" role="status">
          <span>{at === 0 ? t("The beginning.") : t("Move {number} of {count}.", { number: place + 1, count: line.length })}</span>
          <button class="b" onClick={() => void desk.act("play_on", {})}>{t("Play on from here")}</button>
          {at !== end && <button class="b" onClick={() => go(end)}>{t("Back to the game")}</button>}
        </p>
      )}
    </div>
  );
}

/** The decisions of a line by turns, a turn of each player a round. */
function rounds(line: Node[], players: number): Node[][][] {
  const rows: Node[][][] = [];
  let last = -1;
  for (const node of line) {
    if (node.turn !== last) {
      const row = rows[rows.length - 1];
      if (row && row.length < players) row.push([node]);
      else rows.push([[node]]);
    } else rows[rows.length - 1]!.at(-1)!.push(node);
    last = node.turn;
  }
  return rows;
}

function MoveButton({ node, now, later, others, go }: { node: Node; now: boolean; later: boolean; others: Node[]; go(node: number): void }) {
  return (
    <>
      <button class={now ? "move now" : later ? "move later" : "move"} aria-current={now} title={node.shown ? node.text : ""} onClick={() => go(node.node)}>{node.shown || node.text}</button>
      {others.map((other) => (
        <button class="move branch" onClick={() => go(other.node)} title={t("another way")}>{t("or {move}", { move: other.shown || other.text })}</button>
      ))}
    </>
  );
}
