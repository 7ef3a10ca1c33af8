import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ErrorCode } from '../../src/base/errors.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { type Feeds, type Fetches, InferenceSession, type Results, Tensor, type TensorValue } from '../../src/index.js';
import { expectRejection } from '../expect-error.js';

const test = suite('inference session');

/** y = a + b and z = y · 2 for float32[n,2]; b is 10, 20 if it is not fed. */
function sumModel(): Uint8Array {
  const b = modelBuilder({ opset: 21, metadata: { author: 'nobody' } });
  const left = b.input('a', 'float32', ['n', 2]);
  const right = b.input('b', 'float32', [1, 2], { default: tensor('float32', [1, 2], [10, 20]) });
  const y = b.op('Add', [left, right]);
  b.output('y', y, 'float32', ['n', 2]);
  b.output('z', b.op('Mul', [y, b.constant('two', tensor('float32', [], [2]))]), 'float32', ['n', 2]);
  return b.toBytes();
}

const f32 = (dims: readonly number[], ...values: number[]) => new Tensor('float32', values, dims);
const dataOf = (results: Results, name: string) => Array.from((results[name] as Tensor).data as Float32Array);
const a = f32([1, 2], 1, 2);

test('inputs and outputs are described as the model declares them', async () => {
  const session = await InferenceSession.create(sumModel());
  assert.equal(session.inputNames, ['a', 'b']);
  assert.equal(session.outputNames, ['y', 'z']);
  assert.equal(session.inputMetadata, [
    { name: 'a', isTensor: true, type: 'float32', shape: ['n', 2] },
    { name: 'b', isTensor: true, type: 'float32', shape: [1, 2], hasDefault: true },
  ]);
  assert.equal(
    session.outputMetadata.map(({ name }) => name),
    ['y', 'z'],
  );
  assert.is(session.model.metadata.get('author'), 'nobody');
});

test('results are tensors of their own, one shape after another', async () => {
  const session = await InferenceSession.create(sumModel());
  const first = await session.run({ a });
  const second = await session.run({ a: f32([2, 2], 1, 2, 3, 4), b: f32([1, 2], 0, 1) });
  assert.instance(first.y, Tensor);
  assert.equal(dataOf(first, 'y'), [11, 22]);
  assert.equal(dataOf(first, 'z'), [22, 44]);
  assert.equal(dataOf(second, 'y'), [1, 3, 3, 5]);
  assert.equal((second.z as Tensor).dims, [2, 2]);
  assert.equal(dataOf(await session.run({ a }), 'y'), [11, 22], 'the default is back');
});

test('fetches choose outputs, by name or with a tensor to write into', async () => {
  const session = await InferenceSession.create(sumModel());
  assert.equal(Object.keys(await session.run({ a }, ['z'])), ['z']);
  assert.equal(await session.run({ a }, []), {});

  const mine = f32([1, 2], 0, 0);
  const data = mine.data;
  const results = await session.run({ a }, { y: mine, z: null });
  assert.is(results.y, mine);
  assert.is(mine.data, data);
  assert.equal(Array.from(data as Float32Array), [11, 22]);
  assert.equal(dataOf(results, 'z'), [22, 44]);
  await session.run({ a: f32([1, 2], 5, 6) });
  assert.equal(Array.from(data as Float32Array), [11, 22], 'a later run leaves it alone');
});

test('a tensor of as many elements but other dims, or of another type, is not written into', async () => {
  const session = await InferenceSession.create(sumModel());
  for (const mine of [f32([2, 1], 0, 0), f32([2], 0, 0), new Tensor('int32', [0, 0], [1, 2])]) {
    await expectRejection('INVALID_SHAPE', /"y".*the output is float32\[1,2\]/, session.run({ a }, { y: mine }));
    assert.equal(Array.from(mine.data), [0, 0]);
  }
  assert.equal(dataOf(await session.run({ a }), 'y'), [11, 22]);
});

test('a feed may be any object with type, dims and data', async () => {
  const session = await InferenceSession.create(sumModel());
  class ForeignTensor {
    readonly type = 'float32';
    readonly location = 'cpu';
    get dims() {
      return [1, 2];
    }
    get data() {
      return Float32Array.of(3, 4);
    }
  }
  assert.equal(dataOf(await session.run({ a: new ForeignTensor() }), 'y'), [13, 24]);
  const part = new Float32Array([9, 9, 3, 4, 9]).subarray(2, 4);
  assert.equal(dataOf(await session.run({ a: { type: 'float32', dims: [1, 2], data: part } }), 'y'), [13, 24]);
});

const half = { type: 'float32', dims: [1, 2], data: Float32Array.of(1) } as TensorValue;
const REFUSED: readonly (readonly [ErrorCode, RegExp, Feeds, Fetches?])[] = [
  ['MISSING_FEED', /value "a": float32\[n,2\] is not fed; fed: "b"/, { b: a }],
  ['UNKNOWN_FEED', /value "c": .* its inputs are "a" \(float32\[n,2\]\)/, { a, c: a }],
  ['INVALID_TYPE', /value "a": must be float32\[n,2\], not int32\[1,2\]/, { a: new Tensor('int32', [1, 2], [1, 2]) }],
  ['INVALID_TYPE', /value "a": must be a tensor/, { a: [a] }],
  ['INVALID_TYPE', /value "a": must be a tensor/, { a: null }],
  ['INVALID_TYPE', /data of float32 must be Float32Array/, { a: { ...half, data: Float64Array.of(1, 2) } }],
  ['INVALID_SHAPE', /value "a": must have dims \[n,2\], not \[2\]/, { a: f32([2], 1, 2) }],
  ['INVALID_SHAPE', /value "a": must have dims \[n,2\], not \[1,3\]/, { a: f32([1, 3], 1, 2, 3) }],
  ['INVALID_SHAPE', /holds 2 entries, the data has 1/, { a: half }],
  ['UNKNOWN_OUTPUT', /value "w": .* its outputs are "y", "z"/, { a }, ['w']],
  ['UNKNOWN_OUTPUT', /value "w"/, { a }, { w: null }],
];

for (const [code, message, feeds, fetches] of REFUSED) {
  test(`bad input leaves the session usable: ${code} ${message.source}`, async () => {
    const session = await InferenceSession.create(sumModel());
    for (const attempt of ['before any run', 'after one']) {
      await expectRejection(code, message, session.run(feeds, fetches));
      assert.equal(dataOf(await session.run({ a }), 'y'), [11, 22], attempt);
    }
  });
}

test('a run that fails midway leaves the session usable', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n']);
  b.output('y', b.op('Reshape', [x, b.input('shape', 'int64', [2])]));
  const session = await InferenceSession.create(b.toBytes());
  const x6 = f32([6], 1, 2, 3, 4, 5, 6);
  const shape = (...sizes: number[]) => new Tensor('int64', sizes, [2]);
  for (let i = 0; i < 2; i++) {
    await expectRejection('INVALID_SHAPE', /Reshape/, session.run({ x: x6, shape: shape(4, 2) }));
    assert.equal(((await session.run({ x: x6, shape: shape(2, -1) })).y as Tensor).dims, [2, 3]);
  }
});

test('runs that are not awaited keep their own feeds and results', async () => {
  const session = await InferenceSession.create(sumModel());
  const runs = [1, 2, 3].map((x) => session.run({ a: f32([1, 2], x, x) }));
  const results = await Promise.all(runs);
  assert.equal(
    results.map((result) => dataOf(result, 'y')),
    [
      [11, 21],
      [12, 22],
      [13, 23],
    ],
  );
});

test('sessions are independent of each other', async () => {
  const [one, two] = await Promise.all([InferenceSession.create(sumModel()), InferenceSession.create(sumModel())]);
  const [first] = await Promise.all([one.run({ a }), two.run({ a: f32([1, 2], 7, 7) })]);
  await two.release();
  assert.equal(dataOf(first, 'y'), [11, 22]);
  assert.equal(dataOf(await one.run({ a }), 'y'), [11, 22]);
});

test('a released session refuses to run; releasing twice does nothing', async () => {
  const session = await InferenceSession.create(sumModel());
  await session.run({ a });
  await session.release();
  await session.release();
  await expectRejection('RELEASED', /released/, session.run({ a }));
  assert.is(session.memoryPlan, null);
});

test('sequences, maps and absent optionals pass in and out', async () => {
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': 3 } });
  const element = { kind: 'tensor', element: 'float32' } as const;
  b.output('same', b.op('Identity', [b.input('list', { kind: 'sequence', of: element })]), {
    kind: 'sequence',
    of: element,
  });
  b.output('none', b.op('Identity', [b.input('maybe', { kind: 'optional', of: element })]), {
    kind: 'optional',
    of: element,
  });
  const scores = b.input('scores', 'float32', ['n', 2]);
  b.output('maps', b.op('ZipMap', [scores], { classlabels_strings: ['cat', 'dog'] }, { domain: 'ai.onnx.ml' }), {
    kind: 'sequence',
    of: { kind: 'map', key: 'string', value: { kind: 'tensor', element: 'float32', dims: [] } },
  });
  type Outputs = { same: Tensor<'float32'>[]; none: Tensor<'float32'> | null; maps: ReadonlyMap<string, number>[] };
  const session = await InferenceSession.create<Feeds, Outputs>(b.toBytes());
  const feeds = { list: [a, f32([1], 5)], maybe: null, scores: f32([2, 2], 0.25, 0.75, 1, 0) };
  const { same, none, maps } = await session.run(feeds);
  assert.equal(
    same.map(({ dims }) => dims),
    [[1, 2], [1]],
  );
  assert.is(none, null);
  assert.equal(
    maps.map((map) => [...map]),
    [
      [
        ['cat', 0.25],
        ['dog', 0.75],
      ],
      [
        ['cat', 1],
        ['dog', 0],
      ],
    ],
  );
  await expectRejection(
    'INVALID_TYPE',
    /must be seq\(float32\[…\]\), not a tensor/,
    session.run({ ...feeds, list: a }),
  );
});

test('the profile times every step of every run', async () => {
  const session = await InferenceSession.create(sumModel(), { graphOptimizationLevel: 'disabled' });
  await session.run({ a });
  assert.equal(session.profile, []);
  session.startProfiling();
  await session.run({ a });
  await session.run({ a });
  session.endProfiling();
  await session.run({ a });
  assert.equal(
    session.profile.map(({ operator }) => operator),
    ['Add', 'Mul', 'Add', 'Mul'],
  );
  for (const { milliseconds, kernel } of session.profile) assert.ok(milliseconds >= 0 && kernel !== '');

  const profiled = await InferenceSession.create(sumModel(), { enableProfiling: true });
  await profiled.run({ a });
  assert.ok(profiled.profile.length > 0);
});

test('the memory plan places every value apart from those that live at the same time', async () => {
  const session = await InferenceSession.create(sumModel(), { graphOptimizationLevel: 'disabled' });
  assert.is(session.memoryPlan, null);
  await session.run({ a });
  const plan = session.memoryPlan;
  assert.ok(plan && plan.lowerBound > 0 && plan.lowerBound <= plan.peak && plan.peak <= plan.linearMemory);
  for (const { offset, bytes, first, last } of plan?.values ?? []) {
    assert.ok(offset >= 0 && offset + bytes <= (plan?.peak ?? 0) && first <= last);
  }
  await session.run({ a: f32([1000, 2], ...new Array<number>(2000).fill(1)) });
  assert.ok((session.memoryPlan?.peak ?? 0) >= 2 * 8000);
});

test('a model is bytes, a buffer or a path; what is none of these is refused', async () => {
  const bytes = sumModel();
  const buffer = bytes.slice().buffer;
  assert.equal((await InferenceSession.create(buffer)).inputNames, ['a', 'b']);
  await expectRejection('INVALID_MODEL', /no ONNX model/, InferenceSession.create(Uint8Array.of(1, 2, 3)));
  await expectRejection('FILE_NOT_FOUND', /cannot read/, InferenceSession.create('absent.onnx'));
  await expectRejection('INVALID_ARGUMENT', /given as/, InferenceSession.create(7 as never));
});

test('an operator that nobody defines is named with its node', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Imaginary', [b.input('x', 'float32', [1])], {}, { name: 'first' }));
  await expectRejection(
    'UNSUPPORTED_OPERATOR',
    /Imaginary "first"/,
    InferenceSession.create(b.toBytes()).then((session) => session.run({ x: f32([1], 0) })),
  );
});

test.run();
