import { suite } from 'uvu';
import type { ErrorCode } from '../../../src/base/errors.js';
import { type AttributeInputs, modelBuilder, tensor } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { draw } from '../../contrib/case.js';
import { expectRejection } from '../../expect-error.js';

const test = suite('wrong use of com.microsoft');

const { floats, ints } = draw(1);

type Inputs = readonly (TensorValue | null)[];

/** Opens a model of one node on constants and fed inputs, and runs it. */
async function run(op: string, inputs: Inputs, attributes: AttributeInputs): Promise<void> {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const values = inputs.map((input, i) => input && b.input(`x${i}`, input.type, input.dims));
  const [y] = b.node(op, values, attributes, { domain: 'com.microsoft', outputs: 1 });
  b.output('y', y as NonNullable<typeof y>);
  const session = await InferenceSession.create(b.toBytes());
  await session.run(Object.fromEntries(inputs.flatMap((x, i): [string, TensorValue][] => (x ? [[`x${i}`, x]] : []))));
}

const one = (value: number) => ints('int32', [1], value, value);
const grouped = (past: number, total: number): Inputs => [
  floats([1, 1, 16]),
  floats([1, 1, 8]),
  floats([1, 1, 8]),
  floats([1, 1, past, 8]),
  floats([1, 1, past, 8]),
  one(total - 1),
  one(total),
];
const heads = { num_heads: 2, kv_num_heads: 1 };

/** A token after two others; blocks of two see themselves and the one before. */
const sparse = (changes: Readonly<Record<number, TensorValue>> = {}): Inputs => {
  const blocks = [tensor('int32', [1, 3], [0, 1, 3]), tensor('int32', [1, 3], [0, 0, 1])];
  const [query, key, value, pastKey, pastValue] = grouped(4, 3);
  const inputs = [query, key, value, pastKey, pastValue, ...blocks, one(3), one(3)] as TensorValue[];
  return inputs.map((input, i) => changes[i] ?? input);
};
const ofBlocks = { ...heads, sparse_block_size: 2 };

const CASES: readonly (readonly [op: string, Inputs, AttributeInputs, ErrorCode, RegExp])[] = [
  ['SkipLayerNormalization', [floats([4]), floats([4]), floats([4])], {}, 'INVALID_SHAPE', /\[batch, length, size\]/],
  [
    'SkipSimplifiedLayerNormalization',
    [floats([1, 2, 4]), floats([3, 4]), floats([4])],
    {},
    'INVALID_SHAPE',
    /cannot be broadcast to/,
  ],
  ['BiasGelu', [floats([2, 4]), floats([3])], {}, 'INVALID_SHAPE', /must be \[4\], not \[3\]/],
  [
    'RotaryEmbedding',
    [floats([1, 2, 8]), ints('int64', [1, 3], 0, 1), floats([4, 4]), floats([4, 4])],
    {},
    'INVALID_SHAPE',
    /must be \[1,2\]/,
  ],
  [
    'RotaryEmbedding',
    [floats([1, 2, 8]), ints('int64', [1, 2], 0, 1), floats([4, 3]), floats([4, 3])],
    {},
    'INVALID_SHAPE',
    /cannot be split into heads of 6/,
  ],
  [
    'RotaryEmbedding',
    [floats([1, 2, 8]), ints('int64', [1], 0, 0), floats([4, 2]), floats([4, 2])],
    { rotary_embedding_dim: 4 },
    'INVALID_ATTRIBUTE',
    /needs num_heads/,
  ],
  [
    'GroupQueryAttention',
    grouped(2, 3),
    { num_heads: 3, kv_num_heads: 2 },
    'INVALID_ATTRIBUTE',
    /positive multiple of kv_num_heads 2/,
  ],
  ['GroupQueryAttention', [...grouped(2, 3).slice(0, 5), one(1), one(3)], heads, 'INVALID_VALUE', /not 1 fewer/],
  ['GroupQueryAttention', grouped(2, 5), heads, 'INVALID_VALUE', /must be from 1 \(queries\) to 3/],
  ['GroupQueryAttention', grouped(2, 3), { ...heads, do_rotary: 1 }, 'INVALID_GRAPH', /needs cos_cache and sin_cache/],
  ['GroupQueryAttention', grouped(2, 3), { ...heads, k_quant_type: 'PER_TENSOR' }, 'INVALID_GRAPH', /its scale/],
  [
    'MultiHeadAttention',
    [floats([1, 2, 5]), floats([1, 2, 5]), floats([1, 2, 5])],
    { num_heads: 2 },
    'INVALID_SHAPE',
    /cannot be split into 2 heads/,
  ],
  [
    'MultiHeadAttention',
    [floats([1, 2, 4]), floats([1, 3, 4]), floats([1, 3, 4]), null, ints('int32', [1, 2], 0, 1)],
    { num_heads: 2 },
    'INVALID_SHAPE',
    /the mask, input 4, must be/,
  ],
  [
    'Attention',
    [floats([1, 2, 3]), floats([3, 10]), floats([10])],
    { num_heads: 2 },
    'INVALID_SHAPE',
    /10 columns of weights/,
  ],
  [
    'Attention',
    [floats([1, 2, 3]), floats([3, 12]), floats([12])],
    { num_heads: 2, do_rotary: 1 },
    'INVALID_ATTRIBUTE',
    /do_rotary must be 0/,
  ],
  [
    'DecoderMaskedMultiHeadAttention',
    [floats([1, 2, 4]), floats([1, 2, 4]), floats([1, 2, 4])],
    { num_heads: 2 },
    'INVALID_SHAPE',
    /must be \[1,1,4\]/,
  ],
  ['SparseAttention', sparse(), { ...ofBlocks, num_heads: 3, kv_num_heads: 2 }, 'INVALID_ATTRIBUTE', /multiple of kv/],
  ['SparseAttention', sparse(), { ...ofBlocks, sparse_block_size: 0 }, 'INVALID_ATTRIBUTE', /must be positive, not 0/],
  ['SparseAttention', sparse(), { ...ofBlocks, do_rotary: 1 }, 'INVALID_GRAPH', /needs cos_cache and sin_cache/],
  ['SparseAttention', sparse({ 4: floats([1, 1, 5, 8]) }), ofBlocks, 'INVALID_SHAPE', /must be \[1,1,4,8\]/],
  [
    'SparseAttention',
    sparse({ 5: ints('int32', [3, 3], 0, 0) }),
    ofBlocks,
    'INVALID_SHAPE',
    /num_heads 2 must be a multiple/,
  ],
  [
    'SparseAttention',
    sparse({ 5: ints('int32', [1, 1], 0, 0) }),
    ofBlocks,
    'INVALID_SHAPE',
    /\[layouts, blocks \+ 1\]/,
  ],
  [
    'SparseAttention',
    sparse({ 5: ints('int32', [1, 3], 4, 4) }),
    ofBlocks,
    'INVALID_VALUE',
    /increase from 0 to at most 3/,
  ],
  ['SparseAttention', sparse({ 6: ints('int32', [1, 3], 2, 2) }), ofBlocks, 'INVALID_VALUE', /must be from 0 to 1/],
  ['SparseAttention', sparse({ 8: one(0) }), ofBlocks, 'INVALID_VALUE', /from 1 \(queries\) to 4/],
  ['SparseAttention', sparse({ 8: one(5) }), ofBlocks, 'INVALID_VALUE', /from 1 \(queries\) to 4/],
  [
    'SparseAttention',
    sparse({ 3: floats([1, 1, 0, 8]), 4: floats([1, 1, 0, 8]) }),
    ofBlocks,
    'INVALID_VALUE',
    /holds 0/,
  ],
  ['SparseAttention', sparse({ 5: tensor('int32', [1, 2], [0, 1]) }), ofBlocks, 'INVALID_VALUE', /\(queries\) to 2/],
  ['CausalConvWithState', [floats([1, 2, 4]), floats([2, 1, 2])], { ndim: 2 }, 'INVALID_ATTRIBUTE', /ndim must be 1/],
  [
    'EmbedLayerNormalization',
    [ints('int32', [1, 2], 0, 1), null, floats([3, 4]), floats([3, 5]), null, floats([4]), floats([4])],
    {},
    'INVALID_SHAPE',
    /must be \[3,4\]/,
  ],
];

for (const [op, inputs, attributes, code, message] of CASES)
  test(`${op}: ${message.source}`, () => expectRejection(code, message, run(op, inputs, attributes)));

test.run();
