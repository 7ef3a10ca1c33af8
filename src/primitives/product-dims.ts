import { broadcast } from '../graph/dims.js';
import { differ } from '../graph/guards.js';
import type { Size } from '../graph/sizes.js';
import type { Inference } from '../schema/definition.js';

/** Dims of A·B under numpy's matmul rules; the last two axes of either operand may be swapped. */
export function productDims(
  c: Inference<unknown>,
  a: readonly Size[] | undefined,
  b: readonly Size[] | undefined,
  transA = false,
  transB = false,
): readonly Size[] | undefined {
  if (!a || !b) return undefined;
  if (a.length === 0 || b.length === 0) c.fail('INVALID_SHAPE', `multiplies no scalars: [${a}] by [${b}]`);
  const [m, ka] = matrixOf(a, 'left', transA);
  const [kb, n] = matrixOf(b, 'right', transB);
  if (differ(ka, kb)) c.fail('INVALID_SHAPE', `[${a}] by [${b}]: inner dims ${String(ka)} and ${String(kb)} differ`);
  const batch = broadcast(a.slice(0, -2), b.slice(0, -2));
  if (typeof batch === 'string') c.fail('INVALID_SHAPE', batch);
  return [...batch, ...(a.length === 1 ? [] : [m]), ...(b.length === 1 ? [] : [n])];
}

/** Rows and columns; a vector is a row on the left and a column on the right. */
export function matrixOf<D extends Size>(dims: readonly D[], side: 'left' | 'right', transposed: boolean): [D, D] {
  const one = 1 as D;
  const [rows, columns] = (dims.length > 1 ? dims.slice(-2) : side === 'left' ? [one, dims[0]] : [dims[0], one]) as [
    D,
    D,
  ];
  return transposed && dims.length > 1 ? [columns, rows] : [rows, columns];
}
