import type { Endpoint } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { builtin } from '../bindings/builtin.js';

/** The endpoint of this worker's parent. */
export function ownEndpoint(): Endpoint {
  const port = builtin('worker_threads')?.parentPort;
  return port ? nodeEndpoint(port) : (globalThis as unknown as Endpoint);
}

/** Throws if a message cannot be read, instead of leaving its sender without an answer. */
export function refuseUnreadable(): void {
  const port = builtin('worker_threads')?.parentPort;
  const refuse = () => {
    throw new Error('a message to the worker cannot be read');
  };
  if (port) port.on('messageerror', refuse);
  else globalThis.addEventListener('messageerror', refuse);
}
