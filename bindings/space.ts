/** Merges neighbouring dimensions that every operand walks as one, and drops those of length 1; rank is at least 1. */
export function collapse(
  dims: readonly number[],
  strides: readonly (readonly number[])[],
): { dims: number[]; strides: number[][] } {
  const out = { dims: [] as number[], strides: strides.map(() => [] as number[]) };
  for (const [d, dim] of dims.entries()) {
    if (dim === 1) continue;
    const last = out.dims.length - 1;
    const merges = last >= 0 && strides.every((s, k) => out.strides[k]?.[last] === (s[d] as number) * dim);
    if (merges) out.dims[last] = (out.dims[last] as number) * dim;
    else out.dims.push(dim);
    for (const [k, s] of strides.entries()) {
      const row = out.strides[k] as number[];
      if (merges) row[last] = s[d] as number;
      else row.push(s[d] as number);
    }
  }
  if (out.dims.length === 0) {
    out.dims.push(1);
    for (const row of out.strides) row.push(0);
  }
  return out;
}

/** Dimensions that a kernel may have to walk one by one: those of length 1 never count. */
export const walkedRank = (dims: readonly number[]): number => dims.filter((dim) => dim !== 1).length;
