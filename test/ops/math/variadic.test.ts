import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/index.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';

const test = suite('operators of any number of inputs');

const [ROWS, COLUMNS] = [3, 5];
const FOLDS: Record<string, (values: readonly number[]) => number> = {
  Sum: (values) => values.reduce((a, b) => a + b),
  Mean: (values) => values.reduce((a, b) => a + b) / values.length,
  Max: (values) => Math.max(...values),
  Min: (values) => Math.min(...values),
};
const ELEMENTS = {
  Sum: ['float32', 'float64', 'float16'],
  Mean: ['float32', 'float64', 'float16'],
  Max: ['float32', 'int64', 'uint8'],
  Min: ['float32', 'int64', 'uint8'],
} as const;

/** Every third input is a row that is repeated, every fifth one a single number. */
const dimsOf = (i: number) => (i % 5 === 4 ? [] : i % 3 === 2 ? [COLUMNS] : [ROWS, COLUMNS]);
/** Multiples of a quarter up to 15, of which sums of 130 are exact in halves, too. */
const valueAt = (i: number, k: number, isWhole: boolean) => ((i * 7 + k * 5) % 13) / (isWhole ? 1 : 4);

for (const [op, fold] of Object.entries(FOLDS))
  for (const element of ELEMENTS[op as keyof typeof ELEMENTS])
    for (const count of [64, 65, 118, 130, 300])
      for (const graphOptimizationLevel of ['disabled', 'all'] as const)
        test(`${op} of ${count} in ${element}, optimized: ${graphOptimizationLevel}`, async () => {
          const isWhole = !element.startsWith('float');
          const b = modelBuilder({ opset: 21 });
          const names = Array.from({ length: count }, (_, i) => `x${i}`);
          const inputs = names.map((name, i) => b.input(name, element, dimsOf(i)));
          b.output('y', b.op(op, inputs));
          const session = await InferenceSession.create(b.toBytes(), { graphOptimizationLevel });
          const feeds = Object.fromEntries(
            names.map((name, i) => {
              const size = dimsOf(i).reduce((a, d) => a * d, 1);
              return [
                name,
                tensorOf(
                  element,
                  dimsOf(i),
                  Array.from({ length: size }, (_, k) => valueAt(i, k, isWhole)),
                ),
              ];
            }),
          );
          const { y } = await session.run(feeds);
          const got = numbersOf(y as TensorValue);
          for (let k = 0; k < ROWS * COLUMNS; k++) {
            const at = (i: number) => (dimsOf(i).length === 0 ? 0 : dimsOf(i).length === 1 ? k % COLUMNS : k);
            const expected = fold(names.map((_, i) => valueAt(i, at(i), isWhole)));
            const bound = element === 'float16' ? 2 ** -10 : 1e-6;
            assert.ok(
              Math.abs((got[k] as number) - expected) <= bound * Math.abs(expected),
              `${got[k]}, not ${expected}`,
            );
          }
          await session.release();
        });

test.run();
