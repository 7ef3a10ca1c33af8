import type { Endpoint } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { workerThreads } from './thread.js';

/** The other end of this worker. */
export function ownEndpoint(): Endpoint {
  const port = workerThreads()?.parentPort;
  return port ? nodeEndpoint(port) : (globalThis as unknown as Endpoint);
}
