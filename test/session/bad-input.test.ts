import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { type Feeds, InferenceSession, type SessionOptions } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';
import { f32, int64s } from '../values.js';
import { type Build, modelOf, numbers, open } from './run-model.js';

const test = suite('input that operators refuse');

test('values that repeat are of one type, where the operator does not mix them', async () => {
  for (const op of ['Concat', 'Max']) {
    const b = modelBuilder({ opset: 21 });
    const fed = b.input('x', 'float32', ['n']);
    b.output('y', b.op(op, [fed, b.constant('c', int64s([1]))], op === 'Concat' ? { axis: 0 } : {}));
    const open = async () => (await InferenceSession.create(b.toBytes())).run({ x: f32([1], [1]) });
    await expectRejection('INVALID_TYPE', /int64.*float32|float32.*int64/, open());
  }
});

test('a shape of more sizes than any tensor has is refused before it is written out', async () => {
  for (const op of ['Reshape', 'Expand', 'ConstantOfShape']) {
    const b = modelBuilder({ opset: 21 });
    const fed = b.input('x', 'float32', ['n']);
    const shape = b.input('shape', 'int64', [2 ** 40]);
    b.output('y', op === 'ConstantOfShape' ? b.op(op, [shape]) : b.op(op, [fed, shape]));
    await expectRejection('INVALID_SHAPE', /at most 1024 dimensions/, InferenceSession.create(b.toBytes()));
  }
});

test('ConstantOfShape repeats one value', async () => {
  for (const value of [f32([0], []), f32([2], [1, 2])]) {
    const b = modelBuilder({ opset: 21 });
    b.output('y', b.op('ConstantOfShape', [b.input('shape', 'int64', [1])], { value }));
    const run = async () => (await InferenceSession.create(b.toBytes())).run({ shape: int64s([2]) });
    await expectRejection('INVALID_ATTRIBUTE', /value must have one element/, run());
  }
});

const shaped =
  (op: string): Build =>
  (b, v) =>
    b.output('y', b.op(op, [v, b.input('shape', 'int64', ['r'])]));

const rowsOf = (shape: readonly number[]) => shape.slice(0, -1).reduce((n, d) => n * d, 1);

for (const options of [{}, { graphOptimizationLevel: 'disabled' }] as SessionOptions[]) {
  for (const dims of [
    [2 ** 31, 3],
    [2 ** 20, 2 ** 20, 3],
    [2 ** 40, 2 ** 20, 3],
  ]) {
    test(`a result of ${dims} is refused, ${JSON.stringify(options)}; the next run works`, async () => {
      for (const op of ['Expand', 'Tile']) {
        const session = await open(modelOf(shaped(op), [1, 3]), options);
        const run = (shape: number[]) =>
          session.run({ x: f32([1, 3], [1, 2, 3]), shape: int64s(op === 'Tile' ? [rowsOf(shape), 1] : shape) });
        assert.ok(await run([2, 3]));
        const before = session.memoryPlan?.linearMemory;
        for (let round = 0; round < 3; round++) await expectRejection('OUT_OF_MEMORY', /./, run(dims));
        const { y } = await run([2, 3]);
        assert.equal((y as { data: unknown }).data, Float32Array.of(1, 2, 3, 1, 2, 3));
        assert.is(session.memoryPlan?.linearMemory, before);
      }
    });
  }
}

test('invalid indices are refused, all of them, and the next run works', async () => {
  const b = modelBuilder({ opset: 21 });
  const data = b.input('data', 'float32', [3, 2]);
  const [i, j] = [b.input('i', 'int64', ['a']), b.input('j', 'int64', ['b'])];
  b.output('y', b.op('Gather', [data, i]));
  b.output('z', b.op('Gather', [data, j]));
  const session = await open(b.toBytes());
  const feeds = (p: number, q: number): Feeds => ({ data: numbers([3, 2]), i: int64s([p]), j: int64s([q]) });
  await expectRejection('INVALID_VALUE', /Gather/, session.run(feeds(7, -9)));
  assert.ok(await session.run(feeds(0, -3)));
  await expectRejection('INVALID_VALUE', /Gather/, session.run(feeds(0, 3)));
  assert.ok(await session.run(feeds(2, 2)));
});

test('plans that fail leave no memory behind', async () => {
  const b = modelBuilder({ opset: 21 });
  const v = b.input('x', 'float32', ['n', 'm']);
  const w = b.input('w', 'float32', [4, 5]);
  b.output('y', b.op('MatMul', [b.op('Softmax', [v]), w]));
  for (const options of [{}, { graphOptimizationLevel: 'disabled' }] as SessionOptions[]) {
    const session = await open(b.toBytes(), options);
    const run = (m: number) => session.run({ x: numbers([3, m]), w: numbers([4, 5]) });
    await run(4);
    const before = session.memoryPlan?.linearMemory;
    for (let round = 0; round < 50; round++)
      await expectRejection('INVALID_SHAPE', /inner dims 5 and 4 differ/, run(5));
    await run(4);
    assert.is(session.memoryPlan?.linearMemory, before);
  }
});

test('models that are cut short are refused', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Conv', [b.input('x', 'float32', [1, 2, 4, 4]), b.constant('w', numbers([3, 2, 3, 3]))]));
  const bytes = b.toBytes();
  for (let length = 0; length < bytes.length; length += 5) {
    const error = await InferenceSession.create(bytes.slice(0, length)).then(
      () => undefined,
      (e: Error) => e,
    );
    assert.is(error?.name ?? 'SardonyxError', 'SardonyxError', `${length} bytes: ${error?.stack}`);
  }
});

test.run();
