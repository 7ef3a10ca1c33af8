import { ceilDivide, product } from '../../../graph/sizes.js';
import { B, type NBitMatrix, SCALES, ZERO_POINTS } from '../../../primitives/n-bit-blocks.js';
import { INDICES, type NBitGatherParameters, nBitGather } from '../../../primitives/n-bit-gather.js';
import { outsideOf } from '../../../schema/positions.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { rowsOf } from '../../../tensor/stored-tensor.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { inPanelsOf, signOf, zeroPointsOf } from './n-bit-panels.js';

/** Elementary operations per element. */
const WORK = 8;

const AS_STORED = {
  ...{ rowBits: 0, columnBits: 0, sign: 0, scaleBits: 0, scaleBlock: 0, scaleColumn: 0 },
  ...{ zeroBits: 0, zeroBlock: 0, zeroColumn: 0 },
};

/** Codes, scales and zero points as stored, not packed. */
const asStored = (c: Lowering, p: NBitMatrix) => ({
  inPanels: 0,
  codes: c.input(B),
  scales: c.input(SCALES),
  zeros: c.given(ZERO_POINTS) ? c.input(ZERO_POINTS) : 0,
  zeroPoints: zeroPointsOf(c),
  zeroPoint: p.zeroPoint + signOf(p),
  rowBits: p.codes.row,
  columnBits: p.codes.column,
  sign: signOf(p),
  scaleBits: ELEMENTS[c.element(SCALES)].bits,
  scaleBlock: p.scales.block,
  scaleColumn: p.scales.column,
  zeroBits: c.given(ZERO_POINTS) ? ELEMENTS[c.element(ZERO_POINTS)].bits : 0,
  zeroBlock: p.zeroPoints.block,
  zeroColumn: p.zeroPoints.column,
});

function lowerGather(c: Lowering, p: NBitGatherParameters): 'host' | undefined {
  if (!p.isShared && rowsOf(c.contents(B))) return 'host';
  const { k, n, bits, block, blocks } = p;
  const count = product(c.shape(INDICES));
  const complaint = outsideOf({ dims: [n], axis: 0 });
  const tileRows = grainOf(count, WORK * k);
  const params = {
    ...(p.isShared ? { ...AS_STORED, inPanels: 1, ...inPanelsOf(c, p) } : asStored(c, p)),
    ...{ indices: c.input(INDICES), y: c.output(0), flag: c.guard(INDICES, complaint) },
    indexBytes: ELEMENTS[c.element(INDICES)].bits / 8,
    ...{ count, k, n, bits, block, blocks, tileRows },
  };
  c.launch('nBitGather', params, ceilDivide(count, tileRows), { writes: [params.y] });
}

export const nBitGathers = lowers(nBitGather, lowerGather);
