import type { Size } from '../graph/sizes.js';
import { view } from '../primitives/view.js';
import { by, type Inference } from '../schema/definition.js';
import { like } from '../schema/shapes.js';

/** Rules of an operator that only changes the shape of input 0: nothing runs. */
export function viewOf<A>(dims: (c: Inference<A>) => readonly Size[] | undefined) {
  return {
    infer: (c: Inference<A>) => [like(c, 0, dims(c))],
    computes: by(view, () => true as const),
  };
}
