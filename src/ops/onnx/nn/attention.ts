import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import { differ, isKnown } from '../../../graph/dims.js';
import type { Attribute, Value } from '../../../graph/graph.js';
import { type Dim, tensorType } from '../../../graph/types.js';
import { float, int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { BOOL, FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { int64List } from '../../constants.js';
import { throughFloat32, throughFloat64 } from '../../through-float32.js';
import { type AttentionAttributes, emitScores } from './attention-scores.js';

/** Positions of inputs and outputs. */
const [Q, K, V, MASK, PAST_KEY, PAST_VALUE, LENGTHS] = [0, 1, 2, 3, 4, 5, 6];
const [PRESENT_KEY, PRESENT_VALUE, SCORES] = [1, 2, 3];

/** Between [batch, rows, heads, columns] and [batch, heads, rows, columns]. */
const SWAP = [0, 2, 1, 3];
const INT32 = 6;

/** Input `i` as [batch, heads, rows, columns]; a tensor of rank 3 has its heads side by side. */
function headed(c: Inference<AttentionAttributes>, i: number, heads: number | undefined): readonly Dim[] | undefined {
  const dims = c.dims(i);
  if (!dims || dims.length === 4) return dims;
  if (dims.length !== 3) c.fail('INVALID_SHAPE', `Q, K and V must have rank 3 or 4, not [${dims}]`);
  if (!heads) return c.fail('INVALID_ATTRIBUTE', 'inputs of rank 3 need q_num_heads and kv_num_heads');
  const [batch, rows, width] = dims as [Dim, Dim, Dim];
  if (typeof width === 'number' && width % heads !== 0) {
    c.fail('INVALID_SHAPE', `${width} columns do not divide into ${heads} heads`);
  }
  return [batch, heads, rows, typeof width === 'number' ? width / heads : c.unknown()];
}

const sum = (c: Inference<unknown>, a: Dim, b: Dim): Dim =>
  typeof a === 'number' && typeof b === 'number' ? a + b : b === 0 ? a : c.unknown();

/** Checks [batch, heads, rows, columns] of Q, K and V against each other: several query heads may share a key's. */
function checkHeads(c: Inference<unknown>, q: readonly Dim[], k: readonly Dim[], v: readonly Dim[]): void {
  const [heads, shared] = [q[1], k[1]];
  const uneven = typeof heads === 'number' && typeof shared === 'number' && (shared ? heads % shared : heads) !== 0;
  const wrong = [0, 1, 2].some((d) => differ(k[d], v[d])) || differ(q[0], k[0]) || differ(q[3], k[3]);
  if (uneven || wrong)
    c.fail('INVALID_SHAPE', `queries [${q}], keys [${k}] and values [${v}] by batch, head, row and column do not fit`);
}

/** The shapes of Q, of keys and values with the past, and how many rows the past has. */
function shapesOf(c: Inference<AttentionAttributes>) {
  const { q_num_heads, kv_num_heads } = c.attributes;
  const q = headed(c, Q, q_num_heads);
  const k = headed(c, K, kv_num_heads);
  const v = headed(c, V, kv_num_heads);
  const past = c.given(PAST_KEY) ? c.dims(PAST_KEY)?.[2] : 0;
  if (!q || !k || !v || past === undefined) return undefined;
  checkHeads(c, q, k, v);
  const rows = sum(c, k[2] as Dim, past);
  const withRows = (dims: readonly Dim[]) => [dims[0], dims[1], rows, dims[3]] as Dim[];
  return { q, k: withRows(k), v: withRows(v), past };
}

function infer(c: Inference<AttentionAttributes>) {
  const shapes = shapesOf(c);
  const [element, valueElement] = [c.element(Q), c.element(V)];
  const { q, k, v } = shapes ?? {};
  const [batch, heads, rows] = q ?? [];
  const columns = v?.[3];
  const flat = c.dims(Q)?.length === 3;
  const width = typeof columns === 'number' && typeof heads === 'number' ? heads * columns : c.unknown();
  const y = q && ((flat ? [batch, rows, width] : [batch, heads, rows, columns]) as Dim[]);
  return [
    tensorType(element, y),
    tensorType(element, k),
    tensorType(valueElement, v),
    tensorType(element, q && ([batch, heads, rows, k?.[2]] as Dim[])),
  ];
}

type Context = Decomposition<AttentionAttributes>;

const codeOf = (c: Context, i: number) => intAttribute(ELEMENTS[c.element(i)].onnx);

/** Input `i` with its heads apart: [batch, rows, heads, columns] where it had rank 3, else [batch, heads, rows, columns]. */
function splitHeads(c: Context, i: number, heads: number): Value {
  if (c.dims(i)?.length === 4) return c.input(i);
  return c.emit('Reshape', [c.input(i), c.constant(int64List([0, 0, heads, -1]))])[0] as Value;
}

/** Keys or values: where they are joined to the past or asked for, as [batch, heads, rows, columns]. */
function withPast(c: Context, i: number, past: number, present: number, heads: number) {
  const own = splitHeads(c, i, heads);
  const swapped = c.dims(i)?.length === 3;
  if (!c.given(past) && !c.wanted(present) && !c.wanted(SCORES)) return { value: own, swapped };
  const ordered = swapped ? (c.emit('Transpose', [own], { perm: intsAttribute(SWAP) })[0] as Value) : own;
  if (!c.given(past)) return { value: ordered, swapped: false };
  const joined = c.emit('Concat', [c.input(past), ordered], { axis: intAttribute(2) })[0] as Value;
  return { value: joined, swapped: false };
}

/** The mask as numbers to add, with as many columns as there are keys; keys it does not reach are hidden. */
function additiveMask(c: Context, keys: number): Value | null {
  if (!c.given(MASK)) return null;
  const [hidden, shown] = [Number.NEGATIVE_INFINITY, 0].map((x) => c.constant(tensorOf(c.element(Q), [], [x])));
  const element = c.element(MASK);
  let mask = c.input(MASK);
  if (element === 'bool') [mask] = c.emit('Where', [mask, shown, hidden] as Value[]) as [Value];
  else if (element !== c.element(Q)) [mask] = c.emit('Cast', [mask], { to: codeOf(c, Q) }) as [Value];
  const dims = c.dims(MASK) as readonly number[];
  const missing = keys - (dims.at(-1) as number);
  if (missing <= 0) return mask;
  const pads = new Array<number>(2 * dims.length).fill(0);
  pads[pads.length - 1] = missing;
  return c.emit('Pad', [mask, c.constant(int64List(pads)), hidden as Value])[0] as Value;
}

function decompose(c: Context): Value[] | undefined {
  const shapes = shapesOf(c);
  const maskDims = c.given(MASK) ? c.dims(MASK) : [];
  if (!shapes || !isKnown(shapes.q) || !isKnown(shapes.k) || !isKnown(maskDims) || !isKnown([shapes.past])) {
    return undefined;
  }
  if (c.element(Q) !== 'float32' || c.element(V) !== 'float32') {
    const results = [c.element(Q), c.element(Q), c.element(V), c.element(Q)];
    if (!results.includes('float64')) return throughFloat32(c, results);
    const widened = throughFloat64(c, results);
    if (widened) return widened;
  }
  const [, heads, , headSize] = shapes.q as [number, number, number, number];
  const [, kvHeads, keys] = shapes.k as [number, number, number, number];
  const { is_causal: causal, softcap, scale = 1 / Math.sqrt(headSize) } = c.attributes;
  const k = withPast(c, K, PAST_KEY, PRESENT_KEY, kvHeads);
  const v = withPast(c, V, PAST_VALUE, PRESENT_VALUE, kvHeads);
  const q = splitHeads(c, Q, heads);
  const flat = c.dims(Q)?.length === 3;
  const mask = additiveMask(c, keys);
  const [lengths = null] = c.given(LENGTHS) ? c.emit('Cast', [c.input(LENGTHS)], { to: intAttribute(INT32) }) : [];
  // Left out where the last query sees the last key, so that a cache that grows is not planned for anew.
  const isOffset = causal && shapes.past !== keys - (shapes.q[2] as number);
  const attributes: Record<string, Attribute> = {
    scale: floatAttribute(scale),
    softcap: floatAttribute(softcap),
    causal: intAttribute(causal),
    ...(isOffset ? { causal_offset: intAttribute(shapes.past as number) } : {}),
    ...(flat ? { q_perm: intsAttribute(SWAP), y_perm: intsAttribute(SWAP) } : {}),
    ...(k.swapped ? { k_perm: intsAttribute(SWAP) } : {}),
    ...(v.swapped ? { v_perm: intsAttribute(SWAP) } : {}),
  };
  const [y] = c.emit('sardonyx:Attention', [q, k.value, v.value, mask, lengths], attributes) as [Value];
  const [joined] = flat ? (c.emit('Reshape', [y, c.constant(int64List([0, 0, -1]))]) as [Value]) : [y];
  if (!c.wanted(SCORES)) return [joined, k.value, v.value];
  const [ordered] = flat ? (c.emit('Transpose', [q], { perm: intsAttribute(SWAP) }) as [Value]) : [q];
  const known = { q: shapes.q as number[], k: shapes.k as number[], past: shapes.past as number };
  return [joined, k.value, v.value, emitScores(c, { q: ordered, k: k.value, mask, lengths, scale }, known)];
}

const signatures = {
  23: 'Q: T1, K: T1, V: T2, attn_mask?: U, past_key?: T1, past_value?: T2',
  24: 'Q: T1, K: T1, V: T2, attn_mask?: U, past_key?: T1, past_value?: T2, nonpad_kv_seqlen?: int64',
};

/** https://onnx.ai/onnx/operators/onnx__Attention.html */
export const attention = ([24, 23] as const).map((since) =>
  defineOp({
    name: 'Attention',
    since,
    signature: `${signatures[since]} -> Y: T1, present_key?: T1, present_value?: T2, qk_matmul_output?: T1`,
    types: { T1: FLOATS, T2: FLOATS, U: [...NUMBERS, ...BOOL] },
    attributes: {
      is_causal: int(0),
      q_num_heads: int(),
      kv_num_heads: int(),
      qk_matmul_output_mode: int(0),
      scale: float(),
      softcap: float(0),
      softmax_precision: int(),
    },
    infer,
    decompose,
  }),
);
