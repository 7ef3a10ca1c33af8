import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';

/**
 * Settles like `work`, or throws after the time limit or when the signal is aborted. `late` tells the work to stop.
 * Work that blocks the event loop cannot be interrupted.
 * @param milliseconds Infinity for no limit
 * @throws SardonyxError LIMIT, ABORTED
 */
export async function within<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  let forget = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (error: SardonyxError) => {
      reject(error);
      late.abort(error);
    };
    forget = onAbort(signal, () => end(aborted(signal as AbortSignal, 'the conformance run')));
    if (milliseconds === Number.POSITIVE_INFINITY) return;
    const limit = new SardonyxError('LIMIT', `the case took longer than ${milliseconds / 1000} s`);
    timer = setTimeout(() => end(limit), milliseconds);
  });
  try {
    return await Promise.race([work(late.signal), ended]);
  } finally {
    clearTimeout(timer);
    forget();
  }
}
