// Peak resident memory, and time to the first result, of a model that is streamed over http, or given as bytes: npm run bench:loading --
// [--megabytes 100]. Each way runs in a process of its own.
import { execFile } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { modelBuilder } from '../src/builder/index.js';
import { env, InferenceSession } from '../src/index.js';
import { asText, figure } from './tables.js';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '100' }, way: { type: 'string' }, source: { type: 'string' } },
});
const MEBIBYTE = 2 ** 20;
const LAYERS = 10;

function layers(megabytes: number): Uint8Array {
  const size = Math.round(Math.sqrt((megabytes * 1e6) / 4 / LAYERS));
  const b = modelBuilder({ opset: 20 });
  let x = b.input('x', 'float32', [1, size]);
  for (let i = 0; i < LAYERS; i++) {
    const data = Float32Array.from({ length: size * size }, (_, k) => Math.sin(k + i) / size);
    x = b.op('Relu', [b.op('MatMul', [x, b.constant(`w${i}`, { type: 'float32', dims: [size, size], data })])]);
  }
  b.output('y', x);
  return b.toBytes();
}

/** Peak resident memory in MiB. */
const peak = () => Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

const WAYS: Record<string, (source: string) => Promise<Parameters<typeof InferenceSession.create>[0] | string>> = {
  'streamed from a URL': async (url) => url,
  'fetched whole, then given as bytes': async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer()) as never,
};

/** Loads and runs the model in this process; prints peak memory before and after, linear memory and milliseconds. */
async function load(way: string, source: string): Promise<void> {
  env.wasm.numThreads = 1;
  await (await fetch(source, { method: 'HEAD' })).text();
  const before = peak();
  const started = performance.now();
  const session = await InferenceSession.create((await WAYS[way]?.(source)) as string);
  const [input] = session.inputMetadata;
  const dims = input?.isTensor ? (input.shape as number[]) : [];
  await session.run({ x: { type: 'float32', dims, data: new Float32Array(dims[1] as number) } });
  const milliseconds = performance.now() - started;
  console.log(JSON.stringify([before, peak(), (session.memoryPlan?.linearMemory ?? 0) / MEBIBYTE, milliseconds]));
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
  const file = join(folder, 'model.onnx');
  const model = layers(Number(values.megabytes));
  writeFileSync(file, model);
  const server = createServer((request, response) => {
    response.setHeader('content-length', model.length);
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const rows: string[][] = [];
  for (const way of Object.keys(WAYS)) {
    const args = ['--import', 'tsx', new URL(import.meta.url).pathname, '--way', way, '--source', url];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [before, after, linear, ms] = JSON.parse(stdout) as [number, number, number, number];
    rows.push([way, ...[before, after - before, linear, ms].map(figure)]);
  }
  const title = `A model of ${figure(model.length / MEBIBYTE)} MiB, up to its first result: MiB and ms`;
  console.log(asText({ title, header: ['', 'process before', 'peak on top', 'linear memory', 'ms'], rows }));
  server.close();
  rmSync(folder, { recursive: true });
}

if (values.way && values.source) await load(values.way, values.source);
else await compare();
