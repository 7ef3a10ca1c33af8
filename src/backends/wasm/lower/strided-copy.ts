import type { KernelParams } from '../../../../bindings/parameters.js';
import type { Place } from '../../../../bindings/place.js';
import { walkedRank } from '../../../../bindings/space.js';
import { MAX_COPIED_RANK, planStridedCopy } from '../../../../bindings/strided-copy.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowering } from '../lowering.js';

/** Elements of a tensor, `offset` on, walked by one stride per dim; all counts are elements, strides of any sign. */
export interface Walk {
  readonly place: Place;
  readonly strides: readonly number[];
  readonly offset?: number;
}

/** Emits y[Σ i·to] = x[Σ i·from] over `dims`; 'host' for types of less than a byte, strings, and ranks beyond the kernel's. */
export function copyStrided(
  c: Lowering<unknown>,
  element: ElementType,
  dims: readonly number[],
  from: Walk,
  to: Walk,
): 'host' | undefined {
  const elementBytes = ELEMENTS[element].bits / 8;
  if (elementBytes < 1 || walkedRank(dims) > MAX_COPIED_RANK) return 'host';
  const count = elementCount(dims);
  if (count === 0) return;
  const launch = planStridedCopy(
    {
      x: from.place,
      y: to.place,
      elementBytes,
      dims,
      xStrides: from.strides,
      yStrides: to.strides,
      xOffset: from.offset ?? 0,
      yOffset: to.offset ?? 0,
    },
    (choice) => c.agreed(choice),
  );
  const table = c.table(Int32Array.from(launch.table));
  c.launch(launch.kernel, { ...launch.params, table } as KernelParams[typeof launch.kernel], launch.tiles, {
    writes: [to.place],
  });
}
