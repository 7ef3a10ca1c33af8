import type { Place, Pointer } from '../../../../bindings/place.js';
import { fixed, isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { resize } from '../../../primitives/resize.js';
import type { Resized } from '../../../primitives/resize-geometry.js';
import {
  axisConstants,
  axisIndices,
  axisWeights,
  type ResizeAxis,
  type ResizeMode,
  scaleBetween,
  stays,
  tapCount,
} from '../../../primitives/resize-tables.js';
import { type Formula, type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { copyIndexed } from './indexed-copy.js';

/** Above this many taps per output, two passes are cheaper. */
const MAX_TAPS = 16;

/** The axes of each pass over the data: two adjacent axes, or one. */
function passesOf({ how, axes }: Resized): number[][] {
  const passes: number[][] = [];
  for (const axis of [...axes.keys()].sort((a, b) => b - a)) {
    const last = passes.at(-1);
    const next = last?.[0] as number;
    const taps = (a: number) => tapCount(how, axes.get(a) as ResizeAxis);
    if (last?.length === 1 && next === axis + 1 && taps(axis) * taps(next) <= MAX_TAPS) last.unshift(axis);
    else passes.push([axis]);
  }
  return passes;
}

/** Whether every output is a copy of one input element. */
const copies = ({ how, axes }: Resized): boolean =>
  how.mode === 'nearest' &&
  (how.coordinates !== 'tf_crop_and_resize' ||
    [...axes.values()].every((along) => !axisConstants(how, along) && axisWeights(how, along).every((w) => w === 1)));

function lowerResize(c: Lowering, resized: Resized): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  if (isSame(product(c.outputShape(0)), 0)) return;
  const { axes } = resized;
  const [from, to] = [c.shape(0), c.outputShape(0)];
  if (!takesSizes(resized)) for (const size of [...from, ...to]) fixed(size);
  // Records guards: an unchanged axis stays so as long as its sizes are equal.
  for (const [axis, size] of from.entries()) if (!axes.has(axis)) isSame(size, to[axis] as Size);
  if (axes.size === 0) {
    c.alias(0, 0);
    return;
  }
  if (copies(resized)) return copyNearest(c, resized);
  const dims = [...c.shape(0)];
  const passes = passesOf(resized);
  let x = c.input(0);
  passes.forEach((passed, i) => {
    const from = [...dims];
    for (const axis of passed) dims[axis] = c.outputShape(0)[axis] as Size;
    const y = i === passes.length - 1 ? c.output(0) : c.temporary(multiply(product(dims), 4));
    launchPass(c, x, y, from, passed, resized);
    x = y;
  });
}

/**
 * Whether other lengths change only the tables, not the launches. False for crops and sizes fitted to an aspect
 * ratio, which may be arbitrary.
 */
const takesSizes = (resized: Resized): boolean =>
  resized.how.coordinates !== 'tf_crop_and_resize' &&
  resized.from !== 'aspect' &&
  !resized.barelyStays &&
  [...resized.axes.values()].every(({ input, output }) => input !== output);

/** The axis with other lengths; undefined if its number of taps would change, or it might stay as it is. */
function axisOf({ how, from }: Resized, own: ResizeAxis, input: number, output: number): ResizeAxis | undefined {
  const scale = from === 'scales' ? own.scale : scaleBetween(input, output);
  const other = { ...own, input, output, scale };
  const isLike = output !== input && !stays(how, other) && tapCount(how, other) === tapCount(how, own);
  return isLike ? other : undefined;
}

/** A table for an axis; a formula if it can serve other lengths. */
function along(
  c: Lowering,
  resized: Resized,
  axis: number,
  make: (how: ResizeMode, axis: ResizeAxis) => Int32Array | Float32Array,
): Formula | Int32Array | Float32Array {
  const { how, axes } = resized;
  const own = axes.get(axis) as ResizeAxis;
  if (!takesSizes(resized)) return make(how, own);
  return {
    sizes: [c.shape(0)[axis] as Size, c.outputShape(0)[axis] as Size],
    make([input, output]) {
      const other = axisOf(resized, own, input as number, output as number);
      return other && make(how, other);
    },
  };
}

function copyNearest(c: Lowering, resized: Resized): 'host' | undefined {
  const maps = c.shape(0).map((_, axis) => (resized.axes.has(axis) ? along(c, resized, axis, axisIndices) : null));
  return copyIndexed(c, maps as (Int32Array | Formula | null)[], undefined);
}

function launchPass(
  c: Lowering,
  x: Place,
  y: Place,
  dims: readonly Size[],
  passed: readonly number[],
  resized: Resized,
): void {
  const [first, last] = [passed[0] as number, passed.at(-1) as number];
  const [rows, columns] = [tablesOf(c, resized, first), passed.length > 1 ? tablesOf(c, resized, last) : stay(c)];
  const outer = product(dims.slice(0, first));
  const channels = product(dims.slice(last + 1));
  const pixels = product([outer, rows.output, columns.output]);
  const tilePixels = grainOf(pixels, multiply(channels, rows.taps * columns.taps));
  const params = {
    x,
    y,
    rowIndices: rows.indices,
    rowWeights: rows.weights,
    rowConstants: rows.constants,
    columnIndices: columns.indices,
    columnWeights: columns.weights,
    columnConstants: columns.constants,
    rowTaps: rows.taps,
    columnTaps: columns.taps,
    outer,
    height: dims[first] as Size,
    width: passed.length > 1 ? (dims[last] as Size) : 1,
    channels,
    xPixelStride: channels,
    yPixelStride: channels,
    outHeight: rows.output,
    outWidth: columns.output,
    tilePixels,
  };
  c.launch('resize', params, ceilDivide(pixels, tilePixels), { writes: [y] });
}

/** The tables of an axis, placed beside the program. */
interface Placed {
  readonly output: Size;
  readonly taps: number;
  readonly indices: Place;
  readonly weights: Place;
  readonly constants: Pointer;
}

function tablesOf(c: Lowering, resized: Resized, axis: number): Placed {
  const own = resized.axes.get(axis) as ResizeAxis;
  const constants = axisConstants(resized.how, own);
  return {
    output: c.outputShape(0)[axis] as Size,
    taps: tapCount(resized.how, own),
    indices: c.table(along(c, resized, axis, axisIndices)),
    weights: c.table(along(c, resized, axis, (how, other) => new Float32Array(axisWeights(how, other)))),
    constants: constants ? c.table(constants) : 0,
  };
}

/** The tables of an axis with a single element. */
const stay = (c: Lowering): Placed => ({
  output: 1,
  taps: 1,
  indices: c.table(Int32Array.of(0)),
  weights: c.table(Float32Array.of(1)),
  constants: 0,
});

export const resizes = lowers(resize, lowerResize);
