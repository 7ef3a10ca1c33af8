import type { Place } from '../../../../bindings/place.js';
import type { PackIntegersParams } from '../../../../build/quantized-kernels.js';
import { IntegerDots, IntegerTile } from '../../../../build/quantized-kernels.js';
import { W } from '../../../primitives/integer-epilogue.js';
import type { Lowering } from '../lowering.js';
import { packedInput } from './packed-input.js';

type Layout = Omit<PackIntegersParams, 'w' | 'packed' | 'group' | 'flip'>;

/** Bytes of one panel of columns that are sums of `depth` products. */
export function panelBytes(depth: number, dots: IntegerDots): number {
  const group = dots === IntegerDots.Pairs ? 2 : 4;
  return IntegerTile.PanelHead + Math.ceil(depth / group) * group * IntegerTile.Panel;
}

/** The weights in panels of 8 columns, and their sums. */
export function packedIntegers(c: Lowering, dots: IntegerDots, matrices: number, layout: Layout): Place {
  const group = dots === IntegerDots.Pairs ? 2 : 4;
  const { columns, taps, channels, columnStride } = layout;
  const panels = matrices * Math.ceil(columns / IntegerTile.Panel);
  const flip = c.element(W) === 'uint8' ? 128 : 0;
  return packedInput(c, W, {
    kernel: 'packIntegers',
    form: `integers ${group} ${columnStride} ${taps}`,
    bytes: panels * panelBytes(taps * channels, dots),
    tiles: panels,
    params: (w, packed) => ({ ...layout, w, packed, group, flip }),
  });
}
