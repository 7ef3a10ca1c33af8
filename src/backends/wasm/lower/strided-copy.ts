import type { Fields, KernelParams } from '../../../../bindings/parameters.js';
import type { Place } from '../../../../bindings/place.js';
import { walkedRank } from '../../../../bindings/space.js';
import { MAX_COPIED_RANK, planStridedCopy } from '../../../../bindings/strided-copy.js';
import { isSame } from '../../../graph/guards.js';
import { product, type Size } from '../../../graph/sizes.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import type { Lowering } from '../lowering.js';

/** A walk over a tensor from `offset` on, one stride per dim, in elements. Strides may be negative. */
export interface Walk {
  readonly place: Place;
  readonly strides: readonly Size[];
  readonly offset?: Size;
}

/** Emits y[Σ i·to] = x[Σ i·from] over `dims`; 'host' for strings, types below a byte, and too high a rank. */
export function copyStrided(
  c: Lowering,
  element: ElementType,
  dims: readonly Size[],
  from: Walk,
  to: Walk,
): 'host' | undefined {
  const elementBytes = ELEMENTS[element].bits / 8;
  if (elementBytes < 1 || walkedRank(dims) > MAX_COPIED_RANK) return 'host';
  if (isSame(product(dims), 0)) return;
  const launch = planStridedCopy({
    x: from.place,
    y: to.place,
    elementBytes,
    dims,
    xStrides: from.strides,
    yStrides: to.strides,
    xOffset: from.offset ?? 0,
    yOffset: to.offset ?? 0,
  });
  const table = c.table(launch.table);
  c.launch(launch.kernel, { ...launch.params, table } as Fields<KernelParams[typeof launch.kernel]>, launch.tiles, {
    writes: [to.place],
  });
}
