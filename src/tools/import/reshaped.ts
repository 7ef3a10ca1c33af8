import { allOf, LeftBytes } from '../../model/document/left-bytes.js';
import { byteLength, ELEMENTS, type ElementType, isFloat } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { bytesOf, StoredTensor } from '../../tensor/stored-tensor.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { sizeIn } from './stored-weight.js';

/** Data that are computed when they are needed. */
export interface Made {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly bytes: () => Promise<Uint8Array>;
}

interface Kept {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly data: Uint8Array;
}

/** A tensor of unaligned bytes. */
export const tensorIn = (type: ElementType, dims: readonly number[], bytes: Uint8Array): TensorValue =>
  new StoredTensor(type, dims, () => bytes);

const isReal = (type: ElementType): boolean => isFloat(type) && !type.startsWith('complex');

/** Whether elements of one type can be converted to another. */
export const isConvertible = (from: ElementType, to: ElementType): boolean => isReal(from) && isReal(to);

/** Converts elements to the nearest values of another floating-point type. 8-bit floats saturate. */
export function converted({ type: from, dims, data }: Kept, type: ElementType): Made {
  const bytes = async () => allOf(data);
  if (from === type) return { type, dims, bytes };
  return {
    type,
    dims,
    bytes: async () => bytesOf(tensorOf(type, dims, numbersOf(tensorIn(from, dims, await bytes())))),
  };
}

/** Transposes a matrix. */
export function transposed({ type, dims, bytes }: Made): Made {
  const [rows = 0, columns = 0] = dims;
  return { type, dims: [columns, rows], bytes: async () => turnedBytes(await bytes(), rows, columns, type) };
}

function turnedBytes(from: Uint8Array, rows: number, columns: number, type: ElementType): Uint8Array {
  const width = ELEMENTS[type].bits / 8;
  const to = new Uint8Array(from.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      for (let byte = 0; byte < width; byte++)
        to[(column * rows + row) * width + byte] = from[(row * columns + column) * width + byte] as number;
  return to;
}

/** Makes lazy arrays that compute data when they are read. Only the latest tensor's data are cached. */
export function making(): (made: Made) => LeftBytes {
  let latest: Made | undefined;
  let bytes: Promise<Uint8Array>;
  return (made) =>
    new LeftBytes(byteLength(made.type, sizeIn(made.dims)), async (begin, end) => {
      // Computing the data may read another lazy array, which then becomes the latest.
      const own = latest === made ? bytes : made.bytes();
      [latest, bytes] = [made, own];
      return (await own).subarray(begin, end);
    });
}
