import { HALO } from '../paint/canvas-pen.js';
import type { Pen } from '../paint/pen.js';

/** A pen that writes SVG elements: `take` returns those written since its last call. */
export interface SvgPen extends Pen {
  take(): string;
}

export function svgPen(): SvgPen {
  let path = '';
  let written: string[] = [];
  const draw = (command: string) => {
    path += command;
  };
  const write = (element: string) => void written.push(element);
  return {
    move: (x, y) => draw(`M${short(x)} ${short(y)}`),
    line: (x, y) => draw(`L${short(x)} ${short(y)}`),
    curve: (cx, cy, x, y) => draw(`Q${short(cx)} ${short(cy)} ${short(x)} ${short(y)}`),
    box: (x, y, width, height, radius) => draw(boxPath(x, y, width, height, radius)),
    fill: (colour) => path && write(`<path d="${path}" fill="${colour}"/>`),
    stroke: (colour, width) =>
      path && write(`<path d="${path}" fill="none" stroke="${colour}" stroke-width="${short(width)}"/>`),
    clear() {
      path = '';
    },
    block: (x, y, width, height, colour) =>
      write(
        `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${colour}"/>`,
      ),
    text(words, x, y, { weight, size }, colour, halo) {
      if (!words) return;
      const outline = halo ? ` stroke="${halo}" stroke-width="${short(HALO * size)}" paint-order="stroke"` : '';
      const face = `font-weight="${weight}" font-size="${size}"`;
      write(`<text x="${short(x)}" y="${short(y)}" ${face} fill="${colour}"${outline}>${escaped(words)}</text>`);
    },
    take() {
      const taken = written.join('\n');
      written = [];
      return taken;
    },
  };
}

/** Hundredths of a pixel are precise enough. */
const short = (value: number): string => `${Math.round(value * 100) / 100}`;

function boxPath(x: number, y: number, width: number, height: number, wanted: number): string {
  const r = Math.min(wanted, width / 2, height / 2);
  if (r <= 0) return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  const [across, down, radius] = [short(width - 2 * r), short(height - 2 * r), short(r)];
  const arc = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${short(dx)} ${short(dy)}`;
  return `M${short(x + r)} ${short(y)}h${across}${arc(r, r)}v${down}${arc(-r, r)}h-${across}${arc(-r, -r)}v-${down}${arc(r, -r)}z`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML doesn't allow in text; names in models may contain anything: https://www.w3.org/TR/xml/#charsets */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export const escaped = (words: string): string =>
  words.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
