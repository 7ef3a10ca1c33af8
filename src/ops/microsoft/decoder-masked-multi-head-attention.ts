import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import { storedColumns, storedElement } from '../stored-caches.js';
import { columnsOf } from './projected-attention.js';

interface DecoderAttributes {
  readonly mask_filter_value: number;
  readonly num_heads: number;
  readonly output_qk: number;
  readonly past_present_share_buffer: number;
  readonly scale: number;
}

const [QUERY, KEY, VALUE, MASK, ATTENTION_BIAS, PAST_KEY, PAST_VALUE, PAST_LENGTH, , INDIRECTION, BIAS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];

/** The width of the queries; undefined if */
function widthOf(c: Inference<DecoderAttributes>): number | undefined {
  const width = c.dims(QUERY)?.[2];
  if (typeof width !== 'number') return undefined;
  const own = c.given(KEY) ? width : width / 3;
  if (own % c.attributes.num_heads !== 0)
    c.fail('INVALID_SHAPE', `${width} columns of query cannot be split into ${c.attributes.num_heads} heads`);
  return own;
}

function check(c: Inference<DecoderAttributes>): void {
  const { num_heads: heads, past_present_share_buffer: shares } = c.attributes;
  if (heads <= 0) c.fail('INVALID_ATTRIBUTE', `num_heads must be positive, not ${heads}`);
  const [batch] = dimsOfRank(c, QUERY, 3) ?? [];
  requireDims(c, QUERY, [batch, 1, c.dims(QUERY)?.[2]]);
  if (shares && c.given(PAST_KEY) && !c.given(PAST_LENGTH))
    c.fail('INVALID_GRAPH', 'past_present_share_buffer needs past_sequence_length');
}

function infer(c: Inference<DecoderAttributes>) {
  check(c);
  const [batch = c.unknown()] = c.dims(QUERY) ?? [];
  const { num_heads: heads, past_present_share_buffer: shares } = c.attributes;
  const [width, element] = [widthOf(c), c.element(QUERY)];
  const size = width === undefined ? c.unknown() : width / heads;
  const past: Size | undefined = c.given(PAST_KEY) ? c.dims(PAST_KEY)?.[2] : 0;
  const fresh: Size | undefined = c.given(KEY) ? c.dims(KEY)?.at(-2) : 1;
  const fits = typeof past === 'number' && typeof fresh === 'number';
  const grown = fits ? past + fresh : c.unknown();
  const keys = shares && c.given(PAST_KEY) ? (past ?? c.unknown()) : grown;
  const cache = (i: number) => {
    const stored = storedElement(c, i, element);
    return tensorType(stored, [batch, heads, keys, typeof size === 'number' ? storedColumns(stored, size) : size]);
  };
  return [
    tensorType(element, [batch, 1, width ?? c.unknown()]),
    cache(PAST_KEY),
    cache(PAST_VALUE),
    tensorType(element, [batch, heads, 1, keys]),
  ];
}

function decompose(c: Decomposition<DecoderAttributes>): Value[] | undefined {
  const width = widthOf(c);
  const optional = (i: number) => (c.given(i) ? c.input(i) : null);
  if (width === undefined) return undefined;
  const operands = c.given(KEY)
    ? [QUERY, KEY, VALUE].map(optional)
    : columnsOf(c, c.input(QUERY), [width, width, width]);
  const { num_heads, scale, mask_filter_value, past_present_share_buffer: shares } = c.attributes;
  const rest = [BIAS, MASK, ATTENTION_BIAS, PAST_KEY, PAST_VALUE].map(optional);
  const attributes = {
    num_heads: intAttribute(num_heads),
    scale: floatAttribute(scale),
    mask_filter_value: floatAttribute(mask_filter_value),
  };
  const outputs = [3, 2, 1].find((i) => c.wanted(i)) ?? 0;
  const inputs = [
    ...operands,
    ...rest,
    shares ? optional(PAST_LENGTH) : null,
    c.given(PAST_KEY) ? optional(INDIRECTION) : null,
  ];
  return c.emit('com.microsoft:MultiHeadAttention', inputs, attributes, outputs + 1);
}

const CACHED = ['float32', 'float16', 'int8'] as const;

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.DecoderMaskedMultiHeadAttention */
export const decoderMaskedMultiHeadAttention = defineOp({
  domain: 'com.microsoft',
  name: 'DecoderMaskedMultiHeadAttention',
  signature:
    'query: T, key?: T, value?: T, mask_index?: int32, attention_bias?: T, past_key?: K, past_value?: V, ' +
    'past_sequence_length?: int32, beam_width?: int32, cache_indirection?: int32, bias?: T -> ' +
    'output: T, present_key?: K, present_value?: V, qk?: T',
  types: { T: ['float32', 'float16'], K: CACHED, V: CACHED },
  caches: [PAST_KEY, PAST_VALUE],
  attributes: {
    mask_filter_value: float(-10000),
    num_heads: int.required,
    output_qk: int(0),
    past_present_share_buffer: int(0),
    scale: float(0),
  },
  infer,
  decompose,
});
