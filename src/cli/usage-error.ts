import { SardonyxError } from '../base/errors.js';

/** An error in the command line itself: exit status 2. */
export class UsageError extends Error {}

/** Does `work` for an option or argument, and puts its name before errors: `--dim batch=x: …`. */
export function concerning<T>(option: string, work: () => T): T {
  try {
    const result = work();
    return result instanceof Promise ? (result.catch((error) => refuse(option, error)) as T) : result;
  } catch (error) {
    return refuse(option, error);
  }
}

function refuse(option: string, error: unknown): never {
  if (error instanceof UsageError) throw new UsageError(`${option}: ${error.message}`, { cause: error });
  if (error instanceof SardonyxError)
    throw new SardonyxError(error.code, `${option}: ${error.message}`, {}, { cause: error });
  throw error;
}
