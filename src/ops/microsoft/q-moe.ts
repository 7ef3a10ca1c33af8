import { intAttribute, stringAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { formatSize, isKnown, modulo } from '../../graph/sizes.js';
import { EXPERT_COLUMNS } from '../../primitives/n-bit-experts.js';
import { float, int, oneOf } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { requireDims, sameAsInput } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeOpen, reshapeTo, scalarOf } from '../emit.js';
import { reshapeLike, sizesAlong } from '../emit-shapes.js';
import { converted } from './converted.js';
import { codesIn, fromLow } from './packed-bytes.js';

const [INPUT, ROUTER, ROUTER_WEIGHTS] = [0, 1, 14];

/** Input indices of a layer, for all experts. */
interface Layer {
  readonly weights: number;
  readonly scales: number;
  readonly bias: number;
  readonly zeros: number;
}

const FC1: Layer = { weights: 2, scales: 3, bias: 4, zeros: 11 };
const FC2: Layer = { weights: 5, scales: 6, bias: 7, zeros: 12 };
const FC3: Layer = { weights: 8, scales: 9, bias: 10, zeros: 13 };

const LAYERS = [FC1, FC2, FC3];

/** Whether the shapes of a layer's weights and zero points are known, if given. */
const areKnown = (c: Inference<unknown>, { weights, zeros }: Layer): boolean =>
  [weights, zeros].every((i) => !c.given(i) || isKnown(c.dims(i)));

interface Attributes {
  readonly k: number;
  readonly expert_weight_bits: number;
  readonly block_size: number;
  readonly activation_type: string;
  readonly activation_alpha: number;
  readonly activation_beta: number;
  readonly swiglu_limit: number;
  readonly swiglu_fusion: number;
  readonly normalize_routing_weights: number;
  readonly use_sparse_mixer: number;
  readonly quant_type: string;
}

type Node = Decomposition<Attributes>;

const codesPerByte = (c: Inference<Attributes>) => 8 / c.attributes.expert_weight_bits;

function checkAttributes(c: Inference<Attributes>): void {
  const { expert_weight_bits: bits, block_size: block, k, quant_type } = c.attributes;
  if (![2, 4, 8].includes(bits)) c.fail('INVALID_ATTRIBUTE', `expert_weight_bits must be 2, 4 or 8, not ${bits}`);
  if (block !== 0 && (block < 16 || Math.log2(block) % 1 !== 0))
    c.fail('INVALID_ATTRIBUTE', `block_size must be 0 or a power of two and at least 16, not ${block}`);
  const experts = c.dims(ROUTER)?.[1];
  if (k < 1 || (typeof experts === 'number' && k > experts))
    c.fail('INVALID_ATTRIBUTE', `k must be from 1 to the number of experts ${formatSize(experts)}, not ${k}`);
  if (quant_type !== 'int') c.fail('INVALID_ATTRIBUTE', `quant_type must be int, not ${quant_type}`);
  if (c.attributes.use_sparse_mixer) c.fail('INVALID_ATTRIBUTE', 'use_sparse_mixer must be 0');
}

/** Checks that fc3 is given exactly if swiglu takes gate and linear part from two layers instead of a fused one. */
function checkGating(c: Inference<Attributes>): void {
  const { activation_type, swiglu_fusion } = c.attributes;
  const needsThird = activation_type === 'swiglu' && swiglu_fusion === 0;
  if (needsThird !== c.given(FC3.weights))
    c.fail('INVALID_GRAPH', 'must have fc3 if activation_type is swiglu and swiglu_fusion is 0, and otherwise not');
}

/** Checks the shapes of a layer with `rows` outputs and `columns` inputs, for all experts. */
function checkLayer(c: Inference<Attributes>, layer: Layer, rows: number, columns: number): void {
  const experts = c.dims(ROUTER)?.[1];
  const { block_size } = c.attributes;
  const pack = codesPerByte(c);
  const blocks = Math.ceil(columns / block_size);
  requireDims(c, layer.weights, [experts, rows, columns / pack]);
  requireDims(c, layer.scales, block_size ? [experts, rows, blocks] : [experts, rows]);
  requireDims(c, layer.bias, [experts, rows]);
  if (c.given(layer.zeros)) checkZeros(c, layer, rows, blocks);
}

/** Zero points are packed along blocks, or along rows if a row is one block. */
function checkZeros(c: Inference<Attributes>, { zeros }: Layer, rows: number, blocks: number): void {
  const experts = c.dims(ROUTER)?.[1];
  const packed = (count: number) => Math.ceil(count / codesPerByte(c));
  const areRows = c.attributes.block_size === 0 || (blocks === 1 && c.dims(zeros)?.length === 2);
  requireDims(c, zeros, areRows ? [experts, packed(rows)] : [experts, rows, packed(blocks)]);
}

function checkShapes(c: Inference<Attributes>): void {
  const hidden = c.dims(INPUT)?.at(-1);
  const inner = c.dims(FC2.weights)?.[2];
  const rank = c.dims(INPUT)?.length;
  if (rank !== undefined && rank !== 2 && rank !== 3)
    c.fail('INVALID_SHAPE', `input 0 must be [tokens, hidden] or [batch, sequence, hidden], not [${c.dims(INPUT)}]`);
  if (typeof hidden !== 'number' || typeof inner !== 'number') return;
  const width = inner * codesPerByte(c);
  checkLayer(c, FC1, c.attributes.swiglu_fusion ? 2 * width : width, hidden);
  checkLayer(c, FC2, hidden, width);
  if (c.given(FC3.weights)) checkLayer(c, FC3, width, hidden);
}

/** Selects experts: all of them, or those of each token. */
interface Choice {
  readonly lead: readonly number[];
  readonly of: (value: Value) => Value;
}

/** Unpacks the first `count` codes along the last axis of [lead…, bytes]. */
function unpacked(c: Node, bytes: Value, lead: readonly number[], count: number): Value {
  if (codesPerByte(c) === 1) return castTo(c, bytes, 'float32');
  const room = Math.ceil(count / codesPerByte(c)) * codesPerByte(c);
  const all = reshapeTo(c, codesIn(c, bytes, fromLow(c.attributes.expert_weight_bits)), [...lead, room]);
  return room === count ? all : emitOne(c, 'Slice', [all, listOf(c, [0]), listOf(c, [count]), listOf(c, [-1])]);
}

/** Zero points of a layer in float32, per block or per row. */
function zeros(c: Node, layer: Layer, { lead, of }: Choice, blocks: number): Value {
  const rows = c.dims(layer.weights)?.[1] as number;
  const bytes = of(c.input(layer.zeros));
  return c.dims(layer.zeros)?.length === 3
    ? unpacked(c, bytes, [...lead, rows], blocks)
    : unpacked(c, bytes, lead, rows);
}

/** Weights of a layer in float32, [lead…, columns, rows]. */
function weights(c: Node, layer: Layer, choice: Choice): Value {
  const { lead, of } = choice;
  const [, rows, bytes] = c.dims(layer.weights) as [number, number, number];
  const columns = bytes * codesPerByte(c);
  const block = c.attributes.block_size || columns;
  const blocks = columns / block;
  const f = arithmeticOn(c, 'float32');
  const chosen = (i: number) => of(c.input(i));
  const perBlock = (value: Value) => reshapeTo(c, value, [...lead, rows, blocks, 1]);
  const codes = reshapeTo(c, unpacked(c, chosen(layer.weights), [...lead, rows], columns), [
    ...lead,
    rows,
    blocks,
    block,
  ]);
  const zero = c.given(layer.zeros)
    ? perBlock(zeros(c, layer, choice, blocks))
    : 2 ** (c.attributes.expert_weight_bits - 1);
  const scales = converted(c, chosen(layer.scales), c.element(layer.scales), 'float32');
  const values = reshapeTo(c, f('Mul', f('Sub', codes, zero), perBlock(scales)), [...lead, rows, columns]);
  const perm = [...lead.map((_, axis) => axis), lead.length + 1, lead.length];
  return emitOne(c, 'Transpose', [values], { perm: { type: 'ints', value: perm } });
}

/** Applies a layer of the selected experts. */
type Linear = (x: Value, layer: Layer) => Value;

const inFloats =
  (c: Node, choice: Choice): Linear =>
  (x, layer) => {
    const product = emitOne(c, 'MatMul', [x, weights(c, layer, choice)]);
    if (!c.given(layer.bias)) return product;
    const bias = converted(c, choice.of(c.input(layer.bias)), c.element(layer.bias), 'float32');
    return arithmeticOn(c, 'float32')('Add', product, emitOne(c, 'Unsqueeze', [bias, listOf(c, [-2])]));
  };

/** Multiplies by codes as stored. Each row of `x` goes through the experts that it chooses; the results are stacked. */
const inCodes =
  (c: Node, chosen: Value): Linear =>
  (x, layer) => {
    const stored = (i: number) => (c.given(i) ? c.input(i) : null);
    const inFloat32 = (i: number) => (c.given(i) ? converted(c, c.input(i), c.element(i), 'float32') : null);
    const scales = c.element(layer.scales) === 'bfloat16' ? inFloat32(layer.scales) : stored(layer.scales);
    const operands = [x, stored(layer.weights), scales, stored(layer.zeros), inFloat32(layer.bias), chosen];
    const [, rows, bytes] = c.dims(layer.weights) as [number, number, number];
    return emitOne(c, 'sardonyx:ExpertMatMulNBits', operands, {
      K: intAttribute(bytes * codesPerByte(c)),
      N: intAttribute(rows),
      bits: intAttribute(c.attributes.expert_weight_bits),
      block_size: intAttribute(c.attributes.block_size),
    });
  };

/** Whether the rows of all layers fill whole panels. */
const fitsPanels = (c: Node): boolean =>
  LAYERS.every(({ weights: i }) => !c.given(i) || modulo(c.dims(i)?.[1] ?? 1, EXPERT_COLUMNS) === 0);

/** Halves of the last axis, of length `size`: consecutive or interleaved. */
function halves(c: Node, x: Value, size: number): [Value, Value] {
  const half = size / 2;
  const cut = (start: number, end: number, step: number) =>
    emitOne(c, 'Slice', [x, ...[start, end, -1, step].map((n) => listOf(c, [n]))]);
  return c.attributes.swiglu_fusion === 1 ? [cut(0, size, 2), cut(1, size, 2)] : [cut(0, half, 1), cut(half, size, 1)];
}

function swiglu(c: Node, gate: Value, linearPart: Value): Value {
  const { activation_alpha: alpha, activation_beta: beta, swiglu_limit: limit } = c.attributes;
  const f = arithmeticOn(c, 'float32');
  const isLimited = Number.isFinite(limit);
  const g = isLimited ? f('Min', gate, limit) : gate;
  const l = isLimited ? f('Clip', linearPart, -limit, limit) : linearPart;
  return f('Mul', f('Mul', g, emitOne(c, 'Sigmoid', [f('Mul', g, alpha)])), f('Add', l, beta));
}

/** Activations of one operand. */
const ACTIVATIONS: Readonly<Record<string, (c: Node, x: Value) => Value>> = {
  relu: (c, x) => emitOne(c, 'Relu', [x]),
  gelu: (c, x) => emitOne(c, 'Gelu', [x], { approximate: stringAttribute('tanh') }),
  silu: (c, x) => emitOne(c, 'Mul', [x, emitOne(c, 'Sigmoid', [x])]),
  identity: (_, x) => x,
};

function activated(c: Node, x: Value, linear: Linear): Value {
  const first = linear(x, FC1);
  const plain = ACTIVATIONS[c.attributes.activation_type];
  if (plain) return plain(c, first);
  if (c.given(FC3.weights)) return swiglu(c, first, linear(x, FC3));
  const [gate, rest] = halves(c, first, c.dims(FC1.weights)?.[1] as number);
  return swiglu(c, gate, rest);
}

/** The experts of each token, [tokens, k], and their shares. Among equal experts the last is chosen, as in onnxruntime. */
function routes(c: Node, experts: number): { readonly chosen: Value; readonly shares: Value } {
  const { k, normalize_routing_weights } = c.attributes;
  const backward = [-1, -experts - 1, -1, -1].map((n) => listOf(c, [n]));
  const logits = emitOne(c, 'Slice', [converted(c, c.input(ROUTER), c.element(ROUTER), 'float32'), ...backward]);
  const [largest, places] = c.emit('TopK', [logits, listOf(c, [k])], { axis: intAttribute(-1) }, 2) as [Value, Value];
  const chosen = emitOne(c, 'Sub', [scalarOf(c, experts - 1), places]);
  if (!c.given(ROUTER_WEIGHTS)) return { chosen, shares: emitOne(c, 'Softmax', [largest]) };
  const all = converted(c, c.input(ROUTER_WEIGHTS), c.element(ROUTER_WEIGHTS), 'float32');
  const own = emitOne(c, 'GatherElements', [all, chosen], { axis: intAttribute(1) });
  return { chosen, shares: counted(c, normalize_routing_weights ? normalized(c, own) : own) };
}

function normalized(c: Node, shares: Value): Value {
  const f = arithmeticOn(c, 'float32');
  const sum = emitOne(c, 'ReduceSum', [shares, listOf(c, [1])]);
  return f('Mul', shares, f('Where', f('Equal', sum, 0), 0, f('Div', 1, sum)));
}

/** Sets shares of at most 1e-8 to 0: onnxruntime skips experts without a positive share. */
function counted(c: Node, shares: Value): Value {
  const f = arithmeticOn(c, 'float32');
  return f('Where', f('Greater', shares, 1e-8), shares, 0);
}

/** Runs every token through its own experts. */
function throughChosen(c: Node, x: Value, tokens: number, experts: number): Value {
  const { chosen, shares } = routes(c, experts);
  const { k } = c.attributes;
  const linear = inCodes(c, chosen);
  const y = linear(activated(c, x, linear), FC2);
  const hidden = c.dims(INPUT)?.at(-1) as number;
  const f = arithmeticOn(c, 'float32');
  const perChoice = reshapeOpen(c, y, [-1, k, hidden], [tokens, k, hidden]);
  const shared = f('Mul', perChoice, emitOne(c, 'Unsqueeze', [shares, listOf(c, [-1])]));
  return emitOne(c, 'ReduceSum', [shared, listOf(c, [1])]);
}

/** Runs all tokens through all experts; the share of experts that a token does not choose is 0. */
function throughAll(c: Node, x: Value, experts: number): Value {
  const { chosen, shares } = routes(c, experts);
  const linear = inFloats(c, { lead: [experts], of: (value) => value });
  const y = linear(activated(c, x, linear), FC2);
  const shape = sizesAlong(c, c.input(ROUTER), 0, 2);
  const none = emitOne(c, 'Expand', [c.constant(tensorOf('float32', [], [0])), shape]);
  const all = emitOne(c, 'ScatterElements', [none, chosen, shares], { axis: intAttribute(1) });
  const perExpert = emitOne(c, 'Unsqueeze', [emitOne(c, 'Transpose', [all]), listOf(c, [-1])]);
  return emitOne(c, 'ReduceSum', [emitOne(c, 'Mul', [y, perExpert]), listOf(c, [0])]);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QMoE: MoE with quantized weights. */
export const qMoe = defineOp({
  domain: 'com.microsoft',
  name: 'QMoE',
  signature:
    'input: T, router_probs: T, fc1_experts_weights: T1, fc1_scales: T2, fc1_experts_bias?: T, fc2_experts_weights: T1, fc2_scales: T2, fc2_experts_bias?: T, fc3_experts_weights?: T1, fc3_scales?: T2, fc3_experts_bias?: T, fc1_zero_points?: T1, fc2_zero_points?: T1, fc3_zero_points?: T1, router_weights?: T -> output: T',
  types: { T: ['float32', 'float16', 'bfloat16'], T1: ['uint8'], T2: ['float32', 'float16', 'bfloat16'] },
  attributes: {
    activation_alpha: float(1),
    activation_beta: float(0),
    activation_type: oneOf('relu', 'gelu', 'silu', 'swiglu', 'identity'),
    block_size: int(0),
    expert_weight_bits: int(4),
    k: int(1),
    normalize_routing_weights: int(0),
    quant_type: oneOf('int', 'fp4', 'fp8', 'wfp4afp8'),
    swiglu_fusion: int(0),
    swiglu_limit: float(Number.POSITIVE_INFINITY),
    use_sparse_mixer: int(0),
    weights_prepacked: int(-1),
  },
  infer(c) {
    checkAttributes(c);
    checkGating(c);
    checkShapes(c);
    return sameAsInput(c);
  },
  decompose(c) {
    const [dims, router] = [c.dims(INPUT), c.dims(ROUTER)];
    if (!isKnown(dims) || !isKnown(router) || !LAYERS.every((layer) => areKnown(c, layer))) return undefined;
    const [tokens, experts] = router as [number, number];
    const x = converted(c, c.input(INPUT), c.element(INPUT), 'float32');
    const width = dims.at(-1) as number;
    const rows = reshapeOpen(c, x, [-1, width], [elementCount(dims.slice(0, -1)), width]);
    const y = fitsPanels(c) ? throughChosen(c, rows, tokens, experts) : throughAll(c, rows, experts);
    const shaped = reshapeLike(c, y, c.input(INPUT));
    return [converted(c, shaped, 'float32', c.element(INPUT))];
  },
});
