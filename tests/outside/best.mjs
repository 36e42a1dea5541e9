// Asks an engine for decisions: node best.mjs GAME.mjs NODES GAMES, where GAMES is a JSON list of lists of moves.
const [, , file, nodes, games] = process.argv;
const { load } = await import(file);
const game = await load();
for (const moves of JSON.parse(games)) {
  game.start();
  for (const move of moves) game.play(move);
  console.log(JSON.stringify(game.best({ nodes: Number(nodes) })));
}
