// A kernel thread: joins the memory of an engine and works on its programs.
import { expose } from 'comlink';
import type { TeamPlace } from '../bindings/engine.js';
import { extend, instantiate, type KernelInstance, type KernelModule } from '../bindings/instance.js';
import { ownEndpoint } from './own-endpoint.js';

let instance: KernelInstance;

const kernelThread = {
  /** Joins the team and sets word `index` of `present`; `serve` does the work. */
  join({ modules, memory, scratch }: TeamPlace, present: Int32Array, index: number): void {
    const [first, ...others] = modules as [KernelModule, ...KernelModule[]];
    const own = scratch[index] as number;
    instance = instantiate(first, memory);
    instance.exports.setScratch(own);
    for (const more of others) extend(instance, more, memory, own);
    Atomics.store(present, index, 1);
  },
  /** Works until the team is dismissed; handles no messages until then. */
  serve: (team: number): void => instance.exports.serveTeam(team),
};

export type KernelThread = typeof kernelThread;

expose(kernelThread, ownEndpoint());
