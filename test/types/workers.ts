// Uses of sardonyx/worker and sardonyx/pool that must compile, and some that must not. Checked, not run.
import type { InferenceSession as DirectSession } from 'sardonyx';
import { type BatchOptions, createPool, type SessionPool } from 'sardonyx/pool';
import {
  InferenceSession,
  type MemoryPlan,
  type Results,
  type RunOptions,
  type StepTiming,
  Tensor,
} from 'sardonyx/worker';

const x = new Tensor('float32', new Float32Array(6), [2, 3]);
const options: RunOptions = { signal: new AbortController().signal, transfer: true };

export async function inWorker(bytes: Uint8Array, blob: Blob): Promise<void> {
  const session = await InferenceSession.create(bytes, { transfer: true, intraOpNumThreads: 2 });
  await InferenceSession.create(blob);
  const results: Results = await session.run({ x }, ['y'], options);
  await session.run({ x }, options);
  const told: Promise<void> = session.startProfiling();
  const steps: readonly StepTiming[] = await session.profile;
  const plan: MemoryPlan | null = await session.memoryPlan;
  const names: readonly string[] = session.inputNames;
  console.log(results, told, steps, plan, names, await session.threads);
  // @ts-expect-error the model is in the worker
  session.model;
  // @ts-expect-error what the worker knows is a promise
  session.memoryPlan?.peak;
  await session.release();
}

type Inputs = { x: 'float32' };
type Outputs = { y: 'float32'; list: Tensor<'int64'>[] };

export async function named(url: URL): Promise<Float32Array[]> {
  const session = await InferenceSession.create<Inputs, Outputs>(url, { intraOpNumThreads: 1 });
  const pool = await createPool<Inputs, Outputs>(url, { size: 1 });
  const data: Float32Array[] = [];
  for (const each of [session, pool]) {
    const { y, list } = await each.run({ x });
    const { y: only } = await each.run({ x }, ['y']);
    const ids: BigInt64Array | undefined = list[0]?.data;
    console.log(ids);
    data.push(y.data, only.data);
  }
  for await (const { y } of pool.runAll([{ x }], ['y'])) data.push(y.data);
  for await (const { list } of pool.runAll([{ x }])) console.log(list.length);
  data.push((await pool.runBatch({ x }, { fetches: ['y'], whole: ['x'] })).y.data);
  data.push((await pool.runBatch({ x })).y.data);
  // @ts-expect-error no feed
  await session.run({});
  // @ts-expect-error misspelt
  await pool.run({ X: x });
  // @ts-expect-error no such output
  await pool.runBatch({ x }, { fetches: ['z'] });
  // @ts-expect-error no such input
  await pool.runBatch({ x }, { whole: ['y'] });
  // @ts-expect-error not fetched
  for await (const { list } of pool.runAll([{ x }], ['y'])) console.log(list);
  return data;
}

/** One of several classes. */
export const createdBy = (Class: typeof DirectSession | typeof InferenceSession) => Class.create('model.onnx');

/** What runs models need not know where they run. */
export const runAnywhere = (session: Pick<DirectSession, 'run' | 'release' | 'inputNames'>) => session.run({ x });
export const both = (a: DirectSession, b: InferenceSession, c: SessionPool) => [a, b, c].map(runAnywhere);

export async function inPool(url: URL): Promise<void> {
  const pool = await createPool(url, { size: 2, freeDimensionOverrides: { batch: 1 } });
  for await (const { y } of pool.runAll([{ x }, { x }], ['y'], options)) console.log(y);
  const batch: BatchOptions = { axis: 0, parts: 2, whole: ['bias'], fetches: ['y'] };
  const results: Results = await pool.runBatch({ x }, batch);
  console.log(results, pool.queued, pool.size);
  // @ts-expect-error batches are split along the first axis
  await pool.runBatch({ x }, { axis: 1 });
  // @ts-expect-error each worker has one thread
  await createPool(url, { intraOpNumThreads: 2 });
  await pool.release();
}
