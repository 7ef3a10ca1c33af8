import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ModelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { sessionsOf } from '../ops/stages.js';
import { f32, int64s } from '../values.js';
import { assertClose, numbers } from './run-model.js';

const test = suite('initializers that a feed replaces');

interface Case {
  readonly name: string;
  readonly x: TensorValue;
  readonly given: TensorValue;
  readonly other: TensorValue;
  readonly use: (b: ModelBuilder, x: Value, w: Value) => Value;
}

const cases: Case[] = [
  {
    name: 'the weights of MatMul, with what would fuse around it',
    x: numbers([5, 8]),
    given: numbers([8, 16], 2),
    other: numbers([8, 16], 3),
    use: (b, x, w) => b.op('Relu', [b.op('Add', [b.op('MatMul', [x, w]), b.constant('c', numbers([16], 4))])]),
  },
  {
    name: 'the weights of Conv, before BatchNormalization',
    x: numbers([1, 8, 9, 9]),
    given: numbers([16, 8, 3, 3], 2),
    other: numbers([16, 8, 3, 3], 3),
    use(b, x, w) {
      const conv = b.op('Conv', [x, w], { pads: [1, 1, 1, 1] });
      const ones = b.constant('ones', f32([16], new Float32Array(16).fill(0.5)));
      return b.op('BatchNormalization', [conv, ones, ones, ones, ones]);
    },
  },
  {
    name: 'the bias of a Gemm',
    x: numbers([3, 8]),
    given: numbers([4], 2),
    other: numbers([4], 3),
    use: (b, x, w) => b.op('Gemm', [x, b.constant('c', numbers([8, 4], 5)), w]),
  },
  {
    name: 'a factor that is 1 unless fed',
    x: numbers([3, 8]),
    given: f32([1], [1]),
    other: f32([1], [2]),
    use: (b, x, w) => b.op('Mul', [x, b.op('Mul', [w, w])]),
  },
  {
    name: 'a shape',
    x: numbers([2, 6]),
    given: int64s([3, 4]),
    other: int64s([4, 3]),
    use: (b, x, w) => b.op('Reshape', [x, w]),
  },
  {
    name: 'a value that only a subgraph reads',
    x: numbers([4]),
    given: numbers([4], 2),
    other: numbers([4], 3),
    use(b, x, w) {
      const then_branch = b.subgraph('then', (g) => void g.output('o', g.op('Add', [x, w])));
      const else_branch = b.subgraph('else', (g) => void g.output('o', g.op('Sub', [x, w])));
      const positive = b.op('Greater', [b.op('ReduceMax', [x], { keepdims: 0 }), b.constant('zero', f32([], [0]))]);
      return b.op('If', [positive], { then_branch, else_branch });
    },
  },
];

for (const { name, x, given, other, use } of cases) {
  test(name, async () => {
    const build = (isFed: boolean) => (b: ModelBuilder) => {
      const input = b.input('x', 'float32', x.dims);
      const w = isFed ? b.input('w', given.type, given.dims, { default: given }) : b.input('w', given.type, given.dims);
      b.output('y', use(b, input, w));
    };
    const [[, plain]] = (await sessionsOf(build(false))) as [Awaited<ReturnType<typeof sessionsOf>>[number]];
    const expected = async (w: TensorValue) => plain.run({ x, w });
    for (const [stage, session] of await sessionsOf(build(true))) {
      for (const w of [undefined, other, undefined, given, other]) {
        const results = await session.run(w ? { x, w } : { x });
        assertClose(results, await expected(w ?? given), 2e-5, `${stage}, ${w ? 'fed' : 'not fed'}`);
      }
    }
    for (const [stage, session] of await sessionsOf(build(true))) {
      assertClose(await session.run({ x, w: other }), await expected(other), 2e-5, `${stage}, fed first`);
      assertClose(await session.run({ x }), await expected(given), 2e-5, `${stage}, not fed later`);
    }
  });
}

test('the metadata name the input, and a feed of another type is refused', async () => {
  for (const [, session] of await sessionsOf((b) => {
    const w = b.input('w', 'float32', [2], { default: f32([2], [1, 2]) });
    b.output('y', b.op('Neg', [w]));
  })) {
    assert.equal(session.inputNames, ['w']);
    assert.equal([...((await session.run({})).y as TensorValue).data], [-1, -2]);
    assert.equal([...((await session.run({ w: f32([2], [3, 4]) })).y as TensorValue).data], [-3, -4]);
  }
});

test.run();
