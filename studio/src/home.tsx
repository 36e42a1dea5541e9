// Home: all games as positions, and what one does first: play at once, sit down with somebody, learn it.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import type { Entry, View } from "./desk";
import { Icon } from "./icons";
import { lineOf } from "./inside";
import { useStored } from "./keep";
import { t } from "./language";
import type { GameCard, Greeting } from "./messages";
import { gameName, hasMiddle, levelAt, MIDDLE, STRENGTHS } from "./words";

/** Cards that are asked for at a time: a click waits for no more. */
const BATCH = 4;
/** Cards that have come, for as long as the page is open. */
const cards = new Map<string, GameCard>();

interface Props {
  entry: Entry;
  greeting: Greeting;
  notes: ComponentChildren;
  setView(view: View): void;
  learn(game: string): void;
  /** Begin a text of one's own. */
  write(): void;
}

export function Home({ entry, greeting, notes, setView, learn, write }: Props) {
  const [wanted, setWanted] = useState("");
  const [family, setFamily] = useState("");
  const games = useGames(entry, greeting);
  const words = wanted.toLowerCase().split(/\s+/);
  const families = [...new Set(games.map((game) => game.family).filter(Boolean))].sort();
  const nearest = (game: Shown) => [game.title, game.name].map((name) => closeness(name.toLowerCase(), wanted.toLowerCase().trim())).reduce((a, b) => Math.min(a, b));
  const shown = games.filter((game) => (!family || game.family === family) && words.every((word) => `${game.title} ${game.name} ${game.line} ${t(game.family)}`.toLowerCase().includes(word))).sort((a, b) => nearest(a) - nearest(b));
  const [strength, setStrength] = useStored("strength", MIDDLE);
  const play = (game: string, other: string) => void entry.open({ game, options: {}, players: ["human", other] }, "play");
  return (
    <section class="home" aria-label={t("All games")}>
      <h2>{t("Play a game, read its rules, change a line.")}</h2>
      {notes}
      <div class="seek">
        <label class="find">
          <span class="sr">{t("Search games")}</span>
          <Icon name="search" />
          <input type="search" placeholder={t("Search {count} games", { count: games.length })} value={wanted} onInput={(e) => setWanted(e.currentTarget.value)} />
        </label>
        <Strength strength={strength} choose={setStrength} />
        {greeting.folder && <button class="b own-game" onClick={write}><Icon name="plus" />{t("A game of your own")}</button>}
        <Resume entry={entry} games={games} back={() => setView("play")} />
      </div>
      {families.length > 1 && (
        <div class="families" role="group" aria-label={t("Families of games")}>
          {["", ...families].map((name) => (
            <button class="b chip" aria-pressed={family === name} onClick={() => setFamily(name)}>{name ? t(name) : t("All")}</button>
          ))}
        </div>
      )}
      <p role="status" class="no-game">
        {shown.length === 0 && <>{t("No game is called “{name}”.", { name: wanted })} <button class="b" onClick={() => (setWanted(""), setFamily(""))}>{t("Show all games")}</button></>}
      </p>
      <ul class="cards">
        {shown.map((game) => (
          <Card key={game.name} game={game} note={strength === MIDDLE && !hasMiddle(greeting.levels, game.name) && game.seats > 1 ? t("No middle strength here: the computer plays a little.") : ""} play={() => play(game.name, levelAt(greeting.levels, game.name, strength))} together={() => play(game.name, "human")} learn={() => learn(game.name)} />
        ))}
      </ul>
    </section>
  );
}

/** How far a name is from what is looked for: it is the same, it begins so, or it has it somewhere. */
function closeness(name: string, wanted: string): number {
  return name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
}

/** A game as its card has it: what people call it, a line, a picture where there is one. */
interface Shown {
  name: string;
  title: string;
  line: string;
  picture: string;
  family: string;
  seats: number;
}

/** How well the computer plays that *Play* begins against. */
function Strength({ strength, choose }: { strength: number; choose(strength: number): void }) {
  return (
    <div class="strength" role="group" aria-label={t("How well the computer plays")}>
      <span class="hint">{t("The computer")}</span>
      {STRENGTHS.map((words, i) => (
        <button class="b chip" aria-pressed={strength === i} onClick={() => choose(i)}>{t(words)}</button>
      ))}
    </div>
  );
}

function Card({ game, note, play, together, learn }: { game: Shown; note: string; play(): void; together(): void; learn(): void }) {
  const { name, title, line, picture, seats } = game;
  const address = useMemo(() => picture.startsWith("<") ? `data:image/svg+xml,${encodeURIComponent(picture)}` : picture, [picture]);
  return (
    <li class="game card" data-game={name}>
      <div class="thumb" onClick={play}>
        {address ? <img src={address} alt="" loading="lazy" /> : <span class="letter" aria-hidden="true">{title.charAt(0)}</span>}
      </div>
      <div class="about">
        <h3>{title}</h3>
        <p title={line}>{line}</p>
        {note && <p class="level">{note}</p>}
      </div>
      <div class="row">
        <button class="b soft" aria-label={t("Play {game}", { game: title })} onClick={play}>{t("Play")}</button>
        {seats === 2 && <button class="b" aria-label={t("Two people, {game}", { game: title })} onClick={together}>{t("Two people")}</button>}
        {seats > 2 && <button class="b" aria-label={t("{count} people, {game}", { count: seats, game: title })} onClick={together}>{t("{count} people", { count: seats })}</button>}
        <button class="b" aria-label={t("Learn {game}", { game: title })} onClick={learn}>{t("Learn")}</button>
      </div>
    </li>
  );
}

/** The way back to the game on the board, else to the last that was left open. */
function Resume({ entry, games, back }: { entry: Entry; games: Shown[]; back(): void }) {
  const { table, left } = entry;
  const moves = table ? lineOf(table, table.end).length : 0;
  const under = table && moves > 0 && !table.over;
  const game = under ? { game: table.game, source: table.source, moves, open: null } : left.games[0];
  if (!game) return null;
  const name = game.open ? game.open.game : game.source;
  const title = games.find((known) => known.name === name)?.title ?? gameName(game.game);
  const go = () => (game.open ? void entry.open(game.open, "play") : back());
  return <button class="b soft resume" onClick={go}>{t("Go back to your game of {game}, move {move}", { game: title, move: game.moves })}</button>;
}

/** The games, one's own first, each with what is known of it by now; pictures come a few at a time. */
function useGames(entry: Entry, greeting: Greeting): Shown[] {
  const [, setCount] = useState(0);
  const { own, games } = greeting;
  const names = [...new Set([...own, ...Object.keys(games)])];
  useEffect(() => {
    let here = true;
    const ask = async () => {
      const missing = names.filter((name) => own.includes(name) || !cards.has(name));
      for (let i = 0; here && i < missing.length; i += BATCH) {
        const batch = await entry.service.ask("gallery", { games: missing.slice(i, i + BATCH) });
        for (const card of batch) cards.set(card.game, card);
        if (here) setCount((count) => count + 1);
      }
    };
    ask().catch(() => {}); // a card without a picture is as good
    return () => void (here = false);
  }, [greeting, entry.written]);
  const shown = names.map((name) => {
    const card = cards.get(name);
    const { tell, family } = greeting.headings[name] ?? { tell: "", family: "" };
    return { name, title: t(card?.title || gameName(name, greeting.headings)), line: t(card?.tell || tell || games[name] || ""), picture: card?.picture ?? "", family: card?.family || family, seats: card?.seats ?? 2 };
  });
  return shown.sort((a, b) => Number(own.includes(b.name)) - Number(own.includes(a.name)) || a.title.localeCompare(b.title));
}
