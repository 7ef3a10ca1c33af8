import type { Value } from '../../../../graph/graph.js';
import { type Draft, refuse } from '../draft.js';
import type { Operands, Operator, Operators } from './operator.js';

/** Complex numbers are pairs along a last axis of size 2. */
const paired = (d: Draft, real: Value, imaginary: Value): Value =>
  d.emit('Concat', [d.unsqueeze(real, -1), d.unsqueeze(imaginary, -1)], { axis: -1 });

const part =
  (i: number): Operator =>
  ([x], d) =>
    d.emit('Gather', [x, d.number('int64', i)], { axis: d.rank(x) - 1 });

const size: Operator = ([x], d) => d.emit('ReduceL2', [x, d.list(-1)], { keepdims: 0 });

/** Applies DFT, which takes [batch, length, 1 or 2]. */
function transformed(d: Draft, x: Value, settings: Record<string, number>, length?: Value): Value {
  return d.emit('DFT', [x, length ?? null], { axis: d.rank(x) - 2, ...settings });
}

function ofReals([x, length]: Operands, d: Draft): Value {
  return transformed(d, d.unsqueeze(x, -1), { onesided: 1 }, d.scalar(d.long(length)));
}

/** Transforms half a spectrum to real numbers. The other half is its mirrored complex conjugate. */
function toReals([x, length]: Operands, d: Draft): Value {
  const [count = 0] = d.numbers(length, 'the length');
  if (count % 2) refuse('odd lengths are not supported');
  const axis = d.rank(x) - 2;
  const half = d.slice(x, axis, 0, count / 2 + 1);
  const rest = d.emit('Mul', [d.slice(x, axis, count / 2 - 1, 0, -1), d.floats(1, -1)]);
  const whole = transformed(d, d.emit('Concat', [half, rest], { axis }), { inverse: 1 });
  return d.emit('Gather', [whole, d.number('int64', 0)], { axis: axis + 1 });
}

export const spectral: Operators = {
  Complex: ([real, imaginary], d) => paired(d, real, imaginary),
  Real: part(0),
  Imag: part(1),
  ComplexAbs: size,
  FFT: ([x], d) => transformed(d, x, {}),
  IFFT: ([x], d) => transformed(d, x, { inverse: 1 }),
  RFFT: ofReals,
  IRFFT: toReals,
};
