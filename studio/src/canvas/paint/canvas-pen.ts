import type { Pen } from './pen.js';

/** Draws on a context whose transform maps picture units to pixels. */
export function canvasPen(context: CanvasRenderingContext2D, font: string): Pen {
  let face: object | undefined;
  context.lineJoin = 'round';
  context.beginPath();
  return {
    move: (x, y) => context.moveTo(x, y),
    line: (x, y) => context.lineTo(x, y),
    curve: (cx, cy, x, y) => context.quadraticCurveTo(cx, cy, x, y),
    box: (x, y, width, height, radius) =>
      radius ? context.roundRect(x, y, width, height, radius) : context.rect(x, y, width, height),
    fill(colour) {
      context.fillStyle = colour;
      context.fill();
    },
    stroke(colour, width) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    },
    clear: () => context.beginPath(),
    block(x, y, width, height, colour) {
      context.fillStyle = colour;
      context.fillRect(x, y, width, height);
    },
    text(words, x, y, wanted, colour, halo) {
      if (face !== wanted) context.font = `${wanted.weight} ${wanted.size}px ${font}`;
      face = wanted;
      if (halo) haloed(context, words, x, y, wanted.size, halo);
      context.fillStyle = colour;
      context.fillText(words, x, y);
    },
  };
}

function haloed(
  context: CanvasRenderingContext2D,
  words: string,
  x: number,
  y: number,
  size: number,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = HALO * size;
  context.strokeText(words, x, y);
}

/** Relative to the font size. */
export const HALO = 0.3;
