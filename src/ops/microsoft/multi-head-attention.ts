import type { Value } from '../../graph/graph.js';
import { add, formatSize, isKnown, type Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import type { ElementType } from '../../tensor/element-types.js';
import { tensorOf } from '../../tensor/numbers.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo, scalarOf } from '../emit.js';
import { int32PlacesAlong, int32SizeAlong, paddedBy, sizesAlong } from '../emit-shapes.js';
import { isCacheRead, isReadAsStored, storedColumns, storedElement, storedRows, UNREADABLE } from '../stored-caches.js';
import { attend, attendByScores, headsSideBySide, ordered, type Rules, SWAP } from './attend.js';
import { cachedAttend } from './cached-attend.js';
import { present } from './key-value-cache.js';
import { paddingMask } from './padding-mask.js';
import type { Heads } from './sight.js';

interface MultiHeadAttributes {
  readonly mask_filter_value: number;
  readonly num_heads: number;
  readonly scale: number;
  readonly unidirectional: number;
}

const [QUERY, KEY, VALUE, BIAS, MASK, ATTENTION_BIAS, PAST_KEY, PAST_VALUE, PAST_LENGTH, INDIRECTION] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const [PRESENT_KEY, PRESENT_VALUE, SCORES] = [1, 2, 3];

type Context = Decomposition<MultiHeadAttributes>;

/** One operand: [batch, length, heads · size], [batch, heads, length, size], or a part of a packed tensor of rank 5, along axis 3. */
interface Operand {
  readonly input: number;
  /** Index in axis 3 of a packed tensor. */
  readonly place: number;
  /** [batch, heads, rows, columns] */
  readonly dims: readonly Size[];
  readonly rank: number;
}

function operandOf(c: Inference<MultiHeadAttributes>, input: number, place: number): Operand | undefined {
  const dims = c.dims(input);
  const { num_heads: heads } = c.attributes;
  if (!dims) return undefined;
  const [batch, second, third, , fifth] = dims as [Size, Size, Size, Size, Size];
  if (dims.length === 5) return { input, place, dims: [batch, heads, second, fifth], rank: 5 };
  if (dims.length === 4) return { input, place, dims, rank: 4 };
  if (dims.length !== 3)
    return c.fail('INVALID_SHAPE', `input ${input} must be [batch, length, ${heads} · size], or packed, not [${dims}]`);
  if (typeof third === 'number' && third % heads !== 0)
    c.fail('INVALID_SHAPE', `${third} columns of input ${input} cannot be split into ${heads} heads`);
  return {
    input,
    place,
    dims: [batch, heads, second, typeof third === 'number' ? third / heads : c.unknown()],
    rank: 3,
  };
}

/** Locates query, key and value: separate, key and value packed, or all three packed. */
function operandsOf(c: Inference<MultiHeadAttributes>) {
  const places = c.given(VALUE)
    ? [
        [QUERY, 0],
        [KEY, 0],
        [VALUE, 0],
      ]
    : c.given(KEY)
      ? [
          [QUERY, 0],
          [KEY, 0],
          [KEY, 1],
        ]
      : [
          [QUERY, 0],
          [QUERY, 1],
          [QUERY, 2],
        ];
  const [q, k, v] = places.map(([input, place]) => operandOf(c, input as number, place as number));
  if (!q || !k || !v) return undefined;
  const packed = c.given(VALUE) ? 0 : c.given(KEY) ? 2 : 3;
  if (packed > 0) requireDims(c, k.input, [q.dims[0], k.dims[2], c.attributes.num_heads, packed, k.dims[3]]);
  return { q, k, v };
}

const pastRows = (c: Inference<unknown>): Size | undefined => (c.given(PAST_KEY) ? c.dims(PAST_KEY)?.[2] : 0);

/** Number of keys including the past. A buffer shared by past and present has room for all. */
function keysOf(c: Inference<unknown>, fresh: Size, past: Size | undefined): Size {
  if (c.given(PAST_LENGTH) && past !== undefined) return past;
  if (past === 0) return fresh;
  return past === undefined ? c.unknown() : add(past, fresh);
}

/** Checks that the attention bias broadcasts over batches and heads. */
function checkBias(c: Inference<unknown>, scores: readonly (Size | undefined)[]): void {
  const dims = c.given(ATTENTION_BIAS) ? c.dims(ATTENTION_BIAS) : undefined;
  if (dims)
    requireDims(
      c,
      ATTENTION_BIAS,
      scores.map((d, axis) => (axis < 2 && dims[axis] === 1 ? 1 : d)),
    );
}

/** Checks `cache_indirection`, [batch, beams, room]: the beam whose row holds each past key. */
function checkIndirection(c: Inference<unknown>): void {
  if (!c.given(INDIRECTION)) return;
  if (!c.given(PAST_KEY)) c.fail('INVALID_GRAPH', 'cache_indirection needs past_key and past_value');
  const [batch, beams] = dimsOfRank(c, INDIRECTION, 3) ?? [];
  const rows = c.dims(QUERY)?.[0];
  if (isKnown([batch, beams, rows] as Size[]) && (batch as number) * (beams as number) !== rows)
    c.fail(
      'INVALID_SHAPE',
      `cache_indirection has ${formatSize(batch)}·${formatSize(beams)} beams, but query has ${formatSize(rows)} rows`,
    );
}

function infer(c: Inference<MultiHeadAttributes>) {
  const { num_heads: heads } = c.attributes;
  if (heads <= 0) c.fail('INVALID_ATTRIBUTE', `num_heads must be positive, not ${heads}`);
  if (c.given(PAST_KEY) !== c.given(PAST_VALUE))
    c.fail('INVALID_GRAPH', 'past_key and past_value must be given together');
  checkIndirection(c);
  const element = c.element(QUERY);
  const [keyElement, valueElement] = [storedElement(c, PAST_KEY, element), storedElement(c, PAST_VALUE, element)];
  const operands = operandsOf(c);
  if (!operands) return [tensorType(element), tensorType(keyElement), tensorType(valueElement), tensorType(element)];
  const { q, k, v } = operands;
  const [batch, , rows] = q.dims as [Size, Size, Size];
  requireDims(
    c,
    k.input,
    k.rank === 4
      ? [batch, heads, k.dims[2], q.dims[3]]
      : k.rank === 3
        ? [batch, k.dims[2], typeof q.dims[3] === 'number' ? heads * q.dims[3] : undefined]
        : (c.dims(k.input) ?? []),
  );
  if (v.dims[2] !== k.dims[2] && isKnown([v.dims[2] as Size, k.dims[2] as Size]))
    c.fail('INVALID_SHAPE', `key has length ${formatSize(k.dims[2])}, but value has ${formatSize(v.dims[2])}`);
  const past = pastRows(c);
  const total = c.given(PAST_LENGTH)
    ? c.given(ATTENTION_BIAS) && c.dims(ATTENTION_BIAS)?.[3]
    : keysOf(c, k.dims[2] as Size, past);
  checkBias(c, [batch, heads, rows, total || undefined]);
  const columns = v.dims[3] as Size;
  const stored = (kind: ElementType, size: Size) => (typeof size === 'number' ? storedColumns(kind, size) : size);
  const [keyColumns, valueColumns] = [stored(keyElement, q.dims[3] as Size), stored(valueElement, columns)];
  requireDims(c, PAST_KEY, [batch, heads, past, keyColumns]);
  requireDims(c, PAST_VALUE, [batch, heads, past, valueColumns]);
  const keys = keysOf(c, k.dims[2] as Size, past);
  return [
    tensorType(element, [batch, rows, typeof columns === 'number' ? heads * columns : c.unknown()]),
    tensorType(keyElement, [batch, heads, keys, keyColumns]),
    tensorType(valueElement, [batch, heads, keys, valueColumns]),
    tensorType(element, [batch, heads, rows, keys]),
  ];
}

/** Input `i`, cast to float32 if necessary. */
function widened(c: Context, i: number): Value {
  return c.element(i) === 'float32' ? c.input(i) : castTo(c, c.input(i), 'float32');
}

/** Heads of an operand with known sizes, in float32. */
function headsOf(c: Context, { input, place, dims, rank }: Operand): Heads {
  const known = dims as Heads['dims'];
  const value = widened(c, input);
  if (rank === 4) return { value, dims: known, swapped: false };
  if (rank === 3) return headsSideBySide(c, value, known);
  const part = emitOne(c, 'Gather', [value, scalarOf(c, place)], { axis: { type: 'int', value: 3 } });
  return { value: part, dims: known, swapped: true };
}

/** Adds the part of the bias from `at` on, for the layout [batch, rows, heads, columns]. */
function biased(c: Context, heads: Heads, at: number): Heads {
  if (!c.given(BIAS)) return heads;
  const [, count, , columns] = heads.dims;
  const part = emitOne(c, 'Slice', [widened(c, BIAS), listOf(c, [at]), listOf(c, [at + count * columns])]);
  return { ...heads, value: emitOne(c, 'Add', [heads.value, reshapeTo(c, part, [count, columns])]) };
}

/** Keys or values, and the updated cache. */
interface Grown {
  readonly cache: Value;
  readonly heads: Heads;
  /** Element type of `heads`. */
  readonly stored: ElementType;
}

/** The number of batch elements, as an int64 list. */
const batchOf = (c: Context): Value => sizesAlong(c, c.input(QUERY), 0, 1);

/** Appends new keys or values to the past. Without a past, attention reads the new ones directly. */
function grown(c: Context, own: Heads, past: number, output: number, keys: number): Grown {
  const stored = storedElement(c, past, c.element(QUERY));
  const [batch, heads, fresh, columns] = own.dims;
  const rows = c.given(past) ? (c.dims(past)?.[2] as number) : 0;
  if (!c.given(past) && !c.wanted(output)) return { cache: own.value, heads: own, stored: 'float32' };
  const before = c.given(past) ? c.input(past) : null;
  const starts = () => emitOne(c, 'Expand', [reshapeTo(c, c.input(PAST_LENGTH), [1]), batchOf(c)]);
  const all = {
    element: stored,
    past: before,
    pastDims: [batch, heads, rows, storedColumns(stored, columns)],
    fresh: storedRows(c, ordered(c, own), 'float32', stored),
    freshRows: fresh,
  } as const;
  const cache = present(c, all, c.given(PAST_LENGTH) && before ? { starts: starts() } : 'append', keys);
  if (rows === 0) return { cache, heads: own, stored: 'float32' };
  return { cache, heads: { value: cache, dims: [batch, heads, keys, columns], swapped: false }, stored };
}

/** Gathers keys or values of each beam: past ones from the cache rows that `cache_indirection` names, new ones from its own row. */
function alongBeams(c: Context, heads: Heads): Heads {
  if (!c.given(INDIRECTION)) return heads;
  const [, count, keys, columns] = heads.dims;
  const [, beams, room] = c.dims(INDIRECTION) as [number, number, number];
  const f = arithmeticOn(c, 'int32');
  const along = heads.swapped ? 1 : 2;
  const length = sizesAlong(c, heads.value, along, along + 1);
  const flat = reshapeTo(c, c.input(INDIRECTION), [-1, room]);
  const given = room > keys ? emitOne(c, 'Slice', [flat, listOf(c, [0]), length, listOf(c, [1])]) : flat;
  const sources = room < keys ? paddedBy(c, given, 2, emitOne(c, 'Sub', [length, listOf(c, [room])])) : given;
  const key = int32PlacesAlong(c, heads.value, along);
  const past = c.given(PAST_LENGTH)
    ? reshapeTo(c, c.input(PAST_LENGTH), [1, 1])
    : int32SizeAlong(c, c.input(PAST_KEY), 2);
  const own = reshapeTo(c, int32PlacesAlong(c, heads.value, 0), [-1, 1]);
  const first = f('Sub', own, f('Mod', own, beams));
  const rows = f('Where', f('Less', key, past), f('Add', sources, first), own);
  const places = f('Add', f('Mul', rows, int32SizeAlong(c, heads.value, along)), key);
  const byKey = heads.swapped ? heads.value : emitOne(c, 'Transpose', [heads.value], { perm: SWAP });
  const lines = reshapeTo(c, byKey, [-1, count * columns]);
  const value = reshapeTo(c, emitOne(c, 'Gather', [lines, places]), [0, 0, count, columns]);
  return { value, dims: heads.dims, swapped: true };
}

/** The attention bias, padded with zeros for keys beyond its last. */
function biasOf(c: Context, keys: number): Value | null {
  if (!c.given(ATTENTION_BIAS)) return null;
  const columns = c.dims(ATTENTION_BIAS)?.[3] as number;
  const missing = c.given(PAST_LENGTH) ? keys - columns : 0;
  const bias = widened(c, ATTENTION_BIAS);
  if (missing <= 0) return bias;
  return paddedBy(c, bias, 4, emitOne(c, 'Sub', [sizesAlong(c, c.input(PAST_KEY), 2, 3), sizesAlong(c, bias, 3, 4)]));
}

function rulesOf(c: Context, q: Heads, k: Heads, fresh: number): Rules {
  const [batch, , rows, size] = q.dims;
  const keys = k.dims[2];
  const { scale, mask_filter_value, unidirectional } = c.attributes;
  const count = () =>
    emitOne(c, 'Add', [reshapeTo(c, c.input(PAST_LENGTH), [1]), c.constant(tensorOf('int32', [], [fresh]))]);
  const isShared = c.given(PAST_LENGTH) && c.given(PAST_KEY);
  const past = keys - fresh;
  const places = () => int32PlacesAlong(c, k.value, k.swapped ? 1 : 2);
  const cache = c.given(PAST_KEY) ? c.input(PAST_KEY) : null;
  const sizes = { batch, rows, past, keys, cache, places, count: () => batchOf(c), hasRoom: isShared };
  const padding = paddingMask(c, MASK, mask_filter_value, sizes);
  const bias = biasOf(c, keys);
  return {
    scale: scale || 1 / Math.sqrt(size),
    softcap: 0,
    causal: unidirectional && rows > 1 ? { offset: past } : undefined,
    lengths: isShared ? emitOne(c, 'Expand', [count(), batchOf(c)]) : null,
    window: undefined,
    mask: padding && bias ? emitOne(c, 'Add', [padding, bias]) : (padding ?? bias),
    sink: null,
  };
}

/** From this number of queries on, it pays to cast keys and values that change with each run to float32. */
const MANY = 12;

/** Whether an operand is an encoder's keys or values in the cache's layout, which attention can read in place. */
const isGivenInOrder = (c: Context, { rank }: Operand, past: number, output: number): boolean =>
  rank === 4 && !c.given(past) && !c.wanted(output);

/** Keys or values with their part of the bias. Operands of rank 4 come from a cache, which includes the bias. */
const freshOf = (c: Context, operand: Operand, at: number): Heads =>
  operand.rank === 4 ? headsOf(c, operand) : biased(c, headsOf(c, operand), at);

function keptOf(c: Context, operand: Operand, at: number, past: number, output: number, keys: number): Grown {
  if (!isGivenInOrder(c, operand, past, output)) return grown(c, freshOf(c, operand, at), past, output, keys);
  const cache = c.input(operand.input);
  const heads = { value: cache, dims: operand.dims as Heads['dims'], swapped: false };
  return { cache, heads, stored: c.element(operand.input) };
}

/** Whether attention reads keys and values as stored. */
const isReadInPlace = (c: Context, key: Grown, value: Grown, queries: number): boolean =>
  !c.wanted(SCORES) &&
  !c.given(INDIRECTION) &&
  (c.given(PAST_KEY) || queries < MANY) &&
  !key.heads.swapped &&
  !value.heads.swapped &&
  key.stored === value.stored &&
  isReadAsStored(key.stored) &&
  isCacheRead(key.heads.dims[3]) &&
  isCacheRead(value.heads.dims[3]);

function inFloat32(c: Context, { heads, stored }: Grown): Heads {
  if (stored === 'int8') c.fail('INVALID_VALUE', UNREADABLE);
  return stored === 'float32' ? heads : { ...heads, value: castTo(c, heads.value, 'float32') };
}

function decompose(c: Context): Value[] | undefined {
  const operands = operandsOf(c);
  const past = pastRows(c);
  const isSized = (i: number) => !c.given(i) || isKnown(c.dims(i));
  const isOpen = typeof past !== 'number' || ![MASK, ATTENTION_BIAS, PAST_KEY, PAST_VALUE, INDIRECTION].every(isSized);
  if (!operands || isOpen) return undefined;
  const { q, k, v } = operands;
  if (![q, k, v].every(({ dims }) => isKnown(dims))) return undefined;
  const width = c.attributes.num_heads * (q.dims[3] as number);
  const queries = biased(c, headsOf(c, q), 0);
  const keys = keysOf(c, k.dims[2] as number, past) as number;
  const key = keptOf(c, k, width, PAST_KEY, PRESENT_KEY, keys);
  const value = keptOf(c, v, 2 * width, PAST_VALUE, PRESENT_VALUE, keys);
  const rules = rulesOf(c, queries, key.heads, k.dims[2] as number);
  const element = c.element(QUERY);
  const narrowed = (x: Value) => (element === 'float32' ? x : castTo(c, x, element));
  if (isReadInPlace(c, key, value, queries.dims[2])) {
    const y = cachedAttend(c, { q: queries, k: key.heads, v: value.heads }, rules);
    return [narrowed(y), key.cache, value.cache];
  }
  const seen = (grown: Grown) => alongBeams(c, inFloat32(c, grown));
  const heads = { q: queries, k: seen(key), v: seen(value) };
  if (!c.wanted(SCORES)) return [narrowed(attend(c, heads, rules)), key.cache, value.cache];
  const { y, scores } = attendByScores(c, heads, rules);
  return [narrowed(y), key.cache, value.cache, narrowed(scores)];
}

const CACHED = ['float32', 'float16', 'bfloat16', 'int8'] as const;

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MultiHeadAttention */
export const multiHeadAttention = defineOp({
  domain: 'com.microsoft',
  name: 'MultiHeadAttention',
  signature:
    'query: T, key?: T, value?: T, bias?: T, key_padding_mask?: int32, attention_bias?: T, past_key?: K, past_value?: V, ' +
    'past_sequence_length?: int32, cache_indirection?: int32 -> output: T, present_key?: K, present_value?: V, qk?: T',
  types: { T: ['float32', 'float16', 'bfloat16'], K: CACHED, V: CACHED },
  caches: [PAST_KEY, PAST_VALUE],
  attributes: { mask_filter_value: float(-10000), num_heads: int.required, scale: float(0), unidirectional: int(0) },
  infer,
  decompose,
});
