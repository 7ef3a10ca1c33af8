import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModel } from '../src/model/read-model.js';
import { readValue } from '../src/model/read-values.js';
import type { TypedArray } from '../src/tensor/element-types.js';
import { elementCount, type TensorValue } from '../src/tensor/tensor-value.js';

/** A tensor of numbers to send to or from another process. */
export interface NamedTensor extends TensorValue {
  name: string;
  data: TypedArray;
}

/** Uniform in [0, 1). */
export type Random = () => number;

/** xorshift32: https://www.jstatsoft.org/article/view/v008i14 */
export function seeded(seed = 0x9e3779b9): Random {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Normally distributed values, by the Box–Muller transform. */
export function randomFloats(name: string, dims: number[], random: Random): NamedTensor {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return { name, type: 'float32', dims, data: Float32Array.from({ length: elementCount(dims) }, normal) };
}

/** Uniform in [0, 1). */
export const uniformFloats = (name: string, dims: number[], random: Random): NamedTensor => ({
  ...{ name, type: 'float32', dims },
  data: Float32Array.from({ length: elementCount(dims) }, random),
});

/** Whole numbers from 0 to below `end`. */
export function randomIntegers(name: string, dims: number[], end: number, random: Random): NamedTensor {
  const draw = () => BigInt(Math.floor(random() * end));
  return { name, type: 'int64', dims, data: BigInt64Array.from({ length: elementCount(dims) }, draw) };
}

/** The first stored data set in a model's folder. */
export function storedSet(folder: string): { inputs: NamedTensor[]; outputs: NamedTensor[] } {
  const { graph } = readModel(readFileSync(join(folder, 'model.onnx')));
  const read = (kind: string, values: readonly { name: string }[]) =>
    values
      .map(({ name }, i) => ({ name, file: join(folder, 'test_data_set_0', `${kind}_${i}.pb`) }))
      .filter(({ file }) => existsSync(file))
      .map(({ name, file }) => ({ ...(readValue(readFileSync(file)) as NamedTensor), name }));
  return {
    inputs: read(
      'input',
      graph.inputs.filter(({ constant }) => !constant),
    ),
    outputs: read('output', graph.outputs),
  };
}
