import { proxy, wrap } from 'comlink';
import { unlessAborted } from '../../store/unless-aborted.js';
import { startWorker } from '../../store/workers/start-worker.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';
import type { Progress, Quantized, QuantizeService, SampleFiles, Settings } from '../../workers/contracts/quantize.js';

/** Quantises in a worker of its own, which an abort ends. */
export async function quantize(
  files: ModelFiles,
  samples: SampleFiles,
  settings: Settings,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Quantized> {
  const worker = startWorker('quantize');
  try {
    const service = wrap<QuantizeService>(worker);
    return await unlessAborted(service.quantize(files, samples, settings, proxy(onProgress)), signal);
  } finally {
    worker.terminate();
  }
}
