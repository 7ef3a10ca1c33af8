import { proxy, wrap } from 'comlink';
import { startWorker } from '../worker/start-worker.js';
import type { Chosen, Options, Progress, Verification, VerifyService } from './service.js';

/** Verifies in a worker of its own, which an abort ends. */
export async function verify(
  chosen: Chosen,
  options: Options,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Verification> {
  const worker = startWorker('verify');
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    const service = wrap<VerifyService>(worker);
    return await Promise.race([service.verify(chosen, options, proxy(onProgress)), aborted]);
  } finally {
    worker.terminate();
  }
}
