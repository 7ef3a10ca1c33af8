import { SardonyxError } from './errors.js';

/** What `import()` gives, which service workers refuse; `instead` is what works there. */
export const onDemand = <T>(loading: Promise<T>, instead: string): Promise<T> =>
  loading.catch((cause) => {
    throw new SardonyxError('UNSUPPORTED_PLATFORM', `${cause.message}; ${instead} instead`, {}, { cause });
  });
