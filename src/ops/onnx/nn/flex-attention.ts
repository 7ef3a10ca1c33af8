import { graphTypes } from '../../../analysis/subgraph-types.js';
import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { differ } from '../../../graph/guards.js';
import { isKnown, type Size } from '../../../graph/sizes.js';
import { formatType, tensorType } from '../../../graph/types.js';
import { float, graph, int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { dimsOfRank, requireDims } from '../../../schema/shapes.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { arithmeticOn, castTo, emitOne, reshapeOpen } from '../../emit.js';

interface FlexAttributes {
  readonly scale: number | undefined;
  readonly softmax_precision: number | undefined;
  readonly score_mod: Graph | undefined;
  readonly prob_mod: Graph | undefined;
}

type Context = Decomposition<FlexAttributes>;

const [Q, K, V] = [0, 1, 2];

/** Shapes of Q, K and V; undefined if a rank is unknown. */
function shapesOf(c: Inference<unknown>) {
  const [q, k, v] = [Q, K, V].map((i) => dimsOfRank(c, i, 4));
  if (!q || !k || !v) return undefined;
  requireDims(c, K, [q[0], undefined, undefined, q[3]]);
  requireDims(c, V, [q[0], k[1], k[2], undefined]);
  const [heads, kvHeads] = [q[1], k[1]];
  if (typeof heads === 'number' && typeof kvHeads === 'number' && heads % kvHeads !== 0)
    c.fail('INVALID_SHAPE', `${heads} query heads must be a multiple of ${kvHeads} key heads`);
  return { q, k, v };
}

/** The type of scores and probabilities. */
function precisionOf(c: Inference<FlexAttributes>): ElementType {
  const { softmax_precision: code } = c.attributes;
  if (code === undefined) return c.element(Q) === 'float64' ? 'float64' : 'float32';
  const found = FLOATS.find((element) => ELEMENTS[element].onnx === code);
  return found ?? c.fail('INVALID_ATTRIBUTE', `softmax_precision ${code} is not one of ${FLOATS.join(', ')}`);
}

/** Checks that a modifier maps one tensor to one of the same type. */
function checkModifier(c: Inference<FlexAttributes>, name: 'score_mod' | 'prob_mod', scores: readonly Size[]): void {
  const modifier = c.attributes[name];
  if (!modifier) return;
  const { inputs, outputs } = modifier;
  if (inputs.length !== 1 || outputs.length !== 1)
    c.fail('INVALID_GRAPH', `${name} has ${inputs.length} inputs and ${outputs.length} outputs; it needs one of each`);
  const type = tensorType(precisionOf(c), scores);
  for (const found of [inputs[0]?.type, ...graphTypes(c, modifier, [type])]) {
    if (!found) continue;
    const dims = found.kind === 'tensor' ? (found.dims ?? scores) : [];
    const fits = dims.length === scores.length && dims.every((d, i) => isSame(d, scores[i] as Size));
    if (!fits || found.kind !== 'tensor' || found.element !== type.element)
      c.fail('INVALID_TYPE', `${name} expects ${formatType(found)}; the scores are ${formatType(type)}`);
  }
}

const isSame = (a: Size, b: Size) => !differ(a, b);

/** Moves query heads that share a key head to the rows of one head, or back. */
const regrouped = (c: Context, x: Value, from: readonly number[], heads: number): Value => {
  const [batch, own, rows, columns] = from as [number, number, number, number];
  return own === heads ? x : reshapeOpen(c, x, [0, heads, -1, 0], [batch, heads, (rows * own) / heads, columns]);
};

/** scale · Q·Kᵀ */
function scoresOf(c: Context, q: Value, k: Value, wide: ElementType, scale: number): Value {
  if (wide === 'float32')
    return emitOne(c, 'sardonyx:MatMul', [q, k], { transB: intAttribute(1), alpha: floatAttribute(scale) });
  const turned = emitOne(c, 'Transpose', [k], { perm: intsAttribute([0, 1, 3, 2]) });
  const f = arithmeticOn(c, wide);
  return f('Mul', f('MatMul', q, turned), scale);
}

function decompose(c: Context): Value[] | undefined {
  const shapes = shapesOf(c);
  if (!shapes || !isKnown(shapes.q) || !isKnown(shapes.k) || !isKnown(shapes.v)) return undefined;
  const [batch, heads, rows, columns] = shapes.q as [number, number, number, number];
  const [, kvHeads, keys] = shapes.k as [number, number, number];
  const { scale = 1 / Math.sqrt(columns), score_mod, prob_mod } = c.attributes;
  const [element, precision] = [c.element(Q), precisionOf(c)];
  const wide = element === 'float64' ? 'float64' : 'float32';
  const as = (x: Value, from: ElementType, to: ElementType) => (from === to ? x : castTo(c, x, to));
  const [q, k] = [as(c.input(Q), element, wide), as(c.input(K), element, wide)];
  if (!score_mod && !prob_mod && precision === wide) {
    const v = as(c.input(V), element, wide);
    const y = emitOne(c, 'sardonyx:Attention', [q, k, v], { scale: floatAttribute(scale) });
    return [as(y, wide, element)];
  }
  const products = scoresOf(c, regrouped(c, q, shapes.q, kvHeads), k, wide, scale);
  const grouped = [batch, kvHeads, (rows * heads) / kvHeads, keys];
  const scores = as(regrouped(c, products, grouped, heads), wide, precision);
  const [score = scores] = score_mod ? c.inline('score_mod', score_mod, [scores]) : [];
  const probabilities = emitOne(c, 'Softmax', [score], { axis: intAttribute(-1) });
  const [weight = probabilities] = prob_mod ? c.inline('prob_mod', prob_mod, [probabilities]) : [];
  const weights = regrouped(c, weight, [batch, heads, rows, keys], kvHeads);
  const sums = emitOne(c, 'MatMul', [weights, as(c.input(V), element, precision)]);
  const y = regrouped(c, sums, [...grouped.slice(0, 3), shapes.v[3] as number], heads);
  return [as(y, precision, element)];
}

/** https://onnx.ai/onnx/operators/onnx_aionnxpreview_FlexAttention.html: attention with subgraphs that modify scores and probabilities. */
export const flexAttention = defineOp({
  domain: 'ai.onnx.preview',
  name: 'FlexAttention',
  signature: 'Q: T1, K: T1, V: T1 -> Y: T1',
  types: { T1: FLOATS },
  attributes: { scale: float(), softmax_precision: int(), score_mod: graph(), prob_mod: graph() },
  infer(c) {
    const shapes = shapesOf(c);
    if (!shapes) return [tensorType(c.element(Q))];
    const { q, k, v } = shapes;
    const scores = [...q.slice(0, 3), k[2] as Size];
    checkModifier(c, 'score_mod', scores);
    checkModifier(c, 'prob_mod', scores);
    return [tensorType(c.element(Q), [...q.slice(0, 3), v[3] as Size])];
  },
  decompose,
});
