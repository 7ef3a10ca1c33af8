import type { Columns } from '../columns.js';

const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** All points of one tag as CSV: run, tag, step, seconds since 1970, value. */
export function csvOf(tag: string, runs: readonly (readonly [name: string, points: Columns])[]): Blob {
  const rows = runs.map(([name, { count, steps, walls, values }]) => {
    const head = `${quoted(name)},${quoted(tag)}`;
    const lines = Array.from({ length: count }, (_, i) => `${head},${steps[i]},${walls[i]},${values[i]}\n`);
    return lines.join('');
  });
  return new Blob(['run,tag,step,wall_time,value\n', ...rows], { type: 'text/csv' });
}
