import { builtin } from '../../../bindings/builtin.js';
import { wasmOptions } from '../../../bindings/wasm-options.js';
import { SardonyxError } from '../../base/errors.js';
import { warnOnce } from '../../base/warn-once.js';

/** More threads gain little for models that run in a browser, and each needs memory of its own. */
const MOST_BY_DEFAULT = 8;

/** The number of threads of a session: as requested, or else one per core; one if memory cannot be shared. */
export function threadCount({ intraOpNumThreads }: { readonly intraOpNumThreads?: number }): number {
  const asked =
    checked('intraOpNumThreads', intraOpNumThreads) || checked('env.wasm.numThreads', wasmOptions.numThreads);
  const obstacle = asked === 1 ? undefined : obstacleToSharing();
  if (obstacle && asked) warnOnce(`${asked} threads were requested, but ${obstacle}: using one thread`);
  return obstacle ? 1 : asked || Math.min(cores(), MOST_BY_DEFAULT);
}

/** 0 and undefined select the default. */
function checked(option: string, threads = 0): number {
  if (Number.isInteger(threads) && threads >= 0 && threads <= 256) return threads;
  throw new SardonyxError('INVALID_ARGUMENT', `${option} must be an integer from 0 to 256, not ${threads}`);
}

function obstacleToSharing(): string | undefined {
  if (globalThis.crossOriginIsolated === false)
    return 'the page is not cross-origin isolated (headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy)';
  if (typeof SharedArrayBuffer === 'undefined') return 'SharedArrayBuffer is not available';
  if (!builtin('worker_threads') && typeof Worker === 'undefined') return 'workers are not available';
  return undefined;
}

export const cores = (): number =>
  globalThis.navigator?.hardwareConcurrency ?? builtin('os')?.availableParallelism() ?? 1;
