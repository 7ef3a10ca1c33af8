import type { Extents } from './extents.js';
import type { Rectangle } from './rectangle.js';

/** Finds what a rectangle meets among many items, without looking at the rest. */
export interface SpatialIndex {
  /** Calls `visit` once for each item whose extent meets the window, in no order. */
  query(window: Rectangle, visit: (item: number) => void): void;
}

/**
 * Grids whose cells double in size. An item lies in the finest whose cells are as large as itself, in the cell of its upper left
 * corner: once, however long it is, and found in at most one cell to the left and above of those that a window covers.
 */
interface Level {
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** Items of cell i are from start[i] to start[i + 1]. */
  readonly start: Int32Array;
  readonly items: Int32Array;
}

const FINEST = 256;
const LEVELS = 16;
/** Cells of a level beyond which the next coarser takes its items. */
const MOST_CELLS = 1 << 18;

export function indexOf(extents: Extents): SpatialIndex {
  const bounds = boundsOf(extents);
  const finest = finestLevel(bounds);
  const levelOf = Uint8Array.from({ length: extents.count }, (_, i) => Math.max(finest, levelFor(extents, i)));
  const present = new Set(levelOf);
  const levels = [...present].sort().map((level) => levelled(extents, bounds, levelOf, level));
  return {
    query: (window, visit) => levels.forEach((level) => void visitLevel(level, bounds, extents, window, visit)),
  };
}

function levelFor({ left, top, right, bottom }: Extents, i: number): number {
  const size = Math.max((right[i] as number) - (left[i] as number), (bottom[i] as number) - (top[i] as number));
  return size > FINEST ? Math.min(LEVELS, Math.ceil(Math.log2(size / FINEST))) : 0;
}

function boundsOf({ count, left, top, right, bottom }: Extents): Rectangle {
  if (count === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const least = (values: Float32Array) => values.reduce((a, b) => Math.min(a, b));
  const most = (values: Float32Array) => values.reduce((a, b) => Math.max(a, b));
  const [x, y] = [least(left), least(top)];
  return { x, y, width: most(right) - x, height: most(bottom) - y };
}

const cellsAcross = (size: number, cell: number) => Math.floor(size / cell) + 1;

function finestLevel({ width, height }: Rectangle): number {
  let level = 0;
  while (cellsAcross(width, FINEST << level) * cellsAcross(height, FINEST << level) > MOST_CELLS) level++;
  return level;
}

function levelled(extents: Extents, bounds: Rectangle, levelOf: Uint8Array, level: number): Level {
  const cell = FINEST * 2 ** level;
  const columns = cellsAcross(bounds.width, cell);
  const rows = cellsAcross(bounds.height, cell);
  const { left, top, count } = extents;
  const cellOf = (i: number) =>
    Math.floor(((top[i] as number) - bounds.y) / cell) * columns + Math.floor(((left[i] as number) - bounds.x) / cell);
  const start = new Int32Array(columns * rows + 1);
  for (let i = 0; i < count; i++) if (levelOf[i] === level) (start[cellOf(i) + 1] as number)++;
  for (let c = 0; c < columns * rows; c++) start[c + 1] = (start[c + 1] as number) + (start[c] as number);
  const next = start.slice();
  const items = new Int32Array(start[columns * rows] as number);
  for (let i = 0; i < count; i++) if (levelOf[i] === level) items[(next[cellOf(i)] as number)++] = i;
  return { cell, columns, rows, start, items };
}

function visitLevel(
  { cell, columns, rows, start, items }: Level,
  bounds: Rectangle,
  extents: Extents,
  window: Rectangle,
  visit: (item: number) => void,
): void {
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
  const c0 = clamp(Math.floor((window.x - bounds.x) / cell) - 1, columns);
  const c1 = clamp(Math.floor((window.x + window.width - bounds.x) / cell), columns - 1);
  const r0 = clamp(Math.floor((window.y - bounds.y) / cell) - 1, rows);
  const r1 = clamp(Math.floor((window.y + window.height - bounds.y) / cell), rows - 1);
  for (let r = r0; r <= r1; r++) {
    const end = start[r * columns + c1 + 1] as number;
    if (c1 < c0) continue;
    for (let k = start[r * columns + c0] as number; k < end; k++) {
      const item = items[k] as number;
      if (meets(extents, item, window)) visit(item);
    }
  }
}

const meets = ({ left, top, right, bottom }: Extents, i: number, { x, y, width, height }: Rectangle): boolean =>
  (left[i] as number) <= x + width &&
  (right[i] as number) >= x &&
  (top[i] as number) <= y + height &&
  (bottom[i] as number) >= y;
