import { byteLength } from '../tensor/element-types.js';
import { elementCount, isTensorValue } from '../tensor/tensor-value.js';

/** An object with a few fields, and an entry of an array or map. */
const OBJECT = 128;
const ENTRY = 8;
const CHARACTER = 2;

/** Estimates the bytes of memory that a JavaScript value holds. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return OBJECT / 8 + CHARACTER * value.length;
  if (typeof value !== 'object' || value === null) return ENTRY;
  if (Array.isArray(value)) return value.reduce((sum: number, element) => sum + ENTRY + weightOf(element), OBJECT);
  if (value instanceof Map) {
    let sum = OBJECT;
    for (const [key, entry] of value) sum += 3 * ENTRY + weightOf(key) + weightOf(entry);
    return sum;
  }
  if (!isTensorValue(value)) return OBJECT;
  if (value.type === 'string') return OBJECT + weightOf(value.data);
  return OBJECT + byteLength(value.type, elementCount(value.dims));
}
