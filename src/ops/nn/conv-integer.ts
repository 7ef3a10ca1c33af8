import type { Attribute, Value } from '../../graph/graph.js';
import { type Dim, tensorType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { int, ints } from '../attributes.js';
import { permutation, toChannelsFirst, toChannelsLast } from '../channels-last.js';
import { int64List, intAttribute } from '../constants.js';
import { type Decomposition, defineOp, type Inference } from '../definition.js';
import { castTo, centered, EXACT_PRODUCTS, sliceOf, sumExactly } from '../math/integer-products.js';
import { type WindowAttributes, windowAttributes, windowsOf } from './window.js';

type ConvAttributes = WindowAttributes & { readonly group: number };

const BYTES: readonly ElementType[] = ['int8', 'uint8'];
const attributes = { ...windowAttributes, group: int(1), kernel_shape: ints() };

function outDims(c: Inference<ConvAttributes>, w: number): Dim[] | undefined {
  const [x, weights] = [c.dims(0), c.dims(w)];
  if (!x || !weights) return undefined;
  const [outChannels, channels, ...kernel] = weights as readonly number[];
  const { group } = c.attributes;
  if (x.length < 3 || weights.length !== x.length)
    c.fail('INVALID_SHAPE', `convolves [${x}] with weights [${weights}]`);
  const fits = typeof x[1] !== 'number' || x[1] === (channels as number) * group;
  if (!fits || (outChannels as number) % group !== 0) {
    c.fail('INVALID_SHAPE', `[${x}] does not fit weights [${weights}] in ${group} groups`);
  }
  return [x[0] as Dim, weights[0] as Dim, ...windowsOf(c, x.slice(2), kernel).map((window) => window.out)];
}

/** x ∗ w in float32 for a run of the channels of each group, exact where the run is short enough. */
function convolveExactly(c: Decomposition<ConvAttributes>, x: Value, w: Value, dims: readonly number[]): Value {
  const [outChannels, channels, ...kernel] = dims as [number, number, ...number[]];
  const { group } = c.attributes;
  const taps = kernel.reduce((n, k) => n * k, 1);
  const step = Math.max(1, Math.floor(EXACT_PRODUCTS / taps));
  const emitConv = (input: Value, weights: Value, groups: number) => {
    const attributes = { ...c.node.attributes, group: intAttribute(groups), exact: intAttribute(1) };
    const [last] = c.emit('Transpose', [input], permutation(toChannelsLast(dims.length))) as [Value];
    const [y] = c.emit('sardonyx:Conv', [last, weights], attributes) as [Value];
    return c.emit('Transpose', [y], permutation(toChannelsFirst(dims.length)))[0] as Value;
  };
  if (channels <= step) return castTo(c, emitConv(x, w, group), 'int32');
  const rows = outChannels / group;
  const parts = Array.from({ length: group }, (_, g) => {
    const own = group === 1 ? w : sliceOf(c, w, 0, g * rows, (g + 1) * rows);
    return sumExactly(c, channels, step, (from, to) => {
      const input = sliceOf(c, x, 1, g * channels + from, g * channels + to);
      return emitConv(input, sliceOf(c, own, 1, from, to), 1);
    });
  });
  return group === 1 ? (parts[0] as Value) : (c.emit('Concat', parts, { axis: intAttribute(1) })[0] as Value);
}

/** https://onnx.ai/onnx/operators/onnx__ConvInteger.html */
export const convInteger = defineOp({
  name: 'ConvInteger',
  since: 10,
  signature: 'x: T1, w: T2, x_zero_point?: T1, w_zero_point?: T2 -> y: int32',
  types: { T1: BYTES, T2: BYTES },
  attributes,
  infer: (c) => [tensorType('int32', outDims(c, 1))],
  decompose(c) {
    const dims = c.dims(1) as readonly number[] | undefined;
    if (!dims || !outDims(c, 1)) return undefined;
    const behind = dims.slice(1).map(() => 1);
    const x = centered(c, 0, 2, [1, -1, ...behind.slice(1)]);
    return [convolveExactly(c, x, centered(c, 1, 3, [-1, ...behind]), dims)];
  },
});

/** https://onnx.ai/onnx/operators/onnx__QLinearConv.html */
export const qLinearConv = defineOp({
  name: 'QLinearConv',
  since: 10,
  signature:
    'x: T1, x_scale: float32, x_zero_point: T1, w: T2, w_scale: float32, w_zero_point: T2, y_scale: float32, y_zero_point: T3, B?: int32 -> y: T3',
  types: { T1: BYTES, T2: BYTES, T3: BYTES },
  attributes,
  infer: (c) => [tensorType(c.element(7), outDims(c, 3))],
  decompose(c) {
    const dims = c.dims(3);
    if (!dims || !outDims(c, 3)) return undefined;
    const emit = (operator: string, inputs: Value[], own: Record<string, Attribute> = {}) =>
      c.emit(operator, inputs, own)[0] as Value;
    const perChannel = (value: Value) =>
      emit('Reshape', [value, c.constant(int64List([-1, ...dims.slice(2).map(() => 1)]))]);
    const inputs = [c.input(0), c.input(3), c.input(2), c.input(5)];
    const sums = emit('ConvInteger', inputs, c.node.attributes);
    const biased = c.given(8) ? emit('Add', [sums, perChannel(c.input(8))]) : sums;
    const scale = emit('Mul', [c.input(1), perChannel(c.input(4))]);
    const scaled = emit('Mul', [castTo(c, biased, 'float32'), scale]);
    return [emit('QuantizeLinear', [scaled, c.input(6), c.input(7)])];
  },
});
