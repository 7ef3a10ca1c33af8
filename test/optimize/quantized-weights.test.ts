import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, tensor } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import { modelOf, numbers, randomly } from '../session/run-model.js';
import { agreeing } from './agreement.js';

const test = suite('products with quantized weights');

const RULE = 'product with quantized weights';
const [K, N] = [96, 50];

interface Case {
  readonly type: ElementType;
  /** Whether the weights are stored as [N, K]. */
  readonly byColumns?: boolean;
  /** Along K; of a column where it is 0. */
  readonly block?: number;
  readonly one?: boolean;
  readonly zeros?: boolean;
  readonly opset?: number;
}

const RANGES: Partial<Record<ElementType, readonly [number, number]>> = {
  int4: [-8, 7],
  uint4: [0, 15],
  int8: [-128, 127],
  uint8: [0, 255],
  int2: [-2, 1],
  uint2: [0, 3],
};

function codes(type: ElementType, dims: readonly number[], seed: number) {
  const next = randomly(seed);
  const [least, most] = RANGES[type] as readonly [number, number];
  const count = dims.reduce((n, d) => n * d, 1);
  return tensor(
    type,
    dims,
    Array.from({ length: count }, () => least + Math.floor(next() * (most - least + 1))),
  );
}

/** The weights in floats. */
function dequantized(b: ModelBuilder, { type, byColumns = false, block = 0, one = false, zeros = false }: Case): Value {
  const ordered = (rows: number) => (byColumns ? [N, rows] : [rows, N]);
  const dims = block ? ordered(Math.ceil(K / block)) : one ? [] : [N];
  const scale = numbers(dims, 3).data as Float32Array;
  const [, most] = RANGES[type] as readonly [number, number];
  const inputs = [
    b.constant('w', codes(type, ordered(K), 2)),
    b.constant(
      'scale',
      tensor(
        'float32',
        dims,
        scale.map((x) => (0.02 + 0.01 * x) / (most + 1)),
      ),
    ),
    zeros ? b.constant('zero', codes(type, dims, 4)) : null,
  ];
  const axis = block ? (byColumns ? 1 : 0) : byColumns ? 0 : 1;
  return b.op('DequantizeLinear', inputs, { axis, ...(block && { block_size: block }) });
}

const CASES: Readonly<Record<string, Case>> = {
  'blocks of 4 bits': { type: 'int4', block: 32 },
  'unsigned blocks of 4 bits with zero points': { type: 'uint4', block: 16, zeros: true },
  'blocks of columns': { type: 'int4', block: 32, byColumns: true, zeros: true },
  'blocks that do not divide K': { type: 'uint8', block: 64, byColumns: true },
  'blocks of 8 bits': { type: 'int8', block: 48, zeros: true },
  'columns of 8 bits': { type: 'int8' },
  'columns of 8 bits with zero points, as they lie': { type: 'uint8', byColumns: true, zeros: true },
  'one scale for all': { type: 'int8', one: true },
  'blocks of 2 bits': { type: 'int2', block: 32, opset: 25, zeros: true },
};

/** Weights are below 0.03, activations at most 1: rounded to 16 bits, each of 96 products moves by 0.03 / 65534 at most. */
const BOUND = 1e-4;

for (const [name, c] of Object.entries(CASES)) {
  const feeds = { x: numbers([3, K], 9) };
  const built = (make: (b: ModelBuilder, x: Value, w: Value) => Value) =>
    modelOf((b, x) => b.output('y', make(b, x, dequantized(b, c))), ['rows', K], c.opset);
  const swapped = (b: ModelBuilder, w: Value) => (c.byColumns ? b.op('Transpose', [w], { perm: [1, 0] }) : w);
  const bias = (b: ModelBuilder) => b.constant('bias', numbers([N], 5));
  const gemm = (attributes: AttributeInputs) => (b: ModelBuilder, x: Value, w: Value) =>
    b.op('Gemm', [x, w, bias(b)], { transB: Number(c.byColumns ?? false), ...attributes });

  test(`${name}: MatMul`, async () => {
    const { rewrites } = await agreeing(
      built((b, x, w) => b.op('MatMul', [x, swapped(b, w)])),
      feeds,
      BOUND,
    );
    assert.ok(rewrites.applied.some(({ rule }) => rule === RULE));
  });
  test(`${name}: Gemm`, async () => {
    const { rewrites } = await agreeing(built(gemm({})), feeds, BOUND);
    assert.ok(rewrites.applied.some(({ rule }) => rule === RULE));
  });
  test(`${name}: a scaled Gemm stays`, async () => {
    const { rewrites } = await agreeing(built(gemm({ alpha: { type: 'float', value: 0.5 } })), feeds, BOUND);
    assert.not(rewrites.applied.some(({ rule }) => rule === RULE));
  });
}

/** Why the rule does not apply to the product that `make` makes. */
async function refusals(make: (b: ModelBuilder, x: Value) => Value): Promise<string> {
  const model = modelOf((b, x) => b.output('y', make(b, x)), [2, K]);
  const { rewrites } = await agreeing(model, { x: numbers([2, K], 9) }, BOUND);
  assert.not(rewrites.applied.some(({ rule }) => rule === RULE));
  return (rewrites.refused ?? []).map(({ rule, reason }) => `${rule}: ${reason}`).join('\n');
}

test('quantised activations are left to products of integers', async () => {
  const reasons = await refusals((b, x) => {
    const [scale, zero] = [b.constant('s', tensor('float32', [], [0.01])), b.constant('z', tensor('uint8', [], [128]))];
    const a = b.op('DequantizeLinear', [b.op('QuantizeLinear', [x, scale, zero]), scale, zero]);
    return b.op('MatMul', [a, dequantized(b, { type: 'int8' })]);
  });
  assert.match(reasons, /its activations are quantized too/);
});

test('weights of Constant nodes', async () => {
  const model = modelOf(
    (b, x) => {
      const [w, scale] = [codes('int8', [K, N], 4), tensor('float32', [], [0.001])].map((value) =>
        b.op('Constant', [], { value: { type: 'tensor', value } }),
      );
      b.output('y', b.op('MatMul', [x, b.op('DequantizeLinear', [w as Value, scale as Value])]));
    },
    [2, K],
  );
  const { rewrites } = await agreeing(model, { x: numbers([2, K], 9) }, BOUND);
  assert.ok(rewrites.applied.some(({ rule }) => rule === RULE));
});

test('weights that are fed stay', async () => {
  const model = modelOf(
    (b, x) => {
      const w = b.input('w', 'int8', [K, N]);
      const scale = b.constant('scale', tensor('float32', [], [0.01]));
      b.output('y', b.op('MatMul', [x, b.op('DequantizeLinear', [w, scale])]));
    },
    [2, K],
  );
  const { rewrites } = await agreeing(model, { x: numbers([2, K], 9), w: codes('int8', [K, N], 4) }, BOUND);
  assert.ok(rewrites.refused?.some(({ rule, reason }) => rule === RULE && reason === 'its weights are no constants'));
});

test('scales along the other axis stay', async () => {
  const reasons = await refusals((b, x) => {
    const scale = b.constant('scale', tensor('float32', [K], new Array(K).fill(0.01)));
    return b.op('MatMul', [
      x,
      b.op('DequantizeLinear', [b.constant('w', codes('int8', [K, N], 4)), scale], { axis: 0 }),
    ]);
  });
  assert.match(reasons, /its scales lie along axis 0/);
});

test.run();
