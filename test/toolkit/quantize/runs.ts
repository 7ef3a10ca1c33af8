import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../../src/builder/index.js';
import { elementCount, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { checkModel, loadModel, type Model, saveModel } from '../../../src/tools/index.js';
import { open } from '../../session/run-model.js';
import { f32 } from '../../values.js';
import type { Run } from './sweep.js';

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

/**
 * Whether a runtime adds products of uint8 and int8 exactly. On x86 without VNNI, onnxruntime adds pairs of them with saturation at 16 bits:
 * https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html#when-and-why-do-i-need-to-try-u8u8
 */
export async function addsExactly(run: Run): Promise<boolean> {
  const b = modelBuilder({ opset: 17 });
  const x = b.op('Cast', [b.input('x', 'float32', [1, 64])], { to: 2 });
  const weights = { type: 'int8' as const, dims: [64, 16], data: new Int8Array(64 * 16).fill(127) };
  b.output('y', b.op('Cast', [b.op('MatMulInteger', [x, b.constant('w', weights)])], { to: 1 }));
  const [sum] = await run(b.toBytes(), f32([1, 64], new Array(64).fill(255)));
  return sum === 64 * 255 * 127;
}

export const SATURATES = 'onnxruntime saturates products of uint8 and int8 on this processor';

/** Whether onnxruntime-node is there as a witness of products of uint8 and int8. */
export const hasExactNative =
  hasNative && (await addsExactly(async (bytes, x) => (await runNatively(bytes, { x })).y?.data as Float32Array));

/** ‖found − expected‖ / ‖expected‖ */
export function distance(found: TensorValue | undefined, expected: TensorValue | undefined): number {
  const [a, b] = [found?.data as Float32Array, expected?.data as Float32Array];
  assert.is(a.length, b.length);
  const square = (sum: number, x: number) => sum + x * x;
  return Math.sqrt(a.map((x, i) => x - (b[i] as number)).reduce(square, 0) / b.reduce(square, 0));
}
