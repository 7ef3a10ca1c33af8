// Kills the workers of a session and of a pool while they run, releases nothing, and must end all the same.
import type { SardonyxError } from '../../src/index.js';
import { createPool } from '../../src/remote/pool/index.js';
import { InferenceSession } from '../../src/remote/worker/index.js';
import { chainOfProducts, floats } from '../worker/session-worker.js';
import { withStartedWorkers } from './started-workers.js';

const model = chainOfProducts(500, 512);
const feeds = { x: floats([64, 512], 2) };
const codeOf = (promise: Promise<unknown>) => promise.catch((error: SardonyxError) => error.code);

async function main(): Promise<void> {
  await withStartedWorkers(async (workers) => {
    const session = await InferenceSession.create(model);
    const pool = await createPool(model, { size: 1 });
    const { signal } = new AbortController();
    const codes = [codeOf(session.run(feeds, { signal })), codeOf(pool.run(feeds, { transfer: true }))];
    setTimeout(() => {
      for (const worker of workers) void worker.terminate();
    }, 100);
    console.log((await Promise.all(codes)).join(' '));
  });
}

void main();
