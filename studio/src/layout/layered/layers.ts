import { at, listsBy } from '../columns.js';

export interface Dag {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** -1: in the first layer, 1: in the last. */
  readonly side: Int8Array;
}

/** The layer of each item: by the longest way to it, and sources pulled down to what reads them. */
export function layersOf(dag: Dag): Int32Array {
  const { count, from, to, side } = dag;
  const outs = listsBy(count, from, to);
  const ins = listsBy(count, to, from);
  const order = topological(count, ins, outs);
  const layer = new Int32Array(count);
  const lowest = side.includes(-1) ? 1 : 0;
  for (const item of order) {
    let least = at(side, item) < 0 ? 0 : lowest;
    forEach(ins, item, (a) => {
      least = Math.max(least, at(layer, a) + 1);
    });
    layer[item] = least;
  }
  const last = layer.reduce((most, l) => Math.max(most, l), 0) + 1;
  const isBranch = sideBranches(order, ins, outs);
  for (let i = count - 1; i >= 0; i--) {
    const item = at(order, i);
    if (at(side, item) !== 0) continue;
    let room = Number.POSITIVE_INFINITY;
    let pull = 0;
    forEach(outs, item, (b) => {
      if (at(side, b) > 0) return;
      room = Math.min(room, at(layer, b) - 1 - at(layer, item));
      pull++;
    });
    forEach(ins, item, (a) => {
      if (!isBranch[a]) pull--;
    });
    if (pull > 0 && Number.isFinite(room)) layer[item]! += room;
  }
  let deepest = 0;
  for (let i = 0; i < count; i++) if (at(side, i) <= 0) deepest = Math.max(deepest, at(layer, i) + 1);
  for (let i = 0; i < count; i++) if (at(side, i) > 0) layer[i] = Math.min(last, deepest);
  return layer;
}

/** Items that only lead, over others that do, to one place. */
function sideBranches(
  order: Int32Array,
  ins: ReturnType<typeof listsBy>,
  outs: ReturnType<typeof listsBy>,
): Uint8Array {
  const isBranch = new Uint8Array(order.length);
  for (const item of order) {
    let only = at(outs.start, item + 1) - at(outs.start, item) === 1;
    forEach(ins, item, (a) => {
      if (!isBranch[a]) only = false;
    });
    isBranch[item] = only ? 1 : 0;
  }
  return isBranch;
}

export function topological(
  count: number,
  ins: ReturnType<typeof listsBy>,
  outs: ReturnType<typeof listsBy>,
): Int32Array {
  const order = new Int32Array(count);
  const waits = new Int32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    waits[i] = at(ins.start, i + 1) - at(ins.start, i);
    if (waits[i] === 0) order[length++] = i;
  }
  for (let i = 0; i < length; i++)
    forEach(outs, at(order, i), (b) => {
      if (--waits[b]! === 0) order[length++] = b;
    });
  return order;
}

export function forEach(lists: ReturnType<typeof listsBy>, key: number, visit: (value: number) => void): void {
  for (let i = at(lists.start, key); i < at(lists.start, key + 1); i++) visit(at(lists.values, i));
}
