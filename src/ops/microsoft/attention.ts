import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { formatSize, type Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float, int, ints } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import { emitOne } from '../emit.js';
import { throughFloat32 } from '../through-float32.js';
import { attendProjected, columnsOf } from './projected-attention.js';

interface AttentionAttributes {
  readonly do_rotary: number;
  readonly mask_filter_value: number;
  readonly num_heads: number;
  readonly past_present_share_buffer: number;
  readonly qkv_hidden_sizes: readonly number[] | undefined;
  readonly scale: number;
  readonly unidirectional: number;
}

const [INPUT, WEIGHTS, BIAS, MASK, PAST, ATTENTION_BIAS, PAST_LENGTH] = [0, 1, 2, 3, 4, 5, 6];

/** Numbers of columns of queries, keys and values; undefined if unknown. */
function widthsOf(c: Inference<AttentionAttributes>): readonly [number, number, number] | undefined {
  const width = c.dims(WEIGHTS)?.[1];
  const { qkv_hidden_sizes: sizes, num_heads: heads } = c.attributes;
  if (!sizes?.length && typeof width !== 'number') return undefined;
  const [q, k, v] = sizes?.length ? sizes : new Array<number>(3).fill(Number(width) / 3);
  const isWhole = [q, k, v].every((size) => size !== undefined && size > 0 && size % heads === 0);
  const fits = typeof width !== 'number' || (q ?? 0) + (k ?? 0) + (v ?? 0) === width;
  if (!isWhole || !fits || q !== k || (sizes?.length ?? 3) !== 3)
    c.fail(
      'INVALID_SHAPE',
      `${formatSize(width)} columns of weights cannot be split into queries, keys and values of ${heads} heads (qkv_hidden_sizes: ${sizes ?? 'none'})`,
    );
  return [q, k, v] as [number, number, number];
}

function presentDims(c: Inference<AttentionAttributes>, rows: Size, width: number | undefined): Size[] {
  const { num_heads: heads, past_present_share_buffer: shares } = c.attributes;
  const past = c.given(PAST) ? c.dims(PAST)?.[3] : 0;
  const joined = past === 0 ? rows : typeof past === 'number' && typeof rows === 'number' ? past + rows : c.unknown();
  const length = shares && c.given(PAST) ? (past ?? c.unknown()) : joined;
  return [2, c.dims(INPUT)?.[0] ?? c.unknown(), heads, length, width === undefined ? c.unknown() : width / heads];
}

function infer(c: Inference<AttentionAttributes>) {
  const { num_heads: heads, do_rotary, past_present_share_buffer: shares } = c.attributes;
  if (heads <= 0) c.fail('INVALID_ATTRIBUTE', `num_heads must be positive, not ${heads}`);
  if (do_rotary) c.fail('INVALID_ATTRIBUTE', 'do_rotary must be 0: use RotaryEmbedding before this node');
  if (shares && !c.given(PAST_LENGTH)) c.fail('INVALID_GRAPH', 'past_present_share_buffer needs past_sequence_length');
  const dims = dimsOfRank(c, INPUT, 3);
  const widths = widthsOf(c);
  requireDims(c, WEIGHTS, [dims?.[2], c.dims(WEIGHTS)?.[1]]);
  requireDims(c, BIAS, [c.dims(WEIGHTS)?.[1]]);
  if (c.given(PAST)) requireDims(c, PAST, [2, dims?.[0], heads, c.dims(PAST)?.[3], widths && widths[0] / heads]);
  const [batch, rows] = dims ?? [];
  const element = c.element(INPUT);
  if (batch === undefined || rows === undefined) return [tensorType(element), tensorType(element)];
  return [
    tensorType(element, [batch, rows, widths?.[2] ?? c.unknown()]),
    tensorType(element, presentDims(c, rows, widths?.[0])),
  ];
}

/** Projects the input to queries, keys and values. Constant weights are split, so that each result is contiguous. */
function projected(c: Decomposition<AttentionAttributes>, widths: readonly number[]): Value[] {
  const input = c.input(INPUT);
  if (!c.hasContents(WEIGHTS)) {
    const all = emitOne(c, 'MatMul', [input, c.input(WEIGHTS)]);
    return columnsOf(c, c.given(BIAS) ? emitOne(c, 'Add', [all, c.input(BIAS)]) : all, widths);
  }
  const products = columnsOf(c, c.input(WEIGHTS), widths).map((part) => emitOne(c, 'MatMul', [input, part]));
  if (!c.given(BIAS)) return products;
  const biases = columnsOf(c, c.input(BIAS), widths);
  return products.map((x, i) => emitOne(c, 'Add', [x, biases[i] as Value]));
}

function decompose(c: Decomposition<AttentionAttributes>): Value[] | undefined {
  const widths = widthsOf(c);
  if (!widths) return undefined;
  const halves = throughFloat32(c, [c.element(INPUT), c.element(INPUT)]);
  if (halves) return halves;
  const optional = (i: number) => (c.given(i) ? c.input(i) : null);
  const { num_heads, scale, mask_filter_value, unidirectional, past_present_share_buffer: shares } = c.attributes;
  const attributes = {
    num_heads: intAttribute(num_heads),
    scale: floatAttribute(scale),
    mask_filter_value: floatAttribute(mask_filter_value),
    unidirectional: intAttribute(unidirectional),
  };
  const given = {
    operands: projected(c, widths),
    bias: null,
    mask: optional(MASK),
    attentionBias: optional(ATTENTION_BIAS),
    past: optional(PAST),
    pastLength: shares ? optional(PAST_LENGTH) : null,
  };
  return attendProjected(c, given, attributes);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Attention */
export const attention = defineOp({
  domain: 'com.microsoft',
  name: 'Attention',
  signature:
    'input: T, weights: T, bias?: T, mask_index?: int32, past?: T, attention_bias?: T, past_sequence_length?: int32 -> ' +
    'output: T, present?: T',
  types: { T: ['float32', 'float16', 'bfloat16'] },
  attributes: {
    do_rotary: int(0),
    mask_filter_value: float(-10000),
    num_heads: int.required,
    past_present_share_buffer: int(0),
    qkv_hidden_sizes: ints(),
    rotary_embedding_dim: int(0),
    scale: float(0),
    unidirectional: int(0),
  },
  infer,
  decompose,
});
