import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { type ErrorCode, type Feeds, InferenceSession, SardonyxError, type SessionOptions } from '../../src/index.js';
import type { HostValue } from '../../src/tensor/tensor-value.js';
import { expectRejection } from '../expect-error.js';
import { f32, int64s } from '../values.js';
import { type Build, modelOf, numbers, open } from './run-model.js';

const test = suite('bad input');

const good = modelOf((b, x) => b.output('y', b.op('Abs', [x])), ['n', 3]);
const x = f32([2, 3], [1, -2, 3, -4, 5, -6]);

const BAD_FEEDS: readonly (readonly [string, unknown, ErrorCode, RegExp])[] = [
  ['nothing', undefined, 'INVALID_ARGUMENT', /feeds must be an object/],
  ['null', null, 'INVALID_ARGUMENT', /feeds must be an object/],
  ['a number', 3, 'INVALID_ARGUMENT', /feeds must be an object/],
  ['no feed', {}, 'MISSING_FEED', /"x".*not fed/],
  ['an unknown feed', { x, z: x }, 'UNKNOWN_FEED', /"z".*inputs are "x"/],
  ['a null feed', { x: null }, 'INVALID_TYPE', /"x".*must be a tensor/],
  ['a number as feed', { x: 1 }, 'INVALID_TYPE', /"x"/],
  ['an object without a prototype', { x: Object.create(null) }, 'INVALID_TYPE', /"x": must be a tensor/],
  ['a list as feed', { x: [1, 2] }, 'INVALID_TYPE', /"x"/],
  ['no data', { x: { type: 'float32', dims: [1, 3] } }, 'INVALID_TYPE', /"x"/],
  ['another type', { x: int64s([1, 2, 3]) }, 'INVALID_TYPE', /must be float32\[n,3\], not int64/],
  ['an unknown type', { x: { ...x, type: 'float31' } }, 'INVALID_TYPE', /"x"/],
  ['another rank', { x: f32([6], new Array(6).fill(0)) }, 'INVALID_SHAPE', /must have dims \[n,3\], not \[6\]/],
  ['another size', { x: f32([3, 2], new Array(6).fill(0)) }, 'INVALID_SHAPE', /not \[3,2\]/],
  ['too few data', { x: { ...x, dims: [3, 3] } }, 'INVALID_SHAPE', /holds 9 entries, the data has 6/],
  ['negative dims', { x: { ...x, dims: [-2, -3] } }, 'INVALID_SHAPE', /whole numbers/],
  ['broken dims', { x: { ...x, dims: [0.5, 12] } }, 'INVALID_SHAPE', /whole numbers/],
  ['dims that are no list', { x: { ...x, dims: 6 } }, 'INVALID_SHAPE', /whole numbers/],
  ['sizes that overflow', { x: { ...x, dims: [2 ** 52, 3] } }, 'INVALID_SHAPE', /the data has 6/],
];

for (const [name, feeds, code, message] of BAD_FEEDS) {
  test(`feeds: ${name}; the next run works`, async () => {
    const session = await open(good);
    for (let round = 0; round < 2; round++) {
      await expectRejection(code, message, session.run(feeds as Feeds));
      const { y } = await session.run({ x });
      assert.equal((y as { data: unknown }).data, Float32Array.of(1, 2, 3, 4, 5, 6));
    }
  });
}

/** Answers so often with the first, then with the second. */
function changing(property: 'type' | 'dims' | 'data', looks: number, later: unknown): HostValue {
  let left = looks;
  const get = () => (left-- > 0 ? x[property] : later);
  return Object.defineProperty({ ...x }, property, { get }) as HostValue;
}

test('a feed that traps whoever looks leaves nothing for the next run', async () => {
  const trap = () => {
    throw new Error('a trap');
  };
  const session = await open(good);
  const proxied = { x: new Proxy(new Map(), { getPrototypeOf: trap }) } as unknown as Feeds;
  await expectRejection('INVALID_TYPE', /"x"/, session.run(proxied));
  assert.equal(((await session.run({ x })).y as { data: unknown }).data, f32([6], [1, 2, 3, 4, 5, 6]).data);
});

for (const data of [['a', null], ['a', 1], new Array(2)])
  test(`a feed of strings that are not: ${JSON.stringify(data)}`, async () => {
    const b = modelBuilder({ opset: 21 });
    b.output('y', b.op('Identity', [b.input('x', 'string', [2])]));
    const session = await open(b.toBytes());
    const feeds = { x: { type: 'string', dims: [2], data } } as unknown as Feeds;
    await expectRejection('INVALID_TYPE', /"x".*data of string must be strings: data\[\d\]/, session.run(feeds));
  });

test('a tensor is read once: what it says later has no effect, nor do errors that it throws', async () => {
  const session = await open(good);
  const cases = { type: 'int64', dims: [7], data: new Float32Array(99) };
  for (const [property, later] of Object.entries(cases))
    for (let looks = 0; looks < 8; looks++) {
      const fed = changing(property as 'type', looks, later);
      const outcome = await session.run({ x: fed as typeof x }).catch((error: unknown) => error);
      if (outcome instanceof SardonyxError)
        assert.match(outcome.code, /^INVALID_(TYPE|SHAPE)$/, `${property} ${looks}`);
      else assert.equal((outcome as { y: typeof x }).y.data, Float32Array.of(1, 2, 3, 4, 5, 6), `${property} ${looks}`);
      assert.equal((await session.run({ x })).y?.dims, [2, 3]);
    }
});

test('after dims of another kind, dims are dims again', async () => {
  const session = await open(good);
  const wrong = { ...x, dims: Int32Array.of(2, 3) as never };
  await expectRejection('INVALID_SHAPE', /dims must be a list/, session.run({ x: wrong }));
  assert.equal((await session.run({ x })).y?.dims, [2, 3]);
});

test('data that are taken away during a run are said to be, and the next run works', async () => {
  const b = modelBuilder({ opset: 21 });
  const fed = b.input('x', 'float32', ['n']);
  const places = b.op('NonZero', [fed]);
  b.output('y', b.op('Gather', [b.op('Concat', [fed, fed], { axis: 0 }), b.op('Squeeze', [places])]));
  const session = await open(b.toBytes());
  const { signal } = new AbortController();
  const good = await session.run({ x: f32([3], [1, 0, 2]) });
  const feed = f32([3], [1, 0, 2]);
  const running = session.run({ x: feed }, { signal }).catch((error: unknown) => error);
  structuredClone(0, { transfer: [(feed.data as Float32Array).buffer] });
  const outcome = await running;
  if (outcome instanceof SardonyxError) assert.is(outcome.code, 'INVALID_ARGUMENT', outcome.message);
  assert.equal(await session.run({ x: f32([3], [1, 0, 2]) }), good);
});

test('what is no AbortSignal is refused before it is listened to', async () => {
  const session = await open(good);
  const deaf = { aborted: false, addEventListener() {} };
  const throws = {
    ...deaf,
    removeEventListener() {},
    get aborted(): boolean {
      throw new Error('a trap');
    },
  };
  for (const signal of [deaf, throws])
    await expectRejection('INVALID_ARGUMENT', /signal/, session.run({ x }, { signal: signal as never }));
});

test('a list of external files that cannot be read is no list of files', async () => {
  const trap = new Proxy([], {
    get() {
      throw new Error('a trap');
    },
  });
  await expectRejection('INVALID_ARGUMENT', /externalData/, InferenceSession.create(good, { externalData: trap }));
});

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
    await expectRejection('INVALID_SHAPE', /at most 1024 sizes/, InferenceSession.create(b.toBytes()));
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

test('a symbol has one size', async () => {
  const b = modelBuilder({ opset: 21 });
  const [p, q] = [b.input('p', 'float32', ['n', 2]), b.input('q', 'float32', [3, 'n'])];
  b.output('y', b.op('MatMul', [q, p]));
  const session = await open(b.toBytes());
  await expectRejection(
    'INVALID_SHAPE',
    /"n" 4, which is 5 in "p"/,
    session.run({ p: numbers([5, 2]), q: numbers([3, 4]) }),
  );
  assert.ok(await session.run({ p: numbers([4, 2]), q: numbers([3, 4]) }));
});

test('fetches and targets are checked; constants and views are written too', async () => {
  const session = await open(
    modelOf(
      (b, v) => {
        b.output('y', b.op('Identity', [v]));
        b.output('c', b.op('Neg', [b.constant('k', f32([2], [1, 2]))]));
      },
      [2, 3],
    ),
  );
  const target = (dims: number[]) => f32(dims, new Array(dims.reduce((n, d) => n * d, 1)).fill(0)) as never;
  await expectRejection('UNKNOWN_OUTPUT', /"z".*outputs are "y", "c"/, session.run({ x }, ['z']));
  await expectRejection('INVALID_SHAPE', /does not fit/, session.run({ x }, { y: target([5]) }));
  const c = target([2]) as { data: Float32Array };
  await session.run({ x }, { c: c as never, y: null });
  assert.equal(c.data, Float32Array.of(-1, -2));
  const first = (await session.run({ x })).c as { data: Float32Array };
  first.data.fill(9);
  assert.equal(((await session.run({ x })).c as { data: unknown }).data, Float32Array.of(-1, -2));
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

test('unknown operators are named', async () => {
  const model = modelOf((b, v) => b.output('y', b.op('Frobnicate', [v])));
  await expectRejection(
    'UNSUPPORTED_OPERATOR',
    /Frobnicate/,
    open(model).then((s) => s.run({ x: numbers([2, 3, 4]) })),
  );
});

test('a default may be fed, and left out again', async () => {
  const b = modelBuilder({ opset: 21 });
  const v = b.input('x', 'float32', [3]);
  const k = b.input('k', 'float32', [3], { default: f32([3], [1, 2, 3]) });
  b.output('y', b.op('Mul', [v, k]));
  const session = await open(b.toBytes());
  const run = async (feeds: Record<string, HostValue>) => ((await session.run(feeds)).y as { data: unknown }).data;
  for (let round = 0; round < 2; round++) {
    assert.equal(await run({ x: f32([3], [1, 1, 1]) }), Float32Array.of(1, 2, 3));
    assert.equal(await run({ x: f32([3], [1, 1, 1]), k: f32([3], [5, 6, 7]) }), Float32Array.of(5, 6, 7));
  }
});

test('a model without inputs, and scalars', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output(
    'y',
    b.op('Add', [b.constant('p', tensor('float32', [], [1])), b.constant('q', tensor('float32', [], [2]))]),
  );
  for (const options of [{}, { graphOptimizationLevel: 'disabled' }] as SessionOptions[]) {
    const session = await open(b.toBytes(), options);
    for (let round = 0; round < 2; round++) {
      const { y } = await session.run({});
      assert.equal([...(y as { data: Float32Array }).data], [3]);
    }
  }
});

test.run();
