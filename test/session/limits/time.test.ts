import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ModelBuilder } from '../../../src/builder/model-builder.js';
import type { Value } from '../../../src/graph/graph.js';
import { type Feeds, InferenceSession, type RunOptions } from '../../../src/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { emptyData } from '../../../src/tensor/empty-data.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { isAtLeast } from '../../tier.js';
import { f32, int64s } from '../../values.js';
import { modelOf, open } from '../run-model.js';

const test = suite('limits of time');

/** Enough for planning on a busy machine; what is stopped would take minutes, or for ever. */
const limits = { milliseconds: 500 };
const MESSAGE = /exceeds the limit of 500 milliseconds; .* raise milliseconds/;

const zeros = (type: ElementType, ...dims: readonly number[]): TensorValue => ({
  type,
  dims,
  data: emptyData(type, dims),
});

/** The identity and 1: it has an inverse. */
function regular(size: number): TensorValue {
  const data = new Float32Array(size * size).fill(1);
  for (let i = 0; i < size; i++) data[i * size + i] = 2;
  return { type: 'float32', dims: [size, size], data };
}

interface Endless {
  readonly name: string;
  readonly build: (b: ModelBuilder) => Value;
  readonly feeds: () => Feeds;
  /** Another loop of the host, on large inputs, which only tier all tries: Einsum, Conv and Det are stopped in smaller ones. */
  readonly isLikeOthers?: true;
}

const square = (b: ModelBuilder, name: string, type: ElementType) => b.input(name, type, ['n', 'n']);

function loopOf(b: ModelBuilder, step: 'Add' | 'Concat'): Value {
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const going = g.input('going', 'bool', []);
    const v = g.input('v', 'float32', [1]);
    g.output('goes_on', g.op('Identity', [going]));
    g.output('next', step === 'Add' ? g.op('Add', [v, v]) : g.op('ReduceSum', [g.op('Concat', [v, v], { axis: 0 })]));
  });
  const trips = b.constant('trips', tensor('int64', [], [2n ** 62n]));
  return b.op('Loop', [trips, null, b.input('x', 'float32', [1])], { body });
}

const ENDLESS: readonly Endless[] = [
  { name: 'a loop of 2 ** 62 trips', build: (b) => loopOf(b, 'Add'), feeds: () => ({ x: f32([1], [1]) }) },
  {
    name: 'a scan of millions of steps',
    build(b) {
      const body = b.subgraph('body', (g) => {
        const [state, x] = [g.input('state', 'float32', []), g.input('x', 'float32', [])];
        g.output('sum', g.op('Sin', [g.op('Add', [state, x])]));
      });
      return b.op('Scan', [b.constant('zero', tensor('float32', [], [0])), b.input('x', 'float32', ['n'])], {
        body,
        num_scan_inputs: 1,
      });
    },
    feeds: () => ({ x: zeros('float32', 10_000_000) }),
  },
  {
    name: 'products of matrices by kernels',
    build(b) {
      const x = square(b, 'x', 'float32');
      let value = x;
      for (let i = 0; i < 200; i++) value = b.op('MatMul', [value, x]);
      return value;
    },
    feeds: () => ({ x: zeros('float32', 2000, 2000) }),
  },
  {
    name: 'Einsum of whole numbers',
    build: (b) => b.op('Einsum', [square(b, 'x', 'int64'), square(b, 'y', 'int64')], { equation: 'ij,kl->' }),
    feeds: () => ({ x: zeros('int64', 400, 400), y: zeros('int64', 400, 400) }),
  },
  {
    name: 'MatMul of whole numbers',
    isLikeOthers: true,
    build: (b) => b.op('MatMul', [square(b, 'x', 'int64'), square(b, 'y', 'int64')]),
    feeds: () => ({ x: zeros('int64', 2000, 2000), y: zeros('int64', 2000, 2000) }),
  },
  {
    name: 'Conv in double precision',
    build: (b) => b.op('Conv', [b.input('x', 'float64', [4, 64, 96, 96]), b.input('w', 'float64', [256, 64, 5, 5])]),
    feeds: () => ({ x: zeros('float64', 4, 64, 96, 96), w: zeros('float64', 256, 64, 5, 5) }),
  },
  {
    name: 'MaxPool in double precision',
    isLikeOthers: true,
    build: (b) => b.op('MaxPool', [b.input('x', 'float64', [256, 64, 64, 64])], { kernel_shape: [24, 24] }),
    feeds: () => ({ x: zeros('float64', 256, 64, 64, 64) }),
  },
  {
    name: 'a determinant',
    build: (b) => b.op('Det', [square(b, 'x', 'float32')]),
    feeds: () => ({ x: regular(4000) }),
  },
  {
    name: 'TopK of whole numbers',
    isLikeOthers: true,
    build: (b) => b.node('TopK', [b.input('x', 'int64', ['n']), b.input('k', 'int64', [1])], {}, { outputs: 2 })[0],
    feeds: () => ({
      x: tensor(
        'int64',
        [12_000_000],
        BigInt64Array.from({ length: 12_000_000 }, (_, i) => BigInt((i * 7919) % 1_000_003)),
      ),
      k: int64s([10]),
    }),
  },
  {
    name: 'a regular expression on long texts',
    build: (b) =>
      b.op('RegexFullMatch', [b.input('x', 'string', ['n'])], { pattern: '(a|b|ab|ba|aab)*(c|(e*f*g*)*)*z' }),
    feeds: () => ({ x: tensor('string', [100_000], new Array<string>(100_000).fill('abaabab'.repeat(300))) }),
  },
];

for (const { name, build, feeds } of ENDLESS.filter(({ isLikeOthers }) => !isLikeOthers || isAtLeast('all')))
  test(`${name} is stopped`, async () => {
    const b = modelBuilder({ opset: 21 });
    b.output('out', build(b));
    const session = await open(b.toBytes());
    await expectRejection('LIMIT', MESSAGE, session.run(feeds(), { limits }));
  });

test('a session goes on after a run that was stopped, and a run without a limit is not', async () => {
  const model = modelOf((b, x) => b.output('out', b.op('Relu', [x])), [1]);
  const b = modelBuilder({ opset: 21 });
  const trips = b.input('trips', 'int64', []);
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const going = g.input('going', 'bool', []);
    const v = g.input('v', 'float32', [1]);
    g.output('goes_on', g.op('Identity', [going]));
    g.output('next', g.op('Add', [v, v]));
  });
  b.output('y', b.op('Loop', [trips, null, b.input('x', 'float32', [1])], { body }));
  const session = await open(b.toBytes());
  const run = (count: bigint, options: RunOptions = {}) =>
    session.run({ x: f32([1], [1]), trips: tensor('int64', [], [count]) }, options);
  await expectRejection('LIMIT', MESSAGE, run(2n ** 62n, { limits }));
  assert.equal((await run(5n)).y?.data, Float32Array.of(32));
  await expectRejection('LIMIT', MESSAGE, run(2n ** 62n, { limits, signal: new AbortController().signal }));
  await expectRejection(
    'ABORTED',
    /aborted/,
    run(2n ** 62n, { limits: { milliseconds: 1e9 }, signal: AbortSignal.timeout(50) }),
  );
  assert.equal((await run(3n, { limits: { milliseconds: 1e9 } })).y?.data, Float32Array.of(8));
  const other = await open(model, { limits: { milliseconds: 1e12 } });
  assert.equal((await other.run({ x: f32([1], [-1]) })).out?.data, Float32Array.of(0));
});

test('create is stopped while a file does not come', async () => {
  const server = createServer((_, response) => response.writeHead(200).write('\x08\x08')).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`;
    await expectRejection(
      'LIMIT',
      /limit of 300 milli/,
      InferenceSession.create(url, { limits: { milliseconds: 300 } }),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('create is stopped while it optimizes', async () => {
  const model = modelOf((b, x) => {
    let value = x;
    for (let i = 0; i < 10_000; i++) value = b.op('Add', [b.op('Mul', [value, value]), x]);
    b.output('y', value);
  });
  await expectRejection('LIMIT', /limit of 100 milli/, open(model, { limits: { milliseconds: 100 } }));
});

test.run();
