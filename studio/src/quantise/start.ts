import { proxy, wrap } from 'comlink';
import type { ModelFiles } from '../documents/service.js';
import { startWorker } from '../worker/start-worker.js';
import { unlessAborted } from '../worker/unless-aborted.js';
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
  try {
    const service = wrap<QuantiseService>(worker);
    return await unlessAborted(service.quantise(files, samples, settings, proxy(onProgress)), signal);
  } finally {
    worker.terminate();
  }
}
