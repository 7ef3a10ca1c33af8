import { isSame } from '../src/graph/guards.js';
import { multiply, type Size } from '../src/graph/sizes.js';

/** Merges neighboring dimensions that every operand walks as one, and drops those of length 1; rank is at least 1. */
export function collapse<D extends Size>(
  dims: readonly D[],
  strides: readonly (readonly D[])[],
): { dims: D[]; strides: D[][] } {
  const out = { dims: [] as Size[], strides: strides.map(() => [] as Size[]) };
  for (let d = 0; d < dims.length; d++) {
    const dim = dims[d] as Size;
    if (isSame(dim, 1)) continue;
    const last = out.dims.length - 1;
    const merges =
      last >= 0 && strides.every((s, k) => isSame(out.strides[k]?.[last] as Size, multiply(s[d] as Size, dim)));
    const at = merges ? last : last + 1;
    out.dims[at] = merges ? multiply(out.dims[last] as Size, dim) : dim;
    for (let k = 0; k < strides.length; k++) (out.strides[k] as Size[])[at] = strides[k]?.[d] as Size;
  }
  if (out.dims.length === 0) {
    out.dims.push(1);
    for (const row of out.strides) row.push(0);
  }
  return out as { dims: D[]; strides: D[][] };
}

/** Dimensions that a kernel may have to walk one by one: those of length 1 never count. */
export const walkedRank = (dims: readonly Size[]): number => dims.filter((dim) => !isSame(dim, 1)).length;
