import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { bytesOf, StoredTensor } from '../../tensor/stored-tensor.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { castTo, type Emitting, emitOne } from '../emit.js';

/** What each of the 8 / bits codes in a byte stands for, the lowest first. */
export const fromLow = (bits: number, meaning: (code: number) => number = (code) => code) => {
  const count = 8 / bits;
  return (byte: number): number[] =>
    Array.from({ length: count }, (_, i) => meaning((byte >> (bits * i)) & (2 ** bits - 1)));
};

/** The codes in bytes [dims…], in float32 [dims…, codes in a byte]: each byte is looked up in a table of 256 rows. */
export function codesIn(c: Emitting, bytes: Value, codes: (byte: number) => readonly number[]): Value {
  const rows = Array.from({ length: 256 }, (_, byte) => codes(byte));
  const table = tensorOf('float32', [256, (rows[0] as readonly number[]).length], rows.flat());
  return emitOne(c, 'Gather', [c.constant(table), castTo(c, bytes, 'int32')], { axis: intAttribute(0) });
}

/** The same constant of one that was seen before, so that it takes up memory once. */
function once(make: (constant: TensorValue) => TensorValue): (constant: TensorValue) => TensorValue {
  const made = new WeakMap<TensorValue, TensorValue>();
  return (constant) => {
    const known = made.get(constant) ?? make(constant);
    made.set(constant, known);
    return known;
  };
}

/** A constant of 4-bit integers as the bytes that it lies in, two to a byte; its last size must be even. */
export const bytesBehind = once((constant) => {
  const dims = [...constant.dims.slice(0, -1), (constant.dims.at(-1) as number) / 2];
  return new StoredTensor('uint8', dims, () => bytesOf(constant));
});

/** A constant of 4-bit integers in a byte each. */
export const unpacked = once((constant) => tensorOf('int8', constant.dims, numbersOf(constant)));
