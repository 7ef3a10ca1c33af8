// A kernel thread: joins the memory of an engine and works on its programs.
import { expose } from 'comlink';
import type { TeamPlace } from '../bindings/engine.js';
import { instantiate, type KernelInstance } from '../bindings/instance.js';
import { ownEndpoint } from './own-endpoint.js';

let instance: KernelInstance;

const kernelThread = {
  /** Takes a place in the team, as word `index` of `present` says from now on; `serve` does the work. */
  join({ module, memory, kernelNames, scratch }: TeamPlace, present: Int32Array, index: number): void {
    instance = instantiate(module, memory, kernelNames);
    instance.exports.setScratch(scratch[index] as number);
    Atomics.store(present, index, 1);
  },
  /** Works, and hears nothing, until the team is dismissed. */
  serve: (team: number): void => instance.exports.serveTeam(team),
};

export type KernelThread = typeof kernelThread;

expose(kernelThread, ownEndpoint());
