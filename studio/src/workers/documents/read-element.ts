import type { ElementType, TensorValue } from 'sardonyx';
import { Tensor } from 'sardonyx';
import { entriesOf, tensorOfEntries } from '../../../../src/tensor/packed.js';
import { float, integer } from './attribute-values.js';

/** Parses an element into the data of a one-element tensor, by type; other types hold a single number. */
const DATA: Readonly<Partial<Record<ElementType, (text: string) => unknown>>> = {
  string: (text) => [stringOf(text)],
  bool: (text) => [truthOf(text)],
  complex64: (text) => Float32Array.from(complexOf(text)),
  complex128: (text) => Float64Array.from(complexOf(text)),
  int64: (text) => [integer(text)],
  uint64: (text) => [unsigned(text)],
};

/**
 * The tensor with one element replaced, at a row-major index; the text is as the tensor table writes it.
 * @throws Error if the text is not of the tensor type
 */
export function withElement(tensor: TensorValue, at: number, text: string): TensorValue {
  const { type, dims } = tensor;
  const data = DATA[type]?.(text) ?? [/^u?int/.test(type) ? Number(integer(text)) : float(text)];
  const one = new Tensor(type, data as never, [1]) as TensorValue;
  if (type === 'string')
    return { type, dims, data: (tensor.data as readonly string[]).with(at, one.data[0] as string) };
  const [entries, entry] = [(entriesOf(tensor) as Int8Array).slice(), entriesOf(one) as Int8Array];
  entries.set(entry, at * entry.length);
  return tensorOfEntries(type, dims, entries);
}

/** With quotes as in the tensor table, or without. */
function stringOf(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'string' ? parsed : text;
  } catch {
    return text;
  }
}

function truthOf(text: string): boolean {
  const known = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]).get(text.trim().toLowerCase());
  if (known === undefined) throw new Error(`"${text}" is not true or false`);
  return known;
}

function unsigned(text: string): bigint {
  if (!/^\+?\d+$/.test(text.trim())) throw new Error(`"${text}" is no whole number of 0 and more`);
  return BigInt(text.trim());
}

const COMPLEX = /^(\S+?)(?:\s*([+−-])\s*(\S+?)i)?$/;

function complexOf(text: string): [number, number] {
  const [, real, sign, imaginary] = COMPLEX.exec(text.trim()) ?? [];
  if (real === undefined) throw new Error(`"${text}" is no complex number: they are written as 1 + 2i`);
  const part = imaginary === undefined ? 0 : float(imaginary);
  return [float(real), sign === undefined || sign === '+' ? part : -part];
}
