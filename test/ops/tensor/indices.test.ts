import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { sessionsOf } from '../stages.js';

const test = suite('indices that are fed');

const data = tensor('float32', [3, 2], [1, 2, 3, 4, 5, 6]);
const updates = tensor('float32', [1, 2], [8, 9]);

const cases = [
  { op: 'Gather', right: [1, -1], dims: [2], expected: [3, 4, 5, 6], extra: [] },
  { op: 'GatherElements', right: [2, -3], dims: [1, 2], expected: [5, 2], extra: [] },
  { op: 'GatherND', right: [-1, 0], dims: [1, 2], expected: [5], extra: [] },
  { op: 'ScatterElements', right: [1, 0], dims: [1, 2], expected: [1, 9, 8, 4, 5, 6], extra: [updates] },
  { op: 'ScatterND', right: [-3], dims: [1, 1], expected: [8, 9, 3, 4, 5, 6], extra: [updates] },
];

for (const { op, right, dims, expected, extra } of cases) {
  test(`${op}: one out of range fails the run and nothing else`, async () => {
    const sessions = await sessionsOf((b) => {
      const inputs = [b.constant('data', data), b.input('indices', 'int64', dims)];
      b.output('y', b.op(op, [...inputs, ...extra.map((x) => b.constant('updates', x))]));
    });
    for (const [stage, session] of sessions) {
      const run = (values: number[]) => session.run({ indices: tensor('int64', dims, values) });
      await expectRejection('INVALID_VALUE', /out of range/, run(right.with(0, 3)));
      await expectRejection('INVALID_VALUE', /out of range/, run(right.with(0, -4)));
      const { y } = await run(right);
      assert.equal([...((y as TensorValue).data as Float32Array)], expected, stage);
    }
  });
}

test.run();
