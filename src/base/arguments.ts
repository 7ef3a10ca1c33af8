import { SardonyxError } from './errors.js';
import { isPromise, shown } from './shown.js';

/** The error for arguments that cannot be read: Sardonyx's, or one that a getter threw. */
export function unreadable(what: string, thrown: unknown): SardonyxError {
  if (thrown instanceof SardonyxError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : shown(thrown);
  return new SardonyxError('INVALID_ARGUMENT', `${what} cannot be read: ${reason}`, {}, { cause: thrown });
}

/** Reads what the caller has given. */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw unreadable(what, thrown);
  }
}

/**
 * The options, or none where they are left out.
 * @throws SardonyxError INVALID_ARGUMENT where they are something else than an object, or cannot be read
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
