import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { assertClose, numbers, open } from '../../session/run-model.js';

const test = suite('MatMulNBits');

const [K, N] = [64, 24];
const SIZES = { K, N, bits: 4, block_size: 32 };

const zeros = (type: ElementType, ...dims: number[]): TensorValue =>
  tensor(type, dims, new Array(dims.reduce((n, d) => n * d, 1)).fill(0));

/** A, B, scales, zero points, g_idx, bias; constants from B on. */
function model(replaced: Readonly<Record<number, TensorValue>> = {}, attributes: AttributeInputs = {}): Uint8Array {
  const usual = [numbers([2, K]), zeros('uint8', N, 2, 16), zeros('float32', N, 2)];
  const inputs = Array.from({ length: 6 }, (_, i) => replaced[i] ?? usual[i]);
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const values = inputs.map((x, i) => (x ? (i === 0 ? b.input('a', x.type, x.dims) : b.constant(`c${i}`, x)) : null));
  const [y] = b.node('MatMulNBits', values, { ...SIZES, ...attributes }, { domain: 'com.microsoft' });
  b.output('y', y as NonNullable<typeof y>);
  return b.toBytes();
}

const WRONG: readonly (readonly [string, Uint8Array, 'INVALID_SHAPE' | 'INVALID_ATTRIBUTE', RegExp])[] = [
  ['rows of A', model({ 0: numbers([2, 60]) }), 'INVALID_SHAPE', /A has rows of 60; K is 64/],
  ['a scalar A', model({ 0: numbers([]) }), 'INVALID_SHAPE', /at least one axis, of K numbers/],
  ['B', model({ 1: zeros('uint8', N, 2, 15) }), 'INVALID_SHAPE', /input 1 must be \[24,2,16\], not \[24,2,15\]/],
  ['scales', model({ 2: zeros('float32', N, 3) }), 'INVALID_SHAPE', /input 2 must be \[24,2\], not \[24,3\]/],
  ['flat scales', model({ 2: zeros('float32', 47) }), 'INVALID_SHAPE', /input 2 must be \[48\], not \[47\]/],
  ['packed zero points', model({ 3: zeros('uint8', N, 2) }), 'INVALID_SHAPE', /input 3 must be \[24,1\], not \[24,2\]/],
  ['zero points', model({ 3: zeros('float32', N, 1) }), 'INVALID_SHAPE', /input 3 must be \[24,2\], not \[24,1\]/],
  ['groups', model({ 4: zeros('int32', 63) }), 'INVALID_SHAPE', /g_idx must have 64 elements, not \[63\]/],
  ['bias', model({ 5: zeros('float32', 25) }), 'INVALID_SHAPE', /input 5 must be \[24\], not \[25\]/],
  ['bits', model({}, { bits: 3 }), 'INVALID_ATTRIBUTE', /bits must be 2, 4 or 8, not 3/],
  ['block_size', model({}, { block_size: 8 }), 'INVALID_ATTRIBUTE', /power of two and at least 16, not 8/],
  ['K', model({}, { K: 0 }), 'INVALID_ATTRIBUTE', /K and N must be positive/],
  ['accuracy_level', model({}, { accuracy_level: 5 }), 'INVALID_ATTRIBUTE', /accuracy_level must be 0 to 4, not 5/],
  ['weight_prepacked', model({}, { weight_prepacked: 1 }), 'INVALID_ATTRIBUTE', /weight_prepacked must be 0, not 1/],
];

for (const [what, bytes, code, message] of WRONG)
  test(`refuses wrong ${what}`, () => expectRejection(code, message, open(bytes)));

test('a row with a NaN gives NaN, and no other row does', async () => {
  const a = numbers([3, K]);
  (a.data as Float32Array)[K + 3] = Number.NaN;
  const session = await open(
    model({ 0: a, 1: tensor('uint8', [N, 2, 16], new Array(N * 32).fill(0x9a)), 2: numbers([N, 2]) }),
  );
  const { y } = await session.run({ a });
  const rows = [0, 1, 2].map((row) => [...((y as TensorValue).data as Float32Array).subarray(row * N, (row + 1) * N)]);
  assert.equal(
    rows.map((row) => [row.some(Number.isNaN), row.every(Number.isNaN)]),
    [
      [false, false],
      [true, true],
      [false, false],
    ],
  );
  await session.release();
});

test('prompts and single rows by turns, with the weights as they were packed first', async () => {
  const bytes = model({
    0: { ...numbers([1, K]), dims: ['rows', K] as never },
    1: tensor(
      'uint8',
      [N, 2, 16],
      Array.from({ length: N * 32 }, (_, i) => (i * 89) % 256),
    ),
    2: tensor('float32', [N, 2], new Array(2 * N).fill(0.01)),
  });
  const [session, reference] = await Promise.all([open(bytes), open(bytes, { executionProviders: ['reference'] })]);
  for (const rows of [1, 5, 1, 70, 3, 0, 2]) {
    const feeds = { a: numbers([rows, K], rows + 1) };
    assertClose(await session.run(feeds), await reference.run(feeds), 1e-4, `${rows} rows`);
  }
  await Promise.all([session.release(), reference.release()]);
});

test.run();
