import type { Extents } from './extents.js';
import type { Rectangle } from './rectangle.js';

/** Finds the items that intersect a rectangle without scanning all of them. */
export interface SpatialIndex {
  /** Calls `visit` once for each item whose extent intersects the window, in no particular order. */
  query(window: Rectangle, visit: (item: number) => void): void;
}

/**
 * Grids whose cells double in size. An item is stored once, however long it is: in the finest grid with cells at least as large as
 * the item, in the cell of its upper left corner. Queries look at most one cell further to the left and above their window.
 */
interface Level {
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** The items of cell i are from start[i] to start[i + 1]. */
  readonly start: Int32Array;
  readonly items: Int32Array;
}

const FINEST = 256;
const LEVELS = 16;
/** The most cells in a level; beyond that, the next coarser level takes its items. */
const MOST_CELLS = 1 << 18;

export function indexOf(extents: Extents): SpatialIndex {
  const bounds = boundsOf(extents);
  const levels = byLevel(extents, finestLevel(bounds)).flatMap((items, level) =>
    items.length > 0 ? [levelled(extents, bounds, items, level)] : [],
  );
  return {
    query(window, visit) {
      for (const level of levels) visitLevel(level, bounds, extents, window, visit);
    },
  };
}

function byLevel({ count, left, top, right, bottom }: Extents, finest: number): readonly number[][] {
  const found: number[][] = Array.from({ length: LEVELS + 1 }, () => []);
  for (let i = 0; i < count; i++) {
    const size = Math.max((right[i] as number) - (left[i] as number), (bottom[i] as number) - (top[i] as number));
    let level = finest;
    for (let cell = FINEST * 2 ** finest; size > cell && level < LEVELS; cell *= 2) level++;
    found[level]?.push(i);
  }
  return found;
}

function boundsOf({ count, left, top, right, bottom }: Extents): Rectangle {
  let [x, y, end, foot] = [left[0] ?? 0, top[0] ?? 0, right[0] ?? 0, bottom[0] ?? 0];
  for (let i = 1; i < count; i++) {
    x = Math.min(x, left[i] as number);
    y = Math.min(y, top[i] as number);
    end = Math.max(end, right[i] as number);
    foot = Math.max(foot, bottom[i] as number);
  }
  return { x, y, width: end - x, height: foot - y };
}

const cellsAcross = (size: number, cell: number) => Math.floor(size / cell) + 1;

function finestLevel({ width, height }: Rectangle): number {
  let level = 0;
  while (cellsAcross(width, FINEST << level) * cellsAcross(height, FINEST << level) > MOST_CELLS) level++;
  return level;
}

function levelled({ left, top }: Extents, bounds: Rectangle, inLevel: readonly number[], level: number): Level {
  const cell = FINEST * 2 ** level;
  const columns = cellsAcross(bounds.width, cell);
  const rows = cellsAcross(bounds.height, cell);
  const cells = new Int32Array(inLevel.length);
  const start = new Int32Array(columns * rows + 1);
  for (let k = 0; k < inLevel.length; k++) {
    const i = inLevel[k] as number;
    const row = Math.floor(((top[i] as number) - bounds.y) / cell);
    cells[k] = row * columns + Math.floor(((left[i] as number) - bounds.x) / cell);
    (start[(cells[k] as number) + 1] as number)++;
  }
  for (let c = 0; c < columns * rows; c++) start[c + 1] = (start[c + 1] as number) + (start[c] as number);
  const next = start.slice();
  const items = new Int32Array(inLevel.length);
  for (let k = 0; k < inLevel.length; k++) items[(next[cells[k] as number] as number)++] = inLevel[k] as number;
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
