// Random matches of Connect Four by boardgame.io's headless client, for benchmarks/peers/run.py.
// For every line on the input, a number of seconds, it prints the moves per second
// of this process's time.

const { Client } = require('boardgame.io/client');
const { INVALID_MOVE } = require('boardgame.io/core');
const readline = require('node:readline');

const COLUMNS = 7;
const ROWS = 6;
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

const owner = (cells, column, row) =>
  column >= 0 && column < COLUMNS && row >= 0 && row < ROWS ? cells[column * ROWS + row] : null;

const wins = (cells, column, row) => {
  const player = owner(cells, column, row);
  return DIRECTIONS.some(([dc, dr]) => {
    let length = 1;
    for (const sign of [1, -1]) {
      let steps = 1;
      while (owner(cells, column + sign * steps * dc, row + sign * steps * dr) === player) {
        steps += 1;
        length += 1;
      }
    }
    return length >= 4;
  });
};

const game = {
  setup: () => ({ cells: Array(COLUMNS * ROWS).fill(null), heights: Array(COLUMNS).fill(0), won: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      const row = G.heights[column];
      if (row === ROWS) return INVALID_MOVE;
      G.cells[column * ROWS + row] = playerID;
      G.heights[column] += 1;
      if (wins(G.cells, column, row)) G.won = playerID;
      return undefined;
    },
  },
  endIf: ({ G }) => {
    if (G.won !== null) return { winner: G.won };
    return G.heights.every((height) => height === ROWS) ? { draw: true } : undefined;
  },
};

const play = () => {
  const client = Client({ game, debug: false });
  client.start();
  let made = 0;
  let state = client.getState();
  while (!state.ctx.gameover) {
    const open = [];
    for (let column = 0; column < COLUMNS; column++) {
      if (state.G.heights[column] < ROWS) open.push(column);
    }
    client.moves.drop(open[Math.floor(Math.random() * open.length)]);
    state = client.getState();
    made += 1;
  }
  client.stop();
  return made;
};

play();
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const seconds = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
  const start = seconds();
  let moves = 0;
  while (seconds() - start < Number(line)) moves += play();
  console.log(moves / (seconds() - start));
});
