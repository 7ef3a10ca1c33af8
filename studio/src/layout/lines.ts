import { type Boxes, BoxKind, type Edges } from '../graph/picture.js';
import { at, bit, nth } from './columns.js';
import type { Drawable } from './drawable.js';
import { routesOf } from './routes.js';
import type { Scene, Scenes } from './scenes.js';
import { strandsOf } from './strands.js';

/** An edge of the picture, and the strands that make it up. */
interface Line {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  shared: number;
  readonly strands: { readonly level: number; readonly strand: number }[];
}

export function edgesOf(graph: Drawable, scenes: Scenes, boxes: Boxes, boxOf: Int32Array): Edges {
  const drafts = new Map([...scenes].map(([level, scene]) => [level, strandDraft(graph, scene)]));
  const lines = linesOf(graph, boxes, visibleBoxes(graph, boxOf), drafts);
  const routes = new Map<number, number[][]>();
  for (const [level, { pair, value }] of drafts) {
    const scene = scenes.get(level) as Scene;
    routes.set(level, routesOf(scene, strandsOf(graph, scene, scenes, pair, value)));
  }
  const start = new Int32Array(lines.length + 1);
  const corners: number[] = [];
  lines.forEach(({ strands }, i) => {
    const begin = corners.length;
    for (const { level, strand } of strands) {
      const { acrossStart, alongStart } = scenes.get(level) as Scene;
      const route = routes.get(level)?.[strand] ?? [];
      for (let k = 0; k < route.length; k += 2)
        addCorner(corners, begin, acrossStart + nth(route, k), alongStart + nth(route, k + 1));
    }
    start[i + 1] = corners.length / 2;
  });
  return {
    count: lines.length,
    from: Int32Array.from(lines, ({ from }) => from),
    to: Int32Array.from(lines, ({ to }) => to),
    value: Int32Array.from(lines, ({ value }) => value),
    shared: Int32Array.from(lines, ({ shared }) => shared),
    start,
    corners: graph.direction === 'down' ? Float32Array.from(corners) : swapped(corners),
  };
}

/** The box of each end, or that of its outermost closed module. */
function visibleBoxes({ modules, flows, levels }: Drawable, boxOf: Int32Array): Int32Array {
  const ofModule = new Int32Array(modules.count);
  for (let m = 0; m < modules.count; m++) {
    const own = at(boxOf, m);
    ofModule[m] = own >= 0 || at(modules.parent, m) < 0 ? own : at(ofModule, at(modules.parent, m));
  }
  return Int32Array.from({ length: flows.ends }, (_, end) => {
    const own = at(boxOf, levels.codes.firstEnd + end);
    const module = end < flows.firstInput ? at(modules.ofNode, end) : -1;
    return own >= 0 || module < 0 ? own : at(ofModule, module);
  });
}

/** Edges at closed modules represent all flows between the same two boxes. */
function linesOf(
  { flows, levels }: Drawable,
  boxes: Boxes,
  boxOfEnd: Int32Array,
  drafts: ReadonlyMap<number, StrandDraft>,
): Line[] {
  const lines: Line[] = [];
  const known = new Map<number, Line[]>();
  const isClosed = (box: number) => bit(boxes.kind, box) === BoxKind.module;
  for (let f = 0; f < flows.count; f++) {
    const [from, to] = [at(boxOfEnd, at(flows.from, f)), at(boxOfEnd, at(flows.to, f))];
    if (from === to && isClosed(from)) continue;
    const value = at(flows.value, f);
    const key = from * boxes.count + to;
    const between = known.get(key) ?? [];
    const same = isClosed(from) || isClosed(to) ? between[0] : between.find((line) => line.value === value);
    if (same) {
      same.shared++;
      continue;
    }
    const line: Line = { from, to, value, shared: 1, strands: [] };
    lines.push(line);
    between.push(line);
    known.set(key, between);
    for (let piece = at(levels.pieceStart, f); piece < at(levels.pieceStart, f + 1); piece++) {
      const level = at(levels.level, piece);
      const strand = drafts.get(level)?.strand(piece, value);
      if (strand !== undefined) line.strands.push({ level, strand });
    }
  }
  return lines;
}

interface StrandDraft {
  readonly pair: number[];
  readonly value: number[];
  /** The strand of a piece that carries a value. */
  strand(piece: number, value: number): number;
}

function strandDraft({ pairOf }: Drawable, scene: Scene): StrandDraft {
  const draft = { pair: [] as number[], value: [] as number[] };
  const known = new Map<number, number>();
  const strand = (piece: number, value: number) => {
    const pair = at(pairOf, piece);
    const key = value * scene.graph.pairs.count + pair;
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, draft.pair.length);
    draft.value.push(value);
    return draft.pair.push(pair) - 1;
  };
  return { ...draft, strand };
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.01;

/** Skips points on a straight line between their neighbours. */
function addCorner(all: number[], begin: number, x: number, y: number): void {
  const last = all.length - 2;
  if (last >= begin && near(nth(all, last), x) && near(nth(all, last + 1), y)) return;
  const isUpright = last - 2 >= begin && near(nth(all, last - 2), nth(all, last)) && near(nth(all, last), x);
  const isLevel = last - 2 >= begin && near(nth(all, last - 1), nth(all, last + 1)) && near(nth(all, last + 1), y);
  const goesOn = (axis: number, next: number) =>
    (nth(all, last + axis) - nth(all, last - 2 + axis)) * (next - nth(all, last + axis)) >= 0;
  if ((isUpright && goesOn(1, y)) || (isLevel && goesOn(0, x))) all.length = last;
  all.push(x, y);
}

function swapped(corners: readonly number[]): Float32Array {
  return Float32Array.from(corners, (_, i) => nth(corners, i ^ 1));
}
