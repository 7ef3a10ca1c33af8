import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { COS, type OpenRotary, POSITIONS, rotary, SIN } from '../../../primitives/rotary.js';
import { outsideOf } from '../../../schema/positions.js';
import { type Lowering, lowers } from '../lowering.js';
import { itemsOfTile } from './grain.js';

function lowerRotary(c: Lowering, p: OpenRotary): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const [angleRows] = c.shape(COS) as readonly [Size];
  const { batch, rows, heads, size, width, rowStride, headStride } = p;
  if (isSame(product([batch, rows, heads, size]), 0)) return undefined;
  if (isSame(angleRows, 0)) c.fail('INVALID_SHAPE', 'the cos and sin tables have no rows');
  const tileRows = itemsOfTile(product([2, heads, size]));
  const params = {
    x: c.input(0),
    y: c.output(0),
    cos: c.input(COS),
    sin: c.input(SIN),
    positions: c.input(POSITIONS),
    flag: c.guard(POSITIONS, (positions, dims) => outsideOf({ dims, axis: 0 })(positions), [angleRows]),
    positionStride: isSame(c.shape(POSITIONS)[0] as Size, 1) ? 0 : rows,
    ...{ angleRows, batch, rows, heads, size, width, rowStride, headStride },
    interleaved: Number(p.interleaved),
    tileRows,
  };
  c.launch('rotary', params, ceilDivide(multiply(batch, rows), tileRows), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
  return undefined;
}

export const rotaries = lowers(rotary, lowerRotary);
