import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../emit.js';

type Context = Decomposition<unknown>;

/** Quantization of cached keys or values: one scale for the tensor, or one for each column of each head. */
export interface Quantization {
  readonly scale: Value;
  readonly isPerChannel: boolean;
  readonly bits: number;
}

/** [batch, heads, rows, columns] in float32. */
type Dims = readonly [batch: number, heads: number, rows: number, columns: number];

/** The scale, in a shape that broadcasts over [batch, heads, rows, columns]. */
const scaleOf = (c: Context, { scale, isPerChannel }: Quantization, [, heads, , columns]: Dims): Value =>
  reshapeTo(c, scale, isPerChannel ? [1, heads, 1, columns] : []);

/** Packs two 4-bit integers per byte, the first in the low bits, with an offset of 8. */
function packed(c: Context, whole: Value): Value {
  const f = arithmeticOn(c, 'float32');
  const half = (from: number) =>
    emitOne(c, 'Slice', [f('Add', whole, 8), listOf(c, [from]), listOf(c, [2 ** 31]), listOf(c, [-1]), listOf(c, [2])]);
  return castTo(c, f('Add', half(0), f('Mul', half(1), 16)), 'uint8');
}

function unpacked(c: Context, bytes: Value, [, , , columns]: Dims): Value {
  const f = arithmeticOn(c, 'float32');
  const whole = castTo(c, bytes, 'float32');
  const high = f('Floor', f('Div', whole, 16));
  const halves = [f('Sub', whole, f('Mul', high, 16)), high].map((x) => emitOne(c, 'Unsqueeze', [x, listOf(c, [-1])]));
  const pairs = emitOne(c, 'Concat', halves, { axis: intAttribute(-1) });
  return f('Sub', reshapeTo(c, pairs, [0, 0, 0, columns]), 8);
}

/** Quantizes, rounding half to even, as the cache is stored. */
export function quantized(c: Context, x: Value, how: Quantization, dims: Dims): Value {
  const f = arithmeticOn(c, 'float32');
  const bound = 2 ** (how.bits - 1);
  const whole = f('Clip', f('Round', f('Div', x, scaleOf(c, how, dims))), -bound, bound - 1);
  return how.bits === 8 ? castTo(c, whole, 'int8') : packed(c, whole);
}

/** Dequantizes cached keys or values to float32. */
export function dequantized(c: Context, kept: Value, how: Quantization, dims: Dims): Value {
  const whole = how.bits === 8 ? castTo(c, kept, 'float32') : unpacked(c, kept, dims);
  return emitOne(c, 'Mul', [whole, scaleOf(c, how, dims)]);
}
