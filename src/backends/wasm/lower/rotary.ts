import { COS, POSITIONS, type RotaryParameters, rotary, SIN } from '../../../primitives/rotary.js';
import { outsideOf } from '../../../schema/positions.js';
import { type Lowering, lowers } from '../lowering.js';
import { itemsOfTile } from './grain.js';

function lowerRotary(c: Lowering, p: RotaryParameters): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const [angleRows] = c.shape(COS) as [number];
  const { batch, rows, heads, size, width, rowStride, headStride } = p;
  const count = batch * rows;
  if (count * heads * size === 0) return undefined;
  if (angleRows === 0) c.fail('INVALID_SHAPE', 'the cos and sin tables have no rows');
  const tileRows = itemsOfTile(2 * heads * size);
  const params = {
    x: c.input(0),
    y: c.output(0),
    cos: c.input(COS),
    sin: c.input(SIN),
    positions: c.input(POSITIONS),
    flag: c.guard(POSITIONS, outsideOf({ dims: [angleRows], axis: 0 })),
    positionStride: c.shape(POSITIONS)[0] === 1 ? 0 : rows,
    ...{ angleRows, batch, rows, heads, size, width, rowStride, headStride },
    interleaved: Number(p.interleaved),
    tileRows,
  };
  c.launch('rotary', params, Math.ceil(count / tileRows), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
  return undefined;
}

export const rotaries = lowers(rotary, lowerRotary);
