import type { Tiles } from '../../../../bindings/tiles.js';
import { MatMulTile } from '../../../../build/kernels.js';
import type { Lowering } from '../lowering.js';

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
export function productTiles(c: Lowering<unknown>, product: Product): { tileColumns: number; tiles: Tiles } {
  const { m, n, outer, inner } = product;
  const tileColumns = c.agreed(columnsOfTile(product));
  return { tileColumns, tiles: { count: m, per: MatMulTile.Rows, times: outer * inner * Math.ceil(n / tileColumns) } };
}

function columnsOfTile({ m, k }: Product): number {
  const rows = Math.min(m, MatMulTile.Rows);
  // A tile of one row is soon done.
  const leastColumns = (m === 1 ? 4 : 2) * MatMulTile.Panel;
  let tileColumns: number = MatMulTile.Columns;
  while (tileColumns > leastColumns && rows * tileColumns * k > TILE_PRODUCTS) tileColumns /= 2;
  return tileColumns;
}
