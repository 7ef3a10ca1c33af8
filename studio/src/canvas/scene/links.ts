import type { Ragged } from '../../graph/outline.js';

/** The edges that end (or begin) at each box: those of box i are from start[i] to start[i + 1]. */
export function linksOf(ends: Int32Array, boxes: number): Ragged {
  const start = new Int32Array(boxes + 1);
  for (const box of ends) if (box >= 0) (start[box + 1] as number)++;
  for (let i = 0; i < boxes; i++) start[i + 1] = (start[i + 1] as number) + (start[i] as number);
  const next = start.slice();
  const values = new Int32Array(start[boxes] as number);
  ends.forEach((box, edge) => {
    if (box >= 0) values[(next[box] as number)++] = edge;
  });
  return { start, values };
}

/** The values of one item. */
export const row = ({ start, values }: Ragged, i: number): Int32Array =>
  values.subarray(start[i] as number, start[i + 1] as number);
