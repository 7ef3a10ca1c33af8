import { MatMulTile } from '../../../../build/kernels.js';

/** Multiplications of a tile that is worth a thread's while: about ten microseconds. */
const TILE_PRODUCTS = 1 << 18;

interface Product {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly outer: number;
  readonly inner: number;
}

/** How wide the tiles of a matrix product are, and how many: long sums make narrow tiles. */
export function productTiles({ m, n, k, outer, inner }: Product): { tileColumns: number; tiles: number } {
  const rows = Math.min(m, MatMulTile.Rows);
  // One row is multiplied by four panels at once.
  const leastColumns = (m === 1 ? 4 : 2) * MatMulTile.Panel;
  let tileColumns: number = MatMulTile.Columns;
  while (tileColumns > leastColumns && rows * tileColumns * k > TILE_PRODUCTS) tileColumns /= 2;
  return { tileColumns, tiles: outer * inner * Math.ceil(m / MatMulTile.Rows) * Math.ceil(n / tileColumns) };
}
