import type { ElementType } from '../../../src/tensor/element-types.js';
import { countOf, type Plain, type PlainArray, plain } from './array.js';
import { int, type Reference, type ReferenceNode, type References, tensor, text } from './definition.js';
import { isFloat, isInteger, isWide, rangeOf, wrap, wrapNumber } from './number-types.js';
import { broadcastDims, broadcastOffsets } from './offsets.js';

/** f of every pair that broadcasting makes. */
export function zip<A extends Plain, B extends Plain, C extends Plain>(
  a: PlainArray,
  b: PlainArray,
  type: ElementType,
  f: (a: A, b: B) => C,
): PlainArray {
  const dims = broadcastDims([a.dims, b.dims]);
  const [inA, inB] = [broadcastOffsets(a.dims, dims), broadcastOffsets(b.dims, dims)];
  const out = new Array<Plain>(countOf(dims));
  for (let i = 0; i < out.length; i++) out[i] = f(a.data[inA[i] as number] as A, b.data[inB[i] as number] as B);
  return plain(type, dims, out);
}

interface Forms {
  readonly float: (a: number, b: number) => number;
  /** Of at most 32 bits; the result is wrapped. */
  readonly integer: (a: number, b: number) => number;
  /** Of 64 bits; the result is wrapped. */
  readonly wide: (a: bigint, b: bigint) => bigint;
}

function combine(a: PlainArray, b: PlainArray, { float, integer, wide }: Forms): PlainArray | undefined {
  const { type } = a;
  if (isFloat(type)) return zip(a, b, type, float);
  if (!isInteger(type)) return undefined;
  if (isWide(type)) return zip(a, b, type, (x: bigint, y: bigint) => wrap(type, wide(x, y)));
  return zip(a, b, type, (x: number, y: number) => wrapNumber(type, integer(x, y)));
}

const only = (value: PlainArray | undefined) => value && [value];

/** Both operands; before opset 7 the right one's first axis is the left one's `axis`. */
export function operandsOf(node: ReferenceNode): readonly [PlainArray, PlainArray] {
  const [a, b] = [tensor(node, 0), tensor(node, 1)];
  const axis = int(node, 'axis', undefined);
  if (node.opset >= 7 || axis === undefined) return [a, b];
  const behind = a.dims.length - axis - b.dims.length;
  return [a, plain(b.type, [...b.dims, ...new Array<number>(behind).fill(1)], b.data)];
}

const ofTwo =
  (forms: Forms): Reference =>
  (node) =>
    only(combine(...operandsOf(node), forms));

const ofAny =
  (forms: Forms): Reference =>
  (node) => {
    let all: PlainArray | undefined = tensor(node, 0);
    for (let i = 1; all && i < node.inputs.length; i++) all = combine(all, tensor(node, i), forms);
    return only(all);
  };

const ADD: Forms = { float: (a, b) => a + b, integer: (a, b) => a + b, wide: (a, b) => a + b };
const SUB: Forms = { float: (a, b) => a - b, integer: (a, b) => a - b, wide: (a, b) => a - b };
const MUL: Forms = { float: (a, b) => a * b, integer: Math.imul, wide: (a, b) => a * b };
const DIV: Forms = { float: (a, b) => a / b, integer: (a, b) => Math.trunc(a / b), wide: (a, b) => a / b };
const MAX: Forms = { float: Math.max, integer: Math.max, wide: (a, b) => (a > b ? a : b) };
const MIN: Forms = { float: Math.min, integer: Math.min, wide: (a, b) => (a < b ? a : b) };
/** The remainder takes the sign of the dividend. */
const FMOD: Forms = { float: (a, b) => a % b, integer: (a, b) => a % b, wide: (a, b) => a % b };
/** The remainder takes the sign of the divisor. */
const MOD: Forms = {
  float: (a, b) => (a % b !== 0 && a < 0 !== b < 0 ? (a % b) + b : a % b),
  integer: (a, b) => ((a % b) + b) % b,
  wide: (a, b) => ((a % b) + b) % b,
};

const hasZero = ({ type, data }: PlainArray) => isInteger(type) && data.some((x) => Number(x) === 0);

/** Division of integers by 0 has no result. */
const dividing =
  (formsOf: (node: ReferenceNode) => Forms): Reference =>
  (node) =>
    hasZero(tensor(node, 1)) ? undefined : ofTwo(formsOf(node))(node);

/** Truncated, for exponents below 0. */
function integerPower(base: bigint, exponent: bigint): bigint | undefined {
  if (exponent >= 0n) return base ** exponent;
  if (base === 0n) return undefined;
  if (base === 1n) return 1n;
  return base === -1n ? (exponent % 2n === 0n ? 1n : -1n) : 0n;
}

/** Result of the base's type, whatever the exponent's. */
const Pow: Reference = (node) => {
  const [base, exponent] = operandsOf(node);
  const { type } = base;
  if (isFloat(type)) {
    return [zip(base, exponent, type, (x: number, y: number | bigint) => power(x, Number(y)))];
  }
  if (!isInteger(type) || exponent.data.some((y) => Number(y) > 64)) return undefined;
  let isDefined = true;
  const result = zip(base, exponent, type, (x: number | bigint, y: number | bigint) => {
    const found = isFloat(exponent.type) ? truncatedPower(Number(x), Number(y)) : integerPower(BigInt(x), BigInt(y));
    isDefined &&= found !== undefined;
    return wrap(type, found ?? 0n);
  });
  return isDefined ? [result] : undefined;
};

/** By way of float64, where that is exact enough. */
function truncatedPower(base: number, exponent: number): bigint | undefined {
  const result = power(base, exponent);
  return Math.abs(result) < 2 ** 31 ? BigInt(Math.trunc(result)) : undefined;
}

/** As C's pow: JavaScript's 1 ** NaN is NaN. */
const power = (x: number, y: number): number =>
  x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY) ? 1 : x ** y;

const bits =
  (f: (a: bigint, b: bigint) => bigint): Reference =>
  (node) => {
    const [a, b] = [tensor(node, 0), tensor(node, 1)];
    const { type } = a;
    if (!isInteger(type)) return undefined;
    return [zip(a, b, type, (x: number | bigint, y: number | bigint) => wrap(type, f(BigInt(x), BigInt(y))))];
  };

const BitShift: Reference = (node) => {
  const { type, data } = tensor(node, 1);
  const [, max] = rangeOf(type);
  if (data.some((y) => BigInt(y) > 64n || BigInt(y) > max)) return undefined;
  const isLeft = text(node, 'direction', '') === 'LEFT';
  return bits((x, y) => (isLeft ? x << y : x >> y))(node);
};

/** Before opset 7 a list of slopes is that of the channels. */
const PRelu: Reference = (node) => {
  const [x, slope] = [tensor(node, 0), tensor(node, 1)];
  const behind = node.opset < 7 && slope.data.length > 1 ? x.dims.length - 2 : 0;
  const slopes = plain(slope.type, [...slope.dims, ...new Array<number>(behind).fill(1)], slope.data);
  return only(
    combine(x, slopes, {
      float: (x, slope) => (x < 0 ? slope * x : x),
      integer: (x, slope) => (x < 0 ? Math.imul(slope, x) : x),
      wide: (x, slope) => (x < 0n ? slope * x : x),
    }),
  );
};

const Mean: Reference = (node) => {
  const sum = ofAny(ADD)(node)?.[0] as PlainArray | undefined;
  if (!sum || !isFloat(sum.type)) return undefined;
  return [
    plain(
      sum.type,
      sum.dims,
      sum.data.map((x) => (x as number) / node.inputs.length),
    ),
  ];
};

export const BINARY: References = {
  Add: ofTwo(ADD),
  Sub: ofTwo(SUB),
  Mul: ofTwo(MUL),
  Div: dividing(() => DIV),
  Mod: dividing((node) => (int(node, 'fmod', 0) ? FMOD : MOD)),
  Max: ofAny(MAX),
  Min: ofAny(MIN),
  Sum: ofAny(ADD),
  Mean,
  Pow,
  PRelu,
  BitShift,
  BitwiseAnd: bits((a, b) => a & b),
  BitwiseOr: bits((a, b) => a | b),
  BitwiseXor: bits((a, b) => a ^ b),
};
