// Gain from more threads, by row and over all: npm run bench:threads -- [--counts 1,2] [--rows A,B] [--node PATH|24] [--seconds N]
// [--rounds N] [--models DIR]. The others are compared with the first count; as many one-threaded sessions side by side show what the
// machine's cores, which others may share, can deliver.
import { settings } from './command-line.js';
import { environment } from './environment.js';
import type { Spread } from './measure.js';
import { bundle } from './processes.js';
import { complaints, isSound, measureRow, type RowResult } from './results.js';
import { rows as MODELS, networks } from './rows.js';
import { geometricMean, median } from './statistics.js';
import { asMarkdown, asText, figure } from './tables.js';

const chosen = settings(MODELS, { seconds: 1, rounds: 3 }, networks);
await bundle();

const results: RowResult[] = [];
for (const row of chosen.rows) results.push(await measureRow(row, { ...chosen, runtimes: ['sardonyx'] }, 'threads'));

type Kind = 'byThreads' | 'sideBySide';

/** For each number of threads, the median of the processes' medians, and the minimum of all. */
const spreadsOf = ({ results: { sardonyx } }: RowResult, kind: Kind): Spread[] =>
  chosen.counts.map((_, i) => {
    const spreads = sardonyx?.reports.map((report) => report[kind]?.[i] as Spread) ?? [];
    return { median: median(spreads.map((spread) => spread.median)), min: Math.min(...spreads.map(({ min }) => min)) };
  });

const [first = 1, ...others] = chosen.counts;
const ran = results.filter(({ results: { sardonyx } }) => sardonyx?.reports.length);
const rows = ran.map((result) => ({
  name: result.name,
  byThreads: spreadsOf(result, 'byThreads'),
  sideBySide: spreadsOf(result, 'sideBySide'),
}));
type Measured = (typeof rows)[number];

/** Runs per second relative to the first count; a side-by-side run counts once per session. */
function gain({ byThreads, sideBySide }: Measured, i: number, kind: Kind, of: keyof Spread): number {
  const [one] = byThreads as [Spread];
  if (kind === 'byThreads') return one[of] / (byThreads[i] as Spread)[of];
  return ((chosen.counts[i] as number) / first) * (one[of] / (sideBySide[i] as Spread)[of]);
}

const COLUMNS: readonly (readonly [Kind, keyof Spread, string])[] = [
  ['byThreads', 'median', `over ${first}`],
  ['byThreads', 'min', 'of the least'],
  ['sideBySide', 'median', 'side by side'],
  ['sideBySide', 'min', 'of the least'],
];

const table = {
  title:
    'Milliseconds per run, median (least), by number of threads; what as many sessions of one thread do side by side',
  header: [
    '',
    ...chosen.counts.map(String),
    ...others.flatMap((n) => COLUMNS.map(([, of, title]) => (of === 'median' ? `${n} ${title}` : title))),
  ],
  rows: rows.map((row) => [
    row.name,
    ...row.byThreads.map((spread) => `${figure(spread.median)} (${figure(spread.min)})`),
    ...others.flatMap((_, i) => COLUMNS.map(([kind, of]) => figure(gain(row, i + 1, kind, of)))),
  ]),
};

function summary(threads: number, i: number): string {
  const [medians, least, apart, leastApart] = COLUMNS.map(([kind, of]) =>
    figure(geometricMean(rows.map((row) => gain(row, i + 1, kind, of)))),
  );
  return [
    `${threads} threads over ${first}: geometric mean ${medians}, of the least ${least};`,
    `${threads} sessions side by side: ${apart}, ${leastApart}`,
  ].join(' ');
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
