import { proxy, wrap } from 'comlink';
import { startWorker } from '../worker/start-worker.js';
import { unlessAborted } from '../worker/unless-aborted.js';
import type { Chosen, Options, Progress, Verification, VerifyService } from './service.js';

/** Verifies in a worker of its own, which an abort ends. */
export async function verify(
  chosen: Chosen,
  options: Options,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Verification> {
  const worker = startWorker('verify');
  try {
    const service = wrap<VerifyService>(worker);
    return await unlessAborted(service.verify(chosen, options, proxy(onProgress)), signal);
  } finally {
    worker.terminate();
  }
}
