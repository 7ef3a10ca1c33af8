import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { open } from '../session/run-model.js';
import { agreeing } from './agreement.js';

const test = suite('rows of quantized tables');

const RULE = 'rows of quantized tables';
const MICROSOFT = { domain: 'com.microsoft' };
const [ROWS, COLUMNS, BLOCK] = [96, 64, 32];
const MEBIBYTE = 2 ** 20;

const bytesOf = (count: number) => Uint8Array.from({ length: count }, (_, i) => (i * 167 + (i >> 5) * 31) & 255);
const floatsOf = (count: number) => Float32Array.from({ length: count }, (_, i) => 0.001 + (i % 11) / 20000);
const listed = (b: ModelBuilder, name: string, values: readonly number[]) =>
  b.constant(name, tensor('int64', [values.length], values.map(BigInt)));

/** The scores of tokens by the table that embeds them, as quantisers of language models write it. */
function tied(rows: number, columns: number, block = BLOCK): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const ids = b.input('ids', 'int64', ['count']);
  const codes = b.constant('codes', tensor('uint8', [rows, columns / BLOCK, BLOCK / 2], bytesOf((rows * columns) / 2)));
  const scales = b.constant('scales', tensor('float32', [rows, columns / BLOCK], floatsOf((rows * columns) / BLOCK)));
  const table = b.op('Reshape', [codes, listed(b, 'shape', [0, -1])]);
  const own =
    block === BLOCK
      ? scales
      : b.constant('own', tensor('float32', [rows, columns / block], floatsOf((rows * columns) / block)));
  const [x] = b.node('GatherBlockQuantized', [table, ids, own], { bits: 4, block_size: block }, MICROSOFT) as [Value];
  const sizes = { K: columns, N: rows, bits: 4, block_size: BLOCK };
  const [y] = b.node('MatMulNBits', [x, codes, scales], sizes, MICROSOFT) as [Value];
  b.output('y', y);
  return b.toBytes();
}

const ids = (...values: number[]): Record<string, TensorValue> => ({
  ids: tensor('int64', [values.length], values.map(BigInt)),
});

test('a table that embeds and scores is held once', async () => {
  const [rows, columns] = [1 << 14, 512];
  const session = await open(tied(rows, columns));
  await session.run(ids(3, 77));
  const [codes, scales] = [(rows * columns) / 2, (4 * rows * columns) / BLOCK];
  const held = session.memoryPlan?.linearMemory ?? Number.POSITIVE_INFINITY;
  assert.ok(held < codes + scales + 10 * MEBIBYTE, `${held} bytes`);
  await session.release();
});

test('its rows are those of the table', async () => {
  const { rewrites } = await agreeing(tied(ROWS, COLUMNS), ids(5, -1, 0, 95));
  assert.is(rewrites.applied.filter(({ rule }) => rule === RULE).length, 1);
});

test('a table of other blocks than the product has is read as it is stored', async () => {
  const { rewrites } = await agreeing(tied(ROWS, COLUMNS, 16), ids(5, -1));
  assert.not(rewrites.applied.some(({ rule }) => rule === RULE));
  const reasons = rewrites.refused?.filter(({ rule }) => rule === RULE).map(({ reason }) => reason);
  assert.equal(reasons, ['its blocks are not those of the product']);
});

/** Rows of what DequantizeLinear makes, by `attributes`, taken along `axis`. */
function dequantized(axis: number, attributes: Record<string, number>, scales: readonly number[], after?: string) {
  const b = modelBuilder({ opset: 21 });
  const taken = b.input('ids', 'int64', ['count']);
  const codes = b.constant('codes', {
    type: 'int8',
    dims: [ROWS, COLUMNS],
    data: new Int8Array(bytesOf(ROWS * COLUMNS)),
  });
  const count = scales.reduce((n, d) => n * d, 1);
  const scale = b.constant('scale', tensor('float32', scales, floatsOf(count)));
  const rows = b.op('Gather', [b.op('DequantizeLinear', [codes, scale], attributes), taken], { axis });
  const steps = [b.constant('step', tensor('float32', [], [0.01])), b.constant('zero', tensor('int8', [], [3]))];
  b.output('y', after ? b.op(after, [rows, ...steps]) : rows);
  return b.toBytes();
}

const STAYING: readonly (readonly [string, Uint8Array, RegExp])[] = [
  ['columns', dequantized(1, { axis: 0 }, [ROWS]), /it takes columns/],
  ['scales of columns', dequantized(0, { axis: 1 }, [COLUMNS]), /its scales lie along axis 1/],
  ['rows that are quantised again', dequantized(0, { axis: 0 }, [ROWS], 'QuantizeLinear'), /quantized again/],
];

for (const [what, model, reason] of STAYING)
  test(`${what} stay`, async () => {
    const { rewrites } = await agreeing(model, ids(1, 60));
    assert.not(rewrites.applied.some(({ rule }) => rule === RULE));
    assert.ok(rewrites.refused?.some((r) => r.rule === RULE && reason.test(r.reason)));
  });

test('rows within a subgraph', async () => {
  const b = modelBuilder({ opset: 21 });
  const [taken, isWanted] = [b.input('ids', 'int64', ['count']), b.input('wanted', 'bool', [])];
  const codes = b.constant('codes', {
    type: 'int8',
    dims: [ROWS, COLUMNS],
    data: new Int8Array(bytesOf(ROWS * COLUMNS)),
  });
  const floats = b.op('DequantizeLinear', [codes, b.constant('scale', tensor('float32', [], [0.01]))]);
  const branch = (sign: string) =>
    b.subgraph(sign, (g) => {
      g.output(`${sign}_rows`, g.op(sign, [g.op('Gather', [floats, taken])]));
    });
  b.output('y', b.op('If', [isWanted], { then_branch: branch('Neg'), else_branch: branch('Abs') }));
  const { rewrites } = await agreeing(b.toBytes(), { ...ids(1, 60), wanted: tensor('bool', [], [1]) });
  assert.is(rewrites.applied.filter(({ rule }) => rule === RULE).length, 2);
});

test('an index outside the table is told', async () => {
  const session = await open(tied(ROWS, COLUMNS));
  const failed = await session.run(ids(ROWS)).catch((error: Error) => error);
  assert.ok(failed instanceof Error && /96/.test(failed.message));
});

test.run();
