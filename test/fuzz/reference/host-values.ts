import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import type { HostValue, TensorValue } from '../../../src/tensor/tensor-value.js';
import { countOf, type Plain, type PlainArray, type PlainValue, plain } from './array.js';
import { decodeFloat, INTEGERS } from './number-types.js';

/** Elements of fewer than 8 bits out of their bytes, low bits first. */
function unpacked(type: ElementType, bytes: ArrayLike<number>, count: number): number[] {
  const { bits } = ELEMENTS[type];
  const perByte = 8 / bits;
  const { signed = false } = INTEGERS[type] ?? {};
  return Array.from({ length: count }, (_, i) => {
    const code = ((bytes[Math.floor(i / perByte)] as number) >> ((i % perByte) * bits)) & ((1 << bits) - 1);
    return signed && code >> (bits - 1) ? code - (1 << bits) : code;
  });
}

const isCoded = (type: ElementType): boolean => /^(b?float16|float8|float4)/.test(type);

/** Undefined: complex numbers. */
function plainTensor({ type, dims, data }: TensorValue): PlainArray | undefined {
  const { bits, entries } = ELEMENTS[type];
  if (entries) return undefined;
  const stored =
    bits > 0 && bits < 8 ? unpacked(type, data as Uint8Array, countOf(dims)) : Array.from<Plain>(data as Plain[]);
  return plain(type, dims, isCoded(type) ? stored.map((code) => decodeFloat(type, code as number)) : stored);
}

/** The value in plain numbers; undefined if it has complex numbers or maps. */
export function plainOf(value: HostValue): PlainValue | undefined {
  if (value === null) return null;
  if (value instanceof Map) return undefined;
  if (!Array.isArray(value)) return plainTensor(value as TensorValue);
  const elements = value.map(plainOf);
  return elements.includes(undefined) ? undefined : (elements as PlainArray[]);
}
