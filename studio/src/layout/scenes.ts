import { at, real } from './columns.js';
import { across, type Direction, type Drawable } from './drawable.js';
import { endLabel, endLines, moduleLabel } from './labels.js';
import { type OrderedLevel, type PlacedLevel, placeLevel, type Sizes } from './level-layout.js';
import { METRICS, moduleWidthOf, nodeSizeOf } from './metrics.js';

/** A positioned level: its contents start at `acrossStart` and `alongStart`. */
export interface Scene extends PlacedLevel {
  acrossStart: number;
  alongStart: number;
}

/** The scenes of all visible levels, outer ones first. */
export type Scenes = ReadonlyMap<number, Scene>;

/** Lays out levels from the inside out, as each needs room in the next, and then positions them. */
export function scenesOf(graph: Drawable, opened: readonly number[]): Scenes {
  const visible = visibleLevels(graph, opened);
  for (const level of visible) graph.ordered(level);
  const inside = new Map<number, Scene>();
  for (const level of [...visible].reverse()) {
    const ordered = graph.ordered(level);
    const sizes = sizesOf(graph, ordered, inside);
    inside.set(level, { ...placeLevel(ordered, graph.resting(level), sizes), acrossStart: 0, alongStart: 0 });
  }
  const scenes = new Map(visible.map((level) => [level, inside.get(level) as Scene]));
  for (const scene of scenes.values()) placeInner(graph, scene, scenes);
  return scenes;
}

/** The top, and open modules with contents whose outer modules are open too. */
function visibleLevels({ modules, levels }: Drawable, opened: readonly number[]): number[] {
  const isOpen = new Uint8Array(modules.count);
  for (const module of opened) if (module in isOpen) isOpen[module] = 1;
  const visible = [levels.top];
  for (let module = 0; module < modules.count; module++) {
    const parent = at(modules.parent, module);
    if (parent >= 0 && !isOpen[parent]) isOpen[module] = 0;
    const isEmpty = at(levels.members.start, module) === at(levels.members.start, module + 1);
    if (isOpen[module] && !isEmpty) visible.push(module);
  }
  return visible;
}

function sizesOf(
  { modules, outline, flows, levels, direction, lines }: Drawable,
  level: OrderedLevel,
  inside: Scenes,
): Sizes {
  const { count } = level.proper;
  const sizes = { left: new Float64Array(count), right: new Float64Array(count), along: new Float64Array(count) };
  level.graph.codes.forEach((code, item) => {
    if (code >= levels.codes.firstIn) return;
    const isEnd = code >= levels.codes.firstEnd;
    const end = code - levels.codes.firstEnd;
    const { width, height } = isEnd
      ? nodeSizeOf(endLabel(outline, flows, end), endLines(lines, flows, end))
      : { width: moduleWidthOf(moduleLabel(modules, code)), height: METRICS.moduleHeight };
    const scene = inside.get(code);
    const frame = scene ? frameOf(scene, direction) : { left: 0, right: 0, along: 0 };
    sizes.left[item] = Math.max(frame.left, across(direction, width, height) / 2);
    sizes.right[item] = Math.max(frame.right, across(direction, width, height) / 2);
    sizes.along[item] = Math.max(frame.along, across(direction, height, width));
  });
  return sizes;
}

/** The room for an open module: its inside on both sides of its line, header and padding. */
function frameOf(scene: Scene, direction: Direction) {
  const { left, right, before, after } = border(scene, direction);
  const line = lineOf(scene);
  return { left: left + line, right: right + scene.across - line, along: before + scene.along + after };
}

/** The place of the port on the straightest path through a module, which is aligned with its line outside. Without ports, the middle. */
function lineOf({ graph, blocks, across: width, x }: PlacedLevel): number {
  const size = new Int32Array(blocks.count);
  for (const block of blocks.of) size[block] = at(size, block) + 1;
  let [best, most] = [-1, 0];
  graph.side.forEach((side, item) => {
    const length = 2 * at(size, at(blocks.of, item)) + (side < 0 ? 1 : 0);
    if (side !== 0 && length > most) [best, most] = [item, length];
  });
  return best < 0 ? width / 2 : real(x, best);
}

/** There is no padding next to ports: edges reach the border. */
function border({ graph }: OrderedLevel, direction: Direction) {
  const { padding, header } = METRICS;
  const before = graph.side.includes(-1) ? 0 : padding;
  const after = graph.side.includes(1) ? 0 : padding;
  return direction === 'down'
    ? { left: padding, right: padding, before: header + before, after }
    : { left: header + padding, right: padding, before, after };
}

function placeInner({ levels, direction }: Drawable, scene: Scene, scenes: Scenes): void {
  if (scene.graph.level === levels.top) scene.acrossStart = scene.alongStart = METRICS.padding;
  scene.graph.codes.forEach((code, item) => {
    const inner = code < levels.codes.firstEnd ? scenes.get(code) : undefined;
    if (!inner) return;
    const { before, after } = border(inner, direction);
    const spare = real(scene.sizes.along, item) - before - inner.along - after;
    inner.acrossStart = scene.acrossStart + real(scene.x, item) - lineOf(inner);
    inner.alongStart = scene.alongStart + real(scene.y, item) + before + spare / 2;
  });
}
