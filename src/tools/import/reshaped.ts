import { allOf, LeftBytes } from '../../model/document/left-bytes.js';
import { byteLength, ELEMENTS, type ElementType, isFloat } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { bytesOf, StoredTensor } from '../../tensor/stored-tensor.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { sizeIn } from './stored-weight.js';

/** Numbers that are made as they are asked for. */
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

/** A tensor of bytes, at any alignment. */
export const tensorIn = (type: ElementType, dims: readonly number[], bytes: Uint8Array): TensorValue =>
  new StoredTensor(type, dims, () => bytes);

const isReal = (type: ElementType): boolean => isFloat(type) && !type.startsWith('complex');

/** Whether numbers of one type can be rounded to another. */
export const isConvertible = (from: ElementType, to: ElementType): boolean => isReal(from) && isReal(to);

/** The numbers in another type of floats, each the nearest; what is beyond the largest of 8 bits becomes that. */
export function converted({ type: from, dims, data }: Kept, type: ElementType): Made {
  const bytes = async () => allOf(data);
  if (from === type) return { type, dims, bytes };
  return {
    type,
    dims,
    bytes: async () => bytesOf(tensorOf(type, dims, numbersOf(tensorIn(from, dims, await bytes())))),
  };
}

/** A matrix the other way round. */
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

/** Makes data when they are read, piece by piece, and keeps those of one tensor at a time. */
export function making(): (made: Made) => LeftBytes {
  let latest: Made | undefined;
  let bytes: Promise<Uint8Array>;
  return (made) =>
    new LeftBytes(byteLength(made.type, sizeIn(made.dims)), async (begin, end) => {
      // What is made may be made of another, which comes to be the latest meanwhile.
      const own = latest === made ? bytes : made.bytes();
      [latest, bytes] = [made, own];
      return (await own).subarray(begin, end);
    });
}
