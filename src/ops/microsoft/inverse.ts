import { account } from '../../account.js';
import { differ } from '../../graph/guards.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { sameAsInput } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';

/** Gauss–Jordan elimination with partial pivoting; modifies `a`. */
function invert(a: Float64Array, n: number): Float64Array {
  const inverse = Float64Array.from({ length: n * n }, (_, i) => Number(i % (n + 1) === 0));
  const pair = [a, inverse];
  const at = (m: Float64Array, row: number, column: number) => m[row * n + column] as number;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let row = k + 1; row < n; row++) if (Math.abs(at(a, row, k)) > Math.abs(at(a, pivot, k))) pivot = row;
    const factor = 1 / at(a, pivot, k);
    for (const m of pair) {
      const row = m.slice(pivot * n, (pivot + 1) * n);
      m.copyWithin(pivot * n, k * n, (k + 1) * n);
      m.set(
        row.map((x) => x * factor),
        k * n,
      );
    }
    for (let row = 0; row < n; row++) {
      const share = at(a, row, k);
      if (row === k || share === 0) continue;
      for (const m of pair) for (let j = 0; j < n; j++) m[row * n + j] = at(m, row, j) - share * at(m, k, j);
    }
  }
  return inverse;
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Inverse */
export const inverse = defineOp({
  domain: 'com.microsoft',
  name: 'Inverse',
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  infer(c) {
    const dims = c.dims(0);
    if (dims && (dims.length < 2 || differ(dims.at(-1), dims.at(-2))))
      c.fail('INVALID_SHAPE', `input 0 must be square matrices, not [${dims}]`);
    return sameAsInput(c);
  },
  evaluate(c) {
    const x = c.tensor(0);
    const n = x.dims.at(-1) as number;
    const values = Float64Array.from(numbersOf(x));
    for (let from = 0; from < values.length; from += n * n) {
      account()?.spend(n ** 3);
      values.set(invert(values.slice(from, from + n * n), n), from);
    }
    return [tensorOf(x.type, x.dims, values)];
  },
});
