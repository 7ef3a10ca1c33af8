const LONGEST = 60;

const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Whether a value has a `then` method, in any realm. */
export const isPromise = (value: unknown): boolean => typeof (value as { then?: unknown } | null)?.then === 'function';

/** A short description of any value for messages; it never throws. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return shortened(JSON.stringify(value));
  if (typeof value === 'bigint') return shortened(`${value}n`);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    if (isPromise(value)) return 'a Promise: did you forget await?';
    const { name } = value.constructor ?? {};
    return Array.isArray(value) ? 'an array' : !name || name === 'Object' ? 'an object' : shortened(name);
  } catch {
    return 'an object that cannot be read';
  }
}
