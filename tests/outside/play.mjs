// Plays random games through an engine: node play.mjs GAME.mjs GAMES SEED. One JSON line for each game.
const [, , file, games, seed] = process.argv;
const { load } = await import(file);
const game = await load();

let state = BigInt(seed);
function chance(most) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(most));
}

for (let i = 0; i < Number(games); i++) {
  game.start();
  const plies = [];
  while (game.result === null && plies.length < 400) {
    const moves = game.moves();
    const played = moves[chance(moves.length)];
    const likely = game.probabilities.map(({ probability }) => probability);
    plies.push({ mover: game.mover, moves, likely, played });
    game.play(played);
    if (chance(8) === 0) { // back and forth: the same decisions are there again
      game.undo();
      if (game.moves().join() !== moves.join()) throw new Error("undo went elsewhere");
      game.play(played);
    }
  }
  const places = game.places?.map(({ place }) => place);
  console.log(JSON.stringify({ plies, result: game.result, places, pieces: game.pieces.length }));
}
game.start();
const atStart = {
  perft: [0, 1, 2].map((depth) => game.perft(depth)), playouts: game.playouts(20, 5), moves: game.moves(),
};
let unknown = "";
try { game.play("nowhere"); } catch (error) { unknown = error.name; }
for (let number = 0; game.byChance; number++) game.roll(number);
console.log(JSON.stringify({
  ...atStart,
  best: game.best({ nodes: 500 }),
  again: game.best({ nodes: 500 }),
  timed: game.best({ ms: 20 }).move,
  unknown,
  choices: game.moves(),
}));
