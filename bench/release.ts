// Resident memory that remains after 200 sessions are created, run and released: npm run bench:release --
// [--threads 1,2] [--cycles 200] [--blocks 5] [--megabytes 8, of the model's weights]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { modelBuilder } from '../src/builder/index.js';
import { InferenceSession } from '../src/index.js';
import { median } from './statistics.js';
import { asText, figure } from './tables.js';

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '1,2' },
    cycles: { type: 'string', default: '200' },
    blocks: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '8' },
  },
});
const [cycles, blocks, megabytes] = [values.cycles, values.blocks, values.megabytes].map(Number) as [
  number,
  number,
  number,
];

/** Cycles before the first reading, for compilation and heap growth. */
const WARM_UP = 20;
const MEBIBYTE = 2 ** 20;

const LAYERS = 4;
const size = Math.round(Math.sqrt((megabytes * 1e6) / 4 / LAYERS));

function layers(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  let x = b.input('x', 'float32', ['batch', size]);
  for (let i = 0; i < LAYERS; i++) {
    const data = Float32Array.from({ length: size * size }, (_, k) => Math.sin(k + i) / size);
    x = b.op('Relu', [b.op('MatMul', [x, b.constant(`w${i}`, { type: 'float32', dims: [size, size], data })])]);
  }
  b.output('y', x);
  return b.toBytes();
}

const model = layers();

async function cycle(intraOpNumThreads: number): Promise<void> {
  const session = await InferenceSession.create(model, { intraOpNumThreads });
  for (const batch of [1, 16])
    await session.run({ x: { type: 'float32', dims: [batch, size], data: new Float32Array(batch * size) } });
  await session.release();
}

/** The minimum resident memory over some garbage collections: garbage is freed, and threads end, with a delay. */
async function resident(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
    least = Math.min(least, residentNow());
  }
  return least;
}

function residentNow(): number {
  const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return kilobytes ? Number(kilobytes) * 1024 : process.memoryUsage.rss();
}

/** The median growth per block over all pairs of readings; a single reading may be off by ten megabytes. */
function growth(readings: readonly number[]): number {
  const slopes = readings.flatMap((later, j) => readings.slice(0, j).map((earlier, i) => (later - earlier) / (j - i)));
  return median(slopes);
}

async function measure(threads: number): Promise<string[]> {
  for (let i = 0; i < WARM_UP; i++) await cycle(threads);
  const readings = [await resident()];
  let peak = 0;
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < cycles; i++) {
      await cycle(threads);
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    readings.push(await resident());
  }
  return [`${threads}`, ...[growth(readings), ...readings, peak].map((bytes) => figure(bytes / MEBIBYTE))];
}

const rows: string[][] = [];
for (const threads of values.threads.split(',').map(Number)) rows.push(await measure(threads));
const title = `Resident memory after blocks of ${cycles} sessions of ${megabytes} MB of weights, MiB`;
const after = Array.from({ length: blocks + 1 }, (_, block) => `${block * cycles}`);
console.log(asText({ title, header: ['threads', 'growth per block', ...after, 'most on the way'], rows }));
