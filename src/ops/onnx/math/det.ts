import { account } from '../../../account.js';
import { tensorType } from '../../../graph/types.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { sameAsInput } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';

/** The determinant of the square matrix at offset `at`, by elimination with partial pivoting; overwrites the matrix. */
function determinant(m: Float64Array, at: number, size: number): number {
  const row = (i: number) => at + i * size;
  let result = 1;
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++) {
      if (Math.abs(m[row(i) + k] as number) > Math.abs(m[row(pivot) + k] as number)) pivot = i;
    }
    const value = m[row(pivot) + k] as number;
    if (value === 0) return 0;
    result *= pivot === k ? value : -value;
    for (let j = k; j < size; j++) {
      const held = m[row(k) + j] as number;
      m[row(k) + j] = m[row(pivot) + j] as number;
      m[row(pivot) + j] = held;
    }
    for (let i = k + 1; i < size; i++) {
      account()?.spend(size - k);
      const factor = (m[row(i) + k] as number) / value;
      for (let j = k; j < size; j++) m[row(i) + j] = (m[row(i) + j] as number) - factor * (m[row(k) + j] as number);
    }
  }
  return result;
}

/** https://onnx.ai/onnx/operators/onnx__Det.html */
export const det = defineOp({
  name: 'Det',
  since: 11,
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  infer(c) {
    const dims = c.dims(0);
    if (dims && (dims.length < 2 || (dims.at(-1) !== dims.at(-2) && dims.every((d) => typeof d === 'number')))) {
      c.fail('INVALID_SHAPE', `input 0 must be square matrices, not [${dims}]`);
    }
    return [tensorType(c.element(0), dims?.slice(0, -2))];
  },
  evaluate(c) {
    const { type, dims } = c.tensor(0);
    const size = dims.at(-1) as number;
    const matrices = Float64Array.from(numbersOf(c.tensor(0)));
    const batch = dims.slice(0, -2);
    const results = Float64Array.from({ length: elementCount(batch) }, (_, i) =>
      determinant(matrices, i * size * size, size),
    );
    return [tensorOf(type, batch, results)];
  },
});

/** Cofactors of square matrices: the signed determinants without the row and column of each element. */
export const cofactors = defineOp({
  domain: 'sardonyx',
  name: 'Cofactors',
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  infer: sameAsInput,
  evaluate(c) {
    const { type, dims } = c.tensor(0);
    const size = dims.at(-1) as number;
    const values = numbersOf(c.tensor(0));
    const y = Float64Array.from(values, (_, at) => {
      const first = at - (at % (size * size));
      const [row, column] = [Math.floor(at / size) % size, at % size];
      account()?.spend(8 * size ** 2);
      const minor = Float64Array.from({ length: (size - 1) ** 2 }, (_, i) => {
        const [r, k] = [Math.floor(i / (size - 1)), i % (size - 1)];
        return values[first + (r + Number(r >= row)) * size + k + Number(k >= column)] as number;
      });
      return ((row + column) % 2 === 0 ? 1 : -1) * determinant(minor, 0, size - 1);
    });
    return [tensorOf(type, dims, y)];
  },
});
