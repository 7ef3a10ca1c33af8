import { SardonyxError } from './errors.js';
import { isPromise, shown } from './shown.js';

/** The error for unreadable arguments: Sardonyx's own, or one that wraps the error of a getter. */
export function unreadable(what: string, thrown: unknown): SardonyxError {
  if (thrown instanceof SardonyxError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : shown(thrown);
  return new SardonyxError('INVALID_ARGUMENT', `${what} cannot be read: ${reason}`, {}, { cause: thrown });
}

/** Reads values from the caller, and converts errors. */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw unreadable(what, thrown);
  }
}

/**
 * Returns the options, or an empty object if there are none.
 * @throws SardonyxError INVALID_ARGUMENT if they are not an object, or cannot be read
 */
export function optionsOf<T extends object>(options: T | null | undefined, what: string, example: string): T {
  const given = options ?? ({} as T);
  const isOptions = reading(
    what,
    () => typeof given === 'object' && !Array.isArray(given) && !isPromise(given) && Boolean({ ...given }),
  );
  if (isOptions) return given;
  throw new SardonyxError('INVALID_ARGUMENT', `${what} must be an object, e.g. ${example}; got ${shown(given)}`);
}

export const madeByCreate = (): SardonyxError =>
  new SardonyxError(
    'INVALID_ARGUMENT',
    'use await InferenceSession.create(model) instead of new InferenceSession(model)',
  );
