import type { TableLine } from '../../../workers/contracts/logs.js';

/** A line's value at a place of the table, that of the last point before it where it has none there; at no place its end. */
export function pointAt({ line, last }: TableLine, index: number | null): number {
  if (index === null) return last;
  for (let i = index; i >= 0; i--) if (!Number.isNaN(line[i])) return line[i] as number;
  return Number.NaN;
}
