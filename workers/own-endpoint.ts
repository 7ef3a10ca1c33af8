import type { Endpoint } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { builtin } from '../bindings/builtin.js';

/** The other end of this worker. */
export function ownEndpoint(): Endpoint {
  const port = builtin('worker_threads')?.parentPort;
  return port ? nodeEndpoint(port) : (globalThis as unknown as Endpoint);
}
