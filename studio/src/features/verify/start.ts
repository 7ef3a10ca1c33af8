import { proxy, wrap } from 'comlink';
import { unlessAborted } from '../../store/unless-aborted.js';
import { startWorker } from '../../store/workers/start-worker.js';
import type { Chosen, Options, Progress, Verification, VerifyService } from '../../workers/contracts/verify.js';

/** Verifies in a dedicated worker, which an abort ends. */
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
