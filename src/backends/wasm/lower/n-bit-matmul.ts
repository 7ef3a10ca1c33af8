import type { Pointer } from '../../../../bindings/place.js';
import { IntegerDots, NBitPanel, NBitTile } from '../../../../build/quantized-kernels.js';
import { ceilDivide, floorDivide, maximum, minimum, multiply, product, type Size } from '../../../graph/sizes.js';
import { CHOICES, type NBitExpertsParameters, nBitExperts } from '../../../primitives/n-bit-experts.js';
import { A, BIAS, type NBitProductParameters, nBitMatMul } from '../../../primitives/n-bit-matmul.js';
import { nBitProducts, productAt } from '../../../primitives/n-bit-products.js';
import { type Lowering, type Lowerings, lowers } from '../lowering.js';
import { meaningsOf } from './code-meanings.js';
import { integerDots } from './integer-dots.js';
import { inPanelsOf } from './n-bit-panels.js';

/**
 * Block sizes of A, of which the largest that divides a block of B is used. Sums of 8-bit codes times 16-bit integers
 * then fit in 32 bits, and sums of 4-bit codes times bytes in 16.
 */
const BLOCK_SIZES = { floats: [128, 64, 32, 16], words: [128, 64, 32, 16], bytes: [32, 16] };

/** Maximum multiplications per tile: about 10 µs. Claiming a tile takes 0.7 µs if cores share no near cache. */
const TILE_PRODUCTS = 1 << 18;
/** Elements of A quantized per tile. */
const TILE_ELEMENTS = 1 << 13;

/** Sizes of A in blocks of `size`, `split` of them for each block of B. */
interface Blocks {
  /** Rows of A. */
  readonly m: Size;
  /** K, rounded up to whole blocks. */
  readonly depth: number;
  readonly size: number;
  readonly split: number;
}

function blocksOf(c: Lowering, { block, blocks, activations }: NBitProductParameters): Blocks {
  const size = BLOCK_SIZES[activations].find((length) => block % length === 0) as number;
  const m = product(c.shape(A).slice(0, -1));
  return { m, depth: block * blocks, size, split: block / size };
}

/** Fields that select the integers A is quantized to: with `meanings`, 16-bit pairs. */
const formOf = (c: Lowering, { activations, meanings }: NBitProductParameters) => ({
  narrow: Number(activations === 'bytes' && !meanings),
  quads: Number(!meanings && integerDots(c.engine) !== IntegerDots.Pairs),
});

/** A quantized to integers; all 0 if it stays in floats. */
type Rounded = Readonly<Record<'q' | 'aScales' | 'sums', Pointer>>;

const NOT_ROUNDED: Rounded = { q: 0, aScales: 0, sums: 0 };

function launchRounding(c: Lowering, p: NBitProductParameters): Rounded {
  if (p.activations === 'floats') return NOT_ROUNDED;
  const { m, depth, size } = blocksOf(c, p);
  const blocks = depth / size;
  const tileBlocks = Math.min(blocks, Math.max(1, TILE_ELEMENTS / size));
  const q = c.temporary(multiply(m, 2 * depth));
  const [aScales, sums] = [c.temporary(multiply(m, 4 * blocks)), c.temporary(multiply(m, 4 * blocks))];
  const params = { x: c.input(A), q, scales: aScales, sums, columns: p.k, block: size, blocks, tileBlocks };
  const tiles = multiply(m, Math.ceil(blocks / tileBlocks));
  c.launch('quantizeBlocks', { ...params, ...formOf(c, p), bits: p.bits }, tiles, {
    writes: [q, aScales, sums],
  });
  return { q, aScales, sums };
}

/** Sizes of the result, and the matrix that each of its rows chooses. */
interface Result {
  readonly m: Size;
  readonly n: number;
  readonly choices: Pointer;
  /** Rows of the result per row of A. */
  readonly perRow: Size;
}

function launchProduct(c: Lowering, p: NBitProductParameters, rounded: Rounded, result: Result): void {
  const { size, split, depth } = blocksOf(c, p);
  const { m, n } = result;
  const rows = minimum(m, NBitTile.Rows);
  const panels = Math.ceil(n / NBitPanel.Columns);
  const columnTiles = maximum(1, ceilDivide(multiply(rows, depth * panels * NBitPanel.Columns), TILE_PRODUCTS));
  const tilePanels = ceilDivide(panels, columnTiles);
  const { codes, ...scaling } = inPanelsOf(c, p);
  const params = {
    ...{ x: c.input(A), columns: p.k, isExact: Number(p.activations === 'floats') },
    ...rounded,
    ...scaling,
    ...meaningsOf(c, p),
    ...result,
    b: codes,
    bias: c.given(BIAS) ? c.input(BIAS) : 0,
    y: c.output(0),
    ...{ block: size, split, blocks: p.blocks, bits: p.bits, tilePanels },
    ...formOf(c, p),
  };
  const tiles = multiply(ceilDivide(m, NBitTile.Rows), ceilDivide(panels, tilePanels));
  c.launch('nBitProduct', params, tiles, {
    writes: [params.y],
  });
}

/** Multiplies A, quantized once, by one or more matrices. */
function lowerProducts(c: Lowering, products: readonly NBitProductParameters[]): 'host' | undefined {
  if (c.element(A) !== 'float32') return 'host';
  const m = product(c.shape(A).slice(0, -1));
  const rounded = launchRounding(c, products[0] as NBitProductParameters);
  products.forEach((p, j) => {
    launchProduct(productAt(c, j), p, rounded, { m, n: p.n, choices: 0, perRow: 1 });
  });
}

function lowerExperts(c: Lowering, p: NBitExpertsParameters): undefined {
  const m = product(c.shape(CHOICES));
  const perRow = floorDivide(m, maximum(1, c.shape(A)[0] as Size));
  const wide = { ...p, activations: 'words' as const };
  launchProduct(c, wide, launchRounding(c, wide), { m, n: p.columns, choices: c.input(CHOICES), perRow });
}

export const nBitProductLowerings: Lowerings = {
  ...lowers(nBitMatMul, (c, p) => lowerProducts(c, [p])),
  ...lowers(nBitProducts, lowerProducts),
  ...lowers(nBitExperts, lowerExperts),
};
