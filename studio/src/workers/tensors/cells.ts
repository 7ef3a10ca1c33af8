import type { TensorValue } from 'sardonyx';
import { toNumbers } from 'sardonyx/tensors';
import type { CellWindow } from '../contracts/tensors.js';
import { floatText } from '../documents/attribute-text.js';
import type { Readable } from './readable.js';

/** The elements of a window as text, row by row. */
export async function cellsOf(tensor: Readable, window: CellWindow): Promise<string[]> {
  const rows = Array.from({ length: window.rowEnd - window.rowBegin }, (_, i) => {
    const start = window.offset + (window.rowBegin + i) * window.columns;
    return tensor.read(start + window.columnBegin, start + window.columnEnd);
  });
  return (await Promise.all(rows)).flatMap(elementTexts);
}

const NUMBERS = new Set(['float16', 'bfloat16', 'float4e2m1', 'uint4', 'int4', 'uint2', 'int2']);

/** Every element as text: integers in full, floats with the digits needed to tell them apart. */
export function elementTexts(tensor: TensorValue): string[] {
  const { type, data } = tensor;
  if (type === 'string') return (data as readonly string[]).map((text) => JSON.stringify(text));
  if (type === 'bool') return Array.from(data as Uint8Array, (bit) => `${bit !== 0}`);
  if (type === 'float32') return Array.from(data as Float32Array, floatText);
  if (type.startsWith('complex')) return complexTexts(data as Float32Array, type === 'complex64' ? floatText : String);
  if (NUMBERS.has(type) || type.startsWith('float8')) return Array.from(toNumbers(tensor), floatText);
  return Array.from(data as ArrayLike<number | bigint>, String);
}

const complexTexts = (parts: ArrayLike<number>, text: (part: number) => string): string[] =>
  Array.from({ length: parts.length / 2 }, (_, i) => {
    const [real, imaginary] = [parts[2 * i] as number, parts[2 * i + 1] as number];
    return `${text(real)} ${imaginary < 0 ? '−' : '+'} ${text(Math.abs(imaginary))}i`;
  });
