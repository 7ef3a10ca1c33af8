import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Attribute, Value } from '../../../graph/graph.js';
import { differ, isAtMost } from '../../../graph/guards.js';
import { add, formatSize, isKnown, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { float, int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { BOOL, FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { requireDims, requireSpreading } from '../../../schema/shapes.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { int64List } from '../../constants.js';
import { castTo, emitOne } from '../../emit.js';
import { paddedBy, sizesAlong } from '../../emit-shapes.js';
import {
  isCacheRead,
  isReadAsStored,
  storedColumns,
  storedElement,
  storedRows,
  UNREADABLE,
} from '../../stored-caches.js';
import { throughFloat32, throughFloat64 } from '../../through-float32.js';
import { type AttentionAttributes, emitScores } from './attention-scores.js';
import { type Rows, windowMask } from './attention-window.js';

/** Indices of inputs and outputs. */
const [Q, K, V, MASK, PAST_KEY, PAST_VALUE, LENGTHS] = [0, 1, 2, 3, 4, 5, 6];
const [PRESENT_KEY, PRESENT_VALUE, SCORES] = [1, 2, 3];

/** Swaps the layouts [batch, rows, heads, columns] and [batch, heads, rows, columns]. */
const SWAP = [0, 2, 1, 3];
const INT32 = 6;

/** Shape of input `i` as [batch, heads, rows, columns]; an input of rank 3 is [batch, rows, heads · columns]. */
function headed(c: Inference<AttentionAttributes>, i: number, heads: number | undefined): readonly Size[] | undefined {
  const dims = c.dims(i);
  if (!dims || dims.length === 4) return dims;
  if (dims.length !== 3) c.fail('INVALID_SHAPE', `Q, K and V must have rank 3 or 4, not [${dims}]`);
  if (!heads) return c.fail('INVALID_ATTRIBUTE', 'inputs of rank 3 need q_num_heads and kv_num_heads');
  const [batch, rows, width] = dims as [Size, Size, Size];
  if (typeof width === 'number' && width % heads !== 0) {
    c.fail('INVALID_SHAPE', `${width} columns cannot be split into ${heads} heads`);
  }
  return [batch, heads, rows, typeof width === 'number' ? width / heads : c.unknown()];
}

const sum = (c: Inference<unknown>, a: Size, b: Size): Size =>
  typeof a === 'number' && typeof b === 'number' ? a + b : b === 0 ? a : c.unknown();

/** Checks the shapes of Q, K and V, [batch, heads, rows, columns]; several query heads may share a key head. */
function checkHeads(c: Inference<unknown>, q: readonly Size[], k: readonly Size[], v: readonly Size[]): void {
  const [heads, shared] = [q[1], k[1]];
  const uneven = typeof heads === 'number' && typeof shared === 'number' && (shared ? heads % shared : heads) !== 0;
  const wrong = [0, 1, 2].some((d) => differ(k[d], v[d])) || differ(q[0], k[0]) || differ(q[3], k[3]);
  if (uneven || wrong) c.fail('INVALID_SHAPE', `queries [${q}], keys [${k}] and values [${v}] do not match`);
}

interface Shapes {
  readonly q: readonly Size[];
  readonly k: readonly Size[];
  readonly v: readonly Size[];
  readonly past: Size;
}

/** Checks a past of keys or values: [batch, heads, past rows, columns]. Caches stored in another type have other columns. */
function checkPast(c: Inference<unknown>, i: number, [batch, heads, , columns]: readonly Size[], past: Size): void {
  if (c.given(i)) requireDims(c, i, [batch, heads, past, c.element(i) === c.element(K) ? columns : undefined]);
}

/** Checks what belongs to queries and keys. The mask may have fewer columns than there are keys. */
function checkRest(c: Inference<unknown>, { q, k, v, past }: Shapes): void {
  checkPast(c, PAST_KEY, k, past);
  checkPast(c, PAST_VALUE, v, past);
  requireDims(c, LENGTHS, [q[0]]);
  const mask = c.given(MASK) ? c.dims(MASK) : undefined;
  const [keys, columns] = [k[2] as Size, mask?.at(-1)];
  if (columns !== undefined && isAtMost(add(keys, 1), columns))
    c.fail('INVALID_SHAPE', `attn_mask [${mask}] has more columns than the ${formatSize(keys)} keys`);
  if (columns !== undefined) requireSpreading(c, MASK, [...q.slice(0, 3), columns]);
}

/** Checks combinations of inputs that version 25 rules out and version 24 does not mention. */
function checkTogether(c: Inference<AttentionAttributes>): void {
  const { q_num_heads, kv_num_heads, left_window_size = -1, right_window_size = -1 } = c.attributes;
  for (const [name, size] of Object.entries({ left_window_size, right_window_size }))
    if (size < -1) c.fail('INVALID_ATTRIBUTE', `${name} must be -1, for all keys, or a number of keys, not ${size}`);
  if (c.given(PAST_KEY) !== c.given(PAST_VALUE))
    c.fail('INVALID_MODEL', 'past_key and past_value must be given together');
  if (c.given(PAST_KEY) && c.given(LENGTHS))
    c.fail('INVALID_MODEL', 'past_key and nonpad_kv_seqlen must not be given together');
  if (c.wanted(PRESENT_KEY) !== c.wanted(PRESENT_VALUE))
    c.fail('INVALID_MODEL', 'present_key and present_value must be outputs together');
  if (c.dims(Q)?.length === 4 && (q_num_heads ?? kv_num_heads) !== undefined)
    c.fail('INVALID_ATTRIBUTE', 'inputs of rank 4 must not have q_num_heads and kv_num_heads');
}

/** The shapes of Q and of keys and values with the past, and the number of past rows. */
function shapesOf(c: Inference<AttentionAttributes>) {
  const { q_num_heads, kv_num_heads } = c.attributes;
  const q = headed(c, Q, q_num_heads);
  const k = headed(c, K, kv_num_heads);
  const v = headed(c, V, kv_num_heads);
  const past = c.given(PAST_KEY) ? c.dims(PAST_KEY)?.[2] : 0;
  if (!q || !k || !v || past === undefined) return undefined;
  checkHeads(c, q, k, v);
  const rows = sum(c, k[2] as Size, past);
  const withRows = (dims: readonly Size[]) => [dims[0], dims[1], rows, dims[3]] as Size[];
  const shapes = { q, k: withRows(k), v: withRows(v), past };
  checkRest(c, shapes);
  return shapes;
}

function infer(c: Inference<AttentionAttributes>) {
  const shapes = shapesOf(c);
  const [element, valueElement] = [c.element(Q), c.element(V)];
  const { q, k, v } = shapes ?? {};
  const [batch, heads, rows] = q ?? [];
  const columns = v?.[3];
  const flat = c.dims(Q)?.length === 3;
  const width = typeof columns === 'number' && typeof heads === 'number' ? heads * columns : c.unknown();
  const cache = (past: number, kind: ElementType, dims: readonly Size[] | undefined) => {
    const stored = storedElement(c, past, kind);
    const size = dims?.[3];
    return tensorType(stored, typeof size === 'number' ? dims?.with(3, storedColumns(stored, size)) : dims);
  };
  const y = q && ((flat ? [batch, rows, width] : [batch, heads, rows, columns]) as Size[]);
  return [
    tensorType(element, y),
    cache(PAST_KEY, element, k),
    cache(PAST_VALUE, valueElement, v),
    tensorType(element, q && ([batch, heads, rows, k?.[2]] as Size[])),
  ];
}

type Context = Decomposition<AttentionAttributes>;

const isNarrow = (element: ElementType) => element === 'float32' || element === 'float16';

/** Whether attention reads keys and values from the caches as stored, computing in float32. */
const isReadInPlace = (c: Context, headSize: Size, valueSize: Size): boolean =>
  c.given(PAST_KEY) &&
  c.given(PAST_VALUE) &&
  !c.wanted(SCORES) &&
  [Q, K, V].every((i) => isNarrow(c.element(i))) &&
  c.element(PAST_KEY) === c.element(PAST_VALUE) &&
  isReadAsStored(c.element(PAST_KEY)) &&
  [headSize, valueSize].every((size) => typeof size === 'number' && isCacheRead(size));

/** Input `i`, cast to the type of the computation. */
const taken = (c: Context, i: number, element: ElementType): Value =>
  c.element(i) === element ? c.input(i) : castTo(c, c.input(i), element);

/** Columns per head, for Reshape, which cannot infer a dimension if there are no rows. */
const partOf = (columns: Size | undefined, heads: number): number =>
  typeof columns === 'number' ? columns / heads : -1;

/** Splits the heads of input `i`: [batch, rows, heads, columns] for rank 3, else [batch, heads, rows, columns]. */
function splitHeads(c: Context, i: number, heads: number, element: ElementType): Value {
  const value = taken(c, i, element);
  const [, , width, size] = c.dims(i) as readonly Size[];
  if (size !== undefined) return value;
  return emitOne(c, 'Reshape', [value, c.constant(int64List([0, 0, heads, partOf(width, heads)]))]);
}

/** Indices of the inputs and the output for keys or for values. */
interface Kept {
  readonly input: number;
  readonly past: number;
  readonly present: number;
}

const KEYS: Kept = { input: K, past: PAST_KEY, present: PRESENT_KEY };
const VALUES: Kept = { input: V, past: PAST_VALUE, present: PRESENT_VALUE };

/**
 * Keys or values. Joined to a past or wanted as an output, they are [batch, heads, rows, columns]; with an empty past, attention reads them
 * as given.
 */
function withPast(c: Context, { input, past, present }: Kept, heads: number, element: ElementType) {
  const own = splitHeads(c, input, heads, element);
  const swapped = c.dims(input)?.length === 3;
  if (!c.given(past) && !c.wanted(present) && !c.wanted(SCORES)) return { cache: own, value: own, swapped };
  const ordered = swapped ? emitOne(c, 'Transpose', [own], { perm: intsAttribute(SWAP) }) : own;
  if (!c.given(past)) return { cache: ordered, value: ordered, swapped: false };
  const fresh = storedRows(c, ordered, element, c.element(past));
  const cache = emitOne(c, 'Concat', [c.input(past), fresh], { axis: intAttribute(2) });
  if (c.dims(past)?.[2] === 0 && !c.wanted(SCORES)) return { cache, value: own, swapped };
  return { cache, value: cache, swapped: false };
}

/** The mask as numbers to add, with one column per key; keys beyond its columns are hidden. */
function additiveMask(c: Context, k: Rows, keys: number, element: ElementType): Value | null {
  if (!c.given(MASK)) return null;
  const [hidden, shown] = [Number.NEGATIVE_INFINITY, 0].map((x) => c.constant(tensorOf(element, [], [x])));
  const isFlags = c.element(MASK) === 'bool';
  const mask = isFlags ? emitOne(c, 'Where', [c.input(MASK), shown, hidden] as Value[]) : taken(c, MASK, element);
  const dims = c.dims(MASK) as readonly number[];
  const { length: rank } = dims;
  if (keys <= (dims.at(-1) as number)) return mask;
  const all = sizesAlong(c, k.value, k.swapped ? 1 : 2, k.swapped ? 2 : 3);
  const missing = emitOne(c, 'Sub', [all, sizesAlong(c, c.input(MASK), rank - 1, rank)]);
  return paddedBy(c, mask, rank, missing, hidden);
}

const together = (c: Context, a: Value | null, b: Value | null): Value | null =>
  a && b ? emitOne(c, 'Add', [a, b]) : (a ?? b);

/** Casts the inputs to one float type that kernels or the JavaScript fallback support. */
function throughOne(c: Context): Value[] | undefined {
  const kinds = [storedElement(c, PAST_KEY, c.element(Q)), storedElement(c, PAST_VALUE, c.element(V))] as const;
  if (kinds.includes('int8')) c.fail('INVALID_VALUE', UNREADABLE);
  const results = [c.element(Q), ...kinds, c.element(Q)];
  if (![...results, c.element(V)].some((element) => element !== 'float32')) return undefined;
  if (!results.includes('float64')) return throughFloat32(c, results);
  return throughFloat64(c, results);
}

function decompose(c: Context): Value[] | undefined {
  const shapes = shapesOf(c);
  const maskDims = c.given(MASK) ? c.dims(MASK) : [];
  if (!shapes || !isKnown(shapes.q) || !isKnown(shapes.k) || !isKnown(shapes.v)) return undefined;
  if (!isKnown(maskDims) || !isKnown([shapes.past])) return undefined;
  const [, heads, queries, headSize] = shapes.q as [number, number, number, number];
  const [, kvHeads, keys] = shapes.k as [number, number, number, number];
  const inPlace = isReadInPlace(c, headSize, shapes.v[3] as Size);
  const through = inPlace ? undefined : throughOne(c);
  if (through) return through;
  const element = inPlace ? 'float32' : c.element(Q);
  const { is_causal: causal, softcap, scale = 1 / Math.sqrt(headSize) } = c.attributes;
  const k = withPast(c, KEYS, kvHeads, element);
  const v = withPast(c, VALUES, kvHeads, element);
  const q = splitHeads(c, Q, heads, element);
  const flat = c.dims(Q)?.length === 3;
  const [lengths = null] = c.given(LENGTHS) ? c.emit('Cast', [c.input(LENGTHS)], { to: intAttribute(INT32) }) : [];
  const rows = { q: { value: q, swapped: flat }, k, past: c.given(PAST_KEY) ? c.input(PAST_KEY) : null, lengths };
  const window = windowMask(c, rows, element);
  const mask = together(c, additiveMask(c, k, keys, element), window);
  // Omitted if the last query sees the last key, so that a growing cache needs no new plan.
  const isOffset = causal && shapes.past !== keys - queries;
  const attributes: Record<string, Attribute> = {
    scale: floatAttribute(scale),
    softcap: floatAttribute(softcap),
    causal: intAttribute(causal),
    ...(isOffset ? { causal_offset: intAttribute(shapes.past as number) } : {}),
    ...(flat ? { q_perm: intsAttribute(SWAP), y_perm: intsAttribute(SWAP) } : {}),
    ...(k.swapped ? { k_perm: intsAttribute(SWAP) } : {}),
    ...(v.swapped ? { v_perm: intsAttribute(SWAP) } : {}),
  };
  const operator = inPlace && k.value === k.cache ? 'sardonyx:CachedAttention' : 'sardonyx:Attention';
  const y = emitOne(c, operator, [q, k.value, v.value, mask, lengths], attributes);
  const width = partOf(shapes.v[3], 1 / heads);
  const joined = flat ? emitOne(c, 'Reshape', [y, c.constant(int64List([0, 0, width]))]) : y;
  const result = c.element(Q) === element ? joined : castTo(c, joined, c.element(Q));
  if (!c.wanted(SCORES)) return [result, k.cache, v.cache];
  const ordered = flat ? emitOne(c, 'Transpose', [q], { perm: intsAttribute(SWAP) }) : q;
  const known = { q: shapes.q as number[], k: shapes.k as number[] };
  return [result, k.cache, v.cache, emitScores(c, { q: ordered, k: k.value, mask, lengths, scale }, known)];
}

const CACHED = [...FLOATS, 'int8'] as const;

const signatures = {
  23: 'Q: T1, K: T1, V: T2, attn_mask?: U, past_key?: C1, past_value?: C2',
  24: 'Q: T1, K: T1, V: T2, attn_mask?: U, past_key?: C1, past_value?: C2, nonpad_kv_seqlen?: int64',
};

const attributes = {
  is_causal: int(0),
  q_num_heads: int(),
  kv_num_heads: int(),
  qk_matmul_output_mode: int(0),
  scale: float(),
  softcap: float(0),
  softmax_precision: int(),
};
const types = { T1: FLOATS, T2: FLOATS, C1: CACHED, C2: CACHED, U: [...NUMBERS, ...BOOL] };
const results = 'Y: T1, present_key?: C1, present_value?: C2, qk_matmul_output?: T1';

/** https://onnx.ai/onnx/operators/onnx__Attention.html */
export const attention = [
  defineOp({
    name: 'Attention',
    since: 25,
    signature: `${signatures[24]} -> ${results}`,
    types,
    attributes: { ...attributes, left_window_size: int(-1), right_window_size: int(-1) },
    caches: [PAST_KEY, PAST_VALUE],
    infer: (c) => {
      checkTogether(c);
      return infer(c);
    },
    decompose,
  }),
  ...([24, 23] as const).map((since) =>
    defineOp({
      name: 'Attention',
      since,
      signature: `${signatures[since]} -> ${results}`,
      types,
      attributes,
      caches: [PAST_KEY, PAST_VALUE],
      infer,
      decompose,
    }),
  ),
];
