import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession, type SessionOptions } from '../../src/index.js';
import type { HostValue, TensorValue } from '../../src/tensor/tensor-value.js';

const test = suite('reference backend');

const REFERENCE: SessionOptions = { executionProviders: ['reference'] };

async function run(
  build: (b: ModelBuilder) => void,
  feeds: Record<string, HostValue>,
  options: SessionOptions = {},
): Promise<Record<string, HostValue>> {
  const b = modelBuilder({ opset: 21 });
  build(b);
  const session = await InferenceSession.create(b.toBytes(), { ...REFERENCE, ...options });
  const results = await session.run(feeds as never);
  await session.release();
  return results as Record<string, HostValue>;
}

const numbers = (value: HostValue | undefined) => Array.from((value as TensorValue).data as ArrayLike<number>, Number);

const scalar = (x: number, type: 'float32' | 'float16' = 'float32') => tensor(type, [], [x]);

for (const graphOptimizationLevel of ['disabled', 'all'] as const) {
  test(`numbers keep double precision from operator to operator, ${graphOptimizationLevel}`, async () => {
    const { y } = await run(
      (b) => {
        const big = b.constant('big', scalar(1e8));
        b.output('y', b.op('Sub', [b.op('Add', [b.input('x', 'float32', [2]), big]), big]));
      },
      { x: tensor('float32', [2], [1, 0.5]) },
      { graphOptimizationLevel },
    );
    assert.is((y as TensorValue).type, 'float32');
    assert.equal(numbers(y), [1, 0.5], 'in single precision 1e8 + 1 is 1e8');
  });
}

for (const type of ['int32', 'int64'] as const)
  test(`sums of ${type} wrap before the next operator of their chain reads them`, async () => {
    const most = type === 'int32' ? 2 ** 31 - 1 : 2n ** 63n - 1n;
    const one = type === 'int32' ? 1 : 1n;
    const { y } = await run(
      (b) => {
        const sum = b.op('Add', [b.input('x', type, [2]), b.constant('one', tensor(type, [], [one] as number[]))]);
        b.output('y', b.op('Relu', [sum]));
      },
      { x: tensor(type, [2], [most, one] as number[]) },
    );
    assert.equal(numbers(y), [0, 2]);
  });

test('half precision is held in double, too', async () => {
  const { y } = await run(
    (b) => {
      const big = b.constant('big', scalar(4096, 'float16'));
      b.output('y', b.op('Sub', [b.op('Add', [b.input('x', 'float16', [1]), big]), big]));
    },
    { x: tensor('float16', [1], [0.25]) },
  );
  assert.is((y as TensorValue).type, 'float16');
  assert.is((y as TensorValue).data[0], 0x3400, 'a quarter');
});

test('what reads bits, or writes numbers down, has them as they are declared', async () => {
  const { text, bits } = await textAndBits();
  assert.equal((text as TensorValue).data, ['0.33333334']);
  assert.equal(numbers(bits), [new Int32Array(Float32Array.of(1 / 3).buffer)[0]]);
});

async function textAndBits(): Promise<Record<string, HostValue>> {
  const b = modelBuilder({ opset: 26 });
  const third = b.op('Div', [b.input('x', 'float32', [1]), b.constant('three', scalar(3))]);
  b.output('text', b.op('Cast', [third], { to: 8 }));
  b.output('bits', b.op('BitCast', [third], { to: 6 }));
  const session = await InferenceSession.create(b.toBytes(), { ...REFERENCE, graphOptimizationLevel: 'disabled' });
  return (await session.run({ x: tensor('float32', [1], [1]) })) as Record<string, HostValue>;
}

test('loops carry numbers in double precision', async () => {
  const { y } = await run(
    (b) => {
      const x = b.input('x', 'float32', []);
      const body = b.subgraph('body', (g) => {
        g.input('i', 'int64', []);
        const go = g.input('go', 'bool', []);
        const sum = g.input('sum', 'float32', []);
        g.output('again', g.op('Identity', [go]));
        g.output('next', g.op('Add', [sum, x]));
      });
      const count = b.constant('count', tensor('int64', [], [1000n]));
      const yes = b.constant('yes', tensor('bool', [], [1]));
      const start = b.constant('start', scalar(1e8));
      const sum = b.op('Loop', [count, yes, start], { body });
      b.output('y', b.op('Sub', [sum, start]));
    },
    { x: scalar(1) },
  );
  assert.equal(numbers(y), [1000]);
});

test('a run can be aborted between any two nodes, also in a loop', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', []);
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const go = g.input('go', 'bool', []);
    const sum = g.input('sum', 'float32', []);
    g.output('again', g.op('Identity', [go]));
    g.output('next', g.op('Add', [sum, x]));
  });
  const count = b.constant('count', tensor('int64', [], [10n ** 15n]));
  const yes = b.constant('yes', tensor('bool', [], [1]));
  b.output('y', b.op('Loop', [count, yes, x], { body }));
  const session = await InferenceSession.create(b.toBytes(), REFERENCE);
  const controller = new AbortController();
  const endless = session.run({ x: scalar(1) }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  const error = await endless.catch((thrown) => thrown);
  assert.is(error.code, 'ABORTED');
});

test('errors are those of the kernels', async () => {
  const messages = await Promise.all(
    (['wasm', 'reference'] as const).map((provider) =>
      run(
        (b) => {
          b.output('y', b.op('MatMul', [b.input('a', 'float32', ['m', 'k']), b.input('b', 'float32', ['l', 'n'])]));
        },
        { a: tensor('float32', [1, 2], [1, 2]), b: tensor('float32', [3, 1], [1, 2, 3]) },
        { executionProviders: [provider] },
      ).then(String, String),
    ),
  );
  assert.match(messages[0] as string, /inner dims 2 and 3/);
  assert.is(messages[1], messages[0]);
});

test('limits count what is held on the way, and what is dropped no more', async () => {
  const b = modelBuilder({ opset: 21 });
  let value = b.input('x', 'float32', ['n']);
  for (let i = 0; i < 20; i++) value = b.op('Neg', [value]);
  b.output('y', value);
  const x = tensor('float32', [10_000], new Array(10_000).fill(1));
  for (const [memoryBytes, code] of [
    [1e6, undefined],
    [1e5, 'LIMIT'],
  ] as const) {
    const options = { ...REFERENCE, graphOptimizationLevel: 'disabled', limits: { memoryBytes } } as const;
    const session = await InferenceSession.create(b.toBytes(), options);
    const error = await session.run({ x }).then(
      () => undefined,
      (thrown) => thrown.code,
    );
    assert.is(error, code, `${memoryBytes} bytes`);
  }
});

test('what is fed stays as it is, and may be changed between runs', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Identity', [b.input('x', 'float32', [1])]));
  const session = await InferenceSession.create(b.toBytes(), REFERENCE);
  const x = tensor('float32', [1], [1]);
  assert.equal(numbers((await session.run({ x })).y as TensorValue), [1]);
  (x.data as Float32Array)[0] = 2;
  assert.equal(numbers((await session.run({ x })).y as TensorValue), [2]);
});

test('a loop of no trips has the types that its body declares, of sequences too', async () => {
  const { sums } = await run(
    (b) => {
      const none = b.constant('none', tensor('int64', [], [0]));
      const x = b.input('x', 'float32', [2]);
      const filling = b.subgraph('body', (g) => {
        const i = g.input('i', 'int64', []);
        const goesOn = g.input('goes_on', 'bool', []);
        const all = g.input('all', { kind: 'sequence', of: { kind: 'tensor', element: 'float32' } });
        g.output('goes', g.op('Identity', [goesOn]));
        g.output('more', g.op('SequenceInsert', [all, g.op('Cast', [i], { to: 1 })]));
        g.output('sum', g.op('ReduceSum', [x], { keepdims: 0 }));
      });
      const first = b.op('SequenceConstruct', [x]);
      const [, sums] = b.node('Loop', [none, null, first], { body: filling }, { outputs: 2 });
      b.output('sums', sums);
    },
    { x: tensor('float32', [2], [1, 2]) },
  );
  assert.is((sums as TensorValue).type, 'float32');
  assert.equal((sums as TensorValue).dims, [0]);
});

test.run();
