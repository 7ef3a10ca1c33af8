// Bytes that one run allocates when shapes are known and outputs are given: npm run bench:allocation -- [--rows A,B] [--runtimes A,B]
// [--node PATH|24] [--seconds N] [--models DIR] [--markdown]
import { settings } from './command-line.js';
import { installPeers } from './environment.js';
import { bundle } from './processes.js';
import { complaints, isSound, measureRow, type RowResult } from './results.js';
import { networks, rows } from './rows.js';
import { asMarkdown, asText } from './tables.js';

installPeers();
const chosen = settings(rows, { seconds: 1, rounds: 1 }, networks);
await bundle([], chosen.against);

/** A young generation that holds all allocations of one batch of runs. */
const FLAGS = ['--expose-gc', '--max-semi-space-size=512', '--min-semi-space-size=512'];

const results: RowResult[] = [];
for (const row of chosen.rows) results.push(await measureRow(row, chosen, 'allocation', FLAGS));

function cell(row: RowResult, runtime: (typeof chosen.runtimes)[number]): string {
  const measured = row.results[runtime]?.reports[0]?.allocation;
  if (!measured) return '—';
  const { heap, arrayBuffers, collections } = measured;
  return `${collections ? '> ' : ''}${Math.round(heap)} + ${Math.round(arrayBuffers)}`;
}

/** Bytes that an empty async function allocates in the same process. */
function emptyCall({ results }: RowResult): string {
  const floors = Object.values(results).flatMap(({ reports }) => reports[0]?.allocation?.emptyCall ?? []);
  return floors.length ? Math.round(Math.min(...floors)).toFixed() : '';
}

const table = {
  title: 'Bytes allocated per run with outputs given: JavaScript heap + array buffers',
  header: ['', ...chosen.runtimes, 'empty call'],
  rows: results
    .filter(({ skipped }) => !skipped)
    .map((row) => [row.name, ...chosen.runtimes.map((name) => cell(row, name)), emptyCall(row)]),
};
console.log([chosen.markdown ? asMarkdown(table) : asText(table), ...results.flatMap(complaints)].join('\n'));
process.exitCode = results.every(isSound) ? 0 : 1;
