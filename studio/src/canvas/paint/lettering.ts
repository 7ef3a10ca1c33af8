import type { Face } from './look.js';

/** Measures and shortens text. */
export interface Lettering {
  widthOf(words: string, face: Face): number;
  /** The text, or as many of its first letters as fit with an ellipsis; '' if not even one does. */
  fitted(words: string, width: number, face: Face): string;
}

const KEPT = 20_000;
/** Longer text is never measured. */
const LONGEST = 400;

export function lettering(font: string): Lettering {
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  const widths = remembering((key) => {
    const cut = key.indexOf('|');
    context.font = `${key.slice(0, cut)} ${font}`;
    return context.measureText(key.slice(cut + 1)).width;
  });
  const widthOf = (words: string, { weight, size }: Face) =>
    widths(`${weight} ${size}px|${words.length > LONGEST ? words.slice(0, LONGEST) : words}`);
  return {
    widthOf,
    fitted: (words, width, face) => (widthOf(words, face) <= width ? words : shortened(words, width, face, widthOf)),
  };
}

function shortened(words: string, width: number, face: Face, widthOf: Lettering['widthOf']): string {
  let fits = 0;
  let exceeds = Math.min(words.length, LONGEST);
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (widthOf(`${words.slice(0, middle)}…`, face) <= width) fits = middle;
    else exceeds = middle;
  }
  return fits > 0 ? `${words.slice(0, fits)}…` : '';
}

function remembering(compute: (key: string) => number): (key: string) => number {
  const known = new Map<string, number>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= KEPT) known.clear();
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
