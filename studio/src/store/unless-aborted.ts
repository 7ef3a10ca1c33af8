/** The result of the work or the signal's reason, whichever comes first. */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
  ]);

/** Also true for work that was abandoned. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
