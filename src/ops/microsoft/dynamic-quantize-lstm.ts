import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { quantizedRecurrentAttributes } from '../../primitives/quantized-recurrent.js';
import { int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireDims } from '../../schema/shapes.js';
import { emitOne, listOf, reshapeTo, scalarOf } from '../emit.js';
import { BYTES } from './quantized-operands.js';

const [X, W, R, B, LENGTHS, INITIAL_H, INITIAL_C, P, W_SCALE, W_ZERO, R_SCALE, R_ZERO] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
];
const GATES = 4;

interface Attributes {
  readonly direction: string;
  readonly hidden_size: number | undefined;
}

const directionsOf = (c: Inference<Attributes>): number => (c.attributes.direction === 'bidirectional' ? 2 : 1);

/** Checks that scales or zero points have one number per direction, or one per column of the direction's weights. */
function requireLevels(c: Inference<Attributes>, inputs: readonly number[], columns: Size | undefined): void {
  for (const i of inputs) requireDims(c, i, c.dims(i)?.length === 1 ? [directionsOf(c)] : [directionsOf(c), columns]);
}

function inferTypes(c: Inference<Attributes>) {
  const directions = directionsOf(c);
  const [x, r] = [dimsOfRank(c, X, 3), dimsOfRank(c, R, 3)];
  const hidden = r?.[1] ?? c.attributes.hidden_size;
  const columns = typeof hidden === 'number' ? GATES * hidden : undefined;
  requireDims(c, R, [directions, hidden, columns]);
  requireDims(c, W, [directions, x?.[2], columns]);
  requireDims(c, B, [directions, columns && 2 * columns]);
  requireDims(c, P, [directions, typeof hidden === 'number' ? 3 * hidden : undefined]);
  requireLevels(c, [W_SCALE, W_ZERO, R_SCALE, R_ZERO], columns);
  if (!x || hidden === undefined) return [0, 1, 2].map(() => tensorType('float32'));
  const [steps, batch] = x as [Size, Size];
  const state = [directions, batch, hidden];
  return [
    tensorType('float32', [steps, directions, batch, hidden]),
    tensorType('float32', state),
    tensorType('float32', state),
  ];
}

/** Takes direction `d` of a value whose first axis is directions. */
const ofDirection = (c: Decomposition<Attributes>, value: Value, d: number): Value =>
  emitOne(c, 'Gather', [value, scalarOf(c, d)], { axis: intAttribute(0) });

/** The sum of both biases of each gate, [directions, 4 · hidden]. */
function biases(c: Decomposition<Attributes>): Value | null {
  if (!c.given(B)) return null;
  const both = reshapeTo(c, c.input(B), [directionsOf(c), 2, -1]);
  return emitOne(c, 'ReduceSum', [both, listOf(c, [1])], { keepdims: intAttribute(0) });
}

/** Contribution of the input to the gates, [directions, steps, batch, 4 · hidden], by an integer product per direction. */
function gates(c: Decomposition<Attributes>): Value {
  const [x, scale, zero] = c.emit('DynamicQuantizeLinear', [c.input(X)], {}, 3) as [Value, Value, Value];
  const bias = biases(c);
  const each = Array.from({ length: directionsOf(c) }, (_, d) => {
    const [w, wScale, wZero] = [W, W_SCALE, W_ZERO].map((i) => ofDirection(c, c.input(i), d)) as [Value, Value, Value];
    const inputs = [x, w, scale, wScale, zero, wZero, bias && ofDirection(c, bias, d)];
    const product = emitOne(c, 'com.microsoft:MatMulIntegerToFloat', inputs);
    return emitOne(c, 'Unsqueeze', [product, listOf(c, [0])]);
  });
  return each.length === 1 ? (each[0] as Value) : emitOne(c, 'Concat', each, { axis: intAttribute(0) });
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.DynamicQuantizeLSTM */
export const dynamicQuantizeLstm = defineOp({
  domain: 'com.microsoft',
  name: 'DynamicQuantizeLSTM',
  signature:
    'X: T, W: T2, R: T2, B?: T, sequence_lens?: T1, initial_h?: T, initial_c?: T, P?: T, W_scale: T, W_zero_point: T2, R_scale: T, R_zero_point: T2 -> Y?: T, Y_h?: T, Y_c?: T',
  types: { T: ['float32'], T1: ['int32'], T2: BYTES },
  attributes: { ...quantizedRecurrentAttributes, hidden_size: int() },
  infer: inferTypes,
  decompose(c) {
    const known = [X, W, R, R_SCALE, W_SCALE, ...(c.given(B) ? [B] : [])].every((i) => c.dims(i));
    if (!known) return undefined;
    const { hidden_size: _, ...own } = c.node.attributes;
    const optional = [LENGTHS, INITIAL_H, INITIAL_C, P].map((i) => (c.given(i) ? c.input(i) : null));
    const recurrence = [R, R_SCALE, R_ZERO].map((i) => c.input(i));
    return c.emit('sardonyx:QuantizedLSTM', [gates(c), ...recurrence, ...optional], own, 3);
  },
});
