import { stringAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { isKnown, type Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float, int, oneOf } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, numberAt, requireDims } from '../../schema/shapes.js';
import type { ElementType } from '../../tensor/element-types.js';
import { tensorOf } from '../../tensor/numbers.js';
import { SCALE_BYTES } from '../../tensor/scaled-rows.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../emit.js';
import { int32SizeAlong, paddedBy, sizesAlong } from '../emit-shapes.js';
import { isCacheRead, isReadAsStored, storedRows, UNREADABLE } from '../stored-caches.js';
import { attend, attendByScores, headsSideBySide, ordered, type Rules } from './attend.js';
import { dequantized, type Quantization, quantized } from './cache-quantization.js';
import { cachedAttend } from './cached-attend.js';
import {
  BIAS,
  COS,
  type GroupQueryAttributes,
  headSizeOf,
  isRaw,
  K_SCALE,
  KEY,
  PAST_KEY,
  PAST_VALUE,
  prepared,
  QUERY,
  SEQUENCE_LENGTHS,
  SIN,
  SINK,
  TOTAL_LENGTH,
  V_SCALE,
  VALUE,
} from './grouped-queries.js';
import { type Growth, present } from './key-value-cache.js';
import { type Heads, sightMask } from './sight.js';

/** Index of the output with scores. */
const SCORES = 3;

type Context = Decomposition<GroupQueryAttributes>;

/** Sizes of a node whose shapes are known. */
interface Sizes {
  readonly batch: number;
  /** Number of queries; equals `total` for a first prompt. */
  readonly rows: number;
  readonly heads: number;
  readonly shared: number;
  readonly size: number;
  /** Number of new keys; 0 if the node reads the keys of another layer. */
  readonly fresh: number;
  readonly past: number;
  /** Length of the longest sequence. */
  readonly total: number;
  /** Length of the output cache. */
  readonly length: number;
}

const isFirst = ({ rows, total }: Sizes) => rows === total;

/** Whether the new keys follow the whole past. In a batch, sequences have different lengths. */
const isAppended = (s: Sizes) => s.past + s.fresh === s.total && (s.batch === 1 || isFirst(s));

/** Length of the output cache: that of the input cache, if it has room. */
function cacheLength(past: Size | undefined, total: Size | undefined): Size | undefined {
  if (past === 0 || past === undefined) return total;
  return typeof past === 'number' && typeof total === 'number' ? Math.max(past, total) : undefined;
}

const pastOf = (c: Inference<unknown>): Size | undefined => (c.given(PAST_KEY) ? c.dims(PAST_KEY)?.[2] : 0);

/** The value of `total_sequence_length`, or its symbol. */
const totalOf = (c: Inference<unknown>): Size | undefined => numberAt(c, TOTAL_LENGTH) ?? c.sizes(TOTAL_LENGTH)?.[0];

/** Inputs and attribute for keys or for values. */
interface Kept {
  readonly input: number;
  readonly past: number;
  readonly scale: number;
  readonly type: 'k_quant_type' | 'v_quant_type';
}

const KEYS: Kept = { input: KEY, past: PAST_KEY, scale: K_SCALE, type: 'k_quant_type' };
const VALUES: Kept = { input: VALUE, past: PAST_VALUE, scale: V_SCALE, type: 'v_quant_type' };

function quantizationOf(c: Context, { type, scale }: Kept): Quantization | undefined {
  const kind = c.attributes[type];
  if (kind === 'NONE') return undefined;
  return { scale: c.input(scale), isPerChannel: kind === 'PER_CHANNEL', bits: c.attributes.kv_cache_bit_width };
}

function keptElement(c: Inference<GroupQueryAttributes>, { type, past }: Kept): ElementType {
  if (c.attributes[type] !== 'NONE') return c.attributes.kv_cache_bit_width === 4 ? 'uint8' : 'int8';
  return c.element(c.given(past) ? past : QUERY);
}

/** Whether cache rows include their scales: an int8 cache without a quantization type. */
const isScaled = (c: Inference<GroupQueryAttributes>, kept: Kept): boolean =>
  c.attributes[kept.type] === 'NONE' && keptElement(c, kept) === 'int8';

/** Columns of a cache for a head size of `size`. */
function keptColumns(c: Inference<GroupQueryAttributes>, kept: Kept, size: number): number {
  if (isScaled(c, kept)) return size + SCALE_BYTES;
  return keptElement(c, kept) === 'uint8' ? size / 2 : size;
}

function checkAttributes(c: Inference<GroupQueryAttributes>): void {
  const { num_heads, kv_num_heads, kv_cache_bit_width: bits } = c.attributes;
  if (num_heads <= 0 || kv_num_heads <= 0 || num_heads % kv_num_heads !== 0)
    c.fail('INVALID_ATTRIBUTE', `num_heads ${num_heads} must be a positive multiple of kv_num_heads ${kv_num_heads}`);
  for (const { type, scale } of [KEYS, VALUES]) {
    if (c.attributes[type] === 'NONE') continue;
    if (bits !== 8 && bits !== 4) c.fail('INVALID_ATTRIBUTE', `kv_cache_bit_width must be 4 or 8, not ${bits}`);
    if (!c.given(scale)) c.fail('INVALID_GRAPH', `${type} "${c.attributes[type]}" needs input ${scale}, its scale`);
  }
  if (c.attributes.do_rotary && !(c.given(COS) && c.given(SIN)))
    c.fail('INVALID_GRAPH', 'do_rotary needs cos_cache and sin_cache');
}

function checkShapes(c: Inference<GroupQueryAttributes>, size: number | undefined): void {
  const [batch] = dimsOfRank(c, QUERY, 3) ?? [];
  const { num_heads, kv_num_heads: shared } = c.attributes;
  if (c.given(KEY) !== c.given(VALUE)) c.fail('INVALID_GRAPH', 'key and value must be given together');
  if (c.given(PAST_KEY) !== c.given(PAST_VALUE))
    c.fail('INVALID_GRAPH', 'past_key and past_value must be given together');
  const own = size === undefined ? undefined : shared * size;
  if (c.given(KEY)) for (const i of [KEY, VALUE]) requireDims(c, i, [batch, c.dims(KEY)?.[1], own]);
  for (const kept of [KEYS, VALUES]) {
    const columns = size && keptColumns(c, kept, size);
    if (c.given(kept.past)) requireDims(c, kept.past, [batch, shared, pastOf(c), columns]);
  }
  requireDims(c, SINK, [num_heads]);
}

function inferTypes(c: Inference<GroupQueryAttributes>) {
  checkAttributes(c);
  const size = headSizeOf(c);
  checkShapes(c, size);
  const { num_heads, kv_num_heads } = c.attributes;
  const [batch, rows] = c.dims(QUERY) ?? [];
  const [total, element] = [totalOf(c), c.element(QUERY)];
  const length = cacheLength(pastOf(c), total) ?? c.unknown();
  const width = size === undefined ? c.unknown() : num_heads * size;
  const cache = (kept: Kept) => {
    const kind = keptElement(c, kept);
    const columns = size === undefined ? c.unknown() : keptColumns(c, kept, size);
    return tensorType(kind, [batch ?? c.unknown(), kv_num_heads, length, columns]);
  };
  const open = batch === undefined || rows === undefined;
  const scores = open ? undefined : [batch, num_heads, rows, total ?? c.unknown()];
  return [
    tensorType(element, open ? undefined : [batch, rows, width]),
    cache(KEYS),
    cache(VALUES),
    tensorType(element, scores),
  ];
}

function sizesOf(c: Context): Sizes | undefined {
  const [batch, rows] = c.dims(QUERY) ?? [];
  const size = headSizeOf(c);
  const [fresh, past, total] = [c.dims(KEY)?.[1], pastOf(c), totalOf(c)];
  const known = [batch, rows, size, fresh, past, total] as Size[];
  if (known.includes(undefined as never) || !isKnown(known)) return undefined;
  const { num_heads: heads, kv_num_heads: shared } = c.attributes;
  const [b, r, h, f, p, t] = known as unknown as [number, number, number, number, number, number];
  if (t < r || t > p + f)
    c.fail('INVALID_VALUE', `total_sequence_length ${t} must be from ${r} (queries) to ${p + f} (past and new keys)`);
  const length = Math.max(p, t);
  return { batch: b, rows: r, heads, shared, size: h, fresh: f, past: p, total: t, length };
}

/** The number of sequences, as an int64 list. */
const batchOf = (c: Context): Value => sizesAlong(c, c.input(QUERY), 0, 1);

/** The length of the longest sequence, as an int64 list. */
const totalIn = (c: Context): Value => reshapeTo(c, castTo(c, c.input(TOTAL_LENGTH), 'int64'), [1]);

/** Positions of new keys. SEQUENCE_LENGTHS holds the index of the last key of each sequence. */
function growthOf(c: Context, s: Sizes): Growth {
  if (isAppended(s)) return 'append';
  if (isFirst(s)) return { starts: emitOne(c, 'Expand', [c.constant(tensorOf('int32', [], [0])), batchOf(c)]) };
  const last = reshapeTo(c, c.input(SEQUENCE_LENGTHS), [-1]);
  if (s.rows === 1) return { starts: last };
  return { starts: emitOne(c, 'Sub', [last, int32SizeAlong(c, c.input(QUERY), 1)]), offset: 1 };
}

const halves = (element: ElementType) => element === 'float16' || element === 'bfloat16';

const asFloat32 = (c: Context, value: Value, element: ElementType): Value =>
  halves(element) ? castTo(c, value, 'float32') : value;

/** Whether attention reads the caches as stored. */
const isReadInPlace = (c: Context, s: Sizes): boolean =>
  !isFirst(s) &&
  !c.wanted(SCORES) &&
  [KEYS, VALUES].every((kept) => c.attributes[kept.type] === 'NONE' && isReadAsStored(keptElement(c, kept))) &&
  isCacheRead(s.size);

/** The updated cache, and its keys or values for attention, in float32 or as stored. */
function grown(c: Context, s: Sizes, kept: Kept, growth: Growth): { readonly cache: Value; readonly heads: Heads } {
  const dims = (rows: number) => [s.batch, s.shared, rows, s.size] as const;
  const element = c.element(QUERY);
  const own = headsSideBySide(c, c.input(kept.input), dims(s.fresh));
  const quantization = quantizationOf(c, kept);
  const stored = keptElement(c, kept);
  const fresh = () => {
    const rows = ordered(c, own);
    if (quantization) return quantized(c, asFloat32(c, rows, element), quantization, dims(s.fresh));
    return storedRows(c, rows, element, stored);
  };
  const columns = keptColumns(c, kept, s.size);
  const before = { element: stored, past: c.given(kept.past) ? c.input(kept.past) : null, freshRows: s.fresh };
  const all = { ...before, pastDims: [s.batch, s.shared, s.past, columns] as const, fresh: fresh() };
  const cache = present(c, all, growth, s.length, () => totalIn(c));
  if (isFirst(s) && s.fresh > 0 && !quantization)
    return { cache, heads: { ...own, value: asFloat32(c, own.value, element) } };
  if (isReadInPlace(c, s)) return { cache, heads: { value: cache, dims: dims(s.length), swapped: false } };
  if (isScaled(c, kept)) return c.fail('INVALID_VALUE', UNREADABLE);
  const value = quantization ? dequantized(c, cache, quantization, dims(s.length)) : asFloat32(c, cache, stored);
  return { cache, heads: { value, dims: dims(s.length), swapped: false } };
}

/** The first key that a query sees in a window, as an int64 list; the keys are those of axis `axis` of x. */
function firstSeen(c: Context, x: Value, axis: number): Value {
  const before = emitOne(c, 'Sub', [sizesAlong(c, x, axis, axis + 1), sizesAlong(c, c.input(QUERY), 1, 2)]);
  return emitOne(c, 'Sub', [before, listOf(c, [c.attributes.local_window_size - 1])]);
}

/** The part of x that queries see in a window; the keys are those of axis `axis`. */
const inWindow = (c: Context, x: Value, axis: number): Value =>
  emitOne(c, 'Slice', [x, firstSeen(c, x, axis), listOf(c, [Number.MAX_SAFE_INTEGER]), listOf(c, [axis])]);

/** Rows of keys or values from `from` on, the first that a query sees. */
function cut(c: Context, heads: Heads, from: number): Heads {
  if (from <= 0) return heads;
  const [batch, count, rows, columns] = heads.dims;
  const value = inWindow(c, heads.value, heads.swapped ? 1 : 2);
  return { ...heads, value, dims: [batch, count, rows - from, columns] };
}

/** The bias of `keys` keys from `from` on; padded with zeros beyond the total length. */
function biasOf(c: Context, s: Sizes, from: number, keys: number, cache: Value): Value | null {
  if (!c.given(BIAS)) return null;
  requireDims(c, BIAS, [c.dims(BIAS)?.[0], c.dims(BIAS)?.[1], s.rows, s.total]);
  const bias = asFloat32(c, c.input(BIAS), c.element(BIAS));
  const reached = from > 0 ? inWindow(c, bias, 3) : bias;
  if (keys <= s.total - from) return reached;
  const missing = emitOne(c, 'Sub', [sizesAlong(c, cache, 2, 3), sizesAlong(c, bias, 3, 4)]);
  return paddedBy(c, reached, 4, missing);
}

function sinkOf(c: Context): Value | null {
  if (c.given(SINK)) return asFloat32(c, c.input(SINK), c.element(SINK));
  const { smooth_softmax, num_heads } = c.attributes;
  return smooth_softmax ? c.constant(tensorOf('float32', [num_heads], new Array<number>(num_heads).fill(0))) : null;
}

const sum = (c: Context, a: Value | null, b: Value | null): Value | null =>
  a && b ? emitOne(c, 'Add', [a, b]) : (a ?? b);

const UNFILLED = {
  message: stringAttribute(
    'a batch of 1 must have total_sequence_length keys, not # fewer: a growing cache has no room for padding',
  ),
};

/** Number of keys of each sequence from `from` on; null if the shapes determine it. Checks that a single sequence fills a growing cache. */
function lengthsOf(c: Context, s: Sizes, from: number, cache: Value): Value | null {
  const f = arithmeticOn(c, 'int32');
  const counted = reshapeTo(c, c.input(SEQUENCE_LENGTHS), [-1]);
  if (s.batch === 1 && isAppended(s)) {
    // Uses the input, not its value: a constant that changes with every token would require a new plan for each.
    const total = reshapeTo(c, c.input(TOTAL_LENGTH), [1]);
    const excess = f('Mul', f('Sub', f('Add', counted, 1), total), 2);
    const filled = emitOne(c, 'sardonyx:CheckedLengths', [excess, total], UNFILLED);
    return from > 0 ? f('Sub', filled, castTo(c, firstSeen(c, cache, 2), 'int32')) : filled;
  }
  return isFirst(s) || isAppended(s) ? null : f('Add', counted, 1);
}

/** Rules for attention. In a first prompt with several sequences, keys beyond the length of each sequence are hidden. */
function rulesOf(c: Context, s: Sizes, from: number, q: Heads, k: Heads, cache: Value): Rules {
  const keys = k.dims[2];
  const { scale, softcap, local_window_size } = c.attributes;
  const counts = () => emitOne(c, 'Add', [c.input(SEQUENCE_LENGTHS), c.constant(tensorOf('int32', [], [1]))]);
  const isRagged = isFirst(s) && s.batch > 1;
  const behind = isRagged ? sightMask(c, { causal: undefined, lengths: counts(), window: undefined }, q, k) : null;
  return {
    scale: scale || 1 / Math.sqrt(s.size),
    softcap,
    causal: { offset: s.total - s.rows - from },
    lengths: lengthsOf(c, s, from, cache),
    window: local_window_size > 0 && local_window_size < keys ? local_window_size : undefined,
    mask: sum(c, biasOf(c, s, from, keys, cache), behind),
    sink: sinkOf(c),
  };
}

function decompose(c: Context): Value[] | undefined {
  if (isRaw(c)) return prepared(c);
  const s = sizesOf(c);
  if (!s) return undefined;
  const growth = growthOf(c, s);
  const [keys, values] = [grown(c, s, KEYS, growth), grown(c, s, VALUES, growth)];
  const { local_window_size: window } = c.attributes;
  // Drops keys that no query sees any more: copying those of the window costs less than reading all.
  const inPlace = isReadInPlace(c, s);
  const isCut = window > 0 && isAppended(s) && !c.wanted(SCORES) && !inPlace;
  const from = isCut ? Math.max(0, s.total - s.rows - window + 1) : 0;
  const [k, v] = [cut(c, keys.heads, from), cut(c, values.heads, from)];
  const element = c.element(QUERY);
  const q = headsSideBySide(c, asFloat32(c, c.input(QUERY), element), [s.batch, s.heads, s.rows, s.size]);
  const rules = rulesOf(c, s, from, q, k, keys.cache);
  const narrowed = (value: Value) => (halves(element) ? castTo(c, value, element) : value);
  if (inPlace) return [narrowed(cachedAttend(c, { q, k, v }, rules)), keys.cache, values.cache];
  if (!rules.sink && !c.wanted(SCORES)) return [narrowed(attend(c, { q, k, v }, rules)), keys.cache, values.cache];
  const { y, scores, weights } = attendByScores(c, { q, k, v }, rules);
  const all = c.attributes.qk_output === 2 ? weights : scores;
  const shown = k.dims[2] > s.total ? emitOne(c, 'Slice', [all, listOf(c, [0]), totalIn(c), listOf(c, [-1])]) : all;
  return [narrowed(y), keys.cache, values.cache, narrowed(shown)];
}

const HALVES_TOO = ['float32', 'float16', 'bfloat16'] as const;

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.GroupQueryAttention */
export const groupQueryAttention = defineOp({
  domain: 'com.microsoft',
  name: 'GroupQueryAttention',
  signature:
    'query: T, key?: T, value?: T, past_key?: C, past_value?: C, seqlens_k: int32, total_sequence_length: int32, ' +
    'cos_cache?: T, sin_cache?: T, position_ids?: int64, attention_bias?: T, head_sink?: T, k_scale?: float32, ' +
    'v_scale?: float32, q_norm_weight?: T, k_norm_weight?: T -> output: T, present_key?: C, present_value?: C, output_qk?: T',
  types: { T: HALVES_TOO, C: [...HALVES_TOO, 'int8', 'uint8'] },
  attributes: {
    do_rotary: int(0),
    k_quant_type: oneOf('NONE', 'PER_TENSOR', 'PER_CHANNEL'),
    kv_cache_bit_width: int(8),
    kv_num_heads: int.required,
    local_window_size: int(-1),
    num_heads: int.required,
    qk_norm_epsilon: float(1e-6),
    qk_output: int(0),
    rotary_interleaved: int(0),
    scale: float(0),
    smooth_softmax: int(0),
    softcap: float(0),
    v_quant_type: oneOf('NONE', 'PER_TENSOR', 'PER_CHANNEL'),
  },
  planned: [TOTAL_LENGTH],
  caches: [PAST_KEY, PAST_VALUE],
  infer: inferTypes,
  decompose,
});
