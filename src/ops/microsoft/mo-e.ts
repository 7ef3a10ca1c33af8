import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { differ } from '../../graph/guards.js';
import { formatSize, isKnown } from '../../graph/sizes.js';
import { float, int, oneOf } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { dimsOfRank, sameAsInput } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { arithmeticOn, emitOne, listOf, reshapeOpen, reshapeTo } from '../emit.js';
import { reshapeLike, sizesAlong } from '../emit-shapes.js';
import { throughFloat32 } from '../through-float32.js';

const [X, ROUTER, FC1, BIAS1, FC2, BIAS2, FC3, BIAS3] = [0, 1, 2, 3, 4, 5, 6, 7];

interface Routing {
  readonly k: number;
  readonly normalize_routing_weights: number;
  readonly activation_type: string;
  readonly activation_alpha: number;
  readonly activation_beta: number;
  readonly swiglu_fusion: number;
  readonly swiglu_limit: number;
}

const ACTIVATIONS: Readonly<Record<string, (c: Decomposition<Routing>, x: Value) => Value>> = {
  relu: (c, x) => emitOne(c, 'Relu', [x]),
  gelu: (c, x) => emitOne(c, 'Gelu', [x], { approximate: { type: 'string', value: 'tanh' } }),
  silu: (c, x) => emitOne(c, 'Swish', [x]),
  identity: (_, x) => x,
};

/** g · sigmoid(alpha · g) · (l + beta), with g and l clipped to the limit. */
function swiglu(c: Decomposition<Routing>, gate: Value, linear: Value): Value {
  const { activation_alpha: alpha, activation_beta: beta, swiglu_limit: limit } = c.attributes;
  const f = arithmeticOn(c, 'float32');
  const bound = (value: number) => (Number.isFinite(limit) ? c.constant(tensorOf('float32', [], [value])) : null);
  const g = emitOne(c, 'Clip', [gate, null, bound(limit)]);
  const l = emitOne(c, 'Clip', [linear, bound(-limit), bound(limit)]);
  return f('Mul', emitOne(c, 'Swish', [g], { alpha: floatAttribute(alpha) }), f('Add', l, beta));
}

/** The two halves of the last axis, interleaved or consecutive. */
function halves(c: Decomposition<Routing>, x: Value, inter: number): [Value, Value] {
  const isInterleaved = c.attributes.swiglu_fusion === 1;
  const pairs = reshapeTo(c, x, isInterleaved ? [0, 0, inter, 2] : [0, 0, 2, inter]);
  const axis = intAttribute(isInterleaved ? -1 : -2);
  const part = (i: number) => emitOne(c, 'Gather', [pairs, c.constant(tensorOf('int64', [], [i]))], { axis });
  return [part(0), part(1)];
}

/** Returns weights or biases of all experts, or of those that rows have chosen. */
type Expert = (input: number) => Value;

/** Applies each expert's network to its rows of `x` [experts, rows, hidden]. */
function network(c: Decomposition<Routing>, x: Value, own: Expert, inter: number): Value {
  const layer = (input: Value, weights: number, bias: number): Value => {
    const sums = emitOne(c, 'sardonyx:MatMul', [input, own(weights)], { transB: intAttribute(1) });
    if (!c.given(bias)) return sums;
    return emitOne(c, 'Add', [sums, emitOne(c, 'Unsqueeze', [own(bias), listOf(c, [1])])]);
  };
  const { activation_type, swiglu_fusion } = c.attributes;
  const first = layer(x, FC1, BIAS1);
  const third = () => layer(x, FC3, BIAS3);
  const hidden = (): Value => {
    if (activation_type === 'swiglu')
      return swiglu(c, ...(swiglu_fusion ? halves(c, first, inter) : ([first, third()] as [Value, Value])));
    const activated = (ACTIVATIONS[activation_type] as (typeof ACTIVATIONS)[string])(c, first);
    return c.given(FC3) ? emitOne(c, 'Mul', [activated, third()]) : activated;
  };
  return layer(hidden(), FC2, BIAS2);
}

/** Shares and experts of each row, both [rows, k]. */
function chosen(c: Decomposition<Routing>): [shares: Value, experts: Value] {
  const probabilities = emitOne(c, 'Softmax', [c.input(ROUTER)]);
  const [shares, experts] = c.emit('TopK', [probabilities, listOf(c, [c.attributes.k])], {}, 2) as [Value, Value];
  if (!c.attributes.normalize_routing_weights) return [shares, experts];
  return [emitOne(c, 'Div', [shares, emitOne(c, 'ReduceSum', [shares, listOf(c, [1])])]), experts];
}

/** For few rows: gathers the weights of each row's experts. */
function byRow(c: Decomposition<Routing>, x: Value, rows: number, hidden: number, inter: number): Value {
  const { k } = c.attributes;
  const [shares, experts] = chosen(c);
  const list = reshapeTo(c, experts, [-1]);
  const own: Expert = (input) => emitOne(c, 'Gather', [c.input(input), list]);
  const apart = reshapeOpen(c, x, [-1, 1, hidden], [rows, 1, hidden]);
  const repeated = emitOne(c, 'Expand', [apart, listOf(c, [1, k, 1])]);
  const y = network(c, reshapeOpen(c, repeated, [-1, 1, hidden], [rows * k, 1, hidden]), own, inter);
  const perRow = reshapeOpen(c, y, [-1, k, hidden], [rows, k, hidden]);
  const weighted = emitOne(c, 'Mul', [perRow, emitOne(c, 'Unsqueeze', [shares, listOf(c, [-1])])]);
  return emitOne(c, 'ReduceSum', [weighted, listOf(c, [1])], { keepdims: intAttribute(0) });
}

/** For many rows: every expert processes all rows, with shares that are mostly 0. */
function byExpert(c: Decomposition<Routing>, x: Value, rows: number, hidden: number, inter: number): Value {
  const [shares, experts] = chosen(c);
  const none = emitOne(c, 'Expand', [c.constant(tensorOf('float32', [], [0])), sizesAlong(c, c.input(ROUTER), 0, 2)]);
  const all = emitOne(c, 'ScatterElements', [none, experts, shares], { axis: intAttribute(1) });
  const y = network(c, reshapeOpen(c, x, [1, -1, hidden], [1, rows, hidden]), (input) => c.input(input), inter);
  const perExpert = emitOne(c, 'Unsqueeze', [emitOne(c, 'Transpose', [all]), listOf(c, [-1])]);
  const weighted = emitOne(c, 'Mul', [y, perExpert]);
  return emitOne(c, 'ReduceSum', [weighted, listOf(c, [0])], { keepdims: intAttribute(0) });
}

function checkShapes(c: Inference<Routing>): void {
  const [router, fc2] = [dimsOfRank(c, ROUTER, 2), dimsOfRank(c, FC2, 3)];
  dimsOfRank(c, FC1, 3);
  const hidden = c.dims(X)?.at(-1);
  if (differ(fc2?.[0], router?.[1]) || differ(fc2?.[1], hidden))
    c.fail(
      'INVALID_SHAPE',
      `fc2_experts_weights [${fc2}] must be [${formatSize(router?.[1])}, ${formatSize(hidden)}, …]`,
    );
  const { k, activation_type, swiglu_fusion } = c.attributes;
  const experts = router?.[1];
  if (k < 1 || (typeof experts === 'number' && k > experts))
    c.fail('INVALID_ATTRIBUTE', `k must be from 1 to ${formatSize(experts)}, the number of experts, not ${k}`);
  if (activation_type === 'swiglu' && !swiglu_fusion && !c.given(FC3))
    c.fail('INVALID_ATTRIBUTE', 'swiglu needs swiglu_fusion 1 or 2, or fc3_experts_weights');
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MoE */
export const moE = defineOp({
  domain: 'com.microsoft',
  name: 'MoE',
  signature:
    'input: T, router_probs: T, fc1_experts_weights: T, fc1_experts_bias?: T, fc2_experts_weights: T, fc2_experts_bias?: T, fc3_experts_weights?: T, fc3_experts_bias?: T -> output: T',
  types: { T: FLOATS },
  attributes: {
    k: int(1),
    activation_type: oneOf('relu', 'gelu', 'silu', 'swiglu', 'identity'),
    activation_alpha: float(1),
    activation_beta: float(0),
    normalize_routing_weights: int(0),
    swiglu_fusion: int(0),
    swiglu_limit: float(Number.POSITIVE_INFINITY),
    use_sparse_mixer: int(0),
  },
  infer(c) {
    checkShapes(c);
    return sameAsInput(c);
  },
  decompose(c) {
    const [dims, router, fc2] = [c.dims(X), c.dims(ROUTER), c.dims(FC2)];
    if (!isKnown(dims) || !isKnown(router) || !isKnown(fc2)) return undefined;
    const halved = throughFloat32(c);
    if (halved) return halved;
    const hidden = dims.at(-1) as number;
    const [rows, experts] = router as [number, number];
    const arrange = rows * c.attributes.k <= experts ? byRow : byExpert;
    return [reshapeLike(c, arrange(c, c.input(X), rows, hidden, fc2[2] as number), c.input(X))];
  },
});
