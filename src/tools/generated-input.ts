import { dataLength, ELEMENTS, type ElementType, type TypedArrayConstructor } from '../tensor/element-types.js';
import { toBfloat16, toFloat16 } from '../tensor/half.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

const ENCODERS: Partial<Record<ElementType, (x: number) => unknown>> = {
  float16: toFloat16,
  bfloat16: toBfloat16,
  float32: (x) => x,
  float64: (x) => x,
  int64: (x) => BigInt(Math.round(x)),
  uint64: (x) => BigInt(Math.round(x)),
};

/**
 * Generates random contents: floats uniform in 0 … 1, and integers and booleans 0 or 1. Strings are empty, and elements
 * smaller than a byte are 0.
 */
export function generatedInput(type: ElementType, dims: readonly number[], random: () => number): TensorValue {
  const { array, bits } = ELEMENTS[type];
  const length = dataLength(type, elementCount(dims));
  if (!array) return { type, dims, data: new Array<string>(length).fill('') };
  const data = new (array as TypedArrayConstructor)(length);
  const encode = ENCODERS[type] ?? Math.round;
  if (bits >= 8 && !type.startsWith('float8')) for (let i = 0; i < length; i++) data[i] = encode(random()) as never;
  return { type, dims, data };
}

/** Mulberry32: equal seeds produce equal sequences of numbers in 0 … 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
