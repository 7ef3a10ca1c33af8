import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { arithmeticOn, castTo, type Emitting, emitOne, reshapeTo } from '../emit.js';

/** Unpacks codes of `bits` bits from bytes, the lowest bits first, to floats in `rows` rows. */
export function unpackedCodes(c: Emitting, bytes: Value, bits: number, rows: number): Value {
  const f = arithmeticOn(c, 'float32');
  const digits: Value[] = [];
  let rest = castTo(c, bytes, 'float32');
  for (let left = 8 / bits; left > 1; left--) {
    const higher = f('Floor', f('Mul', rest, 2 ** -bits));
    digits.push(f('Sub', rest, f('Mul', higher, 2 ** bits)));
    rest = higher;
  }
  if (digits.length === 0) return reshapeTo(c, rest, [rows, -1]);
  const columns = [...digits, rest].map((digit) => reshapeTo(c, digit, [-1, 1]));
  return reshapeTo(c, emitOne(c, 'Concat', columns, { axis: intAttribute(1) }), [rows, -1]);
}
