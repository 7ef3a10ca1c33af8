import type { Fields, KernelName, KernelParams } from '../../../../bindings/parameters.js';
import type { Place, Pointer } from '../../../../bindings/place.js';
import type { Size } from '../../../graph/sizes.js';
import type { Lowering } from '../lowering.js';

/** A launch that packs a weight for another kernel. */
export interface Packing<K extends KernelName> {
  readonly kernel: K;
  /** Distinguishes this form of a constant from others. */
  readonly form: string;
  readonly bytes: Size;
  readonly tiles: Size;
  params(source: Pointer, target: Pointer): Fields<KernelParams[K]>;
}

/** Input `i`, packed for its kernel: a constant once per session, other inputs by a launch in each run. */
export function packedInput<K extends KernelName>(c: Lowering, i: number, packing: Packing<K>): Place {
  const { kernel, form, bytes, tiles, params } = packing;
  if (c.hasContents(i)) {
    return c.packed(i, form, bytes as number, (source, target) =>
      c.engine.launch(kernel, params(source, target) as KernelParams[K], tiles as number),
    );
  }
  const packed = c.temporary(bytes);
  c.launch(kernel, params(c.input(i), packed), tiles, { writes: [packed] });
  return packed;
}
