export const BLOCK = 32;
const ZERO = 8;

/** Candidate levels for a block's largest weight, of -8 … 7. One of them gives the scale with the smallest squared error. */
const REACHES = Array.from({ length: 25 }, (_, i) => 5 + i / 6);

/**
 * Rows of a matrix [n, k] in 4 bits, as MatMulNBits stores them: [n, k / 32, 16] bytes with the even elements in the low bits,
 * and scales [n, k / 32]; a weight is (bits - 8) * scale.
 */
export function quantize({ dims: [rows, columns], data }) {
  if (columns % BLOCK) throw new Error(`[${rows}, ${columns}]: the row length is not a multiple of ${BLOCK}`);
  const bytes = new Uint8Array(data.length / 2);
  const scales = new Float32Array(data.length / BLOCK);
  for (let block = 0; block < scales.length; block++) {
    const weights = data.subarray(block * BLOCK, (block + 1) * BLOCK);
    const { scale, levels } = nearest(weights);
    scales[block] = scale;
    for (let i = 0; i < BLOCK; i += 2)
      bytes[(block * BLOCK + i) / 2] = (levels[i] + ZERO) | ((levels[i + 1] + ZERO) << 4);
  }
  return { bytes, scales, dims: [rows, columns / BLOCK, BLOCK / 2] };
}

/** The weights that a quantized matrix represents. */
export function dequantized({ bytes, scales }) {
  return Float32Array.from({ length: 2 * bytes.length }, (_, i) => {
    const bits = (bytes[i >> 1] >> (4 * (i & 1))) & 15;
    return Math.fround((bits - ZERO) * scales[Math.floor(i / BLOCK)]);
  });
}

/** Levels and the scale with the smallest squared error. Both signs are tried, because -8 reaches further than 7. */
function nearest(weights) {
  const largest = weights.reduce((most, w) => Math.max(most, Math.abs(w)), 0);
  if (largest === 0) return { scale: 0, levels: new Int8Array(BLOCK) };
  const tried = REACHES.flatMap((reach) => [fitted(weights, largest / reach), fitted(weights, -largest / reach)]);
  return tried.reduce((best, one) => (one.error < best.error ? one : best));
}

function fitted(weights, step) {
  const levels = Int8Array.from(weights, (w) => Math.min(7, Math.max(-ZERO, Math.round(w / step))));
  let [along, square] = [0, 0];
  for (let i = 0; i < BLOCK; i++) {
    along += weights[i] * levels[i];
    square += levels[i] * levels[i];
  }
  const scale = Math.fround(along / square);
  const error = weights.reduce((sum, w, i) => sum + (w - levels[i] * scale) ** 2, 0);
  return { scale, levels, error };
}
