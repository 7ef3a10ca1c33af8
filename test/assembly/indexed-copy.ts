import type { Pointer } from '../../bindings/place.js';
import { IndexedCopy, type IndexedCopyParams, StridedCopy } from '../../build/kernels.js';

export type PadMode = 'constant' | 'reflect' | 'edge' | 'wrap';

/** Where each of `before + dim + after` positions along a padded dimension reads, −1 for the fill; negative counts crop. */
export function padIndices(dim: number, before: number, after: number, mode: PadMode): number[] {
  return Array.from({ length: Math.max(0, before + dim + after) }, (_, k) => PAD[mode](k - before, dim));
}

const modulo = (i: number, n: number) => ((i % n) + n) % n;

const PAD: Record<PadMode, (i: number, dim: number) => number> = {
  constant: (i, dim) => (i >= 0 && i < dim ? i : IndexedCopy.FILL),
  edge: (i, dim) => Math.min(Math.max(i, 0), dim - 1),
  wrap: (i, dim) => modulo(i, dim),
  reflect(i, dim) {
    const there = modulo(i, Math.max(1, 2 * (dim - 1)));
    return there < dim ? there : 2 * (dim - 1) - there;
  },
};

/** y[i] = x[…, indices[d][i_d], …] over a dense x of `shape`; a dimension without indices is copied as it is. */
export interface IndexedCopyDescription {
  readonly x: Pointer;
  readonly y: Pointer;
  readonly elementBytes: 1 | 2 | 4 | 8;
  readonly shape: readonly number[];
  readonly indices: readonly (readonly number[] | undefined)[];
  /** The fill's bits. */
  readonly value?: bigint;
}

/** A launch whose `params.table` the planner sets to the place where it puts `table`, 32-bit words. */
export interface IndexedCopyLaunch {
  readonly kernel: 'indexedCopy';
  readonly params: Omit<IndexedCopyParams, 'table'>;
  readonly table: number[];
  readonly tiles: number;
}

export function planIndexedCopy(copy: IndexedCopyDescription): IndexedCopyLaunch {
  const { shape, indices, value = 0n } = copy;
  const inner = shape.findLastIndex((_, d) => indices[d]);
  const run = shape.slice(inner + 1).reduce((a, b) => a * b, 1);
  const offsets: number[][] = inner < 0 ? [[0]] : [];
  let stride = run;
  for (let d = inner; d >= 0; d--) {
    const scale = stride;
    const positions = indices[d] ?? Array.from({ length: shape[d] as number }, (_, i) => i);
    offsets.unshift(positions.map((i) => (i === IndexedCopy.FILL ? i : i * scale)));
    stride *= shape[d] as number;
  }
  const dims = offsets.map((o) => o.length);
  const columns = dims.at(-1) as number;
  const empty = dims.includes(0) || run === 0;
  const rows = empty ? 0 : dims.slice(0, -1).reduce((a, b) => a * b, 1);
  const tileRows = Math.max(1, Math.floor(StridedCopy.TILE / Math.max(1, columns * run)));
  return {
    kernel: 'indexedCopy',
    params: {
      x: copy.x,
      y: copy.y,
      rank: dims.length,
      elementBytes: copy.elementBytes,
      run,
      rows,
      tileRows,
      valueLow: Number(value & 0xffffffffn),
      valueHigh: Number(value >> 32n),
    },
    table: [...dims, ...offsets.flat()],
    tiles: Math.ceil(rows / tileRows),
  };
}
