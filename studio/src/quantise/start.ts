import { proxy, wrap } from 'comlink';
import type { ModelFiles } from '../documents/service.js';
import { startWorker } from '../worker/start-worker.js';
import type { Progress, Quantised, QuantiseService, SampleFiles, Settings } from './service.js';

/** Quantises in a worker of its own, which an abort ends. */
export async function quantise(
  files: ModelFiles,
  samples: SampleFiles,
  settings: Settings,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Quantised> {
  const worker = startWorker('quantise');
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    const service = wrap<QuantiseService>(worker);
    return await Promise.race([service.quantise(files, samples, settings, proxy(onProgress)), aborted]);
  } finally {
    worker.terminate();
  }
}
