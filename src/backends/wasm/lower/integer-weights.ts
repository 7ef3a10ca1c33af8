import type { Place } from '../../../../bindings/place.js';
import type { PackIntegersParams } from '../../../../build/quantized-kernels.js';
import { IntegerDots, IntegerTile } from '../../../../build/quantized-kernels.js';
import { W } from '../../../primitives/integer-epilogue.js';
import type { Lowering } from '../lowering.js';
import { packedInput } from './packed-input.js';

type Layout = Omit<PackIntegersParams, 'w' | 'packed' | 'group' | 'flip'>;

const groupOf = (dots: IntegerDots) => (dots === IntegerDots.Pairs ? 2 : 4);

const roundUp = (count: number, to: number) => Math.ceil(count / to) * to;

/** Bytes of a panel with columns of length `depth`. */
export const panelBytes = (depth: number, dots: IntegerDots): number =>
  IntegerTile.PanelHead + roundUp(depth, groupOf(dots)) * IntegerTile.Panel;

/** The weights in panels of 8 columns, with the sum of each column. */
export function packedIntegers(c: Lowering, dots: IntegerDots, matrices: number, layout: Layout): Place {
  const group = groupOf(dots);
  const { columns, taps, channels, columnStride, closed } = layout;
  const panels = matrices * Math.ceil(columns / IntegerTile.Panel);
  const flip = c.element(W) === 'uint8' ? 128 : 0;
  return packedInput(c, W, {
    kernel: 'packIntegers',
    form: `integers ${group} ${columnStride} ${taps} ${closed}`,
    bytes: panels * panelBytes(taps * (closed ? roundUp(channels, group) : channels), dots),
    tiles: panels,
    params: (w, packed) => ({ ...layout, w, packed, group, flip }),
  });
}
