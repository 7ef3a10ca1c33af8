// What more threads gain, by row and over all: npm run bench:threads -- [--counts 1,2] [--rows A,B] [--node PATH|24]
// [--seconds N] [--rounds N] [--models DIR]. The first count is what the others are compared with.
import { settings } from './command-line.js';
import { environment } from './environment.js';
import { bundle } from './processes.js';
import { complaints, isSound, measureRow, type RowResult } from './results.js';
import { rows as MODELS } from './rows.js';
import { geometricMean, median } from './statistics.js';
import { asMarkdown, asText, figure } from './tables.js';

const chosen = settings(MODELS, { seconds: 1, rounds: 5 });
await bundle();

interface Timings {
  readonly name: string;
  /** By number of threads, the runs' median and least of each process. */
  readonly medians: Map<number, number[]>;
  readonly least: Map<number, number[]>;
}

const results: RowResult[] = [];

/** Processes of each number of threads in turn, so that slow changes of the machine touch all alike. */
async function timingsOf(row: (typeof MODELS)[number]): Promise<Timings> {
  const [medians, least] = [new Map<number, number[]>(), new Map<number, number[]>()];
  for (let round = 0; round < chosen.rounds; round++) {
    for (const threads of chosen.counts) {
      const result = await measureRow(row, { ...chosen, runtimes: ['sardonyx'], rounds: 1, threads }, 'timing');
      results.push(result);
      const timing = result.results.sardonyx?.reports[0]?.timing;
      if (!timing) continue;
      medians.set(threads, [...(medians.get(threads) ?? []), timing.median]);
      least.set(threads, [...(least.get(threads) ?? []), timing.min]);
    }
  }
  return { name: row.name, medians, least };
}

const rows: Timings[] = [];
for (const row of chosen.rows) rows.push(await timingsOf(row));

const [first = 1, ...others] = chosen.counts;
const medianOf = ({ medians }: Timings, threads: number) => median(medians.get(threads) ?? []);
const leastOf = ({ least }: Timings, threads: number) => Math.min(...(least.get(threads) ?? []));
const gain = (of: typeof leastOf, row: Timings, threads: number) => of(row, first) / of(row, threads);

const ran = rows.filter(({ medians }) => medians.size === chosen.counts.length);
const table = {
  title: 'Milliseconds per run, median (least), by number of threads',
  header: ['', ...chosen.counts.map(String), ...others.flatMap((n) => [`${n} over ${first}`, 'of the least'])],
  rows: ran.map((row) => [
    row.name,
    ...chosen.counts.map((n) => `${figure(medianOf(row, n))} (${figure(leastOf(row, n))})`),
    ...others.flatMap((n) => [figure(gain(medianOf, row, n)), figure(gain(leastOf, row, n))]),
  ]),
};

function summary(threads: number): string {
  const [medians, least] = [medianOf, leastOf].map((of) => geometricMean(ran.map((row) => gain(of, row, threads))));
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
    ...new Set(results.flatMap(complaints)),
  ].join('\n'),
);
process.exitCode = results.every(isSound) ? 0 : 1;
