import type { Endpoint } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';

/** A worker of whichever kind the platform has. */
export interface Thread {
  readonly endpoint: Endpoint;
  /** Settles when the worker fails or ends. */
  readonly ended: Promise<Error>;
  terminate(): void;
  /** While it is held, the process goes on for it. */
  hold(): void;
  letGo(): void;
}

type WorkerThreads = typeof import('node:worker_threads');
type NodeWorker = InstanceType<WorkerThreads['Worker']>;

/** Node's worker threads, which Deno and Bun have too: unlike web workers, they let the process end. */
export function workerThreads(): WorkerThreads | undefined {
  const builtin = globalThis.process?.getBuiltinModule;
  return builtin?.('node:worker_threads') as WorkerThreads | undefined;
}

/** Starts the script at `url`; null where the platform has no workers. */
export function startThread(url: URL, makeWebWorker: () => Worker): Thread | null {
  const node = workerThreads();
  if (node) return nodeThread(new node.Worker(url, { execArgv: [] }));
  return typeof Worker === 'function' ? webThread(makeWebWorker()) : null;
}

function nodeThread(worker: NodeWorker): Thread {
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('messageerror', resolve);
    worker.once('exit', (code) => resolve(new Error(`the worker ended with code ${code}`)));
  });
  return {
    endpoint: lettingProcessEnd(worker),
    ended,
    terminate: () => void worker.terminate(),
    hold: () => worker.ref(),
    letGo: () => worker.unref(),
  };
}

/** Each listener for messages would keep the process going. */
function lettingProcessEnd(worker: NodeWorker): Endpoint {
  const endpoint = nodeEndpoint(worker);
  return {
    ...endpoint,
    addEventListener(...listener) {
      endpoint.addEventListener(...listener);
      worker.unref();
    },
  };
}

function webThread(worker: Worker): Thread {
  const ended = new Promise<Error>((resolve) => {
    worker.addEventListener('error', ({ message }) => resolve(new Error(message || 'the worker cannot be started')));
    worker.addEventListener('messageerror', () => resolve(new Error('a message of the worker cannot be read')));
  });
  return { endpoint: worker, ended, terminate: () => worker.terminate(), hold() {}, letGo() {} };
}
