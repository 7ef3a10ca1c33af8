import { type InferenceSession, Tensor } from 'sardonyx';
import { modelBuilder, tensor } from 'sardonyx/builder';
import type { Ceiling } from '../contracts/runs.js';
import type { Settings } from '../contracts/settings.js';
import { create } from './sessions.js';

const SIDE = 768;
const LENGTH = 1 << 22;
const RUNS = 7;

/** Measures a matrix product and a sum of two long vectors by the shortest kernel time of several runs. */
export async function ceilingOf(settings: Settings): Promise<Ceiling> {
  const product = await leastTime(productModel(), settings, { x: filled([SIDE, SIDE]) });
  const sum = await leastTime(sumModel(), settings, { x: filled([LENGTH]), y: filled([LENGTH]) });
  return {
    gigaflops: (2 * SIDE ** 3) / (product.milliseconds * 1e6),
    bandwidth: (3 * 4 * LENGTH) / (sum.milliseconds * 1e6),
    threads: product.threads,
  };
}

const filled = (dims: number[]) =>
  new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b)).fill(0.5), dims);

function productModel(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', [SIDE, SIDE]);
  const weights = new Float32Array(SIDE * SIDE).map((_, i) => (i % 7) / 7);
  b.output('z', b.op('MatMul', [x, b.constant('w', tensor('float32', [SIDE, SIDE], weights))]));
  return b.toBytes();
}

function sumModel(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  b.output('z', b.op('Add', [b.input('x', 'float32', [LENGTH]), b.input('y', 'float32', [LENGTH])]));
  return b.toBytes();
}

async function leastTime(model: Uint8Array, settings: Settings, feeds: Record<string, Tensor>) {
  const data = new Blob([model as Uint8Array<ArrayBuffer>]);
  const { session } = await create({ name: 'ceiling', model: data, beside: [] }, { ...settings, level: 'all' });
  try {
    await session.run(feeds);
    const times: number[] = [];
    for (let i = 0; i < RUNS; i++) times.push(await kernelTime(session, feeds));
    // With a coarse clock, the minimum may be 0.
    const milliseconds = Math.min(...times) || times.reduce((sum, each) => sum + each) / RUNS;
    if (milliseconds === 0) throw new Error('the clock of this browser is too coarse to measure this machine');
    return { milliseconds, threads: session.threads };
  } finally {
    await session.release();
  }
}

/** The time of the kernels, without copying the feeds. */
async function kernelTime(session: InferenceSession, feeds: Record<string, Tensor>): Promise<number> {
  session.startProfiling();
  await session.run(feeds);
  session.endProfiling();
  return session.profile.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}
