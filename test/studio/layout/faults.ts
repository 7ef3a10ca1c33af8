import { BoxKind, type Picture } from '../../../studio/src/graph/picture.js';

interface Rect {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** Pixels that single precision and rounding may take. */
const SLACK = 0.6;
const CELL = 256;

/** What no drawing may have: boxes that overlap or leave the module that they are in, edges that go through boxes or end beside theirs. */
export function faults(picture: Picture): string[] {
  const rects = rectsOf(picture);
  return [
    ...overlaps(picture, rects),
    ...escapes(picture, rects),
    ...strays(picture, rects),
    ...piercings(picture, rects),
  ];
}

const get = (column: ArrayLike<number>, i: number): number => column[i] as number;

function rectsOf({ boxes }: Picture): Rect[] {
  return Array.from({ length: boxes.count }, (_, i) => {
    const [x1, y1] = [get(boxes.x, i), get(boxes.y, i)];
    return { x1, y1, x2: x1 + get(boxes.width, i), y2: y1 + get(boxes.height, i) };
  });
}

const meet = (a: Rect, b: Rect, by: number): boolean =>
  a.x1 < b.x2 - by && b.x1 < a.x2 - by && a.y1 < b.y2 - by && b.y1 < a.y2 - by;

/** Boxes by the cells of a grid that they touch. */
function gridOf(rects: readonly Rect[], which: (box: number) => boolean): (rect: Rect) => Set<number> {
  const cells = new Map<string, number[]>();
  rects.forEach((rect, i) => {
    if (which(i)) for (const cell of cellsOf(rect)) cells.set(cell, [...(cells.get(cell) ?? []), i]);
  });
  return (rect) => new Set([...cellsOf(rect)].flatMap((cell) => cells.get(cell) ?? []));
}

function* cellsOf({ x1, y1, x2, y2 }: Rect): Generator<string> {
  for (let x = Math.floor(x1 / CELL); x <= Math.floor(x2 / CELL); x++)
    for (let y = Math.floor(y1 / CELL); y <= Math.floor(y2 / CELL); y++) yield `${x},${y}`;
}

const isLeaf =
  ({ boxes }: Picture) =>
  (box: number) =>
    get(boxes.kind, box) !== BoxKind.openModule;

function overlaps(picture: Picture, rects: readonly Rect[]): string[] {
  const near = gridOf(rects, isLeaf(picture));
  const { parent } = picture.boxes;
  const found: string[] = [];
  rects.forEach((rect, i) => {
    if (isLeaf(picture)(i))
      for (const k of near(rect))
        if (k < i && meet(rect, rects[k] as Rect, SLACK)) found.push(`boxes ${k} and ${i} overlap`);
  });
  const open = rects.map((_, i) => i).filter((i) => !isLeaf(picture)(i));
  for (const i of open)
    for (const k of near(rects[i] as Rect)) {
      if (!meet(rects[i] as Rect, rects[k] as Rect, SLACK) || isWithin(parent, k, i)) continue;
      found.push(`box ${k} lies on the open module ${i}`);
    }
  return found;
}

function isWithin(parent: Int32Array, box: number, module: number): boolean {
  for (let b = box; b >= 0; b = get(parent, b)) if (b === module) return true;
  return false;
}

function escapes({ boxes, width, height }: Picture, rects: readonly Rect[]): string[] {
  return rects.flatMap((rect, i) => {
    const parent = get(boxes.parent, i);
    if (parent >= i) return [`box ${i} comes before the module around it, ${parent}`];
    const around = parent < 0 ? { x1: 0, y1: 0, x2: width, y2: height } : (rects[parent] as Rect);
    const { x1, y1, x2, y2 } = rect;
    const isInside =
      x1 >= around.x1 - SLACK && y1 >= around.y1 - SLACK && x2 <= around.x2 + SLACK && y2 <= around.y2 + SLACK;
    return isInside && [x1, y1, x2, y2].every(Number.isFinite) ? [] : [`box ${i} leaves what is around it`];
  });
}

/** Edges start and end on the borders of their boxes. */
function strays({ edges }: Picture, rects: readonly Rect[]): string[] {
  const found: string[] = [];
  for (let e = 0; e < edges.count; e++) {
    const [begin, end] = [get(edges.start, e), get(edges.start, e + 1) - 1];
    if (end <= begin) found.push(`edge ${e} has fewer than two corners`);
    for (const [corner, box] of [[begin, get(edges.from, e)] as const, [end, get(edges.to, e)] as const]) {
      const [x, y] = [get(edges.corners, 2 * corner), get(edges.corners, 2 * corner + 1)];
      const { x1, y1, x2, y2 } = rects[box] as Rect;
      const isOn = x >= x1 - SLACK && x <= x2 + SLACK && y >= y1 - SLACK && y <= y2 + SLACK;
      if (!isOn) found.push(`edge ${e} ends at ${x}, ${y}, beside box ${box}`);
    }
  }
  return found;
}

function piercings(picture: Picture, rects: readonly Rect[]): string[] {
  const { edges, boxes } = picture;
  const near = gridOf(rects, () => true);
  const found: string[] = [];
  for (let e = 0; e < edges.count; e++)
    for (let c = get(edges.start, e); c + 1 < get(edges.start, e + 1); c++) {
      const [ax, ay, bx, by] = Array.from(edges.corners.subarray(2 * c, 2 * c + 4)) as [number, number, number, number];
      if (ax !== bx && ay !== by && Math.min(Math.abs(ax - bx), Math.abs(ay - by)) > SLACK)
        found.push(`edge ${e} is neither upright nor level at ${ax}, ${ay}`);
      const line = { x1: Math.min(ax, bx), y1: Math.min(ay, by), x2: Math.max(ax, bx), y2: Math.max(ay, by) };
      for (const box of near(line)) {
        const isOwn = [get(edges.from, e), get(edges.to, e)].some((end) => isWithin(boxes.parent, end, box));
        if (!isOwn && crosses(line, rects[box] as Rect)) found.push(`edge ${e} goes through box ${box}`);
      }
    }
  return found;
}

/** A line that goes through more than the border. */
const crosses = (line: Rect, { x1, y1, x2, y2 }: Rect): boolean =>
  line.x1 < x2 - SLACK && line.x2 > x1 + SLACK && line.y1 < y2 - SLACK && line.y2 > y1 + SLACK;
