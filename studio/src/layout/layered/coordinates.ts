import { at, type Lists, listsBy } from '../columns.js';
import { METRICS } from '../metrics.js';
import { blocksOf } from './blocks.js';
import type { Proper } from './chains.js';
import type { Rows } from './order.js';

const ROUNDS = 8;

/** Where each vertex stands across its layer: its middle. `half` is half of what it takes; joints take none. */
export function coordinates(graph: Proper, rows: Rows, half: Float64Array): Float64Array {
  const { count, blockOf } = blocksOf(graph, rows);
  const gaps = gapsOf(graph, rows, half, blockOf);
  const left = packed(count, gaps);
  const near = neighbours(graph, blockOf, count);
  const x = left.slice();
  const order = Array.from({ length: count }, (_, b) => b).sort((a, b) => at(left, a) - at(left, b) || a - b);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = count - 1; i >= 0; i--) settle(at(order, i));
    for (let i = 0; i < count; i++) settle(at(order, i));
  }
  return Float64Array.from({ length: graph.count }, (_, v) => at(x, at(blockOf, v)));

  function settle(block: number): void {
    const wanted = median(block);
    if (Number.isNaN(wanted)) return;
    let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let i = at(gaps.ofRight.start, block); i < at(gaps.ofRight.start, block + 1); i++) {
      const gap = at(gaps.ofRight.values, i);
      least = Math.max(least, at(x, at(gaps.left, gap)) + at(gaps.size, gap));
    }
    for (let i = at(gaps.ofLeft.start, block); i < at(gaps.ofLeft.start, block + 1); i++) {
      const gap = at(gaps.ofLeft.values, i);
      most = Math.min(most, at(x, at(gaps.right, gap)) - at(gaps.size, gap));
    }
    x[block] = Math.max(least, Math.min(most, wanted));
  }

  function median(block: number): number {
    const places: number[] = [];
    for (let i = at(near.start, block); i < at(near.start, block + 1); i++) places.push(at(x, at(near.values, i)));
    if (places.length === 0) return Number.NaN;
    places.sort((a, b) => a - b);
    const middle = places.length >> 1;
    return places.length % 2 ? at(places, middle) : (at(places, middle - 1) + at(places, middle)) / 2;
  }
}

/** Between neighbours of a layer: the least distance of the blocks they are in. */
interface Gaps {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly size: Float64Array;
  readonly ofLeft: Lists;
  readonly ofRight: Lists;
}

function gapsOf(graph: Proper, rows: Rows, half: Float64Array, blockOf: Int32Array): Gaps {
  const left: number[] = [];
  const right: number[] = [];
  const size: number[] = [];
  for (const row of rows)
    for (let i = 0; i + 1 < row.length; i++) {
      const [a, b] = [at(row, i), at(row, i + 1)];
      left.push(at(blockOf, a));
      right.push(at(blockOf, b));
      const isBoxed = a < graph.items && b < graph.items;
      size.push(at(half, a) + at(half, b) + (isBoxed ? METRICS.boxGap : METRICS.lineGap));
    }
  const blocks = blockOf.reduce((most, b) => Math.max(most, b + 1), 0);
  const columns = { left: Int32Array.from(left), right: Int32Array.from(right), size: Float64Array.from(size) };
  return { ...columns, ofLeft: listsBy(blocks, left, undefined), ofRight: listsBy(blocks, right, undefined) };
}

/** All blocks as far left as they go. */
function packed(count: number, gaps: Gaps): Float64Array {
  const x = new Float64Array(count);
  const waits = new Int32Array(count);
  for (const block of gaps.right) waits[block]!++;
  const ready: number[] = [];
  for (let b = 0; b < count; b++) if (waits[b] === 0) ready.push(b);
  for (let block = ready.pop(); block !== undefined; block = ready.pop())
    for (let i = at(gaps.ofLeft.start, block); i < at(gaps.ofLeft.start, block + 1); i++) {
      const gap = at(gaps.ofLeft.values, i);
      const next = at(gaps.right, gap);
      x[next] = Math.max(at(x, next), at(x, block) + at(gaps.size, gap));
      if (--waits[next]! === 0) ready.push(next);
    }
  return x;
}

/** Blocks that segments join. */
function neighbours(graph: Proper, blockOf: Int32Array, count: number): Lists {
  const keys: number[] = [];
  const values: number[] = [];
  for (let s = 0; s < graph.up.length; s++) {
    const [a, b] = [at(blockOf, at(graph.up, s)), at(blockOf, at(graph.down, s))];
    if (a === b) continue;
    keys.push(a, b);
    values.push(b, a);
  }
  return listsBy(count, keys, values);
}
