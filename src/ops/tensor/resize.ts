import { derived } from '../../graph/dims.js';
import type { Attribute, Value } from '../../graph/graph.js';
import type { Dim } from '../../graph/types.js';
import { numbersOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { float, floats, int, ints, string } from '../attributes.js';
import { permutation, toChannelsFirst, toChannelsLast } from '../channels-last.js';
import { type Decomposition, defineOp, type Evaluation, type Inference, type Lowering } from '../definition.js';
import { ANY, FLOATS } from '../element-sets.js';
import { axesOf, like } from '../shapes.js';
import { throughFloat32 } from '../through-float32.js';
import { lowerResize, resizeOnHost } from './resize-passes.js';
import {
  type AspectRatio,
  type AxisTable,
  axesFromScales,
  axesFromSizes,
  axisTable,
  isIdentity,
  type ResizeMode,
} from './resize-tables.js';

export interface ResizeAttributes {
  readonly mode: string;
  readonly coordinate_transformation_mode: string;
  readonly nearest_mode: string;
  readonly cubic_coeff_a: number;
  readonly exclude_outside: number;
  readonly extrapolation_value: number;
  readonly antialias: number;
  readonly axes: readonly number[] | undefined;
  readonly keep_aspect_ratio_policy: string;
}

export const resizeAttributes = {
  mode: string('nearest'),
  coordinate_transformation_mode: string('half_pixel'),
  nearest_mode: string('round_prefer_floor'),
  cubic_coeff_a: float(-0.75),
  exclude_outside: int(0),
  extrapolation_value: float(0),
  antialias: int(0),
  axes: ints(),
  keep_aspect_ratio_policy: string('stretch'),
};

/** Inputs of every version but the oldest. */
const [ROI, SCALES, SIZES] = [1, 2, 3];
const signature = 'X: T1, roi?: T2, scales?: float32, sizes?: int64 -> Y: T1';

/** Contents of input `i` as numbers; an empty tensor stands for an input left out. */
function numbersAt(c: Inference<unknown>, i: number): readonly number[] | undefined {
  const contents = c.contents(i);
  return contents && elementCount(contents.dims) > 0 ? Array.from(numbersOf(contents)) : undefined;
}

const resizedAxes = (c: Inference<ResizeAttributes>, rank: number): readonly number[] =>
  c.attributes.axes ? axesOf(c, c.attributes.axes, rank) : Array.from({ length: rank }, (_, i) => i);

function lengthsOf(c: Inference<ResizeAttributes>): readonly Dim[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const axes = resizedAxes(c, dims.length);
  const input = axes.map((axis) => dims[axis] as Dim);
  const lengths = resizedLengths(c, input);
  return dims.map((d, axis) => (axes.includes(axis) ? (lengths[axes.indexOf(axis)] as Dim) : d));
}

/** Lengths of the resized axes, in the order of `axes`. */
function resizedLengths(c: Inference<ResizeAttributes>, input: readonly Dim[]): readonly Dim[] {
  const scales = numbersAt(c, SCALES);
  const sizes = c.sizes(SIZES);
  const given = scales ?? (sizes?.length ? sizes : undefined);
  if (!given) return input.map(() => c.unknown());
  if (given.length !== input.length) {
    c.fail('INVALID_SHAPE', `resizes ${input.length} axes by ${given.length} ${scales ? 'scales' : 'sizes'}`);
  }
  if (scales) {
    return input.map((d, i) => {
      const scale = scales[i] as number;
      if (scale === 1) return d;
      return derived(`*${scale}`, [d], (n) => (axesFromScales([n], [scale])[0] as [number, number])[0]);
    });
  }
  const { keep_aspect_ratio_policy: policy } = c.attributes;
  if (policy === 'stretch') return given;
  const known = [...input, ...given].every((d) => typeof d === 'number');
  if (!known) return input.map(() => c.unknown());
  return axesFromSizes(input as number[], given as number[], policy as AspectRatio).map(([length]) => length);
}

function modeOf(c: Inference<ResizeAttributes>): ResizeMode {
  const a = c.attributes;
  return {
    mode: a.mode.replace('bilinear', 'linear') as ResizeMode['mode'],
    coordinates: a.coordinate_transformation_mode as ResizeMode['coordinates'],
    rounding: a.nearest_mode as ResizeMode['rounding'],
    cubicCoefficient: a.cubic_coeff_a,
    excludeOutside: a.exclude_outside !== 0,
    antialias: a.antialias !== 0,
    extrapolationValue: a.extrapolation_value,
  };
}

/** What happens along each axis that changes. */
export function tablesOf(c: Inference<ResizeAttributes>, dims: readonly number[]): Map<number, AxisTable> {
  const axes = resizedAxes(c, dims.length);
  const input = axes.map((axis) => dims[axis] as number);
  const scales = numbersAt(c, SCALES);
  const sizes = numbersAt(c, SIZES) ?? [];
  const targets = scales
    ? axesFromScales(input, scales)
    : axesFromSizes(input, sizes, c.attributes.keep_aspect_ratio_policy as AspectRatio);
  const roi = numbersAt(c, ROI);
  const how = modeOf(c);
  const tables = axes.map((axis, i): [number, AxisTable] => {
    const [output, scale] = targets[i] as [number, number];
    const region = [roi?.[i] ?? 0, roi?.[i + axes.length] ?? 1] as const;
    return [axis, axisTable(how, { input: input[i] as number, output, scale, roi: region })];
  });
  return new Map(tables.filter(([axis, table]) => !isIdentity(table, dims[axis] as number)));
}

const evaluate = (c: Evaluation<ResizeAttributes>) => {
  const x = c.tensor(0);
  return [resizeOnHost(x, tablesOf(c, x.dims), c.attributes.mode === 'nearest')];
};

/** Whether batch or channels are known to be resized too. */
function beyondSpatial(c: Inference<ResizeAttributes>, dims: readonly Dim[]): boolean {
  const lengths = lengthsOf(c);
  return [0, 1].some((axis) => typeof dims[axis] === 'number' && lengths && lengths[axis] !== dims[axis]);
}

/** Emits the resize, spatial axes in channels-last order, by what each version of the operator gives. */
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

/** Resize along any axes: https://onnx.ai/onnx/operators/onnx__Resize.html */
export const fusedResize = defineOp({
  domain: 'sardonyx',
  name: 'Resize',
  signature,
  types: { T1: ['float32'], T2: FLOATS },
  attributes: resizeAttributes,
  planned: [ROI, SCALES, SIZES],
  infer: (c) => [like(c, 0, lengthsOf(c))],
  lower: (c: Lowering<ResizeAttributes>) => lowerResize(c, tablesOf(c, c.shape(0))),
});

const resizeFrom11 = defineOp({
  name: 'Resize',
  since: 11,
  signature,
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
  evaluate,
});

/** The versions before: asymmetric coordinates, rounded down, all axes. */
export const ASYMMETRIC = { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };

type Scales = (c: Inference<unknown>) => readonly number[] | undefined;

/** A version that has nothing but scales, as input or attribute, seen as the newest. */
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
    attributes: { mode: string('nearest'), ...own.attributes },
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
    evaluate: (c) => evaluate(asNewest(c as never, scales) as never),
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
