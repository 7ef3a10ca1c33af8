// A kernel thread: joins the memory of an engine and works on its programs.
import { expose } from 'comlink';
import { instantiate, type KernelInstance } from '../bindings/instance.js';
import type { KernelName } from '../bindings/parameters.js';
import { ownEndpoint } from './own-endpoint.js';

let instance: KernelInstance;

const kernelThread = {
  /** Takes a place in the team; `serve` does the work. */
  join(
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    kernelNames: readonly KernelName[],
    scratch: number,
  ): void {
    instance = instantiate(module, memory, kernelNames);
    instance.exports.setScratch(scratch);
  },
  /** Works, and hears nothing, until the team is dismissed. */
  serve: (team: number): void => instance.exports.serveTeam(team),
};

export type KernelThread = typeof kernelThread;

expose(kernelThread, ownEndpoint());
