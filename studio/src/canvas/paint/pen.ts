import type { Face } from './look.js';

/**
 * What draws: a canvas, or a document of SVG. Shapes gather in a path, which `fill` and `stroke` use and `clear` ends; one path for
 * many shapes of a colour is what makes drawing fast. Units are those of the picture.
 */
export interface Pen {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  /** A quadratic curve to x, y. */
  curve(controlX: number, controlY: number, x: number, y: number): void;
  box(x: number, y: number, width: number, height: number, radius: number): void;
  fill(colour: string): void;
  stroke(colour: string, width: number): void;
  clear(): void;
  /** A rectangle at once, outside of the path. */
  block(x: number, y: number, width: number, height: number, colour: string): void;
  /** Words whose first lies at x, with their baseline at y; `halo` parts them from what is below. */
  text(words: string, x: number, y: number, face: Face, colour: string, halo?: string): void;
}
