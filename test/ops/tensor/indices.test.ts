import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { runNode } from '../one-node.js';
import { sessionsOf } from '../stages.js';

const test = suite('indices that are fed');

const data = tensor('float32', [3, 2], [1, 2, 3, 4, 5, 6]);
const updates = tensor('float32', [1, 2], [8, 9]);

const cases = [
  { op: 'Gather', right: [1, -1], dims: [2], first: '0', expected: [3, 4, 5, 6], extra: [] },
  { op: 'GatherElements', right: [2, -3], dims: [1, 2], first: '0,0', expected: [5, 2], extra: [] },
  { op: 'GatherND', right: [-1, 0], dims: [1, 2], first: '0,0', expected: [5], extra: [] },
  { op: 'ScatterElements', right: [1, 0], dims: [1, 2], first: '0,0', expected: [1, 9, 8, 4, 5, 6], extra: [updates] },
  { op: 'ScatterND', right: [-3], dims: [1, 1], first: '0,0', expected: [8, 9, 3, 4, 5, 6], extra: [updates] },
];

for (const { op, right, dims, first, expected, extra } of cases) {
  test(`${op}: one out of range fails the run and nothing else`, async () => {
    const sessions = await sessionsOf((b) => {
      const inputs = [b.constant('data', data), b.input('indices', 'int64', dims)];
      b.output('y', b.op(op, [...inputs, ...extra.map((x) => b.constant('updates', x))]));
    });
    for (const [stage, session] of sessions) {
      const run = (values: number[]) => session.run({ indices: tensor('int64', dims, values) });
      for (const wrong of [3, -4, 2 ** 40]) {
        const complaint = `${op} "[^"]+": index ${wrong} at \\[${first}\\] is outside axis 0 of size 3: -3 to 2 are valid$`;
        await expectRejection('INVALID_VALUE', new RegExp(complaint), run(right.with(0, wrong)));
      }
      const { y } = await run(right);
      assert.equal([...((y as TensorValue).data as Float32Array)], expected, stage);
    }
  });
}

test('the index that is wrong is found among others, its axis too, whatever runs after it', async () => {
  const sessions = await sessionsOf((b) => {
    const indices = b.input('indices', 'int32', ['n', 2]);
    const x = b.input('x', 'float32', [4, 3, 5]);
    const wide = b.op('Cast', [indices], { to: 7 });
    const rows = b.op('GatherND', [x, wide]);
    const more = b.op('Exp', [b.op('MatMul', [rows, b.op('Transpose', [rows])])]);
    b.output('y', b.op('ReduceSum', [more]));
    b.output('z', b.op('Add', [wide, b.constant('one', tensor('int64', [], [1]))]));
  });
  const x = tensor('float32', [4, 3, 5], new Float32Array(60));
  for (const [stage, session] of sessions) {
    const run = (values: number[]) => session.run({ x, indices: tensor('int32', [values.length / 2, 2], values) });
    const complaint = /index 3 at \[2,1\] is outside axis 1 of size 3: -3 to 2 are valid$/;
    await expectRejection('INVALID_VALUE', complaint, run([0, 0, 3, 2, 0, 3, 9, 9]));
    await expectRejection('INVALID_VALUE', /index 4 at \[0,0\] is outside axis 0 of size 4/, run([4, 1]));
    assert.is(((await run([3, 2])).y as TensorValue).data[0], 1, stage);
  }
});

test('OneHot takes two values, and a depth that is a size', async () => {
  const depth = tensor('float32', [], [3]);
  const values = tensor('int64', [2], [0, 1]);
  for (const [inputs, code] of [
    [[depth, tensor('int64', [1], [0])], 'INVALID_SHAPE'],
    [[depth, tensor('int64', [], [0])], 'INVALID_SHAPE'],
    [[depth, tensor('int64', [0], [])], 'INVALID_SHAPE'],
    [[tensor('float32', [], [Number.POSITIVE_INFINITY]), values], 'INVALID_VALUE'],
    [[tensor('float32', [0], []), values], 'INVALID_VALUE'],
  ] as const)
    for (const constant of [false, true]) {
      const all = [tensor('int64', [1], [1]), ...inputs];
      await expectRejection(code, /OneHot/, runNode('OneHot', { inputs: all, constant, symbolic: true }));
    }
});

test.run();
