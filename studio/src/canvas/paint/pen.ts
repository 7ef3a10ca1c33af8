import type { Face } from './look.js';

/**
 * A drawing target: a canvas or an SVG document. Shapes accumulate in a path, which `fill` and `stroke` paint and `clear` resets;
 * one path for many shapes of a colour makes drawing fast. In picture units.
 */
export interface Pen {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  /** A quadratic curve ending at x, y. */
  curve(controlX: number, controlY: number, x: number, y: number): void;
  box(x: number, y: number, width: number, height: number, radius: number): void;
  fill(colour: string): void;
  stroke(colour: string, width: number): void;
  clear(): void;
  /** Fills a rectangle directly, independent of the path. */
  block(x: number, y: number, width: number, height: number, colour: string): void;
  /** Text that starts at x, with its baseline at y; `halo` separates it from its background. */
  text(words: string, x: number, y: number, face: Face, colour: string, halo?: string): void;
}
