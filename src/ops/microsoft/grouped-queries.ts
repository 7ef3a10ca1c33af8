// Preparation of queries, keys and values for GroupQueryAttention and SparseAttention: unpacking, normalization and rotation.

import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Attribute, Value } from '../../graph/graph.js';
import type { Decomposition, Inference } from '../../schema/definition.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo, scalarOf } from '../emit.js';
import { placesAlong, sizeAlong } from '../emit-shapes.js';

export interface HeadCounts {
  readonly num_heads: number;
  readonly kv_num_heads: number;
}

export interface GroupQueryAttributes extends HeadCounts {
  readonly do_rotary: number;
  readonly k_quant_type: string;
  readonly kv_cache_bit_width: number;
  readonly local_window_size: number;
  readonly qk_norm_epsilon: number;
  readonly qk_output: number;
  readonly rotary_interleaved: number;
  readonly scale: number;
  readonly smooth_softmax: number;
  readonly softcap: number;
  readonly v_quant_type: string;
}

export const [QUERY, KEY, VALUE, PAST_KEY, PAST_VALUE, SEQUENCE_LENGTHS, TOTAL_LENGTH] = [0, 1, 2, 3, 4, 5, 6];
export const [COS, SIN, POSITIONS, BIAS, SINK, K_SCALE, V_SCALE, Q_NORM, K_NORM] = [7, 8, 9, 10, 11, 12, 13, 14, 15];

type Context = Decomposition<GroupQueryAttributes>;

/** The head size; undefined if unknown. */
export function headSizeOf(c: Inference<HeadCounts>): number | undefined {
  const { num_heads, kv_num_heads } = c.attributes;
  const width = c.dims(QUERY)?.[2];
  if (typeof width !== 'number') return undefined;
  const heads = c.given(KEY) ? num_heads : num_heads + 2 * kv_num_heads;
  if (width % heads !== 0) c.fail('INVALID_SHAPE', `${width} columns of query cannot be split into ${heads} heads`);
  return width / heads;
}

/** Whether the inputs must be unpacked, normalized or rotated before attention. */
export const isRaw = (c: Inference<GroupQueryAttributes>): boolean =>
  !c.given(KEY) || c.attributes.do_rotary !== 0 || c.given(Q_NORM);

/** Normalizes each head separately. */
function normalized(c: Context, x: Value, weight: number, heads: number, size: number): Value {
  if (!c.given(weight)) return x;
  const apart = reshapeTo(c, x, [0, 0, heads, size]);
  const epsilon = { epsilon: floatAttribute(c.attributes.qk_norm_epsilon) };
  const [y] = c.emit('SimplifiedLayerNormalization', [apart, c.input(weight)], epsilon);
  return reshapeTo(c, y as Value, [0, 0, heads * size]);
}

/** Positions of the rows. A first prompt counts from its first position; other rows have given positions, or follow the existing keys. */
function positionsOf(c: Context): Value {
  const f = arithmeticOn(c, 'int64');
  const rows = sizeAlong(c, c.input(QUERY), 1);
  const places = placesAlong(c, c.input(QUERY), 1);
  if (!c.given(POSITIONS)) {
    const lengths = reshapeTo(c, castTo(c, c.input(SEQUENCE_LENGTHS), 'int64'), [-1, 1]);
    return f('Add', f('Max', f('Sub', f('Add', lengths, 1), rows), 0), places);
  }
  const first = emitOne(c, 'Gather', [reshapeTo(c, c.input(POSITIONS), [-1]), scalarOf(c, 0)]);
  const total = reshapeTo(c, castTo(c, c.input(TOTAL_LENGTH), 'int64'), []);
  return f('Where', f('Equal', rows, total), f('Add', first, places), c.input(POSITIONS));
}

/** Rotary embedding of heads. */
export interface Rotation {
  readonly cos: Value;
  readonly sin: Value;
  readonly positions: Value;
  /** Number of rotated columns of a head. */
  readonly size: number;
  readonly interleaved: number;
}

function rotationOf(c: Context): Rotation | undefined {
  const { do_rotary, rotary_interleaved: interleaved } = c.attributes;
  if (!do_rotary) return undefined;
  const size = 2 * (c.dims(COS)?.[1] as number);
  return { cos: c.input(COS), sin: c.input(SIN), positions: positionsOf(c), size, interleaved };
}

function rotated(c: Decomposition<unknown>, x: Value, rotation: Rotation | undefined, heads: number): Value {
  if (!rotation) return x;
  const { cos, sin, positions, size, interleaved } = rotation;
  const attributes = {
    interleaved: intAttribute(interleaved),
    num_heads: intAttribute(heads),
    rotary_embedding_dim: intAttribute(size),
  };
  return emitOne(c, 'RotaryEmbedding', [x, cos, sin, positions], attributes);
}

const columns = (c: Decomposition<unknown>, x: Value, from: number, to: number): Value =>
  emitOne(c, 'Slice', [x, listOf(c, [from]), listOf(c, [to]), listOf(c, [-1])]);

type Operands = [query: Value, key: Value, value: Value];

/** Query, key and value, unpacked and rotated; packed query and key heads are rotated together. */
export function rotatedOperands(c: Decomposition<HeadCounts>, size: number, rotation: Rotation | undefined): Operands {
  const { num_heads: heads, kv_num_heads: shared } = c.attributes;
  const query = c.input(QUERY);
  if (c.given(KEY))
    return [rotated(c, query, rotation, heads), rotated(c, c.input(KEY), rotation, shared), c.input(VALUE)];
  const [toKey, toValue, end] = [heads * size, (heads + shared) * size, (heads + 2 * shared) * size];
  const both = rotation ? rotated(c, columns(c, query, 0, toValue), rotation, heads + shared) : query;
  return [columns(c, both, 0, toKey), columns(c, both, toKey, toValue), columns(c, query, toValue, end)];
}

/** Like `rotatedOperands`, normalized before the rotation. */
function preparedOperands(c: Context, size: number): Operands {
  const rotation = rotationOf(c);
  if (!c.given(Q_NORM)) return rotatedOperands(c, size, rotation);
  const { num_heads: heads, kv_num_heads: shared } = c.attributes;
  const [q, k, v] = rotatedOperands(c, size, undefined);
  const turn = (x: Value, weight: number, count: number) =>
    rotated(c, normalized(c, x, weight, count, size), rotation, count);
  return [turn(q, Q_NORM, heads), turn(k, K_NORM, shared), v];
}

/** Rewrites the node to take unpacked, normalized and rotated operands. Dimensions may be symbolic, so that layers share the angles. */
export function prepared(c: Context): Value[] | undefined {
  const size = headSizeOf(c);
  if (size === undefined || (c.attributes.do_rotary && typeof c.dims(COS)?.[1] !== 'number')) return undefined;
  const operands = preparedOperands(c, size);
  const rest = [PAST_KEY, PAST_VALUE, SEQUENCE_LENGTHS, TOTAL_LENGTH, -1, -1, -1, BIAS, SINK, K_SCALE, V_SCALE];
  const inputs = [...operands, ...rest.map((i) => (i >= 0 && c.given(i) ? c.input(i) : null))];
  const attributes: Record<string, Attribute> = { ...c.node.attributes, do_rotary: intAttribute(0) };
  return c.emit('com.microsoft:GroupQueryAttention', inputs, attributes, c.outputCount);
}
