import type { Fields, KernelParams } from '../../../../bindings/parameters.js';
import type { Place } from '../../../../bindings/place.js';
import { IntegerDots, IntegerTile } from '../../../../build/quantized-kernels.js';
import { add, ceilDivide, multiply, type Size } from '../../../graph/sizes.js';
import { W } from '../../../primitives/integer-epilogue.js';
import type { Lowering } from '../lowering.js';
import { packedInput } from './packed-input.js';

type Layout = Omit<Fields<KernelParams['packIntegers']>, 'w' | 'packed' | 'group' | 'flip' | 'closed'> & {
  readonly closed: number;
};

const groupOf = (dots: IntegerDots) => (dots === IntegerDots.Pairs ? 2 : 4);

const roundUp = (count: Size, to: number) => multiply(ceilDivide(count, to), to);

/** Bytes of a panel with columns of length `depth`. */
export const panelBytes = <D extends Size>(depth: D, dots: IntegerDots): D =>
  add(IntegerTile.PanelHead, multiply(roundUp(depth, groupOf(dots)), IntegerTile.Panel)) as D;

/** The weights in panels of 8 columns, with the sum of each column. */
export function packedIntegers(c: Lowering, dots: IntegerDots, matrices: Size, layout: Layout): Place {
  const group = groupOf(dots);
  const { columns, taps, channels, columnStride, closed } = layout;
  const panels = multiply(matrices, ceilDivide(columns, IntegerTile.Panel));
  const flip = c.element(W) === 'uint8' ? 128 : 0;
  return packedInput(c, W, {
    kernel: 'packIntegers',
    form: `integers ${group} ${String(columnStride)} ${String(taps)} ${closed}`,
    bytes: multiply(panels, panelBytes(multiply(taps, closed ? roundUp(channels, group) : channels), dots)),
    tiles: panels,
    params: (w, packed) => ({ ...layout, w, packed, group, flip }),
  });
}
