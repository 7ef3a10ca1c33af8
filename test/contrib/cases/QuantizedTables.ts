// Tables of few bits of which rows are taken, alone and beside products with the same table.

import { tensor } from '../../../src/builder/index.js';
import type { ModelBuilder } from '../../../src/builder/model-builder.js';
import type { Value } from '../../../src/graph/graph.js';
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import { type Case, draw, type OperatorCases } from '../case.js';
import { bytes } from '../quantized.js';

const d = draw(41);

const MICROSOFT = { domain: 'com.microsoft' };

const indicesFor = (rows: number) =>
  d.ints(d.pick(['int32', 'int64']), d.pick([[], [3], [2, 2], [1], [0]]), -rows, rows - 1);

/** Rows of as many numbers as make a table that is worth keeping in few bits. */
const sizes = (step: number): readonly [number, number] => [
  d.int(20, 50),
  step * d.int(Math.ceil(208 / step), Math.ceil(260 / step)),
];

/** The sum of a row's product with the whole table: its tokens' scores. */
const scores = (b: ModelBuilder, x: Value, table: Value) =>
  b.op('MatMul', [x, b.op('Transpose', [table], { perm: [1, 0] })]);

/** Rows of what DequantizeLinear makes: a scale for each block of a row, each row, or all. */
function dequantized(i: number): Case {
  const type = d.pick(['int4', 'uint4', 'int8', 'uint8'] as const);
  const grain = d.pick(['block', 'block', 'row', 'all'] as const);
  const block_size = d.pick([16, 32, 48]);
  const hasHead = i % 3 === 0;
  const [rows, columns] = sizes(1);
  const parameter = { block: [rows, Math.ceil(columns / block_size)], row: [rows], all: [] }[grain];
  const isSigned = !type.startsWith('u');
  const half = 2 ** (ELEMENTS[type as ElementType].bits - 1);
  const codes = (dims: readonly number[]) =>
    d.ints(type, dims, isSigned ? -half : 0, isSigned ? half - 1 : 2 * half - 1);
  const element = d.pick(['float32', 'float32', 'float16'] as const);
  const scale = hasHead ? 0.02 / half : 0.3;
  const inputs = [
    codes([rows, columns]),
    indicesFor(rows),
    d.floats(parameter, scale / 4, scale, element),
    d.chance(0.5) ? codes(parameter) : null,
  ];
  const attributes = grain === 'block' ? { axis: d.pick([1, -1]), block_size } : { axis: 0 };
  return {
    label: `${i}: ${type} [${rows},${columns}] by ${grain} of ${block_size}, ${element}${hasHead ? ' and a product' : ''}`,
    inputs,
    constants: [0, 2, 3],
    graph(b, [table, indices, ...parameters]) {
      const floats = b.op('DequantizeLinear', [table as Value, ...(parameters as Value[])], attributes);
      const y = b.op('Gather', [floats, indices as Value]);
      return hasHead ? [y, scores(b, y, floats)] : [y];
    },
  };
}

/** GatherBlockQuantized of the table that MatMulNBits multiplies by. */
function tied(i: number): Case {
  const [bits, block_size] = [d.pick([2, 4, 4, 8]), d.pick([16, 32, 64])];
  const [rows, columns] = sizes(block_size);
  const blocks = columns / block_size;
  const type = d.pick(['float32', 'float32', 'float16'] as const);
  const isFlat = d.chance(0.5);
  const inputs = [
    bytes(d, 'uint8', [rows, blocks, (block_size * bits) / 8]),
    indicesFor(rows),
    d.floats(isFlat ? [rows * blocks] : [rows, blocks], 0.1 / 2 ** bits, 0.05 / 2 ** bits, type),
    d.chance(0.5) ? bytes(d, 'uint8', [rows, Math.ceil((blocks * bits) / 8)]) : null,
  ];
  const shape = d.pick([
    [rows, (columns * bits) / 8],
    [0, -1],
    [rows, -1],
  ]);
  return {
    label: `${i}: ${bits} bits in ${rows} rows of ${columns}, block ${block_size}, ${type}, tied`,
    inputs,
    constants: [0, 2, 3],
    graph(b, [table, indices, scales, zeros]) {
      const reshaped = (name: string, value: Value, to: readonly number[]) =>
        b.op('Reshape', [value, b.constant(name, tensor('int64', [to.length], to.map(BigInt)))]);
      const [codes, of] = [
        reshaped('rows', table as Value, shape),
        reshaped('blocks', scales as Value, [rows, blocks]),
      ];
      const operands = [codes, indices as Value, isFlat ? of : (scales as Value), zeros ?? null];
      const [y] = b.node('GatherBlockQuantized', operands, { bits, block_size }, MICROSOFT) as [Value];
      const head = { K: columns, N: rows, bits, block_size };
      const [z] = b.node('MatMulNBits', [y, table as Value, scales as Value, zeros ?? null], head, MICROSOFT) as [
        Value,
      ];
      return [y, z];
    },
  };
}

const cases = Array.from({ length: 30 }, (_, i) => (i % 2 ? tied(i) : dequantized(i)));

/** Products round their activations to 16 bits, and those in halves their results to 11. */
const HALVES = { relative: 2 ** -10, absolute: 2e-4 };

export const operator: OperatorCases = { op: 'QuantizedTables', domain: 'com.microsoft', tolerance: HALVES, cases };
