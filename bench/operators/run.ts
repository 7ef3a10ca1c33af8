// Single operators compared with onnxruntime-web: docs/benchmarks.md. npm run bench:operators -- [--rows A,B] [--runtimes A,B] [--node
// PATH|24] [--variant simd|relaxed] [--seconds N] [--rounds N] [--markdown]
import { settings } from '../command-line.js';
import { environment, installPeers } from '../environment.js';
import { bundle } from '../processes.js';
import { complaints, isSound, measureRow, type RowResult } from '../results.js';
import type { Row } from '../rows.js';
import type { RuntimeName } from '../runtimes.js';
import { geometricMean } from '../statistics.js';
import { asMarkdown, asText, figure } from '../tables.js';
import { cases, feedsOf, modelOf, type OperatorCase } from './cases.js';

const toRow = (operatorCase: OperatorCase): Row => ({
  name: operatorCase.name,
  model: () => modelOf(operatorCase),
  inputs: () => feedsOf(operatorCase),
});

installPeers();
const chosen = settings(cases.map(toRow), { seconds: 0.5, rounds: 1 });
await bundle([], chosen.against);

const rows: RowResult[] = [];
for (const row of chosen.rows) {
  if (process.stderr.isTTY) process.stderr.write(`\x1b[2K${row.name}\r`);
  rows.push(await measureRow(row, chosen, 'timing'));
}

/** The minimum over all rounds: at this size, a busy machine adds more than the measured time. */
function least({ results }: RowResult, name: RuntimeName): number | undefined {
  const reports = results[name]?.reports;
  return reports?.length ? Math.min(...reports.map(({ timing }) => timing?.min ?? Infinity)) : undefined;
}

function faster(row: RowResult): number | undefined {
  const [peer, own] = [least(row, 'onnxruntime-web'), least(row, 'sardonyx')];
  return peer && own ? peer / own : undefined;
}

const table = {
  title: 'Milliseconds per run of one operator, the least',
  header: ['', ...chosen.runtimes, 'web / sardonyx', 'distance'],
  rows: rows.map((row) => [
    row.name,
    ...chosen.runtimes.map((name) => figure(least(row, name))),
    figure(faster(row)),
    Math.max(...Object.values(row.results).map(({ distance = 0 }) => distance)).toExponential(1),
  ]),
};

const known = rows.flatMap((row) => {
  const ratio = faster(row);
  return ratio ? [{ name: row.name, ratio }] : [];
});
const slowest = known.reduce((a, b) => (b.ratio < a.ratio ? b : a), { name: 'none', ratio: Infinity });
const machine = environment(chosen.node, chosen.against);
console.log(
  [
    `${machine.cpu}, Node ${machine.node}, one thread, ${chosen.rounds} × ${chosen.seconds} s`,
    '',
    chosen.markdown ? asMarkdown(table) : asText(table),
    '',
    `web / sardonyx: geometric mean ${figure(geometricMean(known.map(({ ratio }) => ratio)))} over ${known.length} operators, lowest ${figure(slowest.ratio)} (${slowest.name})`,
    ...rows.flatMap(complaints),
  ].join('\n'),
);
process.exitCode = rows.every(isSound) ? 0 : 1;
