import { TensorProto } from '../../../build/onnx.js';
import { allOf } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { readTensor } from '../../model/tensors.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { isSame } from '../packed-file.js';
import { rawDataOf } from '../tensor-data.js';
import type { WeightDifference } from './change.js';

const STRING = 8;

/** The difference of two tensors with the same type and shape; undefined if they are equal. */
export async function weightDifference(
  before: TensorProto,
  after: TensorProto,
  [a, b]: readonly [Model, Model],
): Promise<WeightDifference | undefined> {
  if (before === after) return undefined;
  if (before.dataType === STRING) return distance(readTensor(before), readTensor(after));
  const [left, right] = [await rawDataOf(before, a), await rawDataOf(after, b)];
  if (await isSame(left, right)) return undefined;
  return distance(await contentsOf(before, left), await contentsOf(after, right));
}

const contentsOf = async ({ name, dataType, dims }: TensorProto, data: Uint8Array): Promise<TensorValue> =>
  readTensor(new TensorProto({ name, dataType, dims, rawData: (await allOf(data)) as Uint8Array<ArrayBuffer> }));

/** The elements, with 64-bit integers unrounded. */
const elementsOf = (value: TensorValue): ArrayLike<number | bigint | string> =>
  /^(string|u?int64|complex)/.test(value.type) ? value.data : numbersOf(value);

function distance(before: TensorValue, after: TensorValue): WeightDifference | undefined {
  const [a, b] = [elementsOf(before), elementsOf(after)];
  let [count, maxAbs] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    if (Object.is(a[i], b[i])) continue;
    count++;
    const gap = gapBetween(a[i], b[i]);
    if (!(gap <= maxAbs) && !Number.isNaN(maxAbs)) maxAbs = gap;
  }
  return count > 0 ? { count, of: a.length, maxAbs } : undefined;
}

function gapBetween(a: unknown, b: unknown): number {
  if (typeof a === 'bigint') return Math.abs(Number(a - (b as bigint)));
  return typeof a === 'number' ? Math.abs(a - (b as number)) : Number.NaN;
}
