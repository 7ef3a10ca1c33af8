// Simplifies models with the command line and with npm's onnxsim, in turn, each in a process of its own; then with calls of both libraries.
// usage: npm run build:js; npm run bench:simplify -- [MODEL…] [--rounds 3] [--markdown]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadModel } from '../../src/tools/index.js';
import { modelFolder } from '../model-folders.js';
import { median } from '../statistics.js';
import { asMarkdown, asText } from '../tables.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { markdown: { type: 'boolean' }, rounds: { type: 'string', default: '3' } },
});

const MODELS = [
  ...[
    'digits_cnn_trained',
    'squeezenet1_1',
    'mobilenet_v2',
    'mobilenet_v3_small',
    'vit_tiny6',
    'bert_mini',
    'gpt_mini',
  ],
  ...['gru', 'lstm', 'unet_small', 'ssdlite320', 'forest_trained', 'gbdt_trained', 'iris_pipeline_trained'],
];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const output = join(folder, 'simple.onnx');

/** Commands, by tool. */
const TOOLS: Readonly<Record<string, (model: string) => string[]>> = {
  sardonyx: (model) => [here('../../dist/cli.js'), 'simplify', model, '-o', output],
  onnxsim: (model) => [here('onnxsim.mjs'), model, output],
};

const nodesIn = async (path: string): Promise<number> => (await loadModel(path)).proto.graph?.node.length ?? 0;

interface Measure {
  /** Milliseconds of the process, and of processor time, with a resolution of 10 ms (Linux). */
  readonly ms: number;
  readonly processor: number;
  /** Number of remaining nodes, or that it failed. */
  readonly left: string;
}

const PATIENCE = 180_000;

/** Processor time of ended child processes: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function processorTime(): number {
  const [user, system] = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ').slice(13, 15) ?? [];
  return 10 * (Number(user) + Number(system));
}

function measured(args: readonly string[]): Omit<Measure, 'left'> & { readonly reason: string } {
  const [start, before] = [performance.now(), processorTime()];
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: PATIENCE, killSignal: 'SIGKILL' } as const;
  const { status, stderr, error } = spawnSync(process.execPath, args, options);
  const reason = status === 0 ? '' : (error?.message ?? stderr.slice(-500));
  return { ms: performance.now() - start, processor: processorTime() - before, reason };
}

/** Milliseconds of a library's calls in a process that has loaded it. */
interface Calls {
  readonly first: number;
  readonly later: number;
}

const FAILED: Calls = { first: Number.NaN, later: Number.NaN };

function called(library: string, model: string): Calls {
  const result = join(folder, 'calls.json');
  const { reason } = measured([here('calls.mjs'), library, model, result]);
  return reason === '' ? JSON.parse(readFileSync(result, 'utf8')) : FAILED;
}

/** Our figure, the other's, and their ratio. */
const compared = (mine: number, other: number, digits: number): string[] => [
  mine.toFixed(digits),
  other.toFixed(digits),
  (other / mine).toFixed(1),
];

async function timed(args: readonly string[]): Promise<Measure> {
  const { reason, ...times } = measured(args);
  if (reason === '') return { ...times, left: `${await nodesIn(output)}` };
  console.error(reason);
  return { ms: Number.NaN, processor: Number.NaN, left: 'fails' };
}

const rows: string[][] = [];
const rowsOfCalls: string[][] = [];
for (const name of positionals.length > 0 ? positionals : MODELS) {
  const model = join(modelFolder(name, []), 'model.onnx');
  const runs: Record<string, Measure[]> = { sardonyx: [], onnxsim: [] };
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [tool, command] of Object.entries(TOOLS)) runs[tool]?.push(await timed(command(model)));
  const of = (tool: string, part: 'ms' | 'processor') => median((runs[tool] ?? []).map((run) => run[part]));
  const left = ['sardonyx', 'onnxsim'].map((tool) => runs[tool]?.[0]?.left ?? '');
  const times = (['ms', 'processor'] as const).flatMap((part) =>
    compared(of('sardonyx', part), of('onnxsim', part), 0),
  );
  rows.push([name, `${await nodesIn(model)}`, ...left, ...times]);
  const [mine, other] = [called('sardonyx', model), called('onnxsim', model)];
  const calls = (['first', 'later'] as const).flatMap((part) => compared(mine[part], other[part], 1));
  rowsOfCalls.push([name, ...calls]);
  console.error(rows.at(-1)?.join(' '), '|', calls.join(' '));
}
rmSync(folder, { recursive: true });
const tables = [
  {
    title: 'Simplified: nodes of the graph, ms of the process, and of processors',
    header: ['model', 'nodes', 'left', 'onnxsim', 'ms', 'onnxsim', 'ratio', 'processor ms', 'onnxsim', 'ratio'],
    rows,
  },
  {
    title: 'The same by calls in a process that has loaded the library: ms of the first, and of the median later one',
    header: ['model', 'first', 'onnxsim', 'ratio', 'later', 'onnxsim', 'ratio'],
    rows: rowsOfCalls,
  },
];
console.log(tables.map(values.markdown ? asMarkdown : asText).join('\n\n'));
