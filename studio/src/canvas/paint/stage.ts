import type { Rectangle } from '../scene/rectangle.js';
import type { Scene } from '../scene/scene.js';
import type { Dress } from './dress.js';
import type { Pen } from './pen.js';

/** What painters need: each draws some items of the scene, and yields about once a millisecond. */
export interface Stage {
  readonly scene: Scene;
  readonly dress: Dress;
  readonly pen: Pen;
  /** Pixels of the screen by unit of the picture: what is drawn depends on it. */
  readonly zoom: number;
  /** Pixels of the device by unit of the picture, to which lines are fitted. */
  readonly density: number;
  /** What of the picture is to be drawn; beyond it lines are left out. */
  readonly window: Rectangle;
}

export type Items = readonly number[];

export type Painting = Generator<undefined, void>;

/** Lines that are no thinner than most of a pixel, however far away. */
export const lineWidth = ({ zoom }: Stage, width = 1): number => Math.max(width, 0.8 / zoom);

/** Where a line is drawn so that it covers whole pixels, less than one from where it should be. */
export const crisp = ({ density }: Stage, at: number): number => (Math.floor(at * density) + 0.5) / density;

/** Calls `paint` for pieces of the items, and yields after each. */
export function* inPieces(items: Items, size: number, paint: (from: number, to: number) => void): Painting {
  for (let from = 0; from < items.length; from += size) {
    paint(from, Math.min(items.length, from + size));
    yield;
  }
}

/** Items by what they are painted with. */
export function sorted<Key>(items: Items, keyOf: (item: number) => Key): Map<Key, number[]> {
  const found = new Map<Key, number[]>();
  for (const item of items) {
    const key = keyOf(item);
    const same = found.get(key);
    if (same) same.push(item);
    else found.set(key, [item]);
  }
  return found;
}
