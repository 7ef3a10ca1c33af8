import type { LeftFile } from '../../model/document/left-bytes.js';
import { broken } from './stored-weight.js';

/** A file of JSON. What it holds is whoever's: types are for whoever looks at them. */
export async function readJson<T>({ range, size }: LeftFile, name: string): Promise<T> {
  return parsed(await range(0, size), name);
}

/** @param mended what becomes of the text before it is parsed */
export function parsed<T>(bytes: Uint8Array, name: string, mended = (text: string) => text): T {
  try {
    const value = JSON.parse(mended(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw broken(name, `invalid JSON: ${(cause as Error).message}`);
  }
  throw broken(name, 'expected a JSON object');
}

/** Text as XGBoost writes it, in which NaN and infinities are what JSON has for them: null, and numbers that are too large. */
export const withoutNaN = (text: string): string =>
  text.replace(/(?<=[:,[]\s*)(NaN|-?Infinity)(?=\s*[,\]}])/g, (word) =>
    word === 'NaN' ? 'null' : word.replace('Infinity', '1e999'),
  );
