import { SardonyxError } from '../src/errors.js';
import { startThread, type Thread } from './thread.js';

const scriptOf = () => new URL('../build/session-worker.js', import.meta.url);
const webWorker = () => new Worker(new URL('../build/session-worker.js', import.meta.url), { type: 'module' });

/** Starts a worker for one session, from the package's own script or the one given. */
export function startSessionThread(script: string | URL | undefined): Thread {
  const refuse = (reason: string, cause?: unknown) =>
    new SardonyxError('WORKER_FAILED', `the session worker cannot be started: ${reason}`, {}, { cause });
  try {
    const thread = script
      ? startThread(asUrl(script), () => new Worker(script, { type: 'module' }))
      : startThread(scriptOf(), webWorker);
    if (thread) return thread;
  } catch (cause) {
    throw refuse((cause as Error).message, cause);
  }
  throw refuse('there are no workers here');
}

const asUrl = (script: string | URL) =>
  new URL(script, typeof document === 'undefined' ? import.meta.url : document.baseURI);
