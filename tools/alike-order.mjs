// Orders pieces of bytes so that each comes behind what it is most like: gzip, which sees 32 kB back, then finds what they share.

const WINDOW = 30_000;
/** Bytes that must be alike, one after the other: 4 and 12 win less. */
const RUN = 8;

/** Hashes of all runs in a piece. */
function runsOf({ bytes }) {
  const runs = new Int32Array(Math.max(0, bytes.length - RUN + 1));
  for (let i = 0; i < runs.length; i++)
    for (let j = i; j < i + RUN; j++) runs[i] = Math.imul(runs[i], 31) + bytes[j] + 1;
  return runs;
}

/** The runs that lie in reach behind all `placed`. */
function inReach(placed) {
  const reached = new Set();
  let room = WINDOW;
  for (const runs of placed.toReversed()) {
    if (room <= 0) break;
    for (const run of runs.subarray(-room)) reached.add(run);
    room -= runs.length + RUN - 1;
  }
  return reached;
}

const likeness = (runs, reached) => runs.reduce((sum, run) => sum + (reached.has(run) ? 1 : 0), 0) / (runs.length + 1);

/** The first of those of which `of` is the largest. */
function most(items, of) {
  const values = items.map(of);
  return items[values.indexOf(Math.max(...values))];
}

/** Pieces `{ bytes }`, group by group in the order in which groups begin: of those left always the one that is most of what lies in reach. */
export function alikeOrder(pieces, groupOf = () => '') {
  const runs = new Map(pieces.map((piece) => [piece, runsOf(piece)]));
  const order = [];
  for (const group of new Set(pieces.map(groupOf))) {
    const left = new Set(pieces.filter((piece) => groupOf(piece) === group));
    while (left.size > 0) {
      const reached = inReach(order.map((piece) => runs.get(piece)));
      const next = most([...left], (piece) => likeness(runs.get(piece), reached));
      left.delete(next);
      order.push(next);
    }
  }
  return order;
}
