/**
 * U, upper triangular, with H⁻¹ = UᵀU, of a symmetric H with something added to its diagonal; inputs that are never
 * anything but 0 count as independent. H = VVᵀ with V upper triangular, column by column from the last, and U is V⁻¹.
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

/** V of H = VVᵀ in place. */
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

/** The inverse of an upper triangle, row by row from the last; what is below the diagonal is 0. */
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
