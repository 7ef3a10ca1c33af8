import { type ElementType, elementTypeOf } from '../../../src/tensor/element-types.js';
import { type Plain, type PlainArray, plain } from './array.js';
import { int, type Reference, type References, tensor, text } from './definition.js';
import { isFloat, isInteger, isWide, PRECISION, rangeOf, roundToFloat, wrap } from './number-types.js';

interface Modes {
  readonly saturate: boolean;
  /** Of float8e8m0: to which power of two. */
  readonly round: string;
}

/** Undefined: the specification gives no result. */
type Convert = (x: Plain) => Plain | undefined;

/** Beyond the range the result is open, but ONNX's cases wrap those of 2 and 4 bits. */
const asInteger =
  (type: ElementType): Convert =>
  (x) => {
    if (typeof x === 'bigint') return wrap(type, x);
    if (!Number.isFinite(x)) return undefined;
    const whole = BigInt(Math.trunc(x as number));
    const [low, high] = rangeOf(type);
    const isOpen = whole < low || whole > high;
    return isOpen && !/int[24]$/.test(type) ? undefined : wrap(type, whole);
  };

const wrapped =
  (type: ElementType): Convert =>
  (x) =>
    wrap(type, BigInt(x));

/** Exponents alone; what has no power of two is NaN. */
function roundToPower(x: number, { round, saturate }: Modes): number | undefined {
  if (Number.isNaN(x)) return x;
  if (x <= 0) return x < 0 ? undefined : 2 ** -127;
  const below = Math.floor(Math.log2(x));
  const fraction = x / 2 ** below;
  const isUp = fraction > 1 && (round === 'up' || (round === 'nearest' && fraction >= 1.5));
  const exponent = isUp ? below + 1 : below;
  if (exponent > 127) return saturate ? 2 ** 127 : Number.NaN;
  return 2 ** Math.max(exponent, -127);
}

/** Rounds only where the type is the less precise one: floats here are kept unrounded. */
function asFloat(from: ElementType, to: ElementType, modes: Modes): Convert {
  if (to === 'float8e8m0') return (x) => roundToPower(Number(x), modes);
  const isNarrower = (PRECISION[to] as number) < (PRECISION[from] ?? 64) || /16$/.test(to);
  if (!isNarrower || from === to) return (x) => Number(x);
  return (x) => roundToFloat(to, Number(x), modes.saturate);
}

const SPECIAL: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
};

const fromText = (x: Plain): number => SPECIAL[String(x).toLowerCase()] ?? Number(x);

function converterOf(from: ElementType, to: ElementType, modes: Modes): Convert | undefined {
  if (from === to) return (x) => x;
  if (to === 'string') return isInteger(from) ? String : undefined;
  if (from === 'string') {
    if (isWide(to)) return (x) => wrap(to, BigInt(x));
    const number = converterOf('float64', to, modes);
    return number && ((x) => number(fromText(x)));
  }
  if (to === 'bool') return (x) => Number(Number(x) !== 0);
  if (isFloat(to)) return asFloat(from, to, modes);
  if (!isInteger(to)) return undefined;
  return isFloat(from) ? asInteger(to) : wrapped(to);
}

export function cast(
  x: PlainArray,
  to: ElementType,
  modes: Modes = { saturate: true, round: 'up' },
): PlainArray | undefined {
  const convert = converterOf(x.type, to, modes);
  if (!convert) return undefined;
  const out = new Array<Plain>(x.data.length);
  for (let i = 0; i < out.length; i++) {
    const converted = convert(x.data[i] as Plain);
    if (converted === undefined) return undefined;
    out[i] = converted;
  }
  return plain(to, x.dims, out);
}

const casting =
  (typeOf: (node: Parameters<Reference>[0]) => ElementType | undefined): Reference =>
  (node) => {
    const to = typeOf(node);
    const modes = { saturate: int(node, 'saturate', 1) !== 0, round: text(node, 'round_mode', 'up') };
    const result = to && cast(tensor(node, 0), to, modes);
    return result && [result];
  };

export const CAST: References = {
  Cast: casting((node) => elementTypeOf(int(node, 'to', 0))),
  CastLike: casting((node) => tensor(node, 1).type),
};
