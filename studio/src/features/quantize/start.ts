import { proxy, type Remote, wrap } from 'comlink';
import { unlessAborted } from '../../store/unless-aborted.js';
import { startWorker } from '../../store/workers/start-worker.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';
import type { Progress, Quantized, QuantizeService, SampleFiles, Settings } from '../../workers/contracts/quantize.js';

type OnProgress = (progress: Progress) => void;

/** The settings of a quantisation. */
export interface Asked {
  readonly files: ModelFiles;
  readonly samples: SampleFiles;
  readonly settings: Settings;
}

export const quantize = (
  { files, samples, settings }: Asked,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Quantized> => inWorker((service) => service.quantize(files, samples, settings, proxy(onProgress)), signal);

export const outputErrors = (
  { files, samples, settings }: Asked,
  nodes: readonly string[],
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<(number | undefined)[]> =>
  inWorker((service) => service.outputErrors(files, samples, settings, nodes, proxy(onProgress)), signal);

/** Runs in a dedicated worker, which an abort ends. */
async function inWorker<T>(work: (service: Remote<QuantizeService>) => Promise<T>, signal: AbortSignal): Promise<T> {
  const worker = startWorker('quantize');
  try {
    return await unlessAborted(work(wrap<QuantizeService>(worker)), signal);
  } finally {
    worker.terminate();
  }
}
