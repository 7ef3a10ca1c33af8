import type { Drawn, ScalarQuery, Table, TableLine } from '../../contracts/logs.js';
import type { Columns } from '../columns.js';
import { type Line, lineOf, smoothed } from './line.js';
import { drawn } from './window.js';

interface Source extends Line {
  readonly run: string;
}

/** The lines drawn for one tag in several runs. */
export function tableOf(query: ScalarQuery, columnsOf: (run: string) => Columns | undefined): Table {
  const sources = query.runs.flatMap((run): Source[] => {
    const columns = columnsOf(run);
    return columns ? [{ run, ...lineOf(columns, query.axis) }] : [];
  });
  const extent = extentOf(sources);
  const [from, to] = query.range ?? extent;
  const window = { from, to, buckets: query.buckets };
  const parts = sources.map((source) => drawn(source, smoothed(source.y, query.smoothing), window));
  const x = together(parts);
  return { x, extent, lines: sources.map((source, i) => spread(source, parts[i] as Drawn, x)) };
}

function extentOf(sources: readonly Source[]): readonly [number, number] {
  const full = sources.filter(({ x }) => x.length > 0);
  if (full.length === 0) return [0, 1];
  return [Math.min(...full.map(({ x }) => x[0] as number)), Math.max(...full.map(({ x }) => x.at(-1) as number))];
}

function together(parts: readonly Drawn[]): Float64Array {
  const all = Float64Array.from(parts.flatMap(({ x }) => [...x])).sort();
  return all.filter((x, i) => i === 0 || x !== all[i - 1]);
}

/** The line over all x; the last of several points at the same x is shown. */
function spread({ run, y }: Source, { x, line, least, largest }: Drawn, over: Float64Array): TableLine {
  const wide = () => new Float64Array(over.length).fill(Number.NaN);
  const made = { line: wide(), least: wide(), largest: wide() };
  let at = 0;
  for (let i = 0; i < x.length; i++) {
    while ((over[at] as number) < (x[i] as number)) at++;
    made.line[at] = line[i] as number;
    made.least[at] = Math.min(least[i] as number, made.least[at] || Infinity);
    made.largest[at] = Math.max(largest[i] as number, made.largest[at] || -Infinity);
  }
  const notFinite = y.reduce((count, value) => count + Number(!Number.isFinite(value)), 0);
  return { run, ...made, points: y.length, notFinite, last: y.at(-1) ?? Number.NaN };
}

/** The buffers of a table, to be transferred to another thread. */
export const arraysOf = ({ x, lines }: Table): ArrayBuffer[] =>
  [x, ...lines.flatMap(({ line, least, largest }) => [line, least, largest])].map(
    ({ buffer }) => buffer as ArrayBuffer,
  );
