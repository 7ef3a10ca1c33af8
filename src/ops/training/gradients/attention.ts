import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import type { FusedAttentionAttributes } from '../../../primitives/attention-geometry.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo, scalarOf } from '../../emit.js';
import type { AttentionAttributes } from '../../onnx/nn/attention-scores.js';
import type { Window } from '../../onnx/nn/attention-window.js';
import { rotatedInParts } from '../../onnx/nn/rotate.js';
import type { Spellings } from './backward.js';

const SWAP = permutation([0, 2, 1, 3]);

/** Q, K and V as [batch, heads, rows, columns], and parameters of their scores. */
interface Heads {
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  /** Number of query heads that share a key head. */
  readonly shared: number;
  readonly heads: number;
  /** Columns of K and V. */
  readonly columns: readonly [number, number];
  /** Added to the scores. */
  readonly mask: Value | null;
  /** Number of keys of each batch element. */
  readonly lengths: Value | null;
  /** Number of keys before that of the first query; undefined: keys minus queries. */
  readonly past: Value | undefined;
  readonly isCausal: boolean;
  readonly window?: Window;
  readonly scale: number;
  readonly softcap: number;
}

const rowsOf = (c: Decomposition<unknown>, value: Value): Value =>
  emitOne(c, 'Gather', [emitOne(c, 'Shape', [value]), scalarOf(c, 2)]);

/** Whether query rows see keys, in a shape that broadcasts over [batch, heads, queries, keys]; null if all see all. */
function visibility(c: Decomposition<unknown>, { q, k, lengths, past, isCausal, window = {} }: Heads): Value | null {
  const f = arithmeticOn(c, 'int64');
  const { left_window_size: left = -1, right_window_size: right = -1 } = window;
  const [queries, keys] = [rowsOf(c, q), rowsOf(c, k)];
  const key = f('Range', 0, keys, 1);
  const perBatch = lengths && reshapeTo(c, castTo(c, lengths, 'int64'), [-1, 1, 1, 1]);
  const offset = () => (perBatch ? f('Sub', perBatch, queries) : (past ?? f('Sub', keys, queries)));
  const position = () => f('Add', reshapeTo(c, f('Range', 0, queries, 1), [-1, 1]), offset());
  const conditions = [
    isCausal ? f('LessOrEqual', key, position()) : perBatch && f('Less', key, perBatch),
    left < 0 ? null : f('LessOrEqual', position(), f('Add', key, left)),
    right < 0 ? null : f('LessOrEqual', key, f('Add', position(), right)),
  ];
  return conditions.reduce((a, b) => (a && b ? emitOne(c, 'And', [a, b]) : (a ?? b)), null);
}

/** softmax(scale·Q·Kᵀ, softcapped and masked)·V, and the scores of every stage. */
function attend(c: Decomposition<unknown>, inputs: Heads): { y: Value; stages: readonly Value[] } {
  const { q, heads, shared, columns, mask, scale, softcap } = inputs;
  const f = arithmeticOn(c, c.element(0));
  const perQuery = (value: Value, width: number) => {
    if (shared === 1) return value;
    const five = emitOne(c, 'Unsqueeze', [value, listOf(c, [2])]);
    return reshapeTo(c, emitOne(c, 'Expand', [five, listOf(c, [1, 1, shared, 1, 1])]), [0, heads, -1, width]);
  };
  const turned = emitOne(c, 'Transpose', [perQuery(inputs.k, columns[0])], permutation([0, 1, 3, 2]));
  const products = f('Mul', emitOne(c, 'MatMul', [q, turned]), scale);
  const capped = softcap ? f('Mul', f('Tanh', f('Div', products, softcap)), softcap) : products;
  const masked = mask ? f('Add', capped, mask) : capped;
  const visible = visibility(c, inputs);
  const scores = visible ? f('Where', visible, masked, Number.NEGATIVE_INFINITY) : masked;
  const shares = emitOne(c, 'Softmax', [scores], { axis: intAttribute(-1) });
  const seen = f('Where', f('IsNaN', shares), 0, shares);
  return { y: emitOne(c, 'MatMul', [seen, perQuery(inputs.v, columns[1])]), stages: [products, capped, scores, seen] };
}

/** The mask as numbers to add; keys beyond its columns are hidden. */
function additive(c: Decomposition<unknown>, i: number, keys: Size | undefined): Value | null {
  if (!c.given(i)) return null;
  const f = arithmeticOn(c, c.element(0));
  const [hidden, last] = [Number.NEGATIVE_INFINITY, c.dims(i)?.at(-1)];
  const mask = c.element(i) === 'bool' ? f('Where', c.input(i), 0, hidden) : castTo(c, c.input(i), c.element(0));
  const missing = typeof keys === 'number' && typeof last === 'number' ? keys - last : 0;
  if (missing <= 0) return mask;
  const filler: TensorValue = tensorOf(c.element(0), [], [hidden]);
  return emitOne(c, 'Pad', [mask, listOf(c, [0, missing]), c.constant(filler), listOf(c, [-1])]);
}

const [Q, K, V, MASK, PAST_KEY, PAST_VALUE, LENGTHS] = [0, 1, 2, 3, 4, 5, 6];

function attention(c: Decomposition<AttentionAttributes>): Value[] | undefined {
  const { q_num_heads, kv_num_heads, is_causal, softcap, qk_matmul_output_mode: mode } = c.attributes;
  const shown = (i: number, count: number | undefined) => {
    const dims = c.dims(i);
    const heads = dims?.length === 4 ? dims[1] : count;
    const width = dims?.at(-1);
    if (typeof heads !== 'number' || typeof width !== 'number') return undefined;
    if (dims?.length === 4) return { value: c.input(i), heads, columns: width };
    const apart = reshapeTo(c, c.input(i), [0, 0, heads, -1]);
    return { value: emitOne(c, 'Transpose', [apart], SWAP), heads, columns: width / heads };
  };
  const [q, k, v] = [shown(Q, q_num_heads), shown(K, kv_num_heads), shown(V, kv_num_heads)];
  if (!q || !k || !v) return undefined;
  const joined = (past: number, value: Value) =>
    c.given(past) ? emitOne(c, 'Concat', [c.input(past), value], { axis: intAttribute(2) }) : value;
  const [own, before] = [c.dims(K)?.at(c.dims(K)?.length === 3 ? 1 : 2), c.given(PAST_KEY) ? c.dims(PAST_KEY)?.[2] : 0];
  const keys = typeof own === 'number' && typeof before === 'number' ? own + before : undefined;
  const present = [joined(PAST_KEY, k.value), joined(PAST_VALUE, v.value)] as const;
  const { y, stages } = attend(c, {
    q: q.value,
    k: present[0],
    v: present[1],
    heads: q.heads,
    shared: q.heads / k.heads,
    columns: [k.columns, v.columns],
    mask: additive(c, MASK, keys),
    lengths: c.given(LENGTHS) ? c.input(LENGTHS) : null,
    past: c.given(PAST_KEY) ? rowsOf(c, c.input(PAST_KEY)) : scalarOf(c, 0),
    isCausal: Boolean(is_causal),
    window: c.attributes,
    scale: c.attributes.scale ?? 1 / Math.sqrt(q.columns),
    softcap,
  });
  const flat = c.dims(Q)?.length === 3;
  const result = flat ? reshapeTo(c, emitOne(c, 'Transpose', [y], SWAP), [0, 0, -1]) : y;
  return [result, ...present, stages[mode] as Value];
}

/** Fused attention: axes may be permuted, and there are three of them without a batch. */
function fused(c: Decomposition<FusedAttentionAttributes>): Value[] | undefined {
  const { q_perm, k_perm, v_perm, y_perm, causal, causal_offset, scale, softcap } = c.attributes;
  const shown = (i: number, perm: readonly number[] | undefined) => {
    const dims = c.dims(i);
    const own = perm ? emitOne(c, 'Transpose', [c.input(i)], permutation(perm)) : c.input(i);
    const value = dims?.length === 3 ? emitOne(c, 'Unsqueeze', [own, listOf(c, [0])]) : own;
    const [heads, , columns] = (perm?.map((axis) => dims?.[axis] as Size) ?? dims ?? []).slice(-3);
    return { value, heads, columns };
  };
  const [q, k, v] = [shown(0, q_perm), shown(1, k_perm), shown(2, v_perm)];
  const sizes = [q.heads, k.heads, q.columns, k.columns, v.columns];
  if (!sizes.every((size) => typeof size === 'number')) return undefined;
  const [heads, kvHeads, , ...columns] = sizes as [number, number, number, number, number];
  const offset = causal_offset === undefined ? undefined : scalarOf(c, causal_offset);
  const { y } = attend(c, {
    q: q.value,
    k: k.value,
    v: v.value,
    heads,
    shared: heads / kvHeads,
    columns: columns as [number, number],
    mask: c.given(3) ? c.input(3) : null,
    lengths: c.given(4) ? c.input(4) : null,
    past: offset,
    isCausal: Boolean(causal),
    scale,
    softcap,
  });
  const own = c.dims(0)?.length === 3 ? emitOne(c, 'Squeeze', [y, listOf(c, [0])]) : y;
  return y_perm ? c.emit('Transpose', [own], permutation(y_perm)) : [own];
}

export const attentions: Spellings = {
  Attention: attention,
  RotaryEmbedding: rotatedInParts,
  'sardonyx:Attention': fused,
};
