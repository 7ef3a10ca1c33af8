import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import { castTo, emitOne } from '../emit.js';
import { throughFloat32 } from '../through-float32.js';
import { attendProjected, columnsOf } from './projected-attention.js';

interface QuantizedAttributes {
  readonly do_rotary: number;
  readonly mask_filter_value: number;
  readonly num_heads: number;
  readonly past_present_share_buffer: number;
  readonly scale: number;
  readonly unidirectional: number;
}

const [INPUT, WEIGHTS, BIAS, INPUT_SCALE, WEIGHT_SCALE, MASK, INPUT_ZERO, WEIGHT_ZERO, PAST] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
];

/** Number of columns of each of queries, keys and values; undefined if unknown. */
function widthOf(c: Inference<QuantizedAttributes>): number | undefined {
  const width = c.dims(WEIGHTS)?.[1];
  const { num_heads: heads } = c.attributes;
  if (typeof width === 'number' && width % (3 * heads) !== 0)
    c.fail(
      'INVALID_SHAPE',
      `${width} columns of weight cannot be split into queries, keys and values of ${heads} heads`,
    );
  return typeof width === 'number' ? width / 3 : undefined;
}

function infer(c: Inference<QuantizedAttributes>) {
  const { num_heads: heads, do_rotary, past_present_share_buffer } = c.attributes;
  if (heads <= 0) c.fail('INVALID_ATTRIBUTE', `num_heads must be positive, not ${heads}`);
  if (do_rotary || past_present_share_buffer)
    c.fail(
      'INVALID_ATTRIBUTE',
      'do_rotary and past_present_share_buffer must be 0: QAttention does not have the inputs that they need',
    );
  const [batch = c.unknown(), rows = c.unknown(), width] = dimsOfRank(c, INPUT, 3) ?? [];
  requireDims(c, WEIGHTS, [width, c.dims(WEIGHTS)?.[1]]);
  requireDims(c, BIAS, [c.dims(WEIGHTS)?.[1]]);
  const hidden = widthOf(c);
  const size: Size = hidden === undefined ? c.unknown() : hidden / heads;
  const past = c.given(PAST) ? c.dims(PAST)?.[3] : 0;
  requireDims(c, PAST, [2, batch, heads, past, size]);
  const keys = typeof past === 'number' && typeof rows === 'number' ? past + rows : past === 0 ? rows : c.unknown();
  const element = c.element(BIAS);
  return [
    tensorType(element, [batch, rows, hidden ?? c.unknown()]),
    tensorType(element, [2, batch, heads, keys, size]),
  ];
}

/** Exact integer product, times both scales, plus the bias. */
function projected(c: Decomposition<QuantizedAttributes>): Value {
  const zeros = [INPUT_ZERO, WEIGHT_ZERO].map((i) => (c.given(i) ? c.input(i) : null));
  const product = emitOne(c, 'MatMulInteger', [c.input(INPUT), c.input(WEIGHTS), ...zeros]);
  const scale = emitOne(c, 'Mul', [c.input(INPUT_SCALE), c.input(WEIGHT_SCALE)]);
  return emitOne(c, 'Add', [emitOne(c, 'Mul', [castTo(c, product, 'float32'), scale]), c.input(BIAS)]);
}

function decompose(c: Decomposition<QuantizedAttributes>): Value[] | undefined {
  const width = widthOf(c);
  if (width === undefined) return undefined;
  const halves = throughFloat32(c, [c.element(BIAS), c.element(BIAS)]);
  if (halves) return halves;
  const { num_heads, scale, mask_filter_value, unidirectional } = c.attributes;
  const attributes = {
    num_heads: intAttribute(num_heads),
    scale: floatAttribute(scale),
    mask_filter_value: floatAttribute(mask_filter_value),
    unidirectional: intAttribute(unidirectional),
  };
  const given = {
    operands: columnsOf(c, projected(c), [width, width, width]),
    bias: null,
    mask: c.given(MASK) ? c.input(MASK) : null,
    attentionBias: null,
    past: c.given(PAST) ? c.input(PAST) : null,
    pastLength: null,
  };
  return attendProjected(c, given, attributes);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QAttention */
export const qAttention = defineOp({
  domain: 'com.microsoft',
  name: 'QAttention',
  signature:
    'input: T1, weight: T2, bias: T3, input_scale: T3, weight_scale: T3, mask_index?: int32, input_zero_point?: T1, ' +
    'weight_zero_point?: T2, past?: T3 -> output: T3, present?: T3',
  types: { T1: ['int8', 'uint8'], T2: ['int8', 'uint8'], T3: ['float32', 'float16'] },
  attributes: {
    do_rotary: int(0),
    mask_filter_value: float(-10000),
    num_heads: int.required,
    past_present_share_buffer: int(0),
    scale: float(0),
    unidirectional: int(0),
  },
  infer,
  decompose,
});
