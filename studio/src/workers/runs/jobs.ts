const going = new Map<number, AbortController>();

/** Runs a job that `cancel` can stop by its number. */
export async function cancellable<T>(job: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  going.set(job, abort);
  try {
    return await work(abort.signal);
  } finally {
    going.delete(job);
  }
}

export const cancel = (job: number): void => going.get(job)?.abort();
