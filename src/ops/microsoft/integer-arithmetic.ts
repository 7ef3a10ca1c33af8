import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { int, ints } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { axesOf, broadcastInputs } from '../../schema/shapes.js';
import { arithmeticOn, castTo, emitOne, listOf } from '../emit.js';
import { BYTES, dequantizedAt, levelsAt, quantizedTo, requireOne, requireOneLevel } from './quantized-operands.js';

interface Reduction {
  readonly axes: readonly number[];
  readonly keepdims: number;
}

const reductionAttributes = { axes: ints.required, keepdims: int.required };

function reducedDims(c: Inference<Reduction>): Size[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const axes = new Set(axesOf(c, c.attributes.axes, dims.length));
  const kept = dims.map((d, axis) => (axes.has(axis) ? 1 : d));
  return c.attributes.keepdims ? kept : dims.filter((_, axis) => !axes.has(axis));
}

const reduced = (c: Decomposition<Reduction>, op: string, x: Value): Value =>
  emitOne(c, op, [x, listOf(c, c.attributes.axes)], { keepdims: intAttribute(c.attributes.keepdims) });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearReduceMean */
export const qLinearReduceMean = defineOp({
  domain: 'com.microsoft',
  name: 'QLinearReduceMean',
  signature:
    'data: T, data_scale: float32, data_zero_point?: T, reduced_scale: float32, reduced_zero_point?: T -> reduced: T',
  types: { T: BYTES },
  attributes: reductionAttributes,
  infer(c) {
    requireOneLevel(c, 1, 3);
    return [tensorType(c.element(0), reducedDims(c))];
  },
  decompose: (c) => [quantizedTo(c, reduced(c, 'ReduceMean', dequantizedAt(c, 0)), levelsAt(c, 3), c.element(0))],
});

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.ReduceSumInteger */
export const reduceSumInteger = defineOp({
  domain: 'com.microsoft',
  name: 'ReduceSumInteger',
  signature: 'data: T1 -> reduced: T2',
  types: { T1: BYTES, T2: ['int32', 'uint32'] },
  attributes: reductionAttributes,
  infer: (c) => [tensorType(c.element(0) === 'uint8' ? 'uint32' : 'int32', reducedDims(c))],
  decompose(c) {
    const sums = reduced(c, 'ReduceSum', castTo(c, c.input(0), 'int32'));
    return [c.element(0) === 'uint8' ? castTo(c, sums, 'uint32') : sums];
  },
});

/** Input `i` minus the zero point in the next input, in int32. */
function distance(c: Decomposition<unknown>, i: number): Value {
  const x = castTo(c, c.input(i), 'int32');
  return c.given(i + 1) ? arithmeticOn(c, 'int32')('Sub', x, castTo(c, c.input(i + 1), 'int32')) : x;
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MulInteger */
export const mulInteger = defineOp({
  domain: 'com.microsoft',
  name: 'MulInteger',
  signature: 'A: T, A_zero_point?: T, B: T, B_zero_point?: T -> C: T1',
  types: { T: BYTES, T1: ['int32'] },
  infer(c) {
    requireOne(c, 1, 3);
    return [tensorType('int32', broadcastInputs(c, [0, 2]))];
  },
  decompose: (c) => c.emit('Mul', [distance(c, 0), distance(c, 2)]),
});
