import type { Outline } from '../graph/outline.js';
import type { Modules, PictureOptions } from '../graph/picture.js';
import { at } from './columns.js';
import { type Flows, flowsOf } from './folding.js';
import { endLabel, endLines, moduleLabel } from './labels.js';
import { levelGraph, type PortOrder } from './level-graph.js';
import { levelOrderer, type OrderedLevel } from './level-layout.js';
import { type Levels, levelsOf } from './levels.js';
import { memo } from './memo.js';
import { METRICS, moduleWidthOf, nodeSizeOf } from './metrics.js';
import { portHints, portOrder } from './port-hints.js';

export type Direction = PictureOptions['direction'];

/** A graph that is ready to be drawn. Levels are ordered when first seen, after the levels around them. */
export interface Drawable {
  readonly outline: Outline;
  readonly modules: Modules;
  readonly flows: Flows;
  readonly levels: Levels;
  readonly direction: Direction;
  /** The text below each node's operator, one line each; empty if there are none. */
  readonly lines: readonly string[];
  /** The pair of each piece in its level, once the level is ordered. */
  readonly pairOf: Int32Array;
  readonly ordered: (level: number) => OrderedLevel;
  readonly resting: (level: number) => ReturnType<OrderedLevel['resting']>;
}

export function drawable(
  outline: Outline,
  modules: Modules,
  folds: boolean,
  direction: Direction,
  lines: readonly string[] = [],
): Drawable {
  const flows = flowsOf(outline, folds);
  const levels = levelsOf(modules, flows, outline.values.count);
  const pairOf = new Int32Array(levels.level.length).fill(-1);
  const ordered = levelsInOrder(modules, flows, levels, pairOf);
  const across = (code: number) => closedAcross(outline, modules, flows, levels, direction, lines, code);
  const resting = memo(Number, (level: number) =>
    ordered(level).resting(Float64Array.from(ordered(level).graph.codes, across)),
  );
  return { outline, modules, flows, levels, direction, lines, pairOf, ordered, resting };
}

/** A module's inside first suggests an order for its ports; the level around considers it, and then decides. */
function levelsInOrder(modules: Modules, flows: Flows, levels: Levels, pairOf: Int32Array) {
  const order = levelOrderer();
  const free = (count: number) => new Float64Array(count).fill(Number.NaN);
  const portsOf = memo(Number, (module: number): PortOrder => {
    const graph = levelGraph(levels, flows, module, pairOf);
    return portOrder(order(graph, free(graph.count)), levels);
  });
  const ordered = memo(Number, (level: number): OrderedLevel => {
    const graph = levelGraph(levels, flows, level, pairOf, portsOf);
    if (level === levels.top) return order(graph, free(graph.count));
    const parent = at(modules.parent, level);
    return order(graph, portHints(levels, graph, ordered(parent < 0 ? levels.top : parent), pairOf));
  });
  return ordered;
}

/** The size of an item across the flow, with modules closed. */
function closedAcross(
  outline: Outline,
  modules: Modules,
  flows: Flows,
  { codes }: Levels,
  direction: Direction,
  lines: readonly string[],
  code: number,
): number {
  if (code >= codes.firstIn) return 0;
  if (code < codes.firstEnd) return across(direction, moduleWidthOf(moduleLabel(modules, code)), METRICS.moduleHeight);
  const end = code - codes.firstEnd;
  const { width, height } = nodeSizeOf(endLabel(outline, flows, end), endLines(lines, flows, end));
  return across(direction, width, height);
}

export const across = (direction: Direction, width: number, height: number): number =>
  direction === 'down' ? width : height;
