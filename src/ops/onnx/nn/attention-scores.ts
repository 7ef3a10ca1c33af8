import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { arithmeticOn, reshapeOpen, reshapeTo } from '../../emit.js';
import { int32PlacesAlong, int32SizeAlong } from '../../emit-shapes.js';

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
}

type Context = Decomposition<AttentionAttributes>;

const PAST_KEY = 4;

/** Whether a query sees a key, in a shape that broadcasts to [batch, heads, queries, keys]; undefined if all queries see all keys. */
function visibility(c: Context, { q, k, lengths }: ScoreInputs): Value | undefined {
  const f = arithmeticOn(c, 'int32');
  const perBatch = lengths && reshapeTo(c, lengths, [-1, 1, 1, 1]);
  const key = int32PlacesAlong(c, k, 2);
  if (!c.attributes.is_causal) return perBatch ? f('Less', key, perBatch) : undefined;
  const past = () => (c.given(PAST_KEY) ? int32SizeAlong(c, c.input(PAST_KEY), 2) : 0);
  const offset = perBatch ? f('Sub', perBatch, int32SizeAlong(c, q, 2)) : past();
  return f('LessOrEqual', key, f('Add', reshapeTo(c, int32PlacesAlong(c, q, 2), [-1, 1]), offset));
}

/** scale · A·Bᵀ over the last two of four axes. */
function scaledProduct(c: Context, a: Value, b: Value, scale: number): Value {
  if (c.element(0) === 'float32') {
    const attributes = { transB: intAttribute(1), alpha: floatAttribute(scale) };
    return c.emit('sardonyx:MatMul', [a, b], attributes)[0] as Value;
  }
  const [turned] = c.emit('Transpose', [b], { perm: intsAttribute([0, 1, 3, 2]) }) as [Value];
  const [product] = c.emit('MatMul', [a, turned]) as [Value];
  return c.emit('Mul', [product, c.constant(tensorOf(c.element(0), [], [scale]))])[0] as Value;
}

/** Q·Kᵀ of every head; query heads that share a key head become additional rows of one head. */
function products(c: Context, inputs: ScoreInputs, { q, k }: ScoreShapes): Value {
  const [batch, heads, queries, columns] = q as [number, number, number, number];
  const [, kvHeads, keys] = k as [number, number, number];
  const rows = (queries * heads) / Math.max(1, kvHeads);
  const grouped = reshapeOpen(c, inputs.q, [0, kvHeads, -1, 0], [batch, kvHeads, rows, columns]);
  const product = scaledProduct(c, grouped, inputs.k, inputs.scale);
  return reshapeOpen(c, product, [0, heads, -1, 0], [batch, heads, queries, keys]);
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
  const visible = visibility(c, inputs);
  if (inputs.mask) scores = emit('Add', scores, inputs.mask);
  if (visible) scores = emit('Where', visible, scores, number(Number.NEGATIVE_INFINITY));
  if (mode === 2) return scores;
  const probabilities = c.emit('Softmax', [scores], { axis: intAttribute(-1) })[0] as Value;
  const unseen = emit('IsNaN', probabilities);
  return emit('Where', unseen, number(0), probabilities);
}
