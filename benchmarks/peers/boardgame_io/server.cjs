// A boardgame.io server for benchmarks/load.py: a game of the size of Drop or Pop! (32 cells in 4
// columns, a column rolled each turn, a connected group of four wins), kept in memory or in files.
// PORT, STORE (memory or flatfile) and FOLDER come from the environment.

const { Server, FlatFile, Origins } = require('boardgame.io/server');

const COLUMNS = 4;
const ROWS = 8;
const TO_WIN = 4;

const neighbours = (cell) => {
  const column = Math.floor(cell / ROWS);
  const row = cell % ROWS;
  const found = [];
  if (row > 0) found.push(cell - 1);
  if (row < ROWS - 1) found.push(cell + 1);
  if (column > 0) found.push(cell - ROWS);
  if (column < COLUMNS - 1) found.push(cell + ROWS);
  return found;
};

const groupOf = (cells, start) => {
  const seen = new Set([start]);
  const waiting = [start];
  while (waiting.length) {
    for (const next of neighbours(waiting.pop())) {
      if (cells[next] === cells[start] && !seen.has(next)) {
        seen.add(next);
        waiting.push(next);
      }
    }
  }
  return seen.size;
};

const game = {
  name: 'peer',
  minPlayers: 2,
  maxPlayers: 4,
  setup: () => ({ cells: Array(COLUMNS * ROWS).fill(null), column: 0 }),
  turn: {
    minMoves: 1,
    maxMoves: 1,
    onBegin: ({ G, random }) => { G.column = random.Die(COLUMNS) - 1; },
  },
  moves: {
    drop: ({ G, playerID }) => {
      const bottom = G.column * ROWS;
      for (let cell = bottom; cell < bottom + ROWS; cell++) {
        if (G.cells[cell] === null) {
          G.cells[cell] = playerID;
          return undefined;
        }
      }
      return 'INVALID_MOVE';
    },
    pop: ({ G }) => {
      const bottom = G.column * ROWS;
      if (G.cells[bottom] === null) return 'INVALID_MOVE';
      for (let cell = bottom; cell < bottom + ROWS - 1; cell++) G.cells[cell] = G.cells[cell + 1];
      G.cells[bottom + ROWS - 1] = null;
      return undefined;
    },
  },
  endIf: ({ G }) => {
    for (let cell = 0; cell < G.cells.length; cell++) {
      if (G.cells[cell] !== null && groupOf(G.cells, cell) >= TO_WIN) {
        return { winner: G.cells[cell] };
      }
    }
    return undefined;
  },
};

// Moves are told before they are stored; what is stored is said here, so that it can be waited for.
class SayingFile extends FlatFile {
  async setState(id, state, deltalog) {
    await super.setState(id, state, deltalog);
    process.stdout.write(`${id} ${state._stateID}\n`);
  }
}

const db = process.env.STORE === 'flatfile' ? new SayingFile({ dir: process.env.FOLDER }) : undefined;
const server = Server({ games: [game], origins: [Origins.LOCALHOST], ...(db && { db }) });
server.run({ port: Number(process.env.PORT), callback: () => console.log('ready') });
