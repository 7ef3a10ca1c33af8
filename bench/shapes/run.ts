// Runs with a new size each time, compared with onnxruntime-web: docs/benchmarks.md. npm run bench:shapes -- [--rows A,B] [--runtimes A,B]
// [--node PATH|24] [--variant simd|relaxed] [--threads N] [--rounds N] [--models DIR] [--json FILE] [--markdown]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distance, TOLERANCE } from '../agreement.js';
import { settings } from '../command-line.js';
import { environment, installPeers } from '../environment.js';
import { seeded } from '../inputs.js';
import { modelFolder } from '../model-folders.js';
import { bundle, inOwnProcess } from '../processes.js';
import type { RuntimeName } from '../runtimes.js';
import { asMarkdown, asText, figure } from '../tables.js';
import { type ShapesRow, shapesRows } from './rows.js';
import type { ShapesJob, ShapesReport } from './sizes.js';

installPeers();
const chosen = settings(shapesRows, { seconds: 0, rounds: 3, runtimes: 'sardonyx,onnxruntime-web' });
await bundle(['shapes/sizes'], chosen.against);

type Measured = Partial<Record<RuntimeName, ShapesReport[]>>;

/** Measures the runtimes in turn, round by round, so that slow changes of the machine affect all alike. */
async function measure({ model, runs, carried = [] }: ShapesRow): Promise<Measured> {
  const { variant, threads } = chosen;
  const job = { model: join(modelFolder(model, chosen.modelFolders), 'model.onnx'), runs: runs(seeded()), carried };
  const measured: Measured = {};
  for (let round = 0; round < chosen.rounds; round++)
    for (const runtime of chosen.runtimes) {
      const report = await inOwnProcess<ShapesJob, ShapesReport>(
        { ...job, runtime, variant, threads },
        { program: 'sizes', node: chosen.node },
      );
      measured[runtime] ??= [];
      measured[runtime].push(report);
    }
  return measured;
}

/** Mean milliseconds of the runs, with each run's minimum over the rounds. */
function mean(reports: readonly ShapesReport[] | undefined, times: 'first' | 'again'): number | undefined {
  const runs = reports?.[0]?.[times].map((_, i) => Math.min(...reports.map((report) => report[times][i] as number)));
  return runs && runs.reduce((sum, time) => sum + time, 0) / runs.length;
}

/** The largest distance between outputs of two runtimes, or of two rounds of one. */
function disagreement(measured: Measured): number {
  const [expected, ...others] = Object.values(measured).flatMap((reports) => reports.map(({ outputs }) => outputs));
  return expected ? Math.max(0, ...others.map((outputs) => distance(outputs, expected))) : Infinity;
}

const rows: { name: string; measured: Measured }[] = [];
for (const row of chosen.rows) {
  if (process.stderr.isTTY) process.stderr.write(`\x1b[2K${row.name}\r`);
  rows.push({ name: row.name, measured: await measure(row) });
}

const ratio = (a: number | undefined, b: number | undefined) => (a && b ? a / b : undefined);
const table = {
  title: 'Milliseconds per run: of new sizes, of sizes just run before, and their ratio',
  header: ['', ...chosen.runtimes.flatMap((name) => [name, 'again', 'ratio']), 'web / sardonyx', 'again', 'distance'],
  rows: rows.map(({ name, measured }) => {
    const of = (runtime: RuntimeName, times: 'first' | 'again') => mean(measured[runtime], times);
    return [
      name,
      ...chosen.runtimes.flatMap((runtime) => {
        const [first, again] = [of(runtime, 'first'), of(runtime, 'again')];
        return [figure(first), figure(again), figure(ratio(first, again))];
      }),
      figure(ratio(of('onnxruntime-web', 'first'), of('sardonyx', 'first'))),
      figure(ratio(of('onnxruntime-web', 'again'), of('sardonyx', 'again'))),
      disagreement(measured).toExponential(1),
    ];
  }),
};

const machine = environment(chosen.node, chosen.against);
const witness = Object.values(rows[0]?.measured ?? {}).map(([report]) => report?.witness);
console.log(
  [
    `${machine.cpu}, Node ${machine.node}, ${chosen.threads === 1 ? 'one thread' : `${chosen.threads} threads`}, ${chosen.rounds} rounds (${witness.join('; ')})`,
    '',
    chosen.markdown ? asMarkdown(table) : asText(table),
  ].join('\n'),
);
const wrong = rows.filter(({ measured }) => !(disagreement(measured) <= TOLERANCE.values));
for (const { name } of wrong) console.log(`${name}: the runtimes DISAGREE`);

if (chosen.json) {
  const withoutOutputs = (key: string, value: unknown) => (key === 'outputs' ? undefined : value);
  writeFileSync(chosen.json, JSON.stringify({ ...machine, rows }, withoutOutputs, 2));
}
process.exitCode = wrong.length ? 1 : 0;
