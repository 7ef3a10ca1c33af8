import { type Remote, wrap } from 'comlink';
import { unlessAborted } from '../../store/unless-aborted.js';
import { startWorker } from '../../store/workers/start-worker.js';
import type { Compared, CompareService } from '../../workers/contracts/compare.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';

/** Two compared models; the worker keeps the rows until it is terminated. */
export interface Comparison {
  readonly id: number;
  /** Titles of both models on the page: `A: one.onnx`. */
  readonly titles: readonly [string, string];
  readonly before: ModelFiles;
  readonly after: ModelFiles;
  readonly compared: Compared;
  readonly service: Remote<CompareService>;
  end(): void;
}

let lastId = 0;

/** Adds the folders if both files have the same name. */
function titlesOf(before: ModelFiles, after: ModelFiles): Comparison['titles'] {
  const isSame = before.name === after.name;
  const [a, b] = [before, after].map(({ name, path }) => (isSame && path) || name);
  return [`A: ${a}`, `B: ${b}`];
}

/** Compares in a dedicated worker, which an abort terminates. */
export async function compare(
  before: ModelFiles,
  after: ModelFiles | 'simplified',
  signal: AbortSignal,
): Promise<Comparison> {
  const worker = startWorker('compare');
  const end = () => worker.terminate();
  try {
    const service = wrap<CompareService>(worker);
    const compared = await unlessAborted(service.compare(before, after), signal);
    const other = compared.made ?? (after as ModelFiles);
    return { id: ++lastId, titles: titlesOf(before, other), before, after: other, compared, service, end };
  } catch (error) {
    end();
    throw error;
  }
}
