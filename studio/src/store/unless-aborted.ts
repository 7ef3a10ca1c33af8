/** What the work gives, or the signal's reason, whichever comes first. */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
  ]);

/** Work that was left behind ends so, too. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
