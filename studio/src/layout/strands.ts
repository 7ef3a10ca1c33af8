import { at, nth, real, sign } from './columns.js';
import type { Drawable } from './drawable.js';
import { METRICS } from './metrics.js';
import type { Scene, Scenes } from './scenes.js';

/** The lines of one level: a pair of items, a value that flows between them, and the ends of the line at both. */
export interface Strands {
  readonly count: number;
  readonly pair: Int32Array;
  readonly value: Int32Array;
  readonly startX: Float64Array;
  readonly endX: Float64Array;
}

export function strandsOf(graph: Drawable, scene: Scene, scenes: Scenes, pair: number[], value: number[]): Strands {
  const strands = { count: pair.length, pair: Int32Array.from(pair), value: Int32Array.from(value) };
  const { from, to } = scene.graph.pairs;
  const startX = touches(strands, from, false);
  const endX = touches(strands, to, true);
  return { ...strands, startX, endX };

  function touches({ pair, value }: Pick<Strands, 'pair' | 'value'>, items: Int32Array, isEnd: boolean): Float64Array {
    const places = new Float64Array(pair.length);
    const touching = new Map<number, number[]>();
    pair.forEach((p, strand) => {
      const list = touching.get(at(items, p));
      if (list) list.push(strand);
      else touching.set(at(items, p), [strand]);
    });
    for (const [item, list] of touching) {
      const code = at(scene.graph.codes, item);
      const inner = code < graph.levels.codes.firstEnd ? scenes.get(code) : undefined;
      if (inner) atPorts(graph, scene, inner, list, value, isEnd, places);
      else spread(scene, item, list, pair, isEnd, places);
    }
    return places;
  }
}

/** Edges meet the border of an open module where its inner edges continue. */
function atPorts(
  { levels }: Drawable,
  scene: Scene,
  inner: Scene,
  strands: readonly number[],
  value: Int32Array,
  isEnd: boolean,
  places: Float64Array,
): void {
  const first = isEnd ? levels.codes.firstIn : levels.codes.firstOut;
  for (const strand of strands) {
    const port = inner.graph.placeOf.get(first + at(value, strand)) ?? 0;
    places[strand] = inner.acrossStart + real(inner.x, port) - scene.acrossStart;
  }
}

/** Spreads edges over a box in order of operands or results, around the straight one. */
function spread(
  scene: Scene,
  item: number,
  strands: readonly number[],
  pair: Int32Array,
  isEnd: boolean,
  places: Float64Array,
): void {
  const middle = real(scene.x, item);
  const slots = isEnd ? endSlots(scene, strands, pair) : startSlots(scene, strands, pair);
  const last = slots.reduce((most, slot) => Math.max(most, slot), 0);
  const straight = strands.findIndex((strand) => Math.abs(nextX(scene, at(pair, strand), isEnd) - middle) < 0.5);
  const centre = straight < 0 ? last / 2 : nth(slots, straight);
  const room = Math.min(real(scene.sizes.left, item), real(scene.sizes.right, item)) - METRICS.portMargin;
  const step = Math.min(METRICS.portGap, room / Math.max(1, centre, last - centre));
  strands.forEach((strand, i) => {
    places[strand] = middle + (nth(slots, i) - centre) * step;
  });
}

/** In order from left to right; in operand order where that costs no crossing. */
function endSlots(scene: Scene, strands: readonly number[], pair: Int32Array): number[] {
  const { toSlot } = scene.graph.pairs;
  const from = strands.map((strand) => nextX(scene, at(pair, strand), true));
  const slot = (i: number) => at(toSlot, at(pair, nth(strands, i)));
  const order = strands.map((_, i) => i);
  order.sort((a, b) => compared(nth(from, a), nth(from, b)) || slot(a) - slot(b) || a - b);
  const slots = order.map(() => 0);
  order.forEach((i, place) => {
    slots[i] = place;
  });
  return slots;
}

/** Strands of one value leave a box at one point; different results of a node are ordered by their mean destination. */
function startSlots(scene: Scene, strands: readonly number[], pair: Int32Array): number[] {
  const { fromSlot } = scene.graph.pairs;
  const groups = new Map<number, number[]>();
  for (const strand of strands) {
    const key = at(fromSlot, at(pair, strand));
    const group = groups.get(key);
    if (group) group.push(strand);
    else groups.set(key, [strand]);
  }
  const mean = (group: readonly number[]) =>
    group.reduce((sum, strand) => sum + Math.max(-1e6, Math.min(1e6, nextX(scene, at(pair, strand), false))), 0) /
    group.length;
  const sorted = [...groups.entries()].sort(([a, as], [b, bs]) => mean(as) - mean(bs) || a - b);
  const slotOf = new Map(sorted.flatMap(([, group], slot) => group.map((strand) => [strand, slot] as const)));
  return strands.map((strand) => slotOf.get(strand) ?? 0);
}

const compared = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The next point on a pair's path; far outside for a lane. */
function nextX({ proper, graph, ordering, x }: Scene, pair: number, isEnd: boolean): number {
  const lane = at(proper.laneOf, pair);
  if (lane >= 0) return sign(ordering.side, lane) * Number.MAX_VALUE;
  const [begin, end] = [at(proper.chainStart, pair), at(proper.chainStart, pair + 1)];
  if (begin < end) return real(x, at(proper.chain, isEnd ? end - 1 : begin));
  return real(x, at(isEnd ? graph.pairs.from : graph.pairs.to, pair));
}
