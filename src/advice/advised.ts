import { asSardonyxError, hintOf, SardonyxError } from '../base/errors.js';
import type { Say } from './hinted.js';
import { loadAdvice } from './load.js';

/** Converts a thrown value to a SardonyxError with the longest available message. */
export async function advised(thrown: unknown): Promise<SardonyxError> {
  const error = asSardonyxError(thrown);
  const say = hintOf(error) as Say | undefined;
  if (!say) return error;
  try {
    return better(error, say(await loadAdvice(), error.complaint));
  } catch {
    // Service workers cannot load advice, and advice reads the caller's values again, which may have changed.
    return error;
  }
}

/** The error with another complaint, from the same place in the caller's program. */
function better(error: SardonyxError, complaint: string): SardonyxError {
  const { code, place, cause, message, stack } = error;
  const made = new SardonyxError(code, complaint, place, cause === undefined ? undefined : { cause });
  if (stack) made.stack = stack.replace(message, () => made.message);
  return made;
}
