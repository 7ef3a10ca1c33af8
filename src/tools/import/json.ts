import type { LeftFile } from '../../model/document/left-bytes.js';
import { broken } from './stored-weight.js';

/** Reads a JSON file. The contents are not validated against `T`. */
export async function readJson<T>({ range, size }: LeftFile, name: string): Promise<T> {
  return parsed(await range(0, size), name);
}

/**
 * Parses a JSON object.
 * @param mended preprocesses the text
 */
export function parsed<T>(bytes: Uint8Array, name: string, mended = (text: string) => text): T {
  try {
    const value = JSON.parse(mended(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw broken(name, `invalid JSON: ${(cause as Error).message}`);
  }
  throw broken(name, 'expected a JSON object');
}

/** Replaces NaN and infinities, which XGBoost writes, by null and numbers that overflow. */
export const withoutNaN = (text: string): string =>
  text.replace(/(?<=[:,[]\s*)(NaN|-?Infinity)(?=\s*[,\]}])/g, (word) =>
    word === 'NaN' ? 'null' : word.replace('Infinity', '1e999'),
  );
