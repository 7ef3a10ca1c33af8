// Simplifies models by the command line and by npm's onnxsim, in turn, each in a process of its own: nodes left, seconds, and MiB.
// usage: npm run build:js; npm run bench:simplify -- [MODEL…] [--rounds 3] [--markdown]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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

/** The commands, by who simplifies. */
const TOOLS: Readonly<Record<string, (model: string) => string[]>> = {
  sardonyx: (model) => [here('../../dist/cli.js'), 'simplify', model, '-o', output],
  onnxsim: (model) => [here('onnxsim.mjs'), model, output],
};

const nodesIn = async (path: string): Promise<number> => (await loadModel(path)).proto.graph?.node.length ?? 0;

/** Milliseconds of a process. */
function timed(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

const rows: string[][] = [];
for (const name of positionals.length > 0 ? positionals : MODELS) {
  const model = join(modelFolder(name, []), 'model.onnx');
  const times: Record<string, number[]> = { sardonyx: [], onnxsim: [] };
  const left: Record<string, number> = {};
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [tool, command] of Object.entries(TOOLS)) {
      times[tool]?.push(timed(command(model)));
      left[tool] = await nodesIn(output);
    }
  const [mine, other] = [median(times.sardonyx ?? []), median(times.onnxsim ?? [])];
  const figures = [mine, other].map((ms) => ms.toFixed(0));
  rows.push([
    name,
    ...[await nodesIn(model), left.sardonyx, left.onnxsim].map(String),
    ...figures,
    (other / mine).toFixed(1),
  ]);
  console.error(rows.at(-1)?.join(' '));
}
rmSync(folder, { recursive: true });
const header = ['model', 'nodes', 'left', 'onnxsim', 'ms', 'onnxsim, ms', 'ratio'];
const table = { title: 'Simplified: nodes of the graph, and ms of the process', header, rows };
console.log(values.markdown ? asMarkdown(table) : asText(table));
