import { at, forEach, type Lists, lengthOf, listsBy, sign } from '../columns.js';

export interface Dag {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** -1: in the first layer, 1: in the last, which hold nothing else. */
  readonly side: Int8Array;
}

/** The layer of each item: by the longest path to it, then as far down as this shortens edges. */
export function layersOf(dag: Dag): Int32Array {
  const { count, from, to, side } = dag;
  const outs = listsBy(count, from, to);
  const ins = listsBy(count, to, from);
  const order = topological(count, ins, outs);
  const layer = longestWays(dag, order, ins);
  const isBranch = sideBranches(order, ins, outs);
  for (let i = count - 1; i >= 0; i--)
    if (sign(side, at(order, i)) === 0) pullDown(at(order, i), layer, dag, ins, outs, isBranch);
  const last = layer.reduce((most, l, item) => (sign(side, item) <= 0 ? Math.max(most, l + 1) : most), 0);
  for (let item = 0; item < count; item++) if (sign(side, item) > 0) layer[item] = last;
  return layer;
}

function longestWays({ count, side }: Dag, order: Int32Array, ins: Lists): Int32Array {
  const layer = new Int32Array(count);
  const least = side.includes(-1) ? 1 : 0;
  for (const item of order) {
    let lowest = sign(side, item) < 0 ? 0 : least;
    forEach(ins, item, (a) => {
      lowest = Math.max(lowest, at(layer, a) + 1);
    });
    layer[item] = lowest;
  }
  return layer;
}

/** Moves an item with more readers than sources right above its first reader; side branches don't count as sources. */
function pullDown(item: number, layer: Int32Array, { side }: Dag, ins: Lists, outs: Lists, isBranch: Uint8Array): void {
  let room = Number.POSITIVE_INFINITY;
  let pull = 0;
  forEach(outs, item, (b) => {
    if (sign(side, b) > 0) return;
    room = Math.min(room, at(layer, b) - 1 - at(layer, item));
    pull++;
  });
  forEach(ins, item, (a) => {
    if (!isBranch[a]) pull--;
  });
  if (pull > 0 && room > 0) layer[item] = at(layer, item) + room;
}

/** Items with a single reader whose sources, if any, are side branches too. */
function sideBranches(order: Int32Array, ins: Lists, outs: Lists): Uint8Array {
  const isBranch = new Uint8Array(order.length);
  for (const item of order) {
    let is = lengthOf(outs, item) === 1;
    forEach(ins, item, (a) => {
      if (!isBranch[a]) is = false;
    });
    isBranch[item] = is ? 1 : 0;
  }
  return isBranch;
}

/** Cyclic items would be missing at the end, but there are no cycles here. */
function topological(count: number, ins: Lists, outs: Lists): Int32Array {
  const order = new Int32Array(count);
  const waits = Int32Array.from({ length: count }, (_, item) => lengthOf(ins, item));
  let length = 0;
  for (let item = 0; item < count; item++) if (at(waits, item) === 0) order[length++] = item;
  for (let i = 0; i < length; i++)
    forEach(outs, at(order, i), (b) => {
      waits[b] = at(waits, b) - 1;
      if (at(waits, b) === 0) order[length++] = b;
    });
  return order;
}
