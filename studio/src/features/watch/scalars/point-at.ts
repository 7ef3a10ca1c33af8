import type { TableLine } from '../../../workers/contracts/logs.js';

/** A line's value at an index of the table, or at the last point before it that has one; null is the end of the line. */
export function pointAt({ line, last }: TableLine, index: number | null): number {
  if (index === null) return last;
  for (let i = index; i >= 0; i--) if (!Number.isNaN(line[i])) return line[i] as number;
  return Number.NaN;
}
