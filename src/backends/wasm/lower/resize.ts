import type { Place, Pointer } from '../../../../bindings/place.js';
import { type ResizeParameters, resize } from '../../../primitives/resize.js';
import { type AxisTable, outputLength } from '../../../primitives/resize-tables.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { copyIndexed } from './indexed-copy.js';

/** More taps than this per output cost less in two passes. */
const MAX_TAPS = 16;

/** The axes of each pass over the data: two neighbors, or one. */
function passesOf(tables: ReadonlyMap<number, AxisTable>): number[][] {
  const axes = [...tables.keys()].sort((a, b) => b - a);
  const passes: number[][] = [];
  for (const axis of axes) {
    const last = passes.at(-1);
    const next = last?.[0] as number;
    const taps = (a: number) => (tables.get(a) as AxisTable).taps;
    if (last?.length === 1 && next === axis + 1 && taps(axis) * taps(next) <= MAX_TAPS) last.unshift(axis);
    else passes.push([axis]);
  }
  return passes;
}

/** Whether every output is one element of the input. */
const copies = (tables: ReadonlyMap<number, AxisTable>) =>
  [...tables.values()].every(
    ({ taps, weights, constants }) => taps === 1 && !constants && weights.every((w) => w === 1),
  );

function lowerResize(c: Lowering, { tables }: ResizeParameters): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  if (elementCount(c.outputShape(0)) === 0) return;
  if (tables.size === 0) {
    c.alias(0, 0);
    return;
  }
  const dims = [...c.shape(0)];
  if (copies(tables)) {
    const whole = (length: number) => Int32Array.from({ length }, (_, i) => i);
    copyIndexed(
      c,
      dims.map((length, axis) => tables.get(axis)?.indices ?? whole(length)),
      undefined,
    );
    return;
  }
  const passes = passesOf(tables);
  let x = c.input(0);
  passes.forEach((axes, i) => {
    const from = [...dims];
    for (const axis of axes) dims[axis] = outputLength(tables.get(axis) as AxisTable);
    const y = i === passes.length - 1 ? c.output(0) : c.temporary(4 * elementCount(dims));
    launchPass(c, x, y, from, axes, tables);
    x = y;
  });
}

const STAY: AxisTable = { taps: 1, indices: Int32Array.of(0), weights: Float64Array.of(1), constants: null };

function launchPass(
  c: Lowering,
  x: Place,
  y: Place,
  dims: readonly number[],
  axes: readonly number[],
  tables: ReadonlyMap<number, AxisTable>,
): void {
  const [first, last] = [axes[0] as number, axes.at(-1) as number];
  const rows = tables.get(first) as AxisTable;
  const columns = axes.length > 1 ? (tables.get(last) as AxisTable) : STAY;
  const outer = elementCount(dims.slice(0, first));
  const channels = elementCount(dims.slice(last + 1));
  const [outHeight, outWidth] = [outputLength(rows), outputLength(columns)];
  const pixels = outer * outHeight * outWidth;
  const tilePixels = grainOf(pixels, channels * rows.taps * columns.taps);
  const constants = (table: AxisTable): Pointer => (table.constants ? c.table(table.constants) : 0);
  const params = {
    x,
    y,
    rowIndices: c.table(rows.indices),
    rowWeights: c.table(Float32Array.from(rows.weights)),
    rowConstants: constants(rows),
    columnIndices: c.table(columns.indices),
    columnWeights: c.table(Float32Array.from(columns.weights)),
    columnConstants: constants(columns),
    rowTaps: rows.taps,
    columnTaps: columns.taps,
    outer,
    height: dims[first] as number,
    width: axes.length > 1 ? (dims[last] as number) : 1,
    channels,
    xPixelStride: channels,
    yPixelStride: channels,
    outHeight,
    outWidth,
    tilePixels,
  };
  c.launch('resize', params, Math.ceil(pixels / tilePixels), { writes: [y] });
}

export const resizes = lowers(resize, lowerResize);
