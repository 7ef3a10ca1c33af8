import { StridedCopy, type StridedCopyParams, type TransposeParams } from '../build/kernels.js';
import { isAtMost, isSame } from '../src/graph/guards.js';
import {
  ceilDivide,
  floorDivide,
  maximum,
  minimum,
  modulo,
  multiply,
  product,
  quotientOf,
  type Size,
} from '../src/graph/sizes.js';
import type { Fields } from './parameters.js';
import type { Pointer } from './place.js';
import { collapse } from './space.js';

/** A copy y[yOffset + Σ i·yStride] = x[xOffset + Σ i·xStride] over `dims`, all in elements; strides may be negative. */
export interface CopyDescription {
  readonly x: Pointer;
  readonly y: Pointer;
  readonly elementBytes: number;
  readonly dims: readonly Size[];
  readonly xStrides: readonly Size[];
  readonly yStrides: readonly Size[];
  readonly xOffset?: Size;
  readonly yOffset?: Size;
}

/** A launch. The planner allocates `table`, 32-bit words, and sets `params.table` to its address. */
export type CopyLaunch =
  | { kernel: 'stridedCopy'; params: Omit<Fields<StridedCopyParams>, 'table'>; table: Size[]; tiles: Size }
  | { kernel: 'transpose'; params: Omit<Fields<TransposeParams>, 'table'>; table: Size[]; tiles: Size };

interface Walk {
  elementBytes: number;
  dims: Size[];
  x: Size[];
  y: Size[];
  xOffset: Size;
  yOffset: Size;
}

/** The most dimensions that one launch supports. */
export const MAX_COPIED_RANK = StridedCopy.MAX_RANK;

export function planStridedCopy(copy: CopyDescription): CopyLaunch {
  const walk = widen(destinationOrder(copy));
  const { elementBytes, dims, xOffset, yOffset } = walk;
  const pointers = { x: copy.x, y: copy.y, xOffset, yOffset, elementBytes };
  const source = walk.x.findIndex((stride) => isSame(stride, 1));
  const last = dims.length - 1;
  const count = product(dims);
  if (source >= 0 && source < last && isSame(walk.y[last] as Size, 1) && !isSame(count, 0))
    return planTranspose(walk, pointers, source);
  if (dims.length > StridedCopy.MAX_RANK) throw new Error(`strided copy of rank ${dims.length}`);
  return {
    kernel: 'stridedCopy',
    params: { ...pointers, rank: dims.length, count },
    table: [...dims, ...walk.x, ...walk.y],
    tiles: ceilDivide(count, StridedCopy.TILE),
  };
}

type Pointers = Pick<Fields<StridedCopyParams>, 'x' | 'y' | 'xOffset' | 'yOffset' | 'elementBytes'>;

/** Rows are the dimension that is dense in x, columns the last, dense in y; blocks hold about a tile of elements. */
function planTranspose({ dims, x, y }: Walk, pointers: Pointers, source: number): CopyLaunch {
  const last = dims.length - 1;
  const [rows, columns] = [dims[source] as Size, dims[last] as Size];
  const blockColumns = minimum(columns, StridedCopy.TILE / 16);
  const blockRows = maximum(16, multiply(16, floorDivide(StridedCopy.TILE, multiply(16, blockColumns))));
  const others = (values: Size[]) => values.filter((_, d) => d !== source && d !== last);
  const planes = product(others(dims));
  const blocks = product([planes, ceilDivide(rows, blockRows), ceilDivide(columns, blockColumns)]);
  const blockElements = multiply(minimum(rows, blockRows), blockColumns);
  const tileBlocks = maximum(1, floorDivide(StridedCopy.TILE, blockElements));
  return {
    kernel: 'transpose',
    params: {
      ...pointers,
      rank: dims.length - 2,
      rows,
      columns,
      xStride: x[last] as Size,
      yStride: y[source] as Size,
      blockRows,
      blockColumns,
      planes,
      tileBlocks,
    },
    table: [...others(dims), ...others(x), ...others(y)],
    tiles: ceilDivide(blocks, tileBlocks),
  };
}

/** Sorts dimensions by the memory order of y, and merges those that are contiguous in x and y. */
function destinationOrder({ elementBytes, dims, xStrides, yStrides, xOffset = 0, yOffset = 0 }: CopyDescription): Walk {
  const steps = yStrides.map((stride) => (isAtMost(0, stride) ? stride : multiply(stride, -1)));
  const order = dims.map((_, d) => d).sort((a, b) => descending(steps[a] as Size, steps[b] as Size));
  const sorted = (values: readonly Size[]) => order.map((d) => values[d] as Size);
  const space = collapse(sorted(dims), [sorted(xStrides), sorted(yStrides)]);
  const [x, y] = space.strides as [Size[], Size[]];
  return { elementBytes, dims: space.dims, x, y, xOffset, yOffset };
}

const descending = (a: Size, b: Size): number => (isSame(a, b) ? 0 : isAtMost(a, b) ? 1 : -1);

const WIDEST = 16;

/** A short dense run of 2, 4, 8 or 16 bytes becomes one element. */
function widen(walk: Walk): Walk {
  const { dims, x, y } = walk;
  const last = dims.length - 1;
  const run = dims[last] as Size;
  const bytes = multiply(run, walk.elementBytes);
  const dense = isSame(x[last] as Size, 1) && isSame(y[last] as Size, 1);
  if (!dense || last === 0 || !isAtMost(bytes, WIDEST)) return walk;
  const width = [2, 4, 8, WIDEST].find((each) => isSame(bytes, each));
  const scaled = [...x.slice(0, last), ...y.slice(0, last), walk.xOffset, walk.yOffset];
  if (width === undefined || !scaled.every((v) => isMultiple(v, run))) return walk;
  const divide = (values: Size[]) => values.slice(0, last).map((v) => floorDivide(v, run));
  return {
    elementBytes: width,
    dims: dims.slice(0, last),
    x: divide(x),
    y: divide(y),
    xOffset: floorDivide(walk.xOffset, run),
    yOffset: floorDivide(walk.yOffset, run),
  };
}

const isMultiple = (a: Size, b: Size): boolean => quotientOf(a, b) !== undefined || isSame(modulo(a, b), 0);
