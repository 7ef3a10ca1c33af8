import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { int64List } from '../../constants.js';

export interface AttentionAttributes {
  readonly is_causal: number;
  readonly q_num_heads: number | undefined;
  readonly kv_num_heads: number | undefined;
  readonly qk_matmul_output_mode: number;
  readonly scale: number | undefined;
  readonly softcap: number;
  readonly left_window_size?: number;
  readonly right_window_size?: number;
}

/** Inputs for the scores of an Attention node; q and k are [batch, heads, rows, columns]. */
export interface ScoreInputs {
  readonly q: Value;
  readonly k: Value;
  readonly mask: Value | null;
  readonly lengths: Value | null;
  readonly scale: number;
}

export interface ScoreShapes {
  readonly q: readonly number[];
  readonly k: readonly number[];
  readonly past: number;
}

type Context = Decomposition<AttentionAttributes>;

/** 0, 1, 2 … as an int32 column or row. */
function count(c: Context, length: number, column: boolean): Value {
  const data = Int32Array.from({ length }, (_, i) => i);
  return c.constant({ type: 'int32', dims: column ? [length, 1] : [length], data });
}

/** Whether a query sees a key, in a shape that broadcasts to [batch, heads, queries, keys]; undefined if all queries see all keys. */
function visibility(c: Context, lengths: Value | null, queries: number, keys: number, past: number): Value | undefined {
  const emit = (operator: string, ...inputs: Value[]) => c.emit(operator, inputs)[0] as Value;
  const int32 = (value: number) => c.constant({ type: 'int32', dims: [], data: Int32Array.of(value) });
  const perBatch = lengths && emit('Reshape', lengths, c.constant(int64List([-1, 1, 1, 1])));
  const key = count(c, keys, false);
  if (!c.attributes.is_causal) return perBatch ? emit('Less', key, perBatch) : undefined;
  const offset = perBatch ? emit('Sub', perBatch, int32(queries)) : int32(past);
  return emit('LessOrEqual', key, emit('Add', count(c, queries, true), offset));
}

/** scale · A·Bᵀ over the last two of five axes. */
function scaledProduct(c: Context, a: Value, b: Value, scale: number): Value {
  if (c.element(0) === 'float32') {
    const attributes = { transB: intAttribute(1), alpha: floatAttribute(scale) };
    return c.emit('sardonyx:MatMul', [a, b], attributes)[0] as Value;
  }
  const [turned] = c.emit('Transpose', [b], { perm: intsAttribute([0, 1, 2, 4, 3]) }) as [Value];
  const [product] = c.emit('MatMul', [a, turned]) as [Value];
  return c.emit('Mul', [product, c.constant(tensorOf(c.element(0), [], [scale]))])[0] as Value;
}

/** Q·Kᵀ of every head; query heads that share a key head become a batch axis. */
function products(c: Context, inputs: ScoreInputs, { q, k }: ScoreShapes): Value {
  const [batch, heads, queries, columns] = q as [number, number, number, number];
  const [, kvHeads, keys] = k as [number, number, number];
  const asItIs = { allowzero: intAttribute(1) };
  const shaped = (value: Value, dims: number[]) =>
    c.emit('Reshape', [value, c.constant(int64List(dims))], asItIs)[0] as Value;
  const grouped = shaped(inputs.q, [batch, kvHeads, heads / Math.max(1, kvHeads), queries, columns]);
  const shared = shaped(inputs.k, [batch, kvHeads, 1, keys, columns]);
  return shaped(scaledProduct(c, grouped, shared, inputs.scale), [batch, heads, queries, keys]);
}

/** The scores in `qk_matmul_output_mode`: products (0), softcapped (1), masked (2), probabilities (3). */
export function emitScores(c: Context, inputs: ScoreInputs, shapes: ScoreShapes): Value {
  const { qk_matmul_output_mode: mode, softcap } = c.attributes;
  const emit = (operator: string, ...operands: Value[]) => c.emit(operator, operands)[0] as Value;
  const number = (value: number) => c.constant(tensorOf(c.element(0), [], [value]));
  let scores = products(c, inputs, shapes);
  if (mode === 0) return scores;
  if (softcap) {
    const limit = number(softcap);
    scores = emit('Mul', emit('Tanh', emit('Div', scores, limit)), limit);
  }
  if (mode === 1) return scores;
  const visible = visibility(c, inputs.lengths, shapes.q[2] as number, shapes.k[2] as number, shapes.past);
  if (inputs.mask) scores = emit('Add', scores, inputs.mask);
  if (visible) scores = emit('Where', visible, scores, number(Number.NEGATIVE_INFINITY));
  if (mode === 2) return scores;
  const probabilities = c.emit('Softmax', [scores], { axis: intAttribute(-1) })[0] as Value;
  const unseen = emit('IsNaN', probabilities);
  return emit('Where', unseen, number(0), probabilities);
}
