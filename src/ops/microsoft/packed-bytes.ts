import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { bytesOf, StoredTensor } from '../../tensor/stored-tensor.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { castTo, type Emitting, emitOne } from '../emit.js';

/** Returns a function that decodes the 8 / bits codes in a byte, the lowest first. */
export const fromLow = (bits: number, meaning: (code: number) => number = (code) => code) => {
  const count = 8 / bits;
  return (byte: number): number[] =>
    Array.from({ length: count }, (_, i) => meaning((byte >> (bits * i)) & (2 ** bits - 1)));
};

/** Decodes bytes [dims…] to float32 [dims…, codes per byte] by a table of 256 rows. */
export function codesIn(c: Emitting, bytes: Value, codes: (byte: number) => readonly number[]): Value {
  const rows = Array.from({ length: 256 }, (_, byte) => codes(byte));
  const table = tensorOf('float32', [256, (rows[0] as readonly number[]).length], rows.flat());
  return emitOne(c, 'Gather', [c.constant(table), castTo(c, bytes, 'int32')], { axis: intAttribute(0) });
}

/** Memoizes `make` by constant, so that each result is stored once. */
function once(make: (constant: TensorValue) => TensorValue): (constant: TensorValue) => TensorValue {
  const made = new WeakMap<TensorValue, TensorValue>();
  return (constant) => {
    const known = made.get(constant) ?? make(constant);
    made.set(constant, known);
    return known;
  };
}

/** The bytes of a constant of 4-bit integers, two per byte; the last dimension must be even. */
export const bytesBehind = once((constant) => {
  const dims = [...constant.dims.slice(0, -1), (constant.dims.at(-1) as number) / 2];
  return new StoredTensor('uint8', dims, () => bytesOf(constant));
});

/** A constant of 4-bit integers with one byte per element. */
export const unpacked = once((constant) => tensorOf('int8', constant.dims, numbersOf(constant)));
