import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';
import { f32 } from '../values.js';

const test = suite('values inside the graph as outputs');

const numbers = (value: unknown) => Array.from((value as { data: Float32Array }).data);

/** y = relu(2x) + relu(2x), with a name for each step; "twin" is computed as "positive" is. */
function model(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n']);
  const [doubled] = b.node('Mul', [x, b.constant('two', f32([], [2]))], {}, { outputs: ['doubled'] });
  const [same] = b.node('Identity', [doubled], {}, { outputs: ['same'] });
  const [positive] = b.node('Relu', [same], {}, { outputs: ['positive'] });
  const [twin] = b.node('Relu', [same], {}, { outputs: ['twin'] });
  b.node('Cos', [positive], {}, { outputs: ['unread'] });
  b.output('y', b.op('Add', [positive, twin]), 'float32', ['n']);
  return b.toBytes();
}

const EXPECTED = { doubled: [2, -4], same: [2, -4], positive: [2, 0], twin: [2, 0], x: [1, -2], two: [2], y: [4, 0] };

for (const level of ['disabled', 'basic', 'extended', 'layout', 'all'] as const)
  test(`${level}: they are what the model says, whatever would become of them`, async () => {
    const extraOutputs = ['doubled', 'same', 'positive', 'twin', 'unread', 'x', 'two'];
    const session = await InferenceSession.create(model(), { graphOptimizationLevel: level, extraOutputs });
    assert.equal(session.outputNames, ['y', ...extraOutputs]);
    const results = await session.run({ x: f32([2], [1, -2]) });
    for (const [name, expected] of Object.entries(EXPECTED)) assert.equal(numbers(results[name]), expected, name);
    assert.ok(Math.abs((numbers(results.unread)[0] as number) - Math.cos(2)) < 1e-6);
    await session.release();
  });

test('an output of the model stays one output', async () => {
  const session = await InferenceSession.create(model(), { extraOutputs: ['y', 'same', 'same'] });
  assert.equal(session.outputNames, ['y', 'same']);
  await session.release();
});

test('what a function computes can be had by the name of its call', async () => {
  const b = modelBuilder({ opset: 21 });
  b.function({ domain: 'own', name: 'Twice', inputs: ['a'] }, (f, [a]) => f.output('b', f.op('Add', [a, a])));
  const [once] = b.node('Twice', [b.input('x', 'float32', ['n'])], {}, { domain: 'own', outputs: ['once'] });
  b.output('y', b.op('Twice', [once], {}, { domain: 'own' }), 'float32', ['n']);
  const session = await InferenceSession.create(b.toBytes(), { extraOutputs: ['once'] });
  assert.equal(numbers((await session.run({ x: f32([1], [3]) })).once), [6]);
  await session.release();
});

test('unknown names, and those inside subgraphs, are refused', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n']);
  const body = b.subgraph('body', (inner) => {
    inner.input('i', 'int64', []);
    inner.output('still', inner.op('Identity', [inner.input('goesOn', 'bool', [])]));
    inner.output('next', inner.op('Add', [inner.input('carried', 'float32', ['n']), x]));
  });
  const times = b.constant('times', tensor('int64', [], [3]));
  b.output('y', b.op('Loop', [times, null, x], { body }), 'float32', ['n']);
  const bytes = b.toBytes();
  const create = (name: string) => InferenceSession.create(bytes, { extraOutputs: [name] });
  await expectRejection('UNKNOWN_OUTPUT', /"next": is inside a subgraph of Loop/, create('next'));
  await expectRejection('UNKNOWN_OUTPUT', /"nothing": the graph has no such value/, create('nothing'));
});

test.run();
