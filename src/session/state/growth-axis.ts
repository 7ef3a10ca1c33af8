import { formatSize, type Size } from '../../graph/sizes.js';
import type { Pair } from './pairs.js';

/** The axis that grows: of the dynamic axes after the batch, the one with a matching name, or the last. */
export function growthAxis({ dims }: Pair['type']): number | undefined {
  const open = dims.flatMap((dim, axis) => (typeof dim !== 'number' && axis > 0 ? [axis] : []));
  return open.find((axis) => /past|seq|len|cache/i.test(formatSize(dims[axis] as Size))) ?? open.at(-1);
}
