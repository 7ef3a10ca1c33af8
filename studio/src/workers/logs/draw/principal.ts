/** Number of iterations, enough to make the remainder of the second component in the first invisible. */
const TURNS = 40;

/**
 * Projects points of `size` dimensions onto their first `axes` principal components, [count, axes]; `shares` is the fraction of
 * the variance along each. Deterministic.
 */
export function principal(
  vectors: Float32Array,
  size: number,
  axes: number,
): { readonly points: Float32Array; readonly shares: readonly number[] } {
  const count = vectors.length / size;
  const centred = centre(vectors, size);
  const basis: Float64Array[] = Array.from({ length: axes }, (_, k) =>
    Float64Array.from({ length: size }, (_, i) => Math.sin(i * (k + 1) + k + 1)),
  );
  for (let turn = 0; turn < TURNS; turn++) {
    const next = basis.map((axis) => transposedTimes(centred, size, times(centred, size, axis)));
    for (const [k, axis] of next.entries()) basis[k] = orthogonal(axis, basis.slice(0, k));
  }
  const total = centred.reduce((sum, x) => sum + x * x, 0) || 1;
  const points = new Float32Array(count * axes);
  const shares = basis.map((axis, k) => {
    const along = times(centred, size, axis);
    for (let i = 0; i < count; i++) points[i * axes + k] = along[i] as number;
    return along.reduce((sum, x) => sum + x * x, 0) / total;
  });
  return { points, shares };
}

function centre(vectors: Float32Array, size: number): Float64Array {
  const count = vectors.length / size;
  const mean = new Float64Array(size);
  for (let i = 0; i < vectors.length; i++) mean[i % size] = (mean[i % size] as number) + (vectors[i] as number) / count;
  return Float64Array.from(vectors, (x, i) => x - (mean[i % size] as number));
}

function times(rows: Float64Array, size: number, axis: Float64Array): Float64Array {
  const product = new Float64Array(rows.length / size);
  for (let i = 0; i < product.length; i++) {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += (rows[i * size + k] as number) * (axis[k] as number);
    product[i] = sum;
  }
  return product;
}

function transposedTimes(rows: Float64Array, size: number, along: Float64Array): Float64Array {
  const product = new Float64Array(size);
  for (let i = 0; i < along.length; i++)
    for (let k = 0; k < size; k++)
      product[k] = (product[k] as number) + (rows[i * size + k] as number) * (along[i] as number);
  return product;
}

const norm = (axis: Float64Array): number => Math.sqrt(axis.reduce((sum, x) => sum + x * x, 0));

/** The part of an axis that is orthogonal to the others, scaled to length 1; 0 if there is none. */
function orthogonal(axis: Float64Array, others: readonly Float64Array[]): Float64Array {
  let rest = axis;
  const length = norm(axis) || 1;
  for (const other of others) {
    const share = rest.reduce((sum, x, i) => sum + x * (other[i] as number), 0);
    rest = rest.map((x, i) => x - share * (other[i] as number));
  }
  const left = norm(rest);
  return left > length * 1e-12 ? rest.map((x) => x / left) : rest.fill(0);
}
