import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import { numbers, randomly } from '../session/run-model.js';
import { agreeing } from './agreement.js';

const test = suite('products of the same rows');

const RULE = 'products of the same rows';
const K = 96;
/** Activations of at most 1 by weights of at most 0.16, rounded to 16 bits: each of 96 products moves by 0.16 / 65534. */
const BOUND = 3e-4;

interface Options {
  readonly bits?: number;
  readonly block?: number;
  readonly level?: number;
  readonly zeros?: boolean;
  readonly bias?: Value;
}

/** MatMulNBits of `x` by weights of a seed. */
function product(b: ModelBuilder, x: Value, N: number, options: Options = {}): Value {
  const { bits = 4, block = 32, level = 0, zeros = false, bias = null } = options;
  const next = randomly(N + bits + block);
  const blocks = K / block;
  const name = b.op('Identity', [x]).name;
  const bytes = (dims: number[]) =>
    tensor(
      'uint8',
      dims,
      Array.from({ length: dims.reduce((n, d) => n * d, 1) }, () => Math.floor(256 * next())),
    );
  const scales = tensor(
    'float32',
    [N, blocks],
    Array.from({ length: N * blocks }, () => (0.01 * 16 * next()) / 2 ** bits),
  );
  const inputs = [
    x,
    b.constant(`${name}/b`, bytes([N, blocks, (block * bits) / 8])),
    b.constant(`${name}/scales`, scales),
    zeros ? b.constant(`${name}/zeros`, bytes([N, Math.ceil((blocks * bits) / 8)])) : null,
    null,
    bias,
  ];
  const attributes = { K, N, bits, block_size: block, accuracy_level: level };
  return b.node('MatMulNBits', inputs, attributes, { domain: 'com.microsoft' })[0] as Value;
}

/** How often the rule applies to the products that `make` makes, which agree with those of a session that rewrites nothing. */
async function joined(make: (b: ModelBuilder, x: Value) => readonly Value[], rows = 3): Promise<number> {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  make(b, b.input('x', 'float32', ['rows', K])).forEach((y, i) => {
    b.output(`y${i}`, y);
  });
  const { rewrites } = await agreeing(b.toBytes(), { x: numbers([rows, K], 9) }, BOUND);
  return rewrites.applied.filter(({ rule }) => rule === RULE).length;
}

for (const rows of [0, 1, 2, 7, 40])
  test(`queries, keys and values of ${rows} rows`, async () => {
    const make = (b: ModelBuilder, x: Value) => [
      product(b, x, 48, { bias: b.constant('bias', numbers([48], 5)) }),
      product(b, x, 16, { zeros: true }),
      product(b, x, 17),
    ];
    assert.is(await joined(make, rows), 1);
  });

test('with what reads the first before the last', async () => {
  const make = (b: ModelBuilder, x: Value) => {
    const gate = product(b, x, 40);
    const opened = b.op('Mul', [gate, b.op('Sigmoid', [gate])]);
    return [b.op('Mul', [opened, product(b, x, 40, { zeros: true })]), gate];
  };
  assert.is(await joined(make), 1);
});

test('each kind of block for itself', async () => {
  const make = (b: ModelBuilder, x: Value) => [
    product(b, x, 8),
    product(b, x, 9, { bits: 8 }),
    product(b, x, 10, { block: 16 }),
    product(b, x, 11, { bits: 8 }),
    product(b, x, 12, { block: 16 }),
    product(b, x, 13, { level: 4 }),
  ];
  assert.is(await joined(make), 2);
});

test('not of other rows', async () => {
  assert.is(await joined((b, x) => [product(b, x, 8), product(b, b.op('Neg', [x]), 8)]), 0);
});

test('not where a bias is made after the first', async () => {
  const make = (b: ModelBuilder, x: Value) => {
    const first = product(b, x, 8);
    const axes = b.constant('axes', tensor('int64', [1], [0]));
    return [first, product(b, x, 8, { bias: b.op('ReduceMean', [first, axes], { keepdims: 0 }) })];
  };
  assert.is(await joined(make), 0);
});

test.run();
