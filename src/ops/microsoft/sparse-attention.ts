import { intAttribute, stringAttribute } from '../../graph/attributes.js';
import type { Attribute, Value } from '../../graph/graph.js';
import { isKnown, type Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, like, numberAt, requireDims, requireOne } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../emit.js';
import { placesAlong, sizeAlong } from '../emit-shapes.js';
import { attend, headsSideBySide, ordered, widened } from './attend.js';
import { blockMask, type Spread } from './block-mask.js';
import {
  type HeadCounts,
  headSizeOf,
  KEY,
  PAST_KEY,
  PAST_VALUE,
  QUERY,
  rotatedOperands,
  VALUE,
} from './grouped-queries.js';
import { present } from './key-value-cache.js';
import type { Heads } from './sight.js';

interface Attributes extends HeadCounts {
  readonly do_rotary: number;
  readonly rotary_interleaved: number;
  readonly scale: number;
  readonly sparse_block_size: number;
}

const [BLOCK_ROWS, BLOCK_COLUMNS, TOTAL_LENGTH, KEY_LENGTHS, COS, SIN] = [5, 6, 7, 8, 9, 10];

type Context = Decomposition<Attributes>;

/** Sizes of a node whose shapes are known. */
interface Sizes {
  readonly batch: number;
  /** Number of queries and of new keys. */
  readonly rows: number;
  /** Length of the cache. */
  readonly length: number;
  readonly size: number;
}

function checkAttributes(c: Inference<Attributes>): void {
  const { num_heads, kv_num_heads, sparse_block_size, do_rotary } = c.attributes;
  if (num_heads <= 0 || kv_num_heads <= 0 || num_heads % kv_num_heads !== 0)
    c.fail('INVALID_ATTRIBUTE', `num_heads ${num_heads} must be a positive multiple of kv_num_heads ${kv_num_heads}`);
  if (sparse_block_size <= 0)
    c.fail('INVALID_ATTRIBUTE', `sparse_block_size must be positive, not ${sparse_block_size}`);
  if (c.given(KEY) !== c.given(VALUE)) c.fail('INVALID_GRAPH', 'key and value must be given together');
  if (do_rotary && !(c.given(COS) && c.given(SIN))) c.fail('INVALID_GRAPH', 'do_rotary needs cos_cache and sin_cache');
}

function checkBlocks(c: Inference<Attributes>): void {
  const { num_heads, sparse_block_size } = c.attributes;
  const [layouts, bounds] = dimsOfRank(c, BLOCK_ROWS, 2) ?? [];
  if (typeof layouts === 'number' && (layouts === 0 || num_heads % layouts !== 0))
    c.fail('INVALID_SHAPE', `num_heads ${num_heads} must be a multiple of the ${layouts} layouts of block_row_indices`);
  if (typeof bounds === 'number' && bounds < 2)
    c.fail('INVALID_SHAPE', `block_row_indices must be [layouts, blocks + 1], not [${c.dims(BLOCK_ROWS)}]`);
  requireDims(c, BLOCK_COLUMNS, [layouts, undefined]);
  const [, rows] = c.dims(QUERY) ?? [];
  if (typeof bounds === 'number') requireRoom(c, rows, (bounds - 1) * sparse_block_size, 'the blocks reach');
}

/** Checks that the numbers of queries and keys, if known, are at most `room`. */
function requireRoom(c: Inference<Attributes>, rows: Size | undefined, room: number, what: string): void {
  for (const count of [rows, numberAt(c, TOTAL_LENGTH)])
    if (typeof count === 'number' && count > room)
      c.fail('INVALID_VALUE', `${what} ${room} keys, but there are ${count}`);
}

function checkCaches(c: Inference<Attributes>, size: number | undefined): void {
  const [batch, rows] = dimsOfRank(c, QUERY, 3) ?? [];
  const { kv_num_heads: shared } = c.attributes;
  for (const i of [KEY, VALUE]) requireDims(c, i, [batch, rows, size && shared * size]);
  const [, , length] = dimsOfRank(c, PAST_KEY, 4) ?? [];
  for (const i of [PAST_KEY, PAST_VALUE]) requireDims(c, i, [batch, shared, length, size]);
  requireOne(c, TOTAL_LENGTH);
  requireDims(c, KEY_LENGTHS, [batch]);
  if (typeof length === 'number') requireRoom(c, rows, length, 'the cache holds');
}

function checkAngles(c: Inference<Attributes>, size: number | undefined): void {
  if (!c.attributes.do_rotary) return;
  const [places, half] = dimsOfRank(c, COS, 2) ?? [];
  requireDims(c, SIN, [places, half]);
  if (typeof half === 'number' && size !== undefined && half > size / 2)
    c.fail('INVALID_SHAPE', `cos_cache must have at most ${size / 2} columns, half of a head, not ${half}`);
}

function inferTypes(c: Inference<Attributes>) {
  checkAttributes(c);
  const size = headSizeOf(c);
  checkBlocks(c);
  checkCaches(c, size);
  checkAngles(c, size);
  const [batch, rows] = c.dims(QUERY) ?? [];
  const width = size === undefined ? c.unknown() : c.attributes.num_heads * size;
  const dims = batch === undefined || rows === undefined ? undefined : [batch, rows, width];
  const cache = () => like(c, PAST_KEY, c.dims(PAST_KEY));
  return [tensorType(c.element(QUERY), dims), cache(), cache()];
}

/** Position of the first query of each sequence, int32 [batch]. A prompt starts at 0, regardless of padding at its end. */
function startsOf(c: Context): Value {
  const f = arithmeticOn(c, 'int32');
  const rows = castTo(c, sizeAlong(c, c.input(QUERY), 1), 'int32');
  const isPrompt = f('Equal', reshapeTo(c, c.input(TOTAL_LENGTH), []), rows);
  return f('Where', isPrompt, 0, f('Sub', c.input(KEY_LENGTHS), rows));
}

/** Like `startsOf`; checks that the queries fit into the cache and the blocks. */
function checkedStarts(c: Context, { rows, length }: Sizes, { blocks, blockSize }: Spread): Value {
  const most = Math.min(length, blocks * blockSize);
  const f = arithmeticOn(c, 'int32');
  const starts = startsOf(c);
  const excess = f('Mul', f('Sub', starts, f('Min', f('Max', starts, 0), most - rows)), 2);
  const message = `key_total_sequence_lengths must be from ${rows} (queries) to ${most} (the room in cache and blocks)`;
  return emitOne(c, 'sardonyx:CheckedLengths', [excess, starts], { message: stringAttribute(message) });
}

/** Positions of the first queries, int64 [batch, 1]. */
const firstPlaces = (c: Context, starts: Value): Value => reshapeTo(c, castTo(c, starts, 'int64'), [-1, 1]);

/** Rewrites the node to take unpacked and rotated operands. Dimensions may be symbolic, so that layers share the angles. */
function prepared(c: Context): Value[] | undefined {
  const [size, half] = [headSizeOf(c), c.attributes.do_rotary ? c.dims(COS)?.[1] : 0];
  if (size === undefined || typeof half !== 'number') return undefined;
  const { do_rotary, rotary_interleaved: interleaved } = c.attributes;
  const rotation = () => {
    const positions = arithmeticOn(c, 'int64')('Add', firstPlaces(c, startsOf(c)), placesAlong(c, c.input(QUERY), 1));
    return { cos: c.input(COS), sin: c.input(SIN), positions, size: 2 * half, interleaved };
  };
  const operands = rotatedOperands(c, size, do_rotary ? rotation() : undefined);
  const rest = [PAST_KEY, PAST_VALUE, BLOCK_ROWS, BLOCK_COLUMNS, TOTAL_LENGTH, KEY_LENGTHS].map((i) => c.input(i));
  const attributes: Record<string, Attribute> = { ...c.node.attributes, do_rotary: intAttribute(0) };
  return c.emit('com.microsoft:SparseAttention', [...operands, ...rest], attributes, c.outputCount);
}

function sizesOf(c: Context): Sizes | undefined {
  const [batch, rows] = c.dims(QUERY) ?? [];
  const known = [batch, rows, c.dims(PAST_KEY)?.[2], headSizeOf(c)] as Size[];
  if (known.includes(undefined as never) || !isKnown(known)) return undefined;
  const [b, r, length, size] = known as [number, number, number, number];
  return { batch: b, rows: r, length, size };
}

/** Writes the new rows of each sequence into the cache, from `starts` on. */
function grown(c: Context, { batch, rows, length, size }: Sizes, input: number, past: number, starts: Value): Value {
  const shared = c.attributes.kv_num_heads;
  const fresh = ordered(c, headsSideBySide(c, c.input(input), [batch, shared, rows, size]));
  const pastDims = [batch, shared, length, size] as const;
  const cache = { element: c.element(past), past: c.input(past), pastDims, fresh, freshRows: rows };
  return present(c, cache, { starts }, length);
}

function spreadOf(c: Context, { length }: Sizes): Spread | undefined {
  const [layouts, bounds] = c.dims(BLOCK_ROWS) ?? [];
  if (typeof layouts !== 'number' || typeof bounds !== 'number') return undefined;
  const scores = emitOne(c, 'sardonyx:BlockScores', [c.input(BLOCK_ROWS), c.input(BLOCK_COLUMNS)]);
  const { num_heads: heads, sparse_block_size: blockSize } = c.attributes;
  return { scores, layouts, blocks: bounds - 1, blockSize, heads, keys: length };
}

/** Elements of a mask of 64 MB; prompts that need a larger one are split. */
const MASK_SIZE = 2 ** 24;

interface Queries {
  readonly q: Heads;
  readonly k: Heads;
  readonly v: Heads;
  readonly starts: Value;
  readonly spread: Spread;
}

/** Attends with queries from…to, counted from the start of each sequence. */
function attendSome(c: Context, { q, k, v, starts, spread }: Queries, from: number, to: number): Value {
  const [batch, heads, rows, size] = q.dims;
  const isAll = from === 0 && to === rows;
  const some = isAll ? q.value : emitOne(c, 'Slice', [q.value, listOf(c, [from]), listOf(c, [to]), listOf(c, [1])]);
  const f = arithmeticOn(c, 'int32');
  const places = Array.from({ length: to - from }, (_, i) => from + i);
  const own = f('Add', reshapeTo(c, starts, [batch, 1]), c.constant(tensorOf('int32', [1, places.length], places)));
  const shown = { lengths: f('Add', starts, to), mask: blockMask(c, own, spread), causal: { offset: 0 } };
  const rules = {
    ...shown,
    scale: c.attributes.scale || 1 / Math.sqrt(size),
    softcap: 0,
    window: undefined,
    sink: null,
  };
  return attend(c, { q: { ...q, value: some, dims: [batch, heads, to - from, size] }, k, v }, rules);
}

function attendAll(c: Context, queries: Queries): Value {
  const [batch, heads, rows] = queries.q.dims;
  const each = batch * heads * queries.spread.keys;
  const step = Math.max(1, Math.floor(MASK_SIZE / Math.max(1, each)));
  const parts: Value[] = [];
  for (let from = 0; from === 0 || from < rows; from += step)
    parts.push(attendSome(c, queries, from, Math.min(rows, from + step)));
  return parts.length > 1 ? emitOne(c, 'Concat', parts, { axis: intAttribute(1) }) : (parts[0] as Value);
}

function decompose(c: Context): Value[] | undefined {
  if (!c.given(KEY) || c.attributes.do_rotary) return prepared(c);
  const s = sizesOf(c);
  const spread = s && spreadOf(c, s);
  if (!spread) return undefined;
  const { num_heads: heads, kv_num_heads: shared } = c.attributes;
  const starts = checkedStarts(c, s, spread);
  const [keys, values] = [grown(c, s, KEY, PAST_KEY, starts), grown(c, s, VALUE, PAST_VALUE, starts)];
  const element = c.element(QUERY);
  const isHalf = element !== 'float32';
  const kept = (value: Value) =>
    widened(c, { value, dims: [s.batch, shared, s.length, s.size], swapped: false }, isHalf);
  const q = widened(c, headsSideBySide(c, c.input(QUERY), [s.batch, heads, s.rows, s.size]), isHalf);
  const y = attendAll(c, { q, k: kept(keys), v: kept(values), starts, spread });
  return [isHalf ? castTo(c, y, element) : y, keys, values];
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.SparseAttention */
export const sparseAttention = defineOp({
  domain: 'com.microsoft',
  name: 'SparseAttention',
  signature:
    'query: T, key?: T, value?: T, past_key: T, past_value: T, block_row_indices: int32, block_col_indices: int32, ' +
    'total_sequence_length: int32, key_total_sequence_lengths: int32, cos_cache?: T, sin_cache?: T ' +
    '-> output: T, present_key: T, present_value: T',
  types: { T: ['float32', 'float16', 'bfloat16'] },
  attributes: {
    do_rotary: int(0),
    kv_num_heads: int.required,
    num_heads: int.required,
    rotary_interleaved: int(0),
    scale: float(0),
    sparse_block_size: int.required,
  },
  infer: inferTypes,
  decompose,
});
