import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type Results, type SessionOptions, Tensor } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';
import { f32 } from '../values.js';

const test = suite('values captured by a run');

const numbers = (value: unknown) => Array.from((value as { data: Float32Array }).data);
const x = f32([2], [1, -2]);

/** y = tanh(relu(2x) − x), z = sin(2x); "gate" is in a branch, and "Twice" a function. */
function model(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.function({ domain: 'own', name: 'Twice', inputs: ['a'] }, (f, [a]) => {
    const [negative] = f.node('Neg', [a], {}, { outputs: ['negative'] });
    f.output('b', f.op('Sub', [a, negative]));
  });
  const given = b.input('x', 'float32', ['n']);
  const [doubled] = b.node('Twice', [given], {}, { domain: 'own', name: 'call', outputs: ['doubled'] });
  const [positive] = b.node('Relu', [doubled], {}, { outputs: ['positive'] });
  const [less] = b.node('Sub', [positive, given], {}, { outputs: ['less'] });
  b.output('y', b.op('Tanh', [less]), 'float32', ['n']);
  b.output('z', b.op('Sin', [doubled]), 'float32', ['n']);
  const [chosen] = b.node(
    'If',
    [b.input('which', 'bool', [])],
    {
      then_branch: b.subgraph('branch', (g) => g.output('c', g.node('Exp', [given], {}, { outputs: ['gate'] })[0])),
      else_branch: b.subgraph('branch', (g) => g.output('d', g.op('Abs', [given]))),
    },
    { outputs: ['chosen'] },
  );
  b.output('w', b.op('Add', [chosen, b.constant('weight', f32([1], [7]))]), 'float32', ['n']);
  return b.toBytes();
}

const which = { type: 'bool', dims: [], data: Uint8Array.of(1) } as const;
const feeds = { x, which };
const EXPECTED = {
  'call/negative': [-1, 2],
  doubled: [2, -4],
  positive: [2, 0],
  less: [1, 2],
  chosen: [Math.exp(1), Math.exp(-2)],
};

function agrees(results: Results): void {
  for (const [name, expected] of Object.entries(EXPECTED)) {
    const found = name in results ? numbers(results[name]) : expected;
    for (const [i, value] of expected.entries()) assert.ok(Math.abs((found[i] as number) - value) < 1e-6, name);
  }
}

test('disabled: all that the nodes compute comes beside the outputs', async () => {
  await using session = await InferenceSession.create(model(), { graphOptimizationLevel: 'disabled' });
  const results = await session.run(feeds, { capture: 'all' });
  assert.equal(Object.keys(results), ['y', 'z', 'w', 'call/negative', 'doubled', 'positive', 'less', 'chosen']);
  agrees(results);
  assert.equal(session.optimizedAway, []);
});

test('optimized: what is not there is named', async () => {
  await using session = await InferenceSession.create(model());
  const results = await session.run(feeds, { capture: ['positive', 'doubled', 'less', 'x'] });
  agrees(results);
  const { optimizedAway } = session;
  assert.equal([...['positive', 'doubled', 'less'].filter((name) => name in results), ...optimizedAway].sort(), [
    'doubled',
    'less',
    'positive',
  ]);
  assert.ok(optimizedAway.includes('less'), 'Tanh and Sub are one step');
  assert.equal(numbers(results.x), [1, -2]);
});

test('runs before and after give what they give without', async () => {
  await using session = await InferenceSession.create(model());
  const before = await session.run(feeds);
  const [captured, after] = await Promise.all([session.run(feeds, { capture: 'all' }), session.run(feeds)]);
  assert.equal(after, before);
  for (const name of ['y', 'z', 'w']) assert.equal(captured[name], before[name]);
  const some = await session.run(feeds, ['z'], { capture: ['chosen'] });
  assert.equal(Object.keys(some), ['z', 'chosen']);
  const target = new Tensor('float32', new Float32Array(2), [2]);
  await session.run(feeds, { z: target }, { capture: ['chosen'] });
  assert.equal(target.data, before.z?.data);
});

test('a value inside a branch is refused', async () => {
  await using session = await InferenceSession.create(model());
  await expectRejection('UNKNOWN_OUTPUT', /inside a subgraph of If/, session.run(feeds, { capture: ['gate'] }));
});

const BACKENDS: readonly SessionOptions[] = [
  { executionProviders: ['reference'] },
  { intraOpNumThreads: 2 },
  { limits: { nodes: 100 } },
];
for (const options of BACKENDS)
  test(`with ${JSON.stringify(options)}`, async () => {
    await using session = await InferenceSession.create(model(), options);
    agrees(await session.run(feeds, { capture: 'all', signal: new AbortController().signal }));
  });

test.run();
