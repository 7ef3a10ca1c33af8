import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { numbers } from '../session/run-model.js';

const test = suite('operands whose contents follow from sizes');

/** Data of a fixed shape, and an operand that depends on the size n of another input: [n] as floats or integers. */
interface Operand {
  readonly x: readonly number[];
  build(b: ModelBuilder, x: Value, size: Value): Value;
}

const asFloats = (b: ModelBuilder, size: Value, ...dims: number[]): Value => {
  const shape = b.constant('weight_dims', tensor('int64', [dims.length], dims.map(BigInt)));
  return b.op('Reshape', [b.op('Cast', [size], { to: 1 }), shape]);
};

/** Operators with a form of their own for constant operands, and one without. */
const OPERANDS: Readonly<Record<string, Operand>> = {
  MatMul: { x: [30, 1], build: (b, x, size) => b.op('MatMul', [x, asFloats(b, size, 1)]) },
  'MatMul by a matrix': { x: [30, 1], build: (b, x, size) => b.op('MatMul', [x, asFloats(b, size, 1, 1)]) },
  Gemm: { x: [30, 1], build: (b, x, size) => b.op('Gemm', [x, asFloats(b, size, 1, 1)], { transB: 1 }) },
  Conv: { x: [1, 1, 5, 6], build: (b, x, size) => b.op('Conv', [x, asFloats(b, size, 1, 1, 1, 1)]) },
  ConvTranspose: { x: [1, 1, 5, 6], build: (b, x, size) => b.op('ConvTranspose', [x, asFloats(b, size, 1, 1, 1, 1)]) },
  'depthwise Conv': {
    x: [1, 4, 5, 6],
    build(b, x, size) {
      const dims = b.constant('dims', tensor('int64', [4], [4n, 1n, 1n, 1n]));
      return b.op('Conv', [x, b.op('Expand', [asFloats(b, size, 1), dims])], { group: 4 });
    },
  },
  Mul: { x: [30, 2], build: (b, x, size) => b.op('Mul', [x, asFloats(b, size, 1)]) },
  Gather: {
    x: [30],
    build: (b, x, size) =>
      b.op('Mul', [x, b.op('Cast', [b.op('Gather', [size, b.constant('i', tensor('int64', [], [0n]))])], { to: 1 })]),
  },
};

for (const [name, { x: dims, build }] of Object.entries(OPERANDS))
  for (const graphOptimizationLevel of ['all', 'disabled'] as const)
    test(`${name}, ${graphOptimizationLevel}: the operand is that of each size`, async () => {
      const b = modelBuilder({ opset: 21 });
      const [x, sized] = [b.input('x', 'float32', dims), b.input('sized', 'float32', ['n'])];
      b.output('y', build(b, x, b.op('Shape', [sized])));
      b.output('z', b.op('Relu', [sized]));
      const session = await InferenceSession.create(b.toBytes(), { graphOptimizationLevel });
      const given = numbers(dims) as TensorValue;
      for (const n of [4, 5, 9, 12, 5, 2]) {
        const { y } = await session.run({ x: given, sized: numbers([n]) } as never);
        const expected = (given.data as Float32Array).map((value) => value * n);
        assert.equal(y?.data, expected, `n = ${n}`);
      }
      await session.release();
    });

for (const graphOptimizationLevel of ['all', 'disabled'] as const)
  test(`contents whose length follows from sizes, ${graphOptimizationLevel}`, async () => {
    const b = modelBuilder({ opset: 21 });
    const sized = b.input('sized', 'float32', ['n']);
    const shape = b.op('Concat', [b.constant('two', tensor('int64', [1], [2n])), b.op('Shape', [sized])], { axis: 0 });
    const zeros = b.op('ConstantOfShape', [shape]);
    b.output(
      'y',
      b.op('Concat', [zeros, b.constant('ones', tensor('float32', [2, 3], new Array(6).fill(1)))], { axis: 1 }),
    );
    b.output('z', b.op('Relu', [sized]));
    const session = await InferenceSession.create(b.toBytes(), { graphOptimizationLevel });
    for (const n of [4, 5, 3, 9, 2]) {
      const { y } = await session.run({ sized: numbers([n]) } as never);
      const row = [...new Array<number>(n).fill(0), 1, 1, 1];
      assert.equal(y?.dims, [2, n + 3], `n = ${n}`);
      assert.equal(Array.from(y?.data as Float32Array), [...row, ...row], `n = ${n}`);
    }
    await session.release();
  });

test.run();
