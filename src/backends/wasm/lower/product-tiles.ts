import { MatMulTile } from '../../../../build/kernels.js';
import { ceilDivide, derived, product, type Size } from '../../../graph/sizes.js';

/** Multiplications of a tile that is worth a thread's while: about ten microseconds. */
const TILE_PRODUCTS = 1 << 18;

interface Product {
  readonly m: Size;
  readonly n: Size;
  readonly k: Size;
  readonly outer: Size;
  readonly inner: Size;
}

/** The width of the tiles of a matrix product, and their number: long sums make narrow tiles. */
export function productTiles({ m, n, k, outer, inner }: Product): { tileColumns: Size; tiles: Size } {
  const tileColumns = derived('tile columns', [m, k], columnsOfTile);
  return { tileColumns, tiles: product([outer, inner, ceilDivide(m, MatMulTile.Rows), ceilDivide(n, tileColumns)]) };
}

function columnsOfTile(m: number, k: number): number {
  const rows = Math.min(m, MatMulTile.Rows);
  // A tile of one row is soon done.
  const leastColumns = (m === 1 ? 4 : 2) * MatMulTile.Panel;
  let tileColumns: number = MatMulTile.Columns;
  while (tileColumns > leastColumns && rows * tileColumns * k > TILE_PRODUCTS) tileColumns /= 2;
  return tileColumns;
}
