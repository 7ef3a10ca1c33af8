import { intAttribute, intsAttribute, stringAttribute } from '../../graph/attributes.js';
import type { Attribute, Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import {
  type AxisWindow,
  type KnownWindow,
  poolAttributes,
  type WindowAttributes,
  windowsOf,
} from '../../primitives/window.js';
import { int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { like } from '../../schema/shapes.js';
import { arithmeticOn, castTo, emitOne, listOf } from '../emit.js';
import { sizesAlong } from '../emit-shapes.js';
import { quantized } from '../onnx/quantization/quantized.js';
import { BYTES, dequantizedAt, distances, levelsAt, requireOneLevel, roundedFrom } from './quantized-operands.js';

const [X, X_SCALE, Y_SCALE] = [0, 1, 3];

interface Layout {
  readonly channels_last: number;
}

/** Spatial dimensions of X; undefined if unknown. */
function spatialDims(c: Inference<Layout>): readonly Size[] | undefined {
  const dims = c.dims(X);
  if (dims && dims.length < 3) c.fail('INVALID_SHAPE', `input 0 must be [N, C, spatial…], not [${dims}]`);
  return c.attributes.channels_last ? dims?.slice(1, -1) : dims?.slice(2);
}

/** The shape of X with other spatial dimensions. */
function withSpatial(c: Inference<Layout>, spatial: readonly Size[] | undefined): Size[] | undefined {
  const dims = c.dims(X);
  if (!dims || !spatial) return undefined;
  const channels = dims.at(c.attributes.channels_last ? -1 : 1) as Size;
  const first = dims[0] as Size;
  return c.attributes.channels_last ? [first, ...spatial, channels] : [first, channels, ...spatial];
}

/** Global average: sums integers and scales once. */
function globalAverage(c: Decomposition<Layout>, rank: number): Value {
  const f = arithmeticOn(c, 'float32');
  const [x, y] = [levelsAt(c, X_SCALE), levelsAt(c, Y_SCALE)];
  const first = c.attributes.channels_last ? 1 : 2;
  const axes = Array.from({ length: rank }, (_, i) => first + i);
  const sums = emitOne(c, 'ReduceSum', [distances(c, c.input(X), x), listOf(c, axes)]);
  const sizes = sizesAlong(c, c.input(X), first, first + rank);
  const count = castTo(c, emitOne(c, 'ReduceProd', [sizes], { keepdims: intAttribute(0) }), 'float32');
  const steps = f('Mul', sums, f('Div', x.scale, f('Mul', y.scale, count)));
  return quantized(c, steps, y.zeroPoint, c.element(X));
}

const SIGNATURE = 'X: T, x_scale: float32, x_zero_point?: T, y_scale: float32, y_zero_point?: T -> Y: T';

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearGlobalAveragePool */
export const qLinearGlobalAveragePool = defineOp({
  domain: 'com.microsoft',
  name: 'QLinearGlobalAveragePool',
  signature: SIGNATURE,
  types: { T: BYTES },
  attributes: { channels_last: int(0) },
  infer(c) {
    requireOneLevel(c, X_SCALE, Y_SCALE);
    return [
      like(
        c,
        X,
        withSpatial(
          c,
          spatialDims(c)?.map(() => 1),
        ),
      ),
    ];
  },
  decompose(c) {
    const spatial = spatialDims(c);
    return spatial && [globalAverage(c, spatial.length)];
  },
});

type PoolAttributes = Layout &
  WindowAttributes & { readonly kernel_shape: readonly number[]; readonly count_include_pad: number };

const isWhole = ({ size, kernel, padBefore, padAfter }: AxisWindow) =>
  size === kernel && padBefore === 0 && padAfter === 0;

/**
 * Attributes for ONNX's AveragePool. With count_include_pad and ceil_mode, onnxruntime also counts places beyond the padding, so they are
 * added to the pads.
 */
function averaging(c: Decomposition<PoolAttributes>, windows: readonly KnownWindow[]): Record<string, Attribute> {
  const { channels_last: _, ...own } = c.node.attributes;
  if (!c.attributes.count_include_pad || !c.attributes.ceil_mode) return own;
  const after = windows.map(({ size, kernel, stride, padBefore, padAfter, out }) =>
    Math.max(padAfter, (out - 1) * stride + kernel - padBefore - size),
  );
  const pads = intsAttribute([...windows.map((w) => w.padBefore), ...after]);
  return { ...own, auto_pad: stringAttribute('NOTSET'), ceil_mode: intAttribute(0), pads };
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearAveragePool */
export const qLinearAveragePool = defineOp({
  domain: 'com.microsoft',
  name: 'QLinearAveragePool',
  signature: SIGNATURE,
  types: { T: BYTES },
  attributes: { ...poolAttributes, count_include_pad: int(0), channels_last: int(0) },
  infer(c) {
    requireOneLevel(c, X_SCALE, Y_SCALE);
    const spatial = spatialDims(c);
    return [like(c, X, withSpatial(c, spatial && windowsOf(c, spatial, c.attributes.kernel_shape).map((w) => w.out)))];
  },
  decompose(c) {
    const spatial = spatialDims(c);
    if (!spatial?.every((d) => typeof d === 'number')) return undefined;
    const windows = windowsOf(c, spatial, c.attributes.kernel_shape) as KnownWindow[];
    if (windows.every(isWhole)) return [globalAverage(c, spatial.length)];
    const operator = c.attributes.channels_last ? 'sardonyx:AveragePool' : 'AveragePool';
    const averages = emitOne(c, operator, [dequantizedAt(c, X)], averaging(c, windows));
    const { scale, zeroPoint } = levelsAt(c, Y_SCALE);
    return [roundedFrom(c, arithmeticOn(c, 'float32')('Div', averages, scale), zeroPoint, c.element(X))];
  },
});
