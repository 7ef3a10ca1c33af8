import type { KernelName, KernelParams } from '../../../../bindings/parameters.js';
import type { Place, Pointer } from '../../../../bindings/place.js';
import { byteLength } from '../../../tensor/element-types.js';
import { readInto } from '../../../tensor/stored-tensor.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowering, Pack, PackPieces } from '../lowering.js';
import { type Packing, packedInput } from './packed-input.js';

/** Size of a piece. */
const PIECE_BYTES = 1 << 20;

/** A packing whose sizes are numbers. */
type FixedPacking<K extends KernelName> = Pick<Packing<K>, 'kernel' | 'form'> & {
  readonly bytes: number;
  readonly tiles: number;
  params(source: Pointer, target: Pointer): KernelParams[K];
};

/**
 * Like `packedInput`, for a weight of which each tile reads its own consecutive `tileBytes`: linear memory never holds
 * both the whole weight and its packed form.
 */
export function packedByPieces<K extends KernelName>(
  c: Lowering,
  i: number,
  packing: Packing<K>,
  tileBytes: number,
): Place {
  const { engine } = c;
  const { kernel, form, bytes, tiles, params } = packing as unknown as FixedPacking<K>;
  if (!c.hasContents(i)) return packedInput(c, i, packing);
  const all = byteLength(c.element(i), elementCount(c.shape(i) as readonly number[]));
  const most = Math.min(tiles, Math.ceil(PIECE_BYTES / tileBytes));
  const pieces: PackPieces = (constant, target, isThere) => {
    const room = engine.allocate(most * tileBytes);
    try {
      for (let from = 0; from < tiles; from += most) {
        const to = Math.min(from + most, tiles);
        const [begin, end] = [from * tileBytes, Math.min(to * tileBytes, all)];
        const piece = engine.u8.subarray(room, room + end - begin);
        if (isThere) piece.set(engine.u8.subarray(target + begin, target + end));
        else readInto(constant, piece, begin);
        engine.launch(kernel, params(room - begin, target), to, from);
      }
    } finally {
      engine.free(room);
    }
  };
  const whole: Pack = (source, target) => engine.launch(kernel, params(source, target), tiles);
  return c.packed(i, form, bytes, whole, { pieces });
}
