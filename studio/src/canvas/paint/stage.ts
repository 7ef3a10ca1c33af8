import type { Rectangle } from '../scene/rectangle.js';
import type { Scene } from '../scene/scene.js';
import type { Dress } from './dress.js';
import type { Pen } from './pen.js';

/** The context for painters: each draws some items of the scene, and yields about once a millisecond. */
export interface Stage {
  readonly scene: Scene;
  readonly dress: Dress;
  readonly pen: Pen;
  /** Screen pixels per picture unit; determines the level of detail. */
  readonly zoom: number;
  /** Device pixels per picture unit, which lines are aligned to. */
  readonly density: number;
  /** The part of the picture to draw; lines beyond it are omitted. */
  readonly window: Rectangle;
}

export type Items = readonly number[];

export type Painting = Generator<undefined, void>;

/** A line width of at least 0.8 screen pixels at any zoom. */
export const lineWidth = ({ zoom }: Stage, width = 1): number => Math.max(width, 0.8 / zoom);

/** Aligns a line to whole pixels, moving it by less than one pixel. */
export const crisp = ({ density }: Stage, at: number): number => (Math.floor(at * density) + 0.5) / density;

/** Calls `paint` for chunks of the items, and yields after each. */
export function* inPieces(items: Items, size: number, paint: (from: number, to: number) => void): Painting {
  for (let from = 0; from < items.length; from += size) {
    paint(from, Math.min(items.length, from + size));
    yield;
  }
}

/** Groups items by what they are painted with. */
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
