import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { StepTiming } from '../../src/index.js';
import { InferenceSession } from '../../src/index.js';
import { numbers } from './run-model.js';

const test = suite('the timeline of a profile');

/** y = relu(x · w), x: [n, 3], w: [3, 4], and the rows of a table that ids choose. */
function model(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const product = b.op('MatMul', [b.input('x', 'float32', ['n', 3]), b.constant('w', numbers([3, 4]))]);
  b.output('y', b.op('Relu', [product]), 'float32', ['n', 4]);
  const ids = b.input('ids', 'int64', ['m']);
  b.output('rows', b.op('Gather', [b.constant('table', numbers([1000, 8])), ids]), 'float32', ['m', 8]);
  return b.toBytes();
}

const feeds = (n: number, m: number) => ({
  x: numbers([n, 3]),
  ids: { type: 'int64', dims: [m], data: new BigInt64Array(m) } as const,
});

/** By hand: float32 of x, w and y, and n·3·4 multiplications; ids, and as many rows read as written. */
const workOf = (n: number, m: number) => ({
  MatMul: { bytes: 4 * (n * 3 + 12 + n * 4), multiplyAdds: n * 12 },
  Gather: { bytes: 8 * m + 2 * 4 * 8 * m, multiplyAdds: 0 },
});

const workIn = (steps: readonly StepTiming[]) =>
  Object.fromEntries(steps.map(({ operator, bytes, multiplyAdds }) => [operator, { bytes, multiplyAdds }]));

for (const executionProviders of [['wasm'], ['reference']])
  test(`${executionProviders}: what steps read, write and multiply, run by run, in shapes planned and moved`, async () => {
    await using session = await InferenceSession.create(model(), { executionProviders, enableProfiling: true });
    const shapes = [
      [5, 2],
      [6, 3],
      [7, 4],
      [8, 5],
    ] as const;
    for (const [n, m] of shapes) await session.run(feeds(n, m));
    for (const [run, [n, m]] of shapes.entries()) {
      const { MatMul, Gather } = workIn(session.profile.filter((step) => step.run === run));
      assert.equal({ MatMul, Gather }, workOf(n, m), `run ${run}`);
    }
  });

test('steps of one node share its work', async () => {
  const b = modelBuilder({ opset: 21 });
  const [T, N, I, H] = [5, 2, 3, 4];
  const weights = [
    [1, 3 * H, I],
    [1, 3 * H, H],
  ].map((dims, i) => b.constant(`w${i}`, numbers(dims)));
  const [y] = b.node('GRU', [b.input('x', 'float32', [T, N, I]), ...weights], { hidden_size: H }, { outputs: 2 });
  b.output('y', y, 'float32', [T, 1, N, H]);
  await using session = await InferenceSession.create(b.toBytes(), { enableProfiling: true });
  await session.run({ x: numbers([T, N, I]) });
  const steps = session.profile.filter(({ operator }) => operator === 'GRU');
  assert.ok(steps.length > 1);
  const sum = steps.reduce((total, { multiplyAdds }) => total + (multiplyAdds ?? Number.NaN), 0);
  assert.ok(Math.abs(sum - T * N * 3 * H * (I + H)) <= steps.length, String(sum));
});

test('a loop runs as often as data say', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [3, 3]);
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    g.output('on', g.op('Identity', [g.input('go', 'bool', [])]));
    g.output('next', g.op('MatMul', [g.input('state', 'float32', [3, 3]), x]));
  });
  b.output('y', b.op('Loop', [b.input('times', 'int64', []), null, x], { body }), 'float32', [3, 3]);
  await using session = await InferenceSession.create(b.toBytes(), { enableProfiling: true });
  await session.run({ x: numbers([3, 3]), times: { type: 'int64', dims: [], data: BigInt64Array.of(3n) } });
  assert.equal(
    session.profile.map(({ operator, origins, multiplyAdds }) => [operator, origins, multiplyAdds]),
    [['Loop', ['0'], null]],
  );
});

test('runs begin at 0, and steps follow one another', async () => {
  await using session = await InferenceSession.create(model(), { enableProfiling: true });
  for (let i = 0; i < 3; i++) await session.run(feeds(5, 2));
  const { profile } = session;
  assert.equal([...new Set(profile.map(({ run }) => run))], [0, 1, 2]);
  let [run, end] = [-1, 0];
  for (const step of profile) {
    if (step.run !== run) [run, end] = [step.run, 0];
    assert.ok(step.start >= end - 1e-6, `${step.start} begins before ${end}`);
    end = step.start + step.milliseconds;
  }
});

test.run();
