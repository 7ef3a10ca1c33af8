import type { Endpoint } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { builtin } from '../bindings/builtin.js';
import { urlOf } from '../bindings/load.js';

/** A web worker, or a worker thread of Node. */
export interface PlatformWorker {
  readonly endpoint: Endpoint;
  /** Settles when the worker fails or ends, also by `terminate`: its callers would otherwise wait forever. */
  readonly ended: Promise<Error>;
  /** Settles when the worker's memory is freed, if the platform reports that. */
  terminate(): Promise<unknown> | undefined;
  /** Keeps the process alive while it is held. */
  hold(): void;
  letGo(): void;
}

type NodeWorker = import('node:worker_threads').Worker;

/** Starts the script at `place`, or the package's by default; null if the platform has no workers. */
export function startWorker(
  place: URL | string | undefined,
  ownScript: () => URL,
  ownWorker: () => Worker,
): PlatformWorker | null {
  if (place === undefined) return start(ownScript, ownWorker);
  const url = typeof place === 'string' ? urlOf(place) : place;
  return start(
    () => url,
    () => new Worker(url, { type: 'module' }),
  );
}

function start(script: () => URL, makeWebWorker: () => Worker): PlatformWorker | null {
  const node = builtin('worker_threads'); // Unlike web workers, these let the process end.
  if (node) return nodeWorker(new node.Worker(script(), { execArgv: [] }));
  return typeof Worker === 'function' ? webWorker(makeWebWorker()) : null;
}

function nodeWorker(worker: NodeWorker): PlatformWorker {
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('messageerror', resolve);
    worker.once('exit', (code) => resolve(new Error(`the worker ended with code ${code}`)));
  });
  const endpoint = nodeEndpoint(worker);
  let isHeld = false;
  const setHeld = (held: boolean) => {
    isHeld = held;
    if (held) worker.ref();
    else worker.unref();
  };
  return {
    endpoint: {
      ...endpoint,
      addEventListener(...listener) {
        endpoint.addEventListener(...listener);
        setHeld(isHeld); // Each listener for messages would keep the process alive.
      },
    },
    ended,
    terminate: () => worker.terminate(),
    hold: () => setHeld(true),
    letGo: () => setHeld(false),
  };
}

function webWorker(worker: Worker): PlatformWorker {
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<Error>((resolve) => {
    end = resolve;
  });
  worker.addEventListener('error', ({ message }) =>
    end(new Error(message || 'its script is missing (env.wasm says where it is), or the page may not start it')),
  );
  worker.addEventListener('messageerror', () => end(new Error('a message of the worker cannot be read')));
  const terminate = () => {
    worker.terminate();
    end(new Error('the worker was terminated')); // No event reports this.
    return undefined;
  };
  return { endpoint: worker, ended, terminate, hold() {}, letGo() {} };
}
