// What more threads gain, by row and over all: npm run bench:threads -- [--counts 1,2] [--rows A,B] [--node PATH|24]
// [--seconds N] [--rounds N] [--models DIR]. The first count is what the others are compared with.
import { settings } from './command-line.js';
import { environment } from './environment.js';
import type { Spread } from './measure.js';
import { bundle } from './processes.js';
import { complaints, isSound, measureRow, type RowResult } from './results.js';
import { rows as MODELS } from './rows.js';
import { geometricMean, median } from './statistics.js';
import { asMarkdown, asText, figure } from './tables.js';

const chosen = settings(MODELS, { seconds: 1, rounds: 3 });
await bundle();

const results: RowResult[] = [];
for (const row of chosen.rows) results.push(await measureRow(row, { ...chosen, runtimes: ['sardonyx'] }, 'threads'));

/** By number of threads: the median of the processes' medians, and the least of all. */
const spreadsOf = ({ results: { sardonyx } }: RowResult): Spread[] =>
  chosen.counts.map((_, i) => {
    const spreads = sardonyx?.reports.map(({ byThreads }) => byThreads?.[i] as Spread) ?? [];
    return { median: median(spreads.map((spread) => spread.median)), min: Math.min(...spreads.map(({ min }) => min)) };
  });

const rows = results
  .filter(({ results: { sardonyx } }) => sardonyx?.reports.length)
  .map((result) => ({ name: result.name, spreads: spreadsOf(result) }));
const gain = (spreads: readonly Spread[], i: number, of: keyof Spread) =>
  (spreads[0] as Spread)[of] / (spreads[i] as Spread)[of];

const [first = 1, ...others] = chosen.counts;
const table = {
  title: 'Milliseconds per run, median (least), by number of threads',
  header: ['', ...chosen.counts.map(String), ...others.flatMap((n) => [`${n} over ${first}`, 'of the least'])],
  rows: rows.map(({ name, spreads }) => [
    name,
    ...spreads.map((spread) => `${figure(spread.median)} (${figure(spread.min)})`),
    ...others.flatMap((_, i) => [figure(gain(spreads, i + 1, 'median')), figure(gain(spreads, i + 1, 'min'))]),
  ]),
};

function summary(threads: number, i: number): string {
  const [medians, least] = (['median', 'min'] as const).map((of) =>
    geometricMean(rows.map(({ spreads }) => gain(spreads, i + 1, of))),
  );
  return `${threads} threads over ${first}: geometric mean ${figure(medians)}, of the least ${figure(least)}`;
}

const machine = environment(chosen.node);
console.log(
  [
    `${machine.cpu}, Node ${machine.node}, V8 ${machine.v8}, ${chosen.rounds} × ${chosen.seconds} s`,
    '',
    chosen.markdown ? asMarkdown(table) : asText(table),
    '',
    ...others.map(summary),
    ...results.flatMap(complaints),
  ].join('\n'),
);
process.exitCode = results.every(isSound) ? 0 : 1;
