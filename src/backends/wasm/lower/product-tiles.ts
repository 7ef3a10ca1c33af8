import { MatMulTile } from '../../../../build/kernels.js';
import { ceilDivide, derived, product, type Size } from '../../../graph/sizes.js';

/** Multiplications per tile: about ten microseconds. */
const TILE_PRODUCTS = 1 << 18;

interface Product {
  readonly m: Size;
  readonly n: Size;
  readonly k: Size;
  readonly outer: Size;
  readonly inner: Size;
}

/** The width and number of the tiles of a matrix product; the larger K, the narrower the tiles. */
export function productTiles({ m, n, k, outer, inner }: Product): { tileColumns: Size; tiles: Size } {
  const tileColumns = derived('tile columns', [m, k], columnsOfTile);
  return { tileColumns, tiles: product([outer, inner, ceilDivide(m, MatMulTile.Rows), ceilDivide(n, tileColumns)]) };
}

function columnsOfTile(m: number, k: number): number {
  const rows = Math.min(m, MatMulTile.Rows);
  // A single row takes little time, so its tiles stay wider.
  const leastColumns = (m === 1 ? 4 : 2) * MatMulTile.Panel;
  let tileColumns: number = MatMulTile.Columns;
  while (tileColumns > leastColumns && rows * tileColumns * k > TILE_PRODUCTS) tileColumns /= 2;
  return tileColumns;
}
