// What may stand where something else is wanted, and what its refusal must be.
import { SardonyxError } from '../../../src/base/errors.js';

export function trap(): never {
  throw new TypeError('hands off');
}

export const WRONG: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  3: 3,
  NaN: Number.NaN,
  true: true,
  '1n': 1n,
  '""': '',
  '{}': {},
  '[]': [],
  '[[1]]': [[1]],
  'a symbol': Symbol('s'),
  'a function': () => 1,
  'a date': new Date(0),
  'a throwing proxy': new Proxy(
    {},
    Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, trap])),
  ),
};

/** Words of an engine's own errors, which say nothing of what would be right. */
const RAW =
  /Cannot (read|convert|destructure|mix)|is not (a function|iterable|a constructor)|undefined \(reading|\[object/;

/** What the call throws, or undefined. */
export async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error ?? new Error('nothing was thrown');
  }
}

/** Why that is no error for a user to read, or undefined where it is. */
export function problemOf(error: unknown): string | undefined {
  if (!(error instanceof SardonyxError)) return `${(error as Error)?.stack?.slice(0, 400)}`;
  if (error.code === 'INTERNAL' || RAW.test(error.message)) return `${error.code}: ${error.message}`;
  return error.message.length > 2500 ? `${error.message.length} characters` : undefined;
}
