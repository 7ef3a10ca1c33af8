import { locateOwn } from '../bindings/own-file.js';
import { ownFile } from '../bindings/wasm-files.js';
import { SardonyxError } from '../src/base/errors.js';
import { type PlatformWorker, startWorker } from './platform-worker.js';

/** The package's script. Bundlers would copy it without its chunks, but they only recognize the other form. */
const ownScript = () =>
  locateOwn('session-worker.js', new URL('../dist/session-worker.js', ownFile('sardonyx.simd.wasm')));
const ownWorker = () => new Worker(new URL('../dist/session-worker.js', import.meta.url), { type: 'module' });

/** Starts a worker for one session. */
export function startSessionWorker(place: URL | string | undefined): PlatformWorker {
  let worker: PlatformWorker | null;
  try {
    worker = startWorker(place, ownScript, ownWorker);
  } catch (cause) {
    const { message } = cause as Error;
    const complaint = `the session worker cannot be started: ${message} (say where it is with env.wasm.sessionWorkerUrl)`;
    throw new SardonyxError('WORKER_FAILED', complaint, {}, { cause });
  }
  if (!worker)
    throw new SardonyxError(
      'UNSUPPORTED_PLATFORM',
      'this platform has no workers: import InferenceSession from sardonyx',
    );
  return worker;
}
