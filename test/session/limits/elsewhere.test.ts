import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import * as ort from '../../../src/onnxruntime/index.js';
import { createPool } from '../../../src/remote/pool/index.js';
import { InferenceSession } from '../../../src/remote/worker/index.js';
import { expectRejection } from '../../expect-error.js';
import { buildPackage } from '../../worker/session-worker.js';
import { MEBIBYTE } from './models.js';

const test = suite('limits in workers, pools and onnxruntime');

test.before(buildPackage);

const b = modelBuilder({ opset: 21 });
b.output('y', b.op('Expand', [b.input('x', 'float32', [1]), b.input('sizes', 'int64', [1])]));
const model = b.toBytes();

const feeds = (count: number) => ({
  x: tensor('float32', [1], [3]),
  sizes: tensor('int64', [1], [BigInt(count)]),
});

const limits = { memoryBytes: 64 * MEBIBYTE };
const small = { limits: { memoryBytes: 4 * MEBIBYTE } };

test('in a worker', async () => {
  const session = await InferenceSession.create(model, { limits });
  await expectRejection('LIMIT', /Expand ".*67,108,864; .* limits of create/, session.run(feeds(1e9)));
  await expectRejection('LIMIT', /Expand ".*4,194,304; .* limits of run/, session.run(feeds(2 * MEBIBYTE), small));
  await expectRejection('INVALID_ARGUMENT', /not "bytes"/, session.run(feeds(1), { limits: { bytes: 1 } as object }));
  assert.is((await session.run(feeds(2 * MEBIBYTE))).y?.data.length, 2 * MEBIBYTE);
  await session.release();
  await expectRejection('LIMIT', /the limit is 1;/, InferenceSession.create(twoNodes, { limits: { nodes: 1 } }));
});

test('in a pool', async () => {
  const pool = await createPool(model, { size: 2, limits });
  await expectRejection('LIMIT', /Expand ".*67,108,864; .* limits of create/, pool.run(feeds(1e9)));
  await expectRejection('LIMIT', /Expand ".*4,194,304; .* limits of run/, pool.run(feeds(2 * MEBIBYTE), small));
  assert.is((await pool.run(feeds(2 * MEBIBYTE))).y?.data.length, 2 * MEBIBYTE);
  await pool.release();
});

test('in place of onnxruntime', async () => {
  const session = await ort.InferenceSession.create(model, { limits });
  const own = (count: number) => ({
    x: new ort.Tensor('float32', [3], [1]),
    sizes: new ort.Tensor('int64', [BigInt(count)], [1]),
  });
  await expectRejection('LIMIT', /Expand ".*67,108,864; .* limits of create/, session.run(own(1e9)));
  await expectRejection('LIMIT', /Expand ".*4,194,304; .* limits of run/, session.run(own(2 * MEBIBYTE), small));
  assert.is((await session.run(own(5))).y?.data.length, 5);
});

const twoNodes = (() => {
  const two = modelBuilder({ opset: 21 });
  two.output('y', two.op('Relu', [two.op('Neg', [two.input('x', 'float32', ['n'])])]));
  return two.toBytes();
})();

test.run();
