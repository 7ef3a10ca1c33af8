import { proxy, wrap } from 'comlink';
import { unlessAborted } from '../../store/unless-aborted.js';
import { startWorker } from '../../store/workers/start-worker.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';
import type { Progress, Quantised, QuantiseService, SampleFiles, Settings } from '../../workers/contracts/quantize.js';

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
