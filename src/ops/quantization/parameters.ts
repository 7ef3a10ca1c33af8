import type { Value } from '../../graph/graph.js';
import type { ElementType } from '../../tensor/element-types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { int64List, intAttribute } from '../constants.js';
import type { Decomposition, Inference } from '../definition.js';
import { aboutAxis } from '../rows.js';
import { axisOf } from '../shapes.js';

/** Inputs of QuantizeLinear and DequantizeLinear. */
export const [X, SCALE, ZERO_POINT] = [0, 1, 2];

export interface QuantizationAttributes {
  readonly axis: number;
  readonly block_size: number;
  readonly output_dtype: number;
}

/** The integers that quantized types hold. */
export const RANGES: Partial<Record<ElementType, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int4: [-8, 7],
  uint4: [0, 15],
  int2: [-2, 1],
  uint2: [0, 3],
};

export const INTEGERS_QUANTIZED = Object.keys(RANGES) as ElementType[];
export const FLOATS_QUANTIZED: readonly ElementType[] = [
  'float8e4m3fn',
  'float8e4m3fnuz',
  'float8e5m2',
  'float8e5m2fnuz',
  'float4e2m1',
];

/** Which entry of scale and zero point holds for each element: one for all, one per slice of the axis, or one per block. */
export function parameterIndex(
  c: Inference<QuantizationAttributes>,
  dims: readonly number[],
  scaleDims: readonly number[],
): (element: number) => number {
  const count = elementCount(scaleDims);
  if (count === 1) return () => 0;
  const axis = axisOf(c, c.attributes.axis, dims.length);
  const { length, inner } = aboutAxis(dims, axis);
  const blocked = scaleDims.length === dims.length && scaleDims.length > 1;
  const entries = blocked ? (scaleDims[axis] as number) : count;
  const size = c.attributes.block_size || Math.ceil(length / entries);
  if (!blocked && entries !== length) {
    c.fail('INVALID_SHAPE', `${entries} scales for ${length} slices of axis ${axis} of [${dims}]`);
  }
  return (element) => {
    const along = Math.floor(element / inner) % length;
    if (!blocked) return along;
    const outer = Math.floor(element / inner / length);
    return (outer * entries + Math.floor(along / size)) * inner + (element % inner);
  };
}

/**
 * Scale or zero point as float32 that broadcasts to the dims of x; undefined where it is blocked or too little is known.
 */
export function broadcastParameter(c: Decomposition<QuantizationAttributes>, i: number): Value | undefined {
  const [dims, own] = [c.dims(X), c.dims(i)];
  if (!dims || !own || own.length > 1) return undefined;
  const [value] = c.emit('Cast', [c.input(i)], { to: intAttribute(1) }) as [Value];
  if (own.length === 0 || own[0] === 1) return value;
  const behind = dims.length - 1 - axisOf(c, c.attributes.axis, dims.length);
  const shape = [-1, ...new Array<number>(behind).fill(1)];
  return c.emit('Reshape', [value, c.constant(int64List(shape))])[0];
}
