import type { Outline } from '../graph/outline.js';
import type { Modules, PictureOptions } from '../graph/picture.js';
import { at, real, sign } from './columns.js';
import { type Flows, flowsOf } from './folding.js';
import { endLabel, moduleLabel } from './labels.js';
import { SLOTS } from './layered/chains.js';
import { levelGraph, type PortOrder } from './level-graph.js';
import { levelOrderer, type OrderedLevel } from './level-layout.js';
import { type Levels, levelsOf } from './levels.js';
import { memo } from './memo.js';
import { METRICS, moduleWidthOf, widthOf } from './metrics.js';

export type Direction = PictureOptions['direction'];

/** A graph that is ready to be drawn. Levels are put in order when they are first seen, after those around them. */
export interface Drawable {
  readonly outline: Outline;
  readonly modules: Modules;
  readonly flows: Flows;
  readonly levels: Levels;
  readonly direction: Direction;
  /** The pair of each piece in its level, once that is in order. */
  readonly pairOf: Int32Array;
  readonly ordered: (level: number) => OrderedLevel;
  readonly resting: (level: number) => ReturnType<OrderedLevel['resting']>;
}

export function drawable(outline: Outline, modules: Modules, folds: boolean, direction: Direction): Drawable {
  const flows = flowsOf(outline, folds);
  const levels = levelsOf(modules, flows, outline.values.count);
  const pairOf = new Int32Array(levels.level.length).fill(-1);
  const order = levelOrderer();
  const portsOf = memo(Number, (module: number): PortOrder => {
    const graph = levelGraph(levels, flows, module, pairOf);
    return portOrder(order(graph, new Float64Array(graph.count).fill(Number.NaN)), levels);
  });
  const ordered = memo(Number, (level: number): OrderedLevel => {
    const graph = levelGraph(levels, flows, level, pairOf, portsOf);
    const hints = new Float64Array(graph.count).fill(Number.NaN);
    if (level !== levels.top) setHints(level, graph.codes, hints);
    return order(graph, hints);
  });
  const resting = memo(Number, (level: number) => ordered(level).resting(closedAcross(ordered(level).graph.codes)));
  return { outline, modules, flows, levels, direction, pairOf, ordered, resting };

  function closedAcross(codes: Int32Array): Float64Array {
    return Float64Array.from(codes, (code) => across(direction, ...closedSize(code)));
  }

  function closedSize(code: number): [width: number, height: number] {
    if (code >= levels.codes.firstIn) return [0, 0];
    if (code < levels.codes.firstEnd) return [moduleWidthOf(moduleLabel(modules, code)), METRICS.moduleHeight];
    return [widthOf(endLabel(outline, flows, code - levels.codes.firstEnd)), METRICS.nodeHeight];
  }

  /** Ports in the order of what they are joined to in the level around. */
  function setHints(level: number, codes: Int32Array, hints: Float64Array): void {
    const parent = at(modules.parent, level);
    const around = ordered(parent < 0 ? levels.top : parent);
    const { pieces } = levels;
    const counts = new Float64Array(codes.length);
    const place = new Map<number, number>();
    codes.forEach((code, item) => {
      if (code >= levels.codes.firstIn) place.set(code, item);
    });
    for (let i = at(pieces.start, level); i < at(pieces.start, level + 1); i++) {
      const piece = at(pieces.values, i);
      note(at(levels.from, piece), piece - 1, true);
      note(at(levels.to, piece), piece + 1, false);
    }
    codes.forEach((code, item) => {
      if (code < levels.codes.firstIn) return;
      hints[item] = real(hints, item) / real(counts, item);
    });
    rank(hints);

    function note(code: number, outer: number, isIn: boolean): void {
      const item = place.get(code);
      if (item === undefined) return;
      const before = real(counts, item) === 0 ? 0 : real(hints, item);
      hints[item] = before + outerPlace(around, at(pairOf, outer), isIn);
      counts[item] = real(counts, item) + 1;
    }
  }
}

/** As the inside of a module would have it. */
function portOrder({ graph, ordering }: OrderedLevel, { codes }: Levels): PortOrder {
  const ins = new Map<number, number>();
  const outs = new Map<number, number>();
  graph.codes.forEach((code, item) => {
    if (code >= codes.firstOut) outs.set(code - codes.firstOut, at(ordering.place, item));
    else if (code >= codes.firstIn) ins.set(code - codes.firstIn, at(ordering.place, item));
  });
  return { ins, outs };
}

/** Numbers for what there is, in its order. */
function rank(hints: Float64Array): void {
  const items = Array.from(hints.keys()).filter((item) => !Number.isNaN(real(hints, item)));
  items.sort((a, b) => real(hints, a) - real(hints, b) || a - b);
  items.forEach((item, place) => {
    hints[item] = place;
  });
}

/** Where a pair ends next to an item: left or right of everything, or by place and slot. */
function outerPlace({ graph, proper, ordering }: OrderedLevel, pair: number, isIn: boolean): number {
  const lane = at(proper.laneOf, pair);
  if (lane >= 0) return sign(ordering.side, lane) * 2 ** 30;
  const [begin, end] = [at(proper.chainStart, pair), at(proper.chainStart, pair + 1)];
  if (begin < end) return at(ordering.place, at(proper.chain, isIn ? end - 1 : begin));
  const { from, to, fromSlot, toSlot } = graph.pairs;
  return isIn
    ? at(ordering.place, at(from, pair)) + at(fromSlot, pair) / SLOTS
    : at(ordering.place, at(to, pair)) + at(toSlot, pair) / SLOTS;
}

export const across = (direction: Direction, width: number, height: number): number =>
  direction === 'down' ? width : height;
