import type { Place } from '../../../../bindings/place.js';
import { NBitPanel, ZeroPoints } from '../../../../build/quantized-kernels.js';
import { B, isFloating, type NBitMatrix, SCALES, ZERO_POINTS } from '../../../primitives/n-bit-blocks.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { Lowering } from '../lowering.js';
import { packedByPieces } from './packed-by-pieces.js';
import { type Packing, packedInput } from './packed-input.js';

/** The number of panels of a packed matrix. */
const panelsOf = ({ n }: NBitMatrix): number => Math.ceil(n / NBitPanel.Columns);

/** A mask that flips the highest bit of each code in a word, to make signed codes unsigned. */
const flipOf = ({ bits, codes }: NBitMatrix): number =>
  codes.isSigned ? (0xffffffff / (2 ** bits - 1)) * 2 ** (bits - 1) : 0;

/** A weight of `width`-bit elements, packed in panels of columns; piece by piece if its columns are contiguous. */
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

function packedCodes(c: Lowering, p: NBitMatrix): Place {
  const { k, n, bits, codes } = p;
  const panels = panelsOf(p);
  const depth = p.blocks * p.block;
  const sizes = {
    k,
    n,
    depth,
    bits,
    rowBits: codes.row,
    columnBits: codes.column,
    flip: flipOf(p),
    swap: Number(codes.first === 'highest'),
  };
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

function packedFloats(c: Lowering, i: number, p: NBitMatrix): Place {
  const { block: blockStride, column: columnStride } = i === SCALES ? p.scales : p.zeroPoints;
  const { bits } = ELEMENTS[c.element(i)];
  const panels = panelsOf(p);
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

/** The kind of zero points of a matrix. */
export function zeroPointsOf(c: Lowering): ZeroPoints {
  if (!c.given(ZERO_POINTS)) return ZeroPoints.Same;
  return isFloating(c.element(ZERO_POINTS)) ? ZeroPoints.Floats : ZeroPoints.Bytes;
}

function packedZeroCodes(c: Lowering, p: NBitMatrix): Place {
  const { block: blockBits, column: columnBits } = p.zeroPoints;
  const panels = panelsOf(p);
  const sizes = { n: p.n, blocks: p.blocks, blockBits, columnBits, bits: p.bits, flip: flipOf(p) };
  return inPanels(
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
}

function packedZeroPoints(c: Lowering, p: NBitMatrix, zeroPoints: ZeroPoints): Place | 0 {
  if (zeroPoints === ZeroPoints.Same) return 0;
  return zeroPoints === ZeroPoints.Floats ? packedFloats(c, ZERO_POINTS, p) : packedZeroCodes(c, p);
}

/** The offset that makes signed codes unsigned, as in panels. */
export const signOf = ({ codes, bits }: NBitMatrix): number => (codes.isSigned ? 2 ** (bits - 1) : 0);

/** Codes, scales and zero points of a matrix in panels, each packed once for all nodes that read it. */
export function inPanelsOf(c: Lowering, p: NBitMatrix) {
  const zeroPoints = zeroPointsOf(c);
  return {
    codes: packedCodes(c, p),
    scales: packedFloats(c, SCALES, p),
    zeros: packedZeroPoints(c, p, zeroPoints),
    zeroPoints,
    zeroPoint: p.zeroPoint + signOf(p),
  };
}
