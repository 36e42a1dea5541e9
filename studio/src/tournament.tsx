// A tournament of several players, watched as a table.

import { useEffect, useState } from "preact/hooks";

import type { Desk } from "./desk";
import { MatchGames, SaveGames } from "./games";
import { useKept } from "./keep";
import { translate, t } from "./language";
import type { Measured } from "./messages";

export function Tournament({ desk, names }: { desk: Desk; names: string[] }) {
  const [players, setPlayers] = useState<string[]>([]);
  const [games, setGames] = useState(4);
  const [nodes, setNodes] = useState(500);
  const [gauntlet, setGauntlet] = useState(false);
  const [measured, setMeasured] = useKept<Measured | null>(`tournament ${desk.table.source}`, null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setPlayers(names.slice(0, 4));
  }, [desk.table.source, names.join()]);
  const start = async () => {
    setBusy(true);
    setMeasured(null);
    const result = await desk.act("tournament", { players, games, nodes, seconds: null, gauntlet }, setMeasured);
    if (result) setMeasured(result);
    setBusy(false);
  };
  return (
    <div class="tournament">
      <fieldset class="row">
        <legend>{t("players")}</legend>
        {names.map((name) => (
          <label>
            <input type="checkbox" checked={players.includes(name)} onChange={(e) => setPlayers(e.currentTarget.checked ? [...players, name] : players.filter((player) => player !== name))} />
            {name}
          </label>
        ))}
      </fieldset>
      <p class="row">
        <label>{t("games of each pairing")} <input type="number" min="2" step="2" value={games} onInput={(e) => setGames(e.currentTarget.valueAsNumber)} /></label>
        <label>{t("nodes a decision")} <input type="number" min="1" value={nodes} onInput={(e) => setNodes(e.currentTarget.valueAsNumber)} /></label>
        <label title={t("else everybody meets everybody")}><input type="checkbox" checked={gauntlet} onChange={(e) => setGauntlet(e.currentTarget.checked)} /> {t("only {player} against all others", { player: players[0] ?? t("the first") })}</label>
      </p>
      <p class="row">
        <button class="b soft" disabled={desk.busy || players.length < 3} title={players.length < 3 ? t("three players at least; two meet in a match, above") : ""} onClick={() => void start()}>{t("Play the tournament")}</button>
        <button class="b" disabled={!busy} onClick={() => void desk.act("stop", { behind: true })}>{t("Stop")}</button>
        {busy && <span>{measured ? t("{count} of {all} games", { count: measured.played, all: measured.goal }) : t("the first games are being played")}</span>}
      </p>
      {measured && (
        <>
          <progress max={measured.goal} value={measured.played} aria-label={t("games of the tournament played")} />
          {measured.table.length > 0 && <Table rows={measured.table} />}
          <ul class="summary">{measured.lines.map((line) => <li>{translate(line)}</li>)}</ul>
          <SaveGames measured={measured} name={`${desk.table.game}-tournament.jsonl`} />
          <MatchGames desk={desk} games={measured.games} />
        </>
      )}
    </div>
  );
}

function Table({ rows }: { rows: string[][] }) {
  const [head, ...rest] = rows;
  return (
    <div class="wide" tabindex={0} role="region" aria-label={t("table of the tournament")}>
      <table class="cross">
        <thead><tr>{head!.map((cell, i) => <th>{translate(cell) || (i === 0 ? t("player") : "")}</th>)}</tr></thead>
        <tbody>{rest.map((row) => <tr>{row.map((cell, i) => (i === 0 ? <th>{cell}</th> : <td class="number">{cell}</td>))}</tr>)}</tbody>
      </table>
    </div>
  );
}
