import type { Place } from '../../../../bindings/place.js';
import { IntegerDots, NBitPanel, NBitTile, ZeroPoints } from '../../../../build/quantized-kernels.js';
import {
  A,
  B,
  BIAS,
  isFloating,
  type NBitProductParameters,
  nBitMatMul,
  SCALES,
  ZERO_POINTS,
} from '../../../primitives/n-bit-matmul.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { integerDots } from './integer-dots.js';
import { packedByPieces } from './packed-by-pieces.js';
import { type Packing, packedInput } from './packed-input.js';

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

/** Flips the highest bit of each code in a word, which makes signed ones unsigned ones. */
const flipOf = ({ bits, codes }: NBitProductParameters): number =>
  codes.isSigned ? (0xffffffff / (2 ** bits - 1)) * 2 ** (bits - 1) : 0;

/** A weight of `width`-bit elements, packed in panels of its columns; where these lie one after the other, piece by piece. */
function inPanels<K extends 'packNBitCodes' | 'packBlockFloats' | 'packBlockCodes'>(
  c: Lowering,
  i: number,
  { row, column, width }: { readonly row: number; readonly column: number; readonly width: number },
  packing: Packing<K>,
): Place {
  const panelBits = NBitPanel.Columns * column;
  return row === width && column > row && column % 8 === 0
    ? packedByPieces(c, i, packing, panelBits / 8)
    : packedInput(c, i, packing);
}

function packedCodes(c: Lowering, p: NBitProductParameters, { panels, depth }: Blocks): Place {
  const { k, n, bits, codes } = p;
  const sizes = { k, n, depth, bits, rowBits: codes.row, columnBits: codes.column, flip: flipOf(p) };
  return inPanels(
    c,
    B,
    { ...codes, width: bits },
    {
      kernel: 'packNBitCodes',
      form: `${bits}-bit panels ${Object.values(sizes)}`,
      bytes: panels * depth * bits,
      tiles: panels,
      params: (from, packed) => ({ codes: from, packed, ...sizes }),
    },
  );
}

function packedFloats(c: Lowering, i: number, p: NBitProductParameters, panels: number): Place {
  const { block: blockStride, column: columnStride } = i === SCALES ? p.scales : p.zeroPoints;
  const bits = c.element(i) === 'float16' ? 16 : 32;
  const sizes = { n: p.n, blocks: p.blocks, blockStride, columnStride, bits };
  return inPanels(
    c,
    i,
    { row: bits * blockStride, column: bits * columnStride, width: bits },
    {
      kernel: 'packBlockFloats',
      form: `panels of floats ${Object.values(sizes)}`,
      bytes: 4 * panels * NBitPanel.Columns * p.blocks,
      tiles: panels,
      params: (values, packed) => ({ values, packed, ...sizes }),
    },
  );
}

function packedZeroPoints(c: Lowering, p: NBitProductParameters, panels: number) {
  if (!c.given(ZERO_POINTS)) return { zeros: 0, zeroPoints: ZeroPoints.Same };
  if (isFloating(c.element(ZERO_POINTS)))
    return { zeros: packedFloats(c, ZERO_POINTS, p, panels), zeroPoints: ZeroPoints.Floats };
  const { block: blockBits, column: columnBits } = p.zeroPoints;
  const sizes = { n: p.n, blocks: p.blocks, blockBits, columnBits, bits: p.bits, flip: flipOf(p) };
  const zeros = inPanels(
    c,
    ZERO_POINTS,
    { row: blockBits, column: columnBits, width: p.bits },
    {
      kernel: 'packBlockCodes',
      form: `panels of codes ${Object.values(sizes)}`,
      bytes: panels * NBitPanel.Columns * p.blocks,
      tiles: panels,
      params: (codes, packed) => ({ codes, packed, ...sizes }),
    },
  );
  return { zeros, zeroPoints: ZeroPoints.Bytes };
}

/** What decides about the integers that A is rounded to. */
const formOf = (c: Lowering, { narrow }: NBitProductParameters) => ({
  narrow: Number(narrow),
  quads: Number(integerDots(c.engine) !== IntegerDots.Pairs),
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
  const params = {
    ...quantized(c, p, sizes),
    b: packedCodes(c, p, sizes),
    scales: packedFloats(c, SCALES, p, panels),
    ...packedZeroPoints(c, p, panels),
    zeroPoint: p.codes.isSigned ? p.zeroPoint + 2 ** (p.bits - 1) : p.zeroPoint,
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
