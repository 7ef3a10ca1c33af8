import type { Place, Pointer } from '../../../../bindings/place.js';
import { resize } from '../../../primitives/resize.js';
import type { Resized } from '../../../primitives/resize-geometry.js';
import {
  axesFromScales,
  axisConstants,
  axisIndices,
  axisWeights,
  type ResizeAxis,
  type ResizeMode,
  scaleBetween,
  tapCount,
} from '../../../primitives/resize-tables.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Formula, type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { copyIndexed } from './indexed-copy.js';

/** More taps than this per output cost less in two passes. */
const MAX_TAPS = 16;

/** The axes of each pass over the data: two neighbors, or one. */
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

/** Whether every output is one element of the input. */
const copies = ({ how, axes }: Resized): boolean =>
  how.mode === 'nearest' &&
  (how.coordinates !== 'tf_crop_and_resize' ||
    [...axes.values()].every((along) => !axisConstants(how, along) && axisWeights(how, along).every((w) => w === 1)));

function lowerResize(c: Lowering, resized: Resized): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  if (elementCount(c.outputShape(0)) === 0) return;
  const { axes } = resized;
  if (axes.size === 0) {
    c.alias(0, 0);
    return;
  }
  if (isEven(resized)) c.isEven();
  if (copies(resized)) return copyNearest(c, resized);
  const dims = [...c.shape(0)];
  const passes = passesOf(resized);
  let x = c.input(0);
  passes.forEach((passed, i) => {
    const from = [...dims];
    for (const axis of passed) dims[axis] = (axes.get(axis) as ResizeAxis).output;
    const y = i === passes.length - 1 ? c.output(0) : c.temporary(4 * elementCount(dims));
    launchPass(c, x, y, from, passed, resized);
    x = y;
  });
}

/** Whether other lengths come to the same launches by other tables: where crops begin and what sizes are fitted to may be anything. */
const isEven = (resized: Resized): boolean =>
  resized.how.coordinates !== 'tf_crop_and_resize' &&
  resized.from !== 'aspect' &&
  !resized.barelyStays &&
  [...resized.axes.values()].every(({ input, output }) => input !== output);

/** What an axis follows from. */
const numbersOf = ({ from }: Resized, { input, output, scale }: ResizeAxis): number[] =>
  from === 'scales' ? [input, output, scale] : [input, output];

/** An axis of other numbers; undefined where it would have another length or other taps, or might stay as it is. */
function axisOf({ how }: Resized, along: ResizeAxis, numbers: readonly number[]): ResizeAxis | undefined {
  const [input, output, given] = numbers as [number, number, number?];
  const scale = given ?? scaleBetween(input, output);
  const other = { ...along, input, output, scale };
  const length = given === undefined ? output : axesFromScales([input], [given])[0]?.[0];
  const isLike = length === output && output !== input && tapCount(how, other) === tapCount(how, along);
  return isLike ? other : undefined;
}

/** What `make` makes of an axis, and of those of other lengths. */
function along(
  resized: Resized,
  axis: number,
  make: (how: ResizeMode, axis: ResizeAxis) => Int32Array | Float32Array,
): Formula | Int32Array | Float32Array {
  const { how, axes } = resized;
  const own = axes.get(axis) as ResizeAxis;
  if (!isEven(resized)) return make(how, own);
  return {
    numbers: numbersOf(resized, own),
    make(numbers) {
      const other = axisOf(resized, own, numbers);
      return other && make(how, other);
    },
  };
}

function copyNearest(c: Lowering, resized: Resized): 'host' | undefined {
  const maps = c.shape(0).map((_, axis) => (resized.axes.has(axis) ? along(resized, axis, axisIndices) : null));
  return copyIndexed(c, maps as (Int32Array | Formula | null)[], undefined);
}

function launchPass(
  c: Lowering,
  x: Place,
  y: Place,
  dims: readonly number[],
  passed: readonly number[],
  resized: Resized,
): void {
  const [first, last] = [passed[0] as number, passed.at(-1) as number];
  const [rows, columns] = [tablesOf(c, resized, first), passed.length > 1 ? tablesOf(c, resized, last) : stay(c)];
  const outer = elementCount(dims.slice(0, first));
  const channels = elementCount(dims.slice(last + 1));
  const pixels = outer * rows.output * columns.output;
  const tilePixels = c.agreed(grainOf(pixels, channels * rows.taps * columns.taps));
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
    height: dims[first] as number,
    width: passed.length > 1 ? (dims[last] as number) : 1,
    channels,
    xPixelStride: channels,
    yPixelStride: channels,
    outHeight: rows.output,
    outWidth: columns.output,
    tilePixels,
  };
  c.launch('resize', params, { count: pixels, per: tilePixels, times: 1 }, { writes: [y] });
}

/** The tables of an axis, beside the program. */
interface Placed {
  readonly output: number;
  readonly taps: number;
  readonly indices: Place;
  readonly weights: Place;
  readonly constants: Pointer;
}

function tablesOf(c: Lowering, resized: Resized, axis: number): Placed {
  const own = resized.axes.get(axis) as ResizeAxis;
  const constants = axisConstants(resized.how, own);
  return {
    output: own.output,
    taps: tapCount(resized.how, own),
    indices: c.table(along(resized, axis, axisIndices)),
    weights: c.table(along(resized, axis, (how, other) => new Float32Array(axisWeights(how, other)))),
    constants: constants ? c.table(constants) : 0,
  };
}

/** Of an axis of which there is but one element. */
const stay = (c: Lowering): Placed => ({
  output: 1,
  taps: 1,
  indices: c.table(Int32Array.of(0)),
  weights: c.table(Float32Array.of(1)),
  constants: 0,
});

export const resizes = lowers(resize, lowerResize);
