import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../src/builder/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { sessionsOf } from '../ops/stages.js';

const test = suite('shape arithmetic');

test('a reshape computed from the shape of its input runs nothing', async () => {
  const sessions = await sessionsOf((b) => {
    const x = b.input('x', 'float32', ['batch', 'length', 6]);
    const int64 = (name: string, values: number[], dims = [values.length]) =>
      b.constant(name, tensor('int64', dims, values));
    const at = (i: number) => b.op('Gather', [b.op('Shape', [x]), int64(`at${i}`, [i], [])], { axis: 0 });
    const axis = int64('axis', [0]);
    const rows = b.op('Mul', [at(0), at(1)]);
    const half = b.op('Div', [at(2), int64('two', [2], [])]);
    const target = b.op(
      'Concat',
      [b.op('Unsqueeze', [rows, axis]), int64('pair', [2]), b.op('Unsqueeze', [half, axis])],
      { axis: 0 },
    );
    b.output('y', b.op('Reshape', [x, target]));
  });
  for (const [stage, session] of sessions) {
    session.startProfiling();
    for (const [batch, length] of [
      [2, 3],
      [1, 5],
    ] as const) {
      const x = tensor('float32', [batch, length, 6], [...Array(batch * length * 6).keys()]);
      const y = (await session.run({ x })).y as TensorValue;
      assert.equal(y.dims, [batch * length, 2, 3], stage);
      assert.equal(y.data, x.data, stage);
    }
    assert.is(session.profile.length, 0, `${stage}: steps that ran`);
  }
});

test.run();
