/**
 * Computes an upper triangular U with H⁻¹ = UᵀU for a symmetric H with damped diagonal. Inputs that are always 0 count
 * as independent. H = VVᵀ with an upper triangular V is computed column by column from the last, and U is V⁻¹.
 */
export function inverseFactor(symmetric: Float64Array, size: number, damping: number): Float64Array {
  return inverted(factored(damped(symmetric, size, damping), size), size);
}

function damped(symmetric: Float64Array, size: number, damping: number): Float64Array {
  const h = symmetric.slice();
  let trace = 0;
  for (let i = 0; i < size; i++) trace += h[i * size + i] as number;
  const more = (damping * trace) / size || 1;
  for (let i = 0; i < size; i++) h[i * size + i] = (h[i * size + i] as number) + more;
  return h;
}

/** Computes V of H = VVᵀ in place. */
function factored(h: Float64Array, size: number): Float64Array {
  for (let j = size - 1; j >= 0; j--) {
    const row = j * size;
    for (let i = 0; i <= j; i++) {
      let sum = h[i * size + j] as number;
      for (let m = j + 1; m < size; m++) sum -= (h[i * size + m] as number) * (h[row + m] as number);
      h[i * size + j] = sum;
    }
    const root = Math.sqrt(h[row + j] as number);
    for (let i = 0; i <= j; i++) h[i * size + j] = (h[i * size + j] as number) / root;
  }
  return h;
}

/** Inverts an upper triangular matrix row by row from the last. Elements below the diagonal are 0. */
function inverted(v: Float64Array, size: number): Float64Array {
  const u = new Float64Array(size * size);
  for (let i = size - 1; i >= 0; i--) {
    const pivot = v[i * size + i] as number;
    u[i * size + i] = 1 / pivot;
    for (let m = i + 1; m < size; m++) {
      const share = (v[i * size + m] as number) / pivot;
      for (let j = m; j < size; j++)
        u[i * size + j] = (u[i * size + j] as number) - share * (u[m * size + j] as number);
    }
  }
  return u;
}
