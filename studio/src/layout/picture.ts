import type { Outline } from '../graph/outline.js';
import { type Boxes, BoxKind, type Edges, type Modules, type Picture, type PictureOptions } from '../graph/picture.js';
import { at } from './columns.js';
import { type Flows, flowsOf } from './folding.js';
import { endLabel, moduleLabel, valueOfEnd } from './labels.js';
import { levelGraph } from './level-graph.js';
import { type OrderedLevel, orderLevel, type PlacedLevel, placeLevel, type Sizes } from './level-layout.js';
import { type Levels, levelsOf } from './levels.js';
import { METRICS, moduleWidthOf, widthOf } from './metrics.js';
import { type Strand, strandCorners } from './strands.js';

/** A graph that is ready to be drawn: levels are put in order once, when they are first seen. */
export interface Drawable {
  readonly outline: Outline;
  readonly modules: Modules;
  readonly flows: Flows;
  readonly levels: Levels;
  readonly ordered: Map<number, OrderedLevel>;
}

export function drawable(outline: Outline, modules: Modules, folds: boolean): Drawable {
  const flows = flowsOf(outline, folds);
  const levels = levelsOf(modules, flows, outline.values.count);
  return { outline, modules, flows, levels, ordered: new Map() };
}

type Direction = PictureOptions['direction'];

/** A level in its place: what lies in it starts at x, y. */
interface Scene extends PlacedLevel {
  x0: number;
  y0: number;
}

export function pictureOf(graph: Drawable, { opened, direction }: Omit<PictureOptions, 'folds'>): Picture {
  const open = visibleLevels(graph, opened);
  const scenes = new Map<number, Scene>();
  for (let i = open.length - 1; i >= 0; i--) {
    const level = at(open, i);
    const ordered = graph.ordered.get(level) ?? orderLevel(levelGraph(graph.levels, level), graph.flows);
    graph.ordered.set(level, ordered);
    scenes.set(level, { ...placeLevel(ordered, sizesOf(graph, ordered, scenes, direction)), x0: 0, y0: 0 });
  }
  const boxOf = new Int32Array(graph.levels.codes.firstIn).fill(-1);
  const boxes = placeBoxes(graph, open, scenes, boxOf, direction);
  const edges = drawEdges(graph, scenes, boxOf, boxes, direction);
  const top = scenes.get(graph.modules.count) as Scene;
  const across = top.across + 2 * METRICS.padding;
  const along = top.along + 2 * METRICS.padding;
  const [width, height] = direction === 'down' ? [across, along] : [along, across];
  return { width, height, boxes, edges };
}

/** The top, then the opened modules whose outer modules are open too, outer ones first. */
function visibleLevels({ modules, levels }: Drawable, opened: readonly number[]): number[] {
  const isOpen = new Uint8Array(modules.count);
  for (const module of opened) if (module >= 0 && module < modules.count) isOpen[module] = 1;
  const visible = [modules.count];
  for (let module = 0; module < modules.count; module++) {
    const parent = at(modules.parent, module);
    if (parent >= 0 && !isOpen[parent]) isOpen[module] = 0;
    const isEmpty = at(levels.members.start, module) === at(levels.members.start, module + 1);
    if (isOpen[module] && !isEmpty) visible.push(module);
  }
  return visible;
}

/** What an open module has around its inside, before it and in all: along the flow and across. */
function insets({ graph }: OrderedLevel, direction: Direction) {
  const { padding, header } = METRICS;
  const before = graph.side.includes(-1) ? 0 : padding;
  const after = graph.side.includes(1) ? 0 : padding;
  if (direction === 'down')
    return { alongBefore: header + before, along: header + before + after, acrossBefore: padding, across: 2 * padding };
  return { alongBefore: before, along: before + after, acrossBefore: header + padding, across: header + 2 * padding };
}

function sizesOf(
  { outline, modules, flows, levels }: Drawable,
  level: OrderedLevel,
  scenes: ReadonlyMap<number, Scene>,
  direction: Direction,
): Sizes {
  const { codes, count } = level.graph;
  const sizes = { across: new Float64Array(count), along: new Float64Array(count) };
  const set = (item: number, width: number, height: number) => {
    sizes.across[item] = direction === 'down' ? width : height;
    sizes.along[item] = direction === 'down' ? height : width;
  };
  codes.forEach((code, item) => {
    if (code >= levels.codes.firstIn) return;
    if (code >= levels.codes.firstEnd) {
      set(item, widthOf(endLabel(outline, flows, code - levels.codes.firstEnd)), METRICS.nodeHeight);
      return;
    }
    const title = moduleWidthOf(moduleLabel(modules, code));
    const inner = scenes.get(code);
    if (!inner) {
      set(item, title, METRICS.moduleHeight);
      return;
    }
    const around = insets(inner, direction);
    sizes.across[item] = inner.across + around.across;
    sizes.along[item] = inner.along + around.along;
    const [column] = direction === 'down' ? [sizes.across] : [sizes.along];
    column[item] = Math.max(at(column, item), title);
  });
  return sizes;
}

function placeBoxes(
  graph: Drawable,
  open: readonly number[],
  scenes: ReadonlyMap<number, Scene>,
  boxOf: Int32Array,
  direction: Direction,
): Boxes {
  const { outline, modules, flows, levels } = graph;
  const x: number[] = [];
  const y: number[] = [];
  const width: number[] = [];
  const height: number[] = [];
  const kind: number[] = [];
  const subject: number[] = [];
  const parent: number[] = [];
  for (const level of open) {
    const scene = scenes.get(level) as Scene;
    const isTop = level === modules.count;
    if (isTop) [scene.x0, scene.y0] = [METRICS.padding, METRICS.padding];
    const sizes = sizesOf(graph, scene, scenes, direction);
    scene.graph.codes.forEach((code, item) => {
      if (code >= levels.codes.firstIn) return;
      const [across, along] = [at(sizes.across, item), at(sizes.along, item)];
      const left = scene.x0 + at(scene.x, item) - across / 2;
      const top = scene.y0 + at(scene.y, item);
      const box = x.push(direction === 'down' ? left : top) - 1;
      boxOf[code] = box;
      y.push(direction === 'down' ? top : left);
      width.push(direction === 'down' ? across : along);
      height.push(direction === 'down' ? along : across);
      parent.push(isTop ? -1 : at(boxOf, level));
      const [what, of] = described(code);
      kind.push(what);
      subject.push(of);
      const inner = code < levels.codes.firstEnd ? scenes.get(code) : undefined;
      if (!inner) return;
      const around = insets(inner, direction);
      inner.x0 = left + around.acrossBefore + (across - around.across - inner.across) / 2;
      inner.y0 = top + around.alongBefore + (along - around.along - inner.along) / 2;
    });
  }
  return {
    count: x.length,
    ...{ x: Float32Array.from(x), y: Float32Array.from(y) },
    ...{ width: Float32Array.from(width), height: Float32Array.from(height) },
    ...{ kind: Uint8Array.from(kind), subject: Int32Array.from(subject), parent: Int32Array.from(parent) },
  };

  function described(code: number): [kind: number, subject: number] {
    if (code < levels.codes.firstEnd) return [scenes.has(code) ? BoxKind.openModule : BoxKind.module, code];
    const end = code - levels.codes.firstEnd;
    if (end < flows.firstInput) return [BoxKind.node, end];
    return [end < flows.firstOutput ? BoxKind.input : BoxKind.output, valueOfEnd(outline, flows, end)];
  }
}

interface Line {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  shared: number;
  /** Strands by level, along the line. */
  readonly pieces: { readonly level: number; readonly strand: number }[];
}

function drawEdges(
  graph: Drawable,
  scenes: ReadonlyMap<number, Scene>,
  boxOf: Int32Array,
  boxes: Boxes,
  direction: Direction,
): Edges {
  const { modules, flows, levels } = graph;
  const lines = new Map<string, Line>();
  const drafts = new Map<number, Draft>();
  for (const [level, scene] of scenes) drafts.set(level, newDraft(graph, level, scene));
  for (let f = 0; f < flows.count; f++) {
    const [from, to] = [visibleBox(at(flows.from, f)), visibleBox(at(flows.to, f))];
    if (from < 0 || to < 0 || (from === to && at(boxes.kind, from) === BoxKind.module)) continue;
    const value = at(flows.value, f);
    const isMerged = at(boxes.kind, from) === BoxKind.module || at(boxes.kind, to) === BoxKind.module;
    const key = `${from},${to},${isMerged ? '' : value}`;
    const known = lines.get(key);
    if (known) {
      known.shared++;
      continue;
    }
    const line: Line = { from, to, value, shared: 1, pieces: [] };
    lines.set(key, line);
    for (let piece = at(levels.flowStart, f); piece < at(levels.flowStart, f + 1); piece++) {
      const draft = drafts.get(at(levels.level, piece));
      if (draft) line.pieces.push({ level: at(levels.level, piece), strand: draft.strand(piece, value) });
    }
  }
  const corners = new Map<number, number[][]>();
  for (const [level, draft] of drafts)
    corners.set(level, strandCorners(scenes.get(level) as Scene, draft.ended(scenes, boxOf, boxes, direction)));
  return edgesOf([...lines.values()], corners, scenes, direction);

  function visibleBox(end: number): number {
    const own = at(boxOf, levels.codes.firstEnd + end);
    if (own >= 0) return own;
    for (let m = end < flows.firstInput ? at(modules.ofNode, end) : -1; m >= 0; m = at(modules.parent, m))
      if (at(boxOf, m) >= 0) return at(boxOf, m);
    return -1;
  }
}

/** The strands of one level, while they are found. */
interface Draft {
  /** The strand of a piece for a value. */
  strand(piece: number, value: number): number;
  ended(scenes: ReadonlyMap<number, Scene>, boxOf: Int32Array, boxes: Boxes, direction: Direction): Strand[];
}

function newDraft({ levels }: Drawable, level: number, scene: Scene): Draft {
  const { codes, ofLevel } = levels;
  const found = new Map<string, number>();
  const pairs: number[] = [];
  const values: number[] = [];
  const begin = at(ofLevel.start, level);
  const pairOfPiece = new Map<number, number>();
  for (let i = begin; i < at(ofLevel.start, level + 1); i++)
    pairOfPiece.set(at(ofLevel.values, i), at(scene.graph.pairOf, i - begin));
  return { strand, ended };

  function strand(piece: number, value: number): number {
    const pair = pairOfPiece.get(piece) as number;
    const key = `${pair},${value}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    found.set(key, pairs.length);
    values.push(value);
    return pairs.push(pair) - 1;
  }

  function ended(scenes: ReadonlyMap<number, Scene>, boxOf: Int32Array, boxes: Boxes, direction: Direction): Strand[] {
    const starts = portsOf(scene.graph.from, false);
    const ends = portsOf(scene.graph.to, true);
    return pairs.map((pair, i) => {
      const [a, b] = [at(scene.graph.from, pair), at(scene.graph.to, pair)];
      const net = at(scene.graph.from, pair) * 2 ** 26 + at(values, i);
      const [startX, endX] = [at(starts, i), at(ends, i)];
      return { pair, net, startX, startY: at(scene.y, a) + thick(a), endX, endY: at(scene.y, b) };
    });

    /** Where strands touch their items: in their order about the one that is straight, at the ports of open modules. */
    function portsOf(item: Int32Array, isEnd: boolean): Float64Array {
      const places = new Float64Array(pairs.length);
      const touching = new Map<number, number[]>();
      pairs.forEach((pair, i) => {
        const list = touching.get(at(item, pair));
        if (list) list.push(i);
        else touching.set(at(item, pair), [i]);
      });
      for (const [of, strands] of touching) {
        const code = at(scene.graph.codes, of);
        const inner = code < codes.firstEnd ? scenes.get(code) : undefined;
        for (const [i, place] of inner ? inside(inner, strands, isEnd) : spread(of, strands, isEnd)) places[i] = place;
      }
      return places;
    }
  }

  function thick(item: number): number {
    const layer = at(scene.proper.layer, item);
    const rowTop = at(scene.gapBottom, layer);
    const rowBottom = at(scene.gapTop, layer + 1);
    return rowBottom - rowTop - 2 * (at(scene.y, item) - rowTop);
  }

  function inside(inner: Scene, strands: readonly number[], isEnd: boolean): [number, number][] {
    const first = isEnd ? codes.firstIn : codes.firstOut;
    return strands.map((i) => {
      const port = inner.graph.codes.indexOf(first + at(values, i));
      return [i, inner.x0 + at(inner.x, port) - scene.x0];
    });
  }

  function spread(item: number, strands: readonly number[], isEnd: boolean): [number, number][] {
    const middle = at(scene.x, item);
    const byValue = isEnd ? strands.map((_, k) => k) : [];
    const distinct = isEnd ? [] : [...new Set(strands.map((i) => at(values, i)))];
    const slots = isEnd ? byValue : strands.map((i) => distinct.indexOf(at(values, i)));
    const count = Math.max(0, ...slots) + 1;
    const straight = slots[strands.findIndex((i) => Math.abs(neighbour(at(pairs, i), isEnd) - middle) < 0.5)];
    const centre = straight ?? (count - 1) / 2;
    const room = (at(scene.width, item) / 2 - 8) / Math.max(1, centre, count - 1 - centre);
    const step = Math.min(METRICS.portGap, Math.max(0, room));
    return strands.map((i, k) => [i, middle + ((slots[k] ?? 0) - centre) * step]);
  }

  function neighbour(pair: number, isEnd: boolean): number {
    const { proper, graph, x } = scene;
    if (at(proper.laneOf, pair) >= 0) return Number.POSITIVE_INFINITY;
    const [begin, end] = [at(proper.chainStart, pair), at(proper.chainStart, pair + 1)];
    if (begin === end) return at(x, at(isEnd ? graph.from : graph.to, pair));
    return at(x, at(proper.chain, isEnd ? end - 1 : begin));
  }
}

function edgesOf(
  lines: readonly Line[],
  corners: ReadonlyMap<number, number[][]>,
  scenes: ReadonlyMap<number, Scene>,
  direction: Direction,
): Edges {
  const start = new Int32Array(lines.length + 1);
  const all: number[] = [];
  lines.forEach(({ pieces }, i) => {
    const begin = all.length;
    for (const { level, strand } of pieces) {
      const { x0, y0 } = scenes.get(level) as Scene;
      const points = corners.get(level)?.[strand] ?? [];
      for (let k = 0; k < points.length; k += 2) addCorner(all, begin, x0 + at(points, k), y0 + at(points, k + 1));
    }
    start[i + 1] = all.length / 2;
  });
  if (direction === 'right')
    for (let i = 0; i < all.length; i += 2) [all[i], all[i + 1]] = [at(all, i + 1), at(all, i)];
  return {
    count: lines.length,
    from: Int32Array.from(lines, ({ from }) => from),
    to: Int32Array.from(lines, ({ to }) => to),
    value: Int32Array.from(lines, ({ value }) => value),
    shared: Int32Array.from(lines, ({ shared }) => shared),
    start,
    corners: Float32Array.from(all),
  };
}

/** What lies on a straight line between its neighbours is no corner. */
function addCorner(all: number[], begin: number, x: number, y: number): void {
  const last = all.length - 2;
  if (last >= begin && near(at(all, last), x) && near(at(all, last + 1), y)) return;
  if (last - 2 >= begin && isBetween(last, 0, x) && isBetween(last, 1, y) && isStraight(last, x, y)) all.length = last;
  all.push(x, y);

  function isStraight(k: number, nextX: number, nextY: number): boolean {
    const upright = near(at(all, k - 2), at(all, k)) && near(at(all, k), nextX);
    return upright || (near(at(all, k - 1), at(all, k + 1)) && near(at(all, k + 1), nextY));
  }

  function isBetween(k: number, axis: 0 | 1, next: number): boolean {
    const [before, it] = [at(all, k - 2 + axis), at(all, k + axis)];
    return (it - before) * (next - it) >= 0;
  }
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.01;
