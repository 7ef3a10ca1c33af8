import { type ElementType, isFloat } from '../../../tensor/element-types.js';
import { emptyData } from '../../../tensor/empty-data.js';
import type { RoundMode } from '../../../tensor/minifloat.js';
import { numbersOf, tensorOf, truncated } from '../../../tensor/numbers.js';
import { isPacked } from '../../../tensor/packed.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

export interface CastAttributes {
  readonly to: number;
  readonly saturate: number;
  readonly round_mode: string;
}

/** Converts between types that registers of kernels cannot hold. */
export function castOnHost(x: TensorValue, to: ElementType, { saturate, round_mode }: CastAttributes): TensorValue {
  if (x.type === to) return x;
  if (to === 'string') return { type: to, dims: x.dims, data: stringsOf(x) };
  if (x.type === 'string' && (to === 'int64' || to === 'uint64')) return bigIntegersOf(x, to);
  const numbers =
    x.type === 'string'
      ? Float64Array.from(x.data as readonly string[], parse)
      : isPacked(to) && to !== 'float4e2m1'
        ? lowBits(x)
        : numbersOf(x);
  const isBool = to === 'bool';
  if (!isBool && !isFloat(to) && (x.type === 'string' || isFloat(x.type))) return truncated(to, x.dims, numbers);
  const values = isBool
    ? Uint8Array.from(numbers as ArrayLike<number> & Iterable<number>, (n) => Number(n !== 0))
    : numbers;
  return tensorOf(to, x.dims, values, { saturate: saturate !== 0, mode: round_mode as RoundMode });
}

/** Elements as numbers whose lowest bits are exact. */
const lowBits = (x: TensorValue): ArrayLike<number> =>
  x.type === 'int64' || x.type === 'uint64'
    ? Int32Array.from(x.data as ArrayLike<unknown> as ArrayLike<bigint>, (n) => Number(BigInt.asIntN(32, n)))
    : numbersOf(x);

function bigIntegersOf(x: TensorValue, to: ElementType): TensorValue {
  const data = emptyData(to, x.dims) as BigInt64Array;
  (x.data as readonly string[]).forEach((text, i) => {
    data[i] = /^[+-]?\d+$/.test(text.trim())
      ? BigInt(text.trim().replace('+', ''))
      : (truncated(to, [1], [parse(text)]).data[0] as never);
  });
  return { type: to, dims: x.dims, data };
}

const SPECIAL: Record<string, number> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

/** Parses a number: plain, scientific, or INF and NaN in any case. */
function parse(text: string): number {
  const [, sign = '', word = ''] = /^([+-]?)([a-z]+)$/i.exec(text.trim()) ?? [];
  const special = SPECIAL[word.toLowerCase()];
  return special === undefined ? Number(text) : sign === '-' ? -special : special;
}

function stringsOf(x: TensorValue): string[] {
  if (x.type === 'int64' || x.type === 'uint64') return Array.from(x.data as ArrayLike<unknown>, String);
  const numbers = numbersOf(x);
  return Array.from(numbers, (n) =>
    isFloat(x.type) ? floatText(n, x.type) : x.type === 'bool' ? (n ? 'True' : 'False') : String(n),
  );
}

/** The shortest decimal that parses to the same value of the type. */
function floatText(x: number, type: ElementType): string {
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x > 0 ? 'INF' : '-INF';
  const same = (text: string) => numbersOf(tensorOf(type, [1], [Number(text)]))[0] === x;
  const digits = Array.from({ length: 17 }, (_, i) => i + 1).find((n) => same(x.toPrecision(n))) ?? 17;
  return plain(String(Number(x.toPrecision(digits))));
}

/** Writes a decimal without an exponent. */
function plain(text: string): string {
  const [, sign = '', whole = '', fraction = '', power] = /^(-?)(\d+)(?:\.(\d+))?e(.*)$/.exec(text) ?? [];
  if (power === undefined) return text;
  const [digits, exponent] = [whole + fraction, Number(power)];
  return exponent < 0 ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}` : sign + digits.padEnd(exponent + 1, '0');
}
