import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { elementCount, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { checkModel, loadModel, type Model, saveModel } from '../../../src/tools/index.js';
import { open } from '../../session/run-model.js';
import { f32 } from '../../values.js';

export type Values = Readonly<Record<string, TensorValue>>;

/** Numbers that are the same each time, evenly between -1 and 1. */
export function evenly(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}

/** A tensor of them. */
export const weight = (dims: readonly number[], seed: number): TensorValue =>
  f32(dims, evenly(elementCount(dims), seed));

export const loaded = (bytes: Uint8Array): Promise<Model> => loadModel(bytes);

/** What a model comes to, once the checker has found nothing wrong. */
export async function checked(model: Model): Promise<Uint8Array> {
  const bytes = await saveModel(model);
  assert.equal(await checkModel(await loadModel(bytes), { full: true }), []);
  return bytes;
}

export async function run(bytes: Uint8Array, feeds: Values): Promise<Values> {
  const session = await open(bytes);
  return (await session.run(feeds)) as Values;
}

/** onnxruntime-node lies in bench/, where that is installed. It runs nodes as they are: it would make 8-bit products of others. */
export const hasNative = existsSync(new URL('../../../bench/node_modules/onnxruntime-node', import.meta.url));

export async function runNatively(bytes: Uint8Array, feeds: Values): Promise<Values> {
  const { OPTIONS, runtime } = await import('../../contrib/runtime.js');
  const session = await runtime.InferenceSession.create(bytes, { ...OPTIONS, graphOptimizationLevel: 'disabled' });
  const native = Object.entries(feeds).map(([name, { type, data, dims }]) => [
    name,
    new runtime.Tensor(type, data, dims),
  ]);
  const results = await session.run(Object.fromEntries(native));
  await session.release();
  return results;
}

/** ‖found − expected‖ / ‖expected‖ */
export function distance(found: TensorValue | undefined, expected: TensorValue | undefined): number {
  const [a, b] = [found?.data as Float32Array, expected?.data as Float32Array];
  assert.is(a.length, b.length);
  const square = (sum: number, x: number) => sum + x * x;
  return Math.sqrt(a.map((x, i) => x - (b[i] as number)).reduce(square, 0) / b.reduce(square, 0));
}
