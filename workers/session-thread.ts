import { locateOwn } from '../bindings/own-file.js';
import { ownFile } from '../bindings/wasm-files.js';
import { SardonyxError } from '../src/base/errors.js';
import { startThread, type Thread } from './thread.js';

/** The package's script. Bundlers, which would copy it without its chunks, look for it in the other form only. */
const ownScript = () =>
  locateOwn('session-worker.js', new URL('../dist/session-worker.js', ownFile('sardonyx.simd.wasm')));
const ownWorker = () => new Worker(new URL('../dist/session-worker.js', import.meta.url), { type: 'module' });

/** Starts a worker for one session. */
export function startSessionThread(place: URL | string | undefined): Thread {
  let thread: Thread | null;
  try {
    thread = startThread(place, ownScript, ownWorker);
  } catch (cause) {
    const { message } = cause as Error;
    const complaint = `the session worker cannot be started: ${message} (say where it is with env.wasm.sessionWorkerUrl)`;
    throw new SardonyxError('WORKER_FAILED', complaint, {}, { cause });
  }
  if (!thread)
    throw new SardonyxError('UNSUPPORTED_PLATFORM', 'there are no workers here: use the session of sardonyx');
  return thread;
}
