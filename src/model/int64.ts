/** 64 bits in two words, as protobufjs expects. The package `long` is not used, because it compiles WebAssembly when it is loaded. */
export class Long {
  constructor(
    readonly low: number,
    readonly high: number,
    readonly unsigned: boolean,
  ) {}

  static fromBits(low: number, high: number, unsigned: boolean): Long {
    return new Long(low, high, unsigned);
  }

  toNumber(): number {
    return (this.unsigned ? this.high >>> 0 : this.high) * 2 ** 32 + (this.low >>> 0);
  }
}

/** protobuf's 64-bit integers. */
export type Int64 = Long | number;

/** As a number; beyond 2⁵³ the nearest double. */
export const toNumber = (value: Int64): number => (typeof value === 'number' ? value : value.toNumber());

/** The nearest 64-bit integer, rounded toward zero; 0 for NaN. */
export function fromNumber(value: number): Int64 {
  if (Number.isSafeInteger(value)) return value;
  const whole = Math.trunc(value || 0);
  const exact = whole >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(Math.max(whole, -(2 ** 63)));
  return fromBigInt(exact);
}

export const fromBigInt = (value: bigint): Long =>
  Long.fromBits(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)), false);

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

/** A number if it is exact, otherwise a Long. */
export const fromInteger = (value: bigint): Int64 =>
  BigInt.asIntN(53, value) === value ? Number(value) : fromBigInt(value);
