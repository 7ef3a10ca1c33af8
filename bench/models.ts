// Whole models compared with other runtimes: docs/benchmarks.md. npm run bench -- [--rows A,B] [--runtimes A,B] [--node PATH|24] [--variant
// simd|relaxed] [--threads N] [--seconds N] [--rounds N] [--models DIR] [--against CHECKOUT] [--json FILE] [--markdown]
import { writeFileSync } from 'node:fs';
import { settings } from './command-line.js';
import { environment, installPeers } from './environment.js';
import { bundle } from './processes.js';
import { complaints, isSound, measureRow, type Result, type RowResult } from './results.js';
import { rows as MODELS, networks } from './rows.js';
import type { RuntimeName } from './runtimes.js';
import { geometricMean, median } from './statistics.js';
import { asMarkdown, asText, figure, megabytes, type Table } from './tables.js';
import type { Report } from './worker.js';

installPeers();
const chosen = settings(MODELS, { seconds: 1, rounds: 3 }, networks);
await bundle([], chosen.against);

const rows: RowResult[] = [];
const memory = new Map<string, RowResult>();
for (const row of chosen.rows) {
  if (process.stderr.isTTY) process.stderr.write(`\x1b[2K${row.name}\r`);
  rows.push(await measureRow(row, chosen, 'timing'));
  memory.set(row.name, await measureRow(row, { ...chosen, rounds: 1 }, 'memory'));
}

/** The median over the rounds. */
function over(result: Result | undefined, of: (report: Report) => number | undefined): number | undefined {
  const values = result?.reports.map(of).filter((value) => value !== undefined);
  return values?.length ? median(values) : undefined;
}

const milliseconds = (result: Result | undefined) => over(result, ({ timing }) => timing?.median);
const least = (result: Result | undefined) =>
  result?.reports.length ? Math.min(...result.reports.map(({ timing }) => timing?.min ?? Infinity)) : undefined;
const ratio = (a: number | undefined, b: number | undefined) => (a && b ? a / b : undefined);
const both = (first: string, second: string) => (first ? `${first} (${second})` : '—');

type Column = [header: string, cell: (row: RowResult) => string];

function tabulate(
  title: string,
  cell: (result: Result | undefined) => string,
  extra: Column[],
  resultsOf: (row: RowResult) => RowResult['results'] = ({ results }) => results,
): Table {
  const ran = rows.filter(({ skipped }) => !skipped);
  return {
    title,
    header: ['', ...chosen.runtimes, ...extra.map(([header]) => header)],
    rows: ran.map((row) => [
      row.name,
      ...chosen.runtimes.map((name) => cell(resultsOf(row)[name])),
      ...extra.map(([, extraCell]) => extraCell(row)),
    ]),
  };
}

type Metric = (result: Result | undefined) => number | undefined;

const compared =
  (metric: Metric, a: RuntimeName, b: RuntimeName) =>
  ({ results }: RowResult) =>
    ratio(metric(results[a]), metric(results[b]));

const faster = compared(milliseconds, 'onnxruntime-web', 'sardonyx');
const fasterAtBest = compared(least, 'onnxruntime-web', 'sardonyx');
const sinceThen = compared(least, 'before', 'sardonyx');
const since: Column[] = chosen.against ? [['before / sardonyx', (row) => figure(sinceThen(row))]] : [];
const ofNative = compared(milliseconds, 'onnxruntime-node', 'sardonyx');
const resident: Metric = (result) => over(result, (report) => report.resident);
const leaner = ({ name }: RowResult) =>
  compared(resident, 'sardonyx', 'onnxruntime-web')(memory.get(name) as RowResult);
const sooner = compared((result) => over(result, ({ cold }) => cold), 'onnxruntime-web', 'sardonyx');

const tables = [
  tabulate(
    'Milliseconds per run: median (least)',
    (result) => both(figure(milliseconds(result)), figure(least(result))),
    [
      ['web / sardonyx', (row) => figure(faster(row))],
      ['of the least', (row) => figure(fasterAtBest(row))],
      ...since,
      ['native / sardonyx', (row) => figure(ofNative(row))],
      ['distance', ({ results }) => worst(Object.values(results).map(({ distance }) => distance))],
    ],
  ),
  tabulate(
    'Milliseconds from bytes to the first result: with (without) import of the runtime',
    (result) => both(figure(over(result, ({ cold }) => cold)), figure(over(result, ({ load }) => load))),
    [['web / sardonyx', (row) => figure(sooner(row))]],
  ),
  tabulate(
    'Peak resident memory of a process that loads the model from its file and runs it 20 times, MiB',
    (result) => megabytes(resident(result)),
    [
      ['sardonyx / web', (row) => figure(leaner(row))],
      ['arena', ({ results }) => megabytes(over(results.sardonyx, ({ arena }) => arena?.peak))],
      [
        'arena / bound',
        ({ results }) => figure(over(results.sardonyx, ({ arena }) => ratio(arena?.peak, arena?.lowerBound))),
      ],
    ],
    ({ name }) => memory.get(name)?.results ?? {},
  ),
];

function worst(distances: (number | undefined)[]): string {
  const known = distances.filter((distance) => distance !== undefined);
  return known.length ? Math.max(...known).toExponential(1) : '';
}

function summary(what: string, ratioOf: (row: RowResult) => number | undefined): string[] {
  const known = rows.map((row) => [row.name, ratioOf(row)] as const).filter(([, value]) => value !== undefined);
  if (!known.length) return [];
  const ratios = known.map(([, value]) => value as number);
  const [name, lowest] = known[ratios.indexOf(Math.min(...ratios))] as readonly [string, number];
  return [
    `${what}: geometric mean ${figure(geometricMean(ratios))} over ${known.length} rows, lowest ${figure(lowest)} (${name})`,
  ];
}

const machine = environment(chosen.node, chosen.against);
const versions = chosen.runtimes.map((name) => {
  const witness = rows.map(({ results }) => results[name]?.reports[0]?.witness).find(Boolean);
  return `${name} ${machine.versions[name]}${witness ? ` (${witness})` : ''}`;
});
console.log(
  [
    `${machine.cpu}, Node ${machine.node}, V8 ${machine.v8}, ${chosen.threads === 1 ? 'one thread' : `${chosen.threads} threads`}, ${chosen.rounds} × ${chosen.seconds} s`,
    versions.join(', '),
    ...tables.map((table) => `\n${chosen.markdown ? asMarkdown(table) : asText(table)}`),
    '',
    ...summary('web / sardonyx', faster),
    ...summary('web / sardonyx of the least', fasterAtBest),
    ...summary('before / sardonyx of the least', sinceThen),
    ...summary('native / sardonyx', ofNative),
    ...rows.flatMap(complaints),
  ].join('\n'),
);

if (chosen.json) {
  const withoutOutputs = (key: string, value: unknown) => (key === 'outputs' ? undefined : value);
  writeFileSync(chosen.json, JSON.stringify({ ...machine, rows }, withoutOutputs, 2));
}
process.exitCode = rows.every(isSound) ? 0 : 1;
