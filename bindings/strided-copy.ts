import { StridedCopy, type StridedCopyParams, type TransposeParams } from '../build/kernels.js';
import type { Pointer } from './place.js';
import { collapse } from './space.js';
import type { Tiles } from './tiles.js';

/** A copy y[yOffset + Σ i·yStride] = x[xOffset + Σ i·xStride] over `dims`, all in elements; strides may be negative. */
export interface CopyDescription {
  readonly x: Pointer;
  readonly y: Pointer;
  readonly elementBytes: number;
  readonly dims: readonly number[];
  readonly xStrides: readonly number[];
  readonly yStrides: readonly number[];
  readonly xOffset?: number;
  readonly yOffset?: number;
}

/** A launch. The planner allocates `table`, 32-bit words, and sets `params.table` to its address. */
export type CopyLaunch =
  | { kernel: 'stridedCopy'; params: Omit<StridedCopyParams, 'table'>; table: number[]; tiles: Tiles }
  | { kernel: 'transpose'; params: Omit<TransposeParams, 'table'>; table: number[]; tiles: Tiles };

interface Walk {
  elementBytes: number;
  dims: number[];
  x: number[];
  y: number[];
  xOffset: number;
  yOffset: number;
}

/** The most dimensions that one launch supports. */
export const MAX_COPIED_RANK = StridedCopy.MAX_RANK;

/** @param agreed turns a choice that depends on sizes into one that is valid for all sizes of a plan */
export function planStridedCopy(copy: CopyDescription, agreed = (choice: number) => choice): CopyLaunch {
  const walk = widen(destinationOrder(copy));
  const { elementBytes, dims, xOffset, yOffset } = walk;
  const pointers = { x: copy.x, y: copy.y, xOffset, yOffset, elementBytes };
  const source = walk.x.indexOf(1);
  const last = dims.length - 1;
  const count = product(dims);
  if (count > 0 && source >= 0 && source < last && walk.y[last] === 1)
    return planTranspose(walk, pointers, source, agreed);
  if (dims.length > StridedCopy.MAX_RANK) throw new Error(`strided copy of rank ${dims.length}`);
  return {
    kernel: 'stridedCopy',
    params: { ...pointers, rank: dims.length, count },
    table: [...dims, ...walk.x, ...walk.y],
    tiles: { count, per: StridedCopy.TILE, times: 1 },
  };
}

type Pointers = Pick<StridedCopyParams, 'x' | 'y' | 'xOffset' | 'yOffset' | 'elementBytes'>;

/** Rows are the dimension that is dense in x; columns the last, which is dense in y. Blocks hold about a tile of elements. */
function planTranspose(
  { dims, x, y }: Walk,
  pointers: Pointers,
  source: number,
  agreed: (choice: number) => number,
): CopyLaunch {
  const last = dims.length - 1;
  const [rows, columns] = [dims[source] as number, dims[last] as number];
  const blockColumns = agreed(Math.min(columns, StridedCopy.TILE / 16));
  const blockRows = Math.max(16, Math.floor(StridedCopy.TILE / blockColumns / 16) * 16);
  const others = (values: number[]) => values.filter((_, d) => d !== source && d !== last);
  const planes = product(others(dims));
  const down = { count: rows, per: blockRows, times: planes };
  const blocks = { count: columns, per: blockColumns, times: down };
  const blockElements = Math.min(rows, blockRows) * blockColumns;
  const tileBlocks = agreed(Math.max(1, Math.floor(StridedCopy.TILE / blockElements)));
  return {
    kernel: 'transpose',
    params: {
      ...pointers,
      rank: dims.length - 2,
      rows,
      columns,
      xStride: x[last] as number,
      yStride: y[source] as number,
      blockRows,
      blockColumns,
      planes,
      tileBlocks,
    },
    table: [...others(dims), ...others(x), ...others(y)],
    tiles: { count: blocks, per: tileBlocks, times: 1 },
  };
}

/** Sorts dimensions by the memory order of y, and merges those that are contiguous in x and y. */
function destinationOrder({ elementBytes, dims, xStrides, yStrides, xOffset = 0, yOffset = 0 }: CopyDescription): Walk {
  const order = dims.map((_, d) => d).sort((a, b) => Math.abs(yStrides[b] as number) - Math.abs(yStrides[a] as number));
  const sorted = (values: readonly number[]) => order.map((d) => values[d] as number);
  const space = collapse(sorted(dims), [sorted(xStrides), sorted(yStrides)]);
  const [x, y] = space.strides as [number[], number[]];
  return { elementBytes, dims: space.dims, x, y, xOffset, yOffset };
}

/** Makes a short dense run of 2, 4, 8 or 16 bytes one element. */
function widen(walk: Walk): Walk {
  const { dims, x, y } = walk;
  const last = dims.length - 1;
  const run = dims[last] as number;
  const bytes = walk.elementBytes * run;
  const dense = x[last] === 1 && y[last] === 1;
  if (!dense || last === 0 || ![2, 4, 8, 16].includes(bytes)) return walk;
  const scaled = [...x.slice(0, last), ...y.slice(0, last), walk.xOffset, walk.yOffset];
  if (scaled.some((v) => v % run !== 0)) return walk;
  const divide = (values: number[]) => values.slice(0, last).map((v) => v / run);
  return {
    elementBytes: bytes,
    dims: dims.slice(0, last),
    x: divide(x),
    y: divide(y),
    xOffset: walk.xOffset / run,
    yOffset: walk.yOffset / run,
  };
}

const product = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);
