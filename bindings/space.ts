/** Merges neighboring dimensions that are contiguous in every operand, and drops those of length 1; rank is at least 1. */
export function collapse(
  dims: readonly number[],
  strides: readonly (readonly number[])[],
): { dims: number[]; strides: number[][] } {
  const out = { dims: [] as number[], strides: strides.map(() => [] as number[]) };
  for (let d = 0; d < dims.length; d++) {
    const dim = dims[d] as number;
    if (dim === 1) continue;
    const last = out.dims.length - 1;
    const merges = last >= 0 && strides.every((s, k) => out.strides[k]?.[last] === (s[d] as number) * dim);
    const at = merges ? last : last + 1;
    out.dims[at] = merges ? (out.dims[last] as number) * dim : dim;
    for (let k = 0; k < strides.length; k++) (out.strides[k] as number[])[at] = strides[k]?.[d] as number;
  }
  if (out.dims.length === 0) {
    out.dims.push(1);
    for (const row of out.strides) row.push(0);
  }
  return out;
}

/** Dimensions that a kernel may have to iterate over: those of length 1 never count. */
export const walkedRank = (dims: readonly number[]): number => dims.filter((dim) => dim !== 1).length;
