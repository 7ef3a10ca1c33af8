import type { TensorValue } from './tensor-value.js';

// Rows of 8-bit integers, each followed by its float32 scale: round(x / scale), with scale = largest magnitude / 127. They are an int8
// tensor with `SCALE_BYTES` more columns.

export const SCALE_BYTES = 4;

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);

/** Dequantized rows, with `apart` empty positions after each. */
export function widenedRows({ dims, data }: Pick<TensorValue, 'dims' | 'data'>, apart = 0): Float32Array {
  const bytes = bytesOf(data as Int8Array);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pitch = dims.at(-1) as number;
  const size = pitch - SCALE_BYTES;
  const rows = bytes.length / pitch;
  const wide = new Float32Array(rows * (size + apart));
  for (let row = 0; row < rows; row++) {
    const scale = view.getFloat32(row * pitch + size, true);
    for (let i = 0; i < size; i++) wide[row * (size + apart) + i] = view.getInt8(row * pitch + i) * scale;
  }
  return wide;
}

/** Quantizes rows of `size` numbers to integers with their scales. */
export function narrowedRows(numbers: ArrayLike<number>, size: number): Int8Array {
  const rows = numbers.length / size;
  const pitch = size + SCALE_BYTES;
  const bytes = new Int8Array(rows * pitch);
  const view = new DataView(bytes.buffer);
  for (let row = 0; row < rows; row++) {
    let largest = 0;
    for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(numbers[row * size + i] as number));
    const scale = Math.fround(Number.isFinite(largest) ? largest / 127 : Number.NaN);
    view.setFloat32(row * pitch + size, scale, true);
    for (let i = 0; i < size; i++)
      bytes[row * pitch + i] = scale > 0 ? nearest((numbers[row * size + i] as number) / scale) : 0;
  }
  return bytes;
}

/** Rounds to the nearest, ties to even, within −127…127. */
function nearest(x: number): number {
  const low = Math.floor(x);
  const rounded = x - low === 0.5 ? low + (low & 1) : Math.round(x);
  return Math.max(-127, Math.min(127, rounded));
}
