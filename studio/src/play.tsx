// Playing: chairs, decisions that no click can mean, the moves so far with their branches, files.

import { useEffect, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { spoken } from "./clicks";
import { type Clock, ClockTerms } from "./clock";
import { offer, showLink } from "./keep";
import { LeftGames } from "./left";
import type { Chair, Node, PersonalityShown, Scene } from "./messages";
import { usePeople } from "./understand";

export function Play(props: { desk: Desk; paused: boolean; setPaused(on: boolean): void; alone: boolean; clock: Clock }) {
  const { desk, paused, setPaused, alone, clock } = props;
  const { table } = desk;
  const people = usePeople(desk);
  return (
    <>
      <div class="chairs">
        {table.chairs.map((chair, i) => (
          <ChairView key={i} desk={desk} chair={chair} number={i} people={people} />
        ))}
      </div>
      <ClockTerms clock={clock} />
      {alone && (
        <p class="row">
          <button onClick={() => setPaused(!paused)}>{paused ? "let them play" : "pause"}</button>
          <button disabled={!paused || table.over} onClick={() => void desk.act("think", { seconds: clock.share() })}>
            one move
          </button>
        </p>
      )}
      <Spoken desk={desk} />
      <Moves desk={desk} />
      <LeftGames left={desk.left} open={(game) => void desk.act("open", game)} />
      <Files desk={desk} />
    </>
  );
}

function ChairView({ desk, chair, number, people }: { desk: Desk; chair: Chair; number: number; people: PersonalityShown[] }) {
  const names = ["human", "computer", "search", "random", ...people.map((person) => person.name)];
  const options = names.includes(chair.player) ? names : [...names, chair.player];
  return (
    <label>
      {chair.colour}
      <select value={chair.player} onChange={(e) => void desk.act("sit", { chair: number, player: e.currentTarget.value })}>
        {options.map((name) => (
          <option value={name}>{name === "human" ? "a person" : name}</option>
        ))}
      </select>
    </label>
  );
}

/** What a short search would play, told and drawn; nothing is played. */
function Hint({ desk }: { desk: Desk }) {
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    const analysis = await desk.act("search", { seconds: 1 });
    setBusy(false);
    if (!analysis) return;
    desk.find(analysis);
    const sure = analysis.proven ? `, a proven ${analysis.proven}` : "";
    desk.say(`A search of a second would play ${analysis.move}${sure}.`);
  };
  return <button disabled={busy || desk.table.over || desk.table.thinking} onClick={() => void ask()}>{busy ? "thinking" : "hint"}</button>;
}

/** Decisions in words: those that no click can mean, and one to be typed. */
function Spoken({ desk }: { desk: Desk }) {
  const [text, setText] = useState("");
  const scene: Scene = desk.table.scene;
  const type = async (event: Event) => {
    event.preventDefault();
    if (text.trim() && (await desk.act("play", { text }))) setText("");
  };
  return (
    <div class="row">
      {!desk.table.thinking &&
        spoken(scene.moves).map((move) => (
          <button onClick={() => void desk.act("play", { text: move.text })}>{move.text === "-" ? "pass on" : move.text}</button>
        ))}
      <form onSubmit={(e) => void type(e)} class="typed">
        <label>
          Move <input value={text} onInput={(e) => setText(e.currentTarget.value)} autocomplete="off" spellcheck={false} />
        </label>
        <button disabled={desk.table.over}>play</button>
      </form>
      <Hint desk={desk} />
    </div>
  );
}

/** The tree of the game: the line that is shown, with what else was played from where. */
function Moves({ desk }: { desk: Desk }) {
  const { nodes, at, end } = desk.table;
  const byNumber = new Map(nodes.map((node) => [node.node, node]));
  const after = new Map<number, Node[]>();
  for (const node of nodes) after.set(node.parent ?? 0, [...(after.get(node.parent ?? 0) ?? []), node]);
  const children = (parent: number) => after.get(parent) ?? [];
  const line: Node[] = [];
  for (let node = byNumber.get(at); node; node = byNumber.get(node.parent ?? 0)) line.unshift(node);
  for (let next = children(at)[0]; next; next = children(next.node)[0]) line.push(next);
  const place = line.findIndex((node) => node.node === at);
  const go = (node: number) => void desk.act("goto", { node });
  const step = (to: number) => go(to < 0 ? 0 : line[Math.min(to, line.length - 1)]!.node);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const typing = (event.target as Element).closest("input, select, textarea, .editor, .board, [role=tablist]");
      if (typing || line.length === 0) return;
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
      <div class="row" role="group" aria-label="through the game">
        <button disabled={at === 0} onClick={() => step(-1)} aria-label="to the beginning">«</button>
        <button disabled={at === 0} onClick={() => step(place - 1)} aria-label="one back">‹</button>
        <button disabled={place === line.length - 1} onClick={() => step(place + 1)} aria-label="one on">›</button>
        <button disabled={place === line.length - 1} onClick={() => step(line.length - 1)} aria-label="to the end">»</button>
        <button disabled={desk.table.over || at !== end} class="quiet" onClick={() => void desk.act("resign", {})}>resign</button>
        {desk.table.claimable && <button onClick={() => void desk.act("claim_draw", {})}>claim a draw</button>}
      </div>
      {(at !== end || desk.table.given_up) && (
        <p class="row looking" role="status">
          {at === 0 ? "The beginning" : `Move ${place + 1} of ${line.length}`}.
          <button onClick={() => void desk.act("play_on", {})}>Play on from here</button>
          {at !== end && <button onClick={() => go(end)}>Back to the game</button>}
        </p>
      )}
      <ol class="line">
        {line.map((node, i) => (
          <li>
            {(i === 0 || node.turn !== line[i - 1]!.turn) && <span class="turn">{node.turn + 1}.</span>}
            <button class={node.node === at ? "move now" : "move"} aria-current={node.node === at} onClick={() => go(node.node)}>
              {node.text}
            </button>
            {children(node.parent ?? 0)
              .filter((sibling) => sibling.node !== node.node)
              .map((sibling) => (
                <button class="move branch" onClick={() => go(sibling.node)} title="another way">
                  or {sibling.text}
                </button>
              ))}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Files({ desk }: { desk: Desk }) {
  const save = async (form: string) => {
    const file = await desk.act("write_game", { form });
    if (file) offer(file.name, file.text, "text/plain");
  };
  const read = async (file: File | undefined) => {
    if (file) await desk.act("read_game", { name: file.name, text: await file.text() });
  };
  const link = async () => {
    const link = await desk.service.link!();
    showLink(link);
    const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    desk.say(`The address of this page is a link to this game and its texts now (${link.length} letters)${copied ? "; it is copied, too" : ""}.`);
  };
  return (
    <p class="row">
      {desk.service.link && <button onClick={() => void link()}>link to this</button>}
      <button onClick={() => void save("sgf")}>save as SGF</button>
      <button onClick={() => void save("txt")}>save as text</button>
      <label class="file">
        open a game
        <input type="file" accept=".sgf,.txt,.T1,.json" onChange={(e) => void read(e.currentTarget.files?.[0])} />
      </label>
    </p>
  );
}
