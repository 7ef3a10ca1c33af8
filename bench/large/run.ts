// Time and peak memory of the command line's tools for a model with external data, compared with copying it: seconds and MiB (Linux).
// Copies with reads and writes of 16 MiB: cp may let the file system share blocks.
// usage: npm run build:js; npm run bench:large -- [--gigabytes 2] [--folder FOLDER] [--only weights] [--markdown]
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GraphProto, ModelProto, StringStringEntryProto, TensorProto } from '../../build/onnx.js';
import { ELEMENTS } from '../../src/tensor/element-types.js';
import { parseModel } from '../../src/tools/index.js';
import { asMarkdown, asText, figure } from '../tables.js';

const { values } = parseArgs({
  options: {
    gigabytes: { type: 'string', default: '2' },
    folder: { type: 'string', default: join(tmpdir(), 'sardonyx-large') },
    only: { type: 'string', default: '' },
    markdown: { type: 'boolean' },
  },
});

const WIDTH = 4096;
const BYTES = 4 * WIDTH * WIDTH;
const layers = Math.round((Number(values.gigabytes) * 1e9) / BYTES);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Writes weights around 0 quickly: each layer has a different section of the same random numbers. */
function writeWeights(path: string): void {
  const weight = new Float32Array(2 * WIDTH * WIDTH);
  let state = 1;
  for (let i = 0; i < weight.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    weight[i] = (state / 2 ** 31) ** 3;
  }
  const file = openSync(path, 'w');
  for (let layer = 0; layer < layers; layer++)
    writeSync(file, new Uint8Array(weight.buffer, 4 * 1009 * (layer % 16384), BYTES));
  closeSync(file);
}

function modelText(): string {
  const nodes = Array.from({ length: layers }, (_, i) => `h${i + 1} = MatMul(h${i}, w${i})`);
  return `<ir_version: 10, opset_import: ["": 21]> large (float[N, ${WIDTH}] h0) => (float[N, ${WIDTH}] h${layers}) {
    ${nodes.join('\n')}
  }`;
}

function externalWeight(i: number): TensorProto {
  const entries = { location: 'weights.bin', offset: i * BYTES, length: BYTES };
  return new TensorProto({
    name: `w${i}`,
    dims: [WIDTH, WIDTH],
    dataType: ELEMENTS.float32.onnx,
    dataLocation: TensorProto.DataLocation.EXTERNAL,
    externalData: Object.entries(entries).map(([key, value]) => new StringStringEntryProto({ key, value: `${value}` })),
  });
}

const model = join(values.folder, 'model.onnx');
const weights = join(values.folder, 'weights.bin');
mkdirSync(values.folder, { recursive: true });
if (!existsSync(model)) {
  writeWeights(weights);
  const { proto } = parseModel(modelText());
  const initializer = Array.from({ length: layers }, (_, i) => externalWeight(i));
  const graph = new GraphProto({ ...proto.graph, initializer });
  writeFileSync(model, ModelProto.encode(new ModelProto({ ...proto, graph })).finish());
}

const output = join(values.folder, 'out');

const TOOLS = [
  ['unpack'],
  ['quantize', 'weights'],
  ['quantize', 'weights', '--method', 'default'],
  ['quantize', 'weights', '--bits', '8'],
  ['float16'],
  ['quantize', 'dynamic'],
];

interface Measure {
  readonly seconds: number;
  /** MiB; NaN if not reported. */
  readonly peak: number;
}

function measured(command: string, args: readonly string[]): Measure {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  const started = performance.now();
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const [, peak] = /^peak (\S+)/m.exec(stderr) ?? [];
  return { seconds: (performance.now() - started) / 1000, peak: Number(peak) };
}

const run = ([verb = '', ...options]: readonly string[]): Measure => {
  const tool = ['--import', here('report-peak.mjs'), here('../../dist/cli.js'), verb];
  const what = verb === 'quantize' ? [options[0] as string, model, ...options.slice(1)] : [model, ...options];
  return measured(process.execPath, [...tool, ...what, '-o', join(output, 'model.onnx')]);
};

const rows: string[][] = [];
for (const tool of TOOLS.filter((words) => words.join(' ').includes(values.only))) {
  const copied = measured('dd', [`if=${weights}`, `of=${join(output, 'copy')}`, 'bs=16M', 'status=none']).seconds;
  const { seconds, peak } = run(tool);
  rows.push([tool.join(' '), figure(seconds), figure(copied), figure(seconds / copied), figure(peak)]);
  console.error(rows.at(-1)?.join('  '));
}
rmSync(output, { recursive: true });
const title = `${((layers * BYTES) / 1e9).toFixed(1)} GB of weights in a file`;
const table = { title, header: ['command', 'seconds', 'dd', 'ratio', 'MiB'], rows };
console.log(values.markdown ? asMarkdown(table) : asText(table));
