import type { Attribute, Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { toChannelsFirst, toChannelsLast } from '../../../primitives/channels-last.js';
import { resizeParameters, resize as resizing } from '../../../primitives/resize.js';
import {
  ASYMMETRIC,
  lengthsOf,
  numbersAt,
  type ResizeAttributes,
  ROI,
  resizeAttributes,
  resizedAxes,
  resizeSignature,
  SCALES,
  SIZES,
} from '../../../primitives/resize-geometry.js';
import { float, floats, oneOf } from '../../../schema/attributes.js';
import { by, type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, FLOATS } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';
import { permutation } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

/** Whether batch or channels are known to be resized as well. */
function beyondSpatial(c: Inference<ResizeAttributes>, dims: readonly Size[]): boolean {
  const lengths = lengthsOf(c);
  return [0, 1].some((axis) => typeof dims[axis] === 'number' && lengths && lengths[axis] !== dims[axis]);
}

/** Emits the resize with the inputs and attributes of a version of the operator, in channels-last order if `channelsLast`. */
function emitResize(
  c: Decomposition<unknown>,
  inputs: readonly (Value | null)[],
  own: Record<string, Attribute>,
  axes: readonly number[],
  channelsLast: boolean,
): Value[] {
  const emit = (x: Value, axes: readonly number[]) =>
    c.emit('sardonyx:Resize', [x, ...inputs], { ...own, axes: { type: 'ints', value: axes } });
  if (!channelsLast) return emit(c.input(0), axes);
  const rank = c.dims(0)?.length as number;
  const order = toChannelsLast(rank);
  const [x] = c.emit('Transpose', [c.input(0)], permutation(order)) as [Value];
  const [y] = emit(
    x,
    axes.map((axis) => order.indexOf(axis)),
  ) as [Value];
  return c.emit('Transpose', [y], permutation(toChannelsFirst(rank)));
}

/** https://onnx.ai/onnx/operators/onnx__Resize.html */
const resizeFrom11 = defineOp({
  name: 'Resize',
  since: 11,
  signature: resizeSignature,
  types: { T1: ANY, T2: FLOATS },
  attributes: resizeAttributes,
  planned: [ROI, SCALES, SIZES],
  infer: (c) => [like(c, 0, lengthsOf(c))],
  decompose(c) {
    const dims = c.dims(0);
    if (!dims) return undefined;
    if (c.element(0) !== 'float32') return c.attributes.mode === 'nearest' ? undefined : throughFloat32(c);
    const inputs = [ROI, SCALES, SIZES].map((i) => (c.given(i) ? c.input(i) : null));
    const spatial = dims.length > 2 && !beyondSpatial(c, dims);
    return emitResize(c, inputs, c.node.attributes, resizedAxes(c, dims.length), spatial);
  },
  computes: by(resizing, resizeParameters),
});

type Scales = (c: Inference<unknown>) => readonly number[] | undefined;

/** Presents an early version, which has only scales as input or attribute, as the newest. */
function asNewest<C extends Inference<unknown>>(c: C, scales: Scales): C & Inference<ResizeAttributes> {
  const { mode } = c.attributes as { mode: string };
  const known = scales(c);
  const contents = known && { type: 'float32', dims: [known.length], data: Float32Array.from(known) };
  return Object.assign(Object.create(c) as C, {
    attributes: { ...DEFAULTS, ...ASYMMETRIC, mode },
    contents: (i: number) => (i === SCALES ? contents : undefined),
    sizes: () => undefined,
  }) as C & Inference<ResizeAttributes>;
}

const DEFAULTS = Object.fromEntries(
  Object.entries(resizeAttributes).map(([name, spec]) => [name, spec.fallback]),
) as unknown as ResizeAttributes;

function early(
  name: string,
  since: number,
  own: { readonly input: boolean; readonly attributes: object },
  scales: Scales,
) {
  return defineOp({
    name,
    since,
    signature: own.input ? 'X: T, scales: float32 -> Y: T' : 'X: T -> Y: T',
    types: { T: ANY },
    attributes: { mode: oneOf('nearest', 'linear', 'bilinear', 'cubic'), ...own.attributes },
    planned: own.input ? [1] : [],
    infer: (c) => [like(c, 0, lengthsOf(asNewest(c, scales)))],
    decompose(c) {
      const dims = c.dims(0);
      const known = scales(c);
      if (!dims || c.element(0) !== 'float32' || (!known && !own.input)) return undefined;
      const newest = asNewest(c as unknown as Inference<unknown>, scales);
      const constant = known && { type: 'float32' as const, dims: [known.length], data: Float32Array.from(known) };
      const given = own.input ? c.input(1) : c.constant(constant as never);
      const texts = { ...ASYMMETRIC, mode: newest.attributes.mode };
      const words = Object.entries(texts).map(([key, value]) => [key, { type: 'string', value }]);
      const spatial = dims.length > 2 && !beyondSpatial(newest, dims);
      return emitResize(c, [null, given, null], Object.fromEntries(words), resizedAxes(newest, dims.length), spatial);
    },
    computes: by(resizing, (c: Inference<unknown>) => resizeParameters(asNewest(c, scales))),
  });
}

const scalesInput: Scales = (c) => numbersAt(c, 1);

export const resize = [resizeFrom11, early('Resize', 10, { input: true, attributes: {} }, scalesInput)];

/** https://onnx.ai/onnx/operators/onnx__Upsample.html */
export const upsample = [
  early('Upsample', 9, { input: true, attributes: {} }, scalesInput),
  early('Upsample', 7, { input: false, attributes: { scales: floats.required } }, (c) => {
    return (c.attributes as { scales: readonly number[] }).scales;
  }),
  early(
    'Upsample',
    1,
    { input: false, attributes: { height_scale: float.required, width_scale: float.required } },
    (c) => {
      const { height_scale, width_scale } = c.attributes as { height_scale: number; width_scale: number };
      return [1, 1, height_scale, width_scale];
    },
  ),
];
