import { IntegerDots, NBitPanel, NBitTile } from '../../../../build/quantized-kernels.js';
import { A, BIAS, type NBitProductParameters, nBitMatMul } from '../../../primitives/n-bit-matmul.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { meaningsOf } from './code-meanings.js';
import { integerDots } from './integer-dots.js';
import { inPanelsOf } from './n-bit-panels.js';

/**
 * Blocks of A, the longest that divide those of B: sums of 8-bit codes times 16-bit integers stay in 32 bits, those of 4-bit codes
 * times bytes in 16.
 */
const BLOCK_SIZES = { words: [128, 64, 32, 16], bytes: [32, 16] };

/** Multiplications of a tile: some ten microseconds. */
const TILE_PRODUCTS = 1 << 17;
/** Elements of A that one tile rounds. */
const TILE_ELEMENTS = 1 << 13;

/** Sizes of the work: A in blocks of `size`, of which each block of B has `split`. */
interface Blocks {
  readonly m: number;
  readonly panels: number;
  /** Of K, whole blocks. */
  readonly depth: number;
  readonly size: number;
  readonly split: number;
}

function blocksOf(c: Lowering, { n, block, blocks, narrow }: NBitProductParameters): Blocks {
  const size = BLOCK_SIZES[narrow ? 'bytes' : 'words'].find((length) => block % length === 0) as number;
  const m = elementCount(c.shape(A).slice(0, -1));
  return { m, panels: Math.ceil(n / NBitPanel.Columns), depth: block * blocks, size, split: block / size };
}

/** What decides about the integers that A is rounded to: codes that stand for other numbers take words. */
const formOf = (c: Lowering, { narrow, meanings }: NBitProductParameters) => ({
  narrow: Number(narrow && !meanings),
  quads: Number(!meanings && integerDots(c.engine) !== IntegerDots.Pairs),
});

/** A in integers. */
function quantized(c: Lowering, p: NBitProductParameters, { m, depth, size }: Blocks) {
  const blocks = depth / size;
  const tileBlocks = Math.min(blocks, Math.max(1, TILE_ELEMENTS / size));
  const q = c.temporary(2 * m * depth);
  const [aScales, sums] = [c.temporary(4 * m * blocks), c.temporary(4 * m * blocks)];
  const params = { x: c.input(A), q, scales: aScales, sums, columns: p.k, block: size, blocks, tileBlocks };
  c.launch('quantizeBlocks', { ...params, ...formOf(c, p), bits: p.bits }, m * Math.ceil(blocks / tileBlocks), {
    writes: [q, aScales, sums],
  });
  return { q, aScales, sums };
}

function lowerProduct(c: Lowering, p: NBitProductParameters): 'host' | undefined {
  if (c.element(A) !== 'float32') return 'host';
  const sizes = blocksOf(c, p);
  const { m, panels, size, split, depth } = sizes;
  const rows = Math.min(m, NBitTile.Rows);
  const tilePanels = Math.max(1, Math.floor(TILE_PRODUCTS / (rows * depth * NBitPanel.Columns)));
  const { codes, ...scaling } = inPanelsOf(c, p);
  const params = {
    ...quantized(c, p, sizes),
    ...scaling,
    ...meaningsOf(c, p),
    b: codes,
    bias: c.given(BIAS) ? c.input(BIAS) : 0,
    y: c.output(0),
    ...{ m, n: p.n, block: size, split, blocks: p.blocks, bits: p.bits, tilePanels },
    ...formOf(c, p),
  };
  c.launch('nBitProduct', params, Math.ceil(m / NBitTile.Rows) * Math.ceil(panels / tilePanels), {
    writes: [params.y],
  });
}

export const nBitProducts = lowers(nBitMatMul, lowerProduct);
