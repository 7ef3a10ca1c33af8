import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type SardonyxError, Tensor } from '../../src/index.js';

const test = suite('feeds of one element');

type Dims = readonly (number | string)[];

const DECLARED: readonly Dims[] = [[], [1], [1, 1], [1, 1, 1], [2], ['n'], ['n', 1], [1, 2], [1, 'n', 1]];
const FED = [[], [0], [1], [2], [1, 1], [1, 2], [2, 1], [1, 1, 1]];

/** The shape that nodes see, and twice the elements. */
function model(dims: Dims): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', dims);
  b.output('shape', b.op('Shape', [x]), 'int64');
  b.output('y', b.op('Add', [x, x]), 'float32');
  return b.toBytes();
}

const holdsOne = (dims: Dims) => dims.every((size) => size === 1);

const fits = (declared: Dims, fed: readonly number[]) =>
  declared.length === fed.length && declared.every((size, i) => typeof size === 'string' || size === fed[i]);

for (const provider of ['wasm', 'reference'] as const)
  test(`${provider}: a declared shape of one element takes every shape of one element, and nothing else does`, async () => {
    for (const declared of DECLARED) {
      const session = await InferenceSession.create(model(declared), { executionProviders: [provider] });
      for (const fed of FED) {
        const label = `[${declared}] fed with [${fed}]`;
        const x = new Tensor('float32', new Float32Array(fed.reduce((n, size) => n * size, 1)).fill(3), fed);
        const run = session.run({ x });
        if (fits(declared, fed) || (holdsOne(declared) && holdsOne(fed))) {
          const { shape, y } = await run;
          const seen = holdsOne(declared) ? (declared as readonly number[]) : fed;
          assert.equal(Array.from(shape?.data ?? [], Number), seen, label);
          assert.equal(y?.dims, seen, label);
          assert.ok(y?.data.length === x.data.length && y.data.every((value) => value === 6), label);
        } else {
          const error = await run.then(
            () => assert.unreachable(label),
            (reason: unknown) => reason,
          );
          assert.is((error as SardonyxError).code, 'INVALID_SHAPE', label);
        }
      }
      await session.release();
    }
  });

test('an output of one element that nobody has read is fed under another shape', async () => {
  const session = await InferenceSession.create(model([1]));
  const { y } = await session.run({ x: new Tensor('float32', [1], []) });
  const scalar = await InferenceSession.create(model([]));
  const results = await scalar.run({ x: y as Tensor });
  assert.equal(results.y?.dims, []);
  assert.equal(results.y?.data, Float32Array.of(4));
});

test.run();
