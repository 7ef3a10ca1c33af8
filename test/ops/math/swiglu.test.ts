import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { float } from '../../../src/builder/index.js';
import { FLOATS } from '../../../src/schema/element-sets.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { numbers } from '../../session/run-model.js';
import { runNode } from '../one-node.js';

const test = suite('SwiGLU');

const TOLERANCE: Partial<Record<ElementType, number>> = {
  float32: 5e-7,
  float16: 1e-3,
  bfloat16: 8e-3,
  float64: 1e-15,
};

for (const element of FLOATS) {
  for (const alpha of [undefined, 0.5, -1.5]) {
    test(`${element}, alpha ${alpha ?? 'left out'}`, async () => {
      const [a, b] = [1, 2].map((seed) =>
        tensorOf(
          element,
          [2, 3, 5],
          (numbers([2, 3, 5], seed).data as Float32Array).map((x) => 6 * x),
        ),
      ) as [TensorValue, TensorValue];
      const attributes = alpha === undefined ? {} : { alpha: float(alpha) };
      const [y] = (await runNode('SwiGLU', { inputs: [a, b], attributes, opset: 28 })) as [TensorValue];
      assert.equal([y.type, y.dims], [element, [2, 3, 5]]);
      const [gate, linear, actual] = [a, b, y].map(numbersOf) as [
        ArrayLike<number>,
        ArrayLike<number>,
        ArrayLike<number>,
      ];
      for (let i = 0; i < 30; i++) {
        const x = gate[i] as number;
        const expected = (x / (1 + Math.exp(-(alpha ?? 1) * x))) * (linear[i] as number);
        const off = Math.abs((actual[i] as number) - expected);
        assert.ok(
          off <= (TOLERANCE[element] as number) * Math.max(1, Math.abs(expected)),
          `${actual[i]}, not ${expected}`,
        );
      }
    });
  }
}

test('does not broadcast', () =>
  expectRejection(
    'INVALID_SHAPE',
    /input 1 must be \[2,3\], not \[3\]/,
    runNode('SwiGLU', { inputs: [numbers([2, 3]), numbers([3])], opset: 28 }),
  ));

test.run();
