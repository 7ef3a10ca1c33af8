import { endProgress } from './progress.js';

export function print(text: string): void {
  endProgress();
  process.stdout.write(`${text}\n`);
}

/** Prints JSON; what JSON has no form for becomes text (NaN, infinities, large integers), a number, array or object. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, toJson, 2));

function toJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  return value instanceof Map ? Object.fromEntries(value) : value;
}
