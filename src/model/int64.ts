import type Long from 'long';
import protobuf from 'protobufjs/minimal.js';

const Longs = protobuf.util.Long as unknown as { fromNumber(value: number): Long };

/** protobuf's 64-bit integers, as protobufjs decodes them. */
export type Int64 = Long | number;

/** Beyond 2⁵³: the nearest double. */
export const toNumber = (value: Int64): number => (typeof value === 'number' ? value : value.toNumber());

/** The nearest 64-bit integer. */
export const fromNumber = (value: number): Int64 => (Number.isSafeInteger(value) ? value : Longs.fromNumber(value));

export function toBigInt(value: Int64): bigint {
  if (typeof value === 'number') return BigInt(value);
  const high = BigInt(value.unsigned ? value.high >>> 0 : value.high);
  return (high << 32n) | BigInt(value.low >>> 0);
}

/** Writes 64-bit integers exactly, low word first. */
export function fillInt64(target: BigInt64Array | BigUint64Array, values: readonly Int64[]): void {
  const words = new Int32Array(target.buffer, target.byteOffset, target.length * 2);
  values.forEach((value, i) => {
    if (typeof value === 'number') target[i] = BigInt(value);
    else {
      words[2 * i] = value.low;
      words[2 * i + 1] = value.high;
    }
  });
}
