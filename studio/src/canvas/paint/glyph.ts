import { LOOK } from './look.js';
import type { Pen } from './pen.js';
import type { Theme } from './theme.js';

/** The sign that opens or closes a module: + or − in a small square. */
export function glyph(pen: Pen, x: number, y: number, sign: '+' | '−', theme: Theme): void {
  const { radius } = LOOK.glyph;
  pen.box(x - radius, y - radius, 2 * radius, 2 * radius, 3);
  pen.fill(theme.node);
  pen.stroke(theme.nodeBorder, 1);
  pen.clear();
  pen.block(x - 3, y - 0.5, 6, 1, theme.text);
  if (sign === '+') pen.block(x - 0.5, y - 3, 1, 6, theme.text);
}
