import { STEP_BYTES } from '../../bindings/engine.js';
import { kernels } from '../../build/kernels.js';
import { PASSAGE } from './doomed-thread.js';

/** A call into the kernels on which threads work together. */
export interface SharedCall {
  readonly memory: WebAssembly.Memory;
  readonly team: number;
  /** Tiles of each of its steps. */
  readonly tiles: readonly number[];
}

export interface Watch {
  /** Just before a call on which threads may work together. */
  call(call: SharedCall): void;
  /** Just before this thread works on tiles that it has claimed. */
  tiles?(): void;
}

type RunTogether = (team: number, program: number, begin: number, end: number, from: number, to: number) => number;
type Kernel = (params: number, begin: number, end: number) => void;

const TILES = 2;

const passage = new WebAssembly.Module(new Uint8Array(PASSAGE));

/** Tells of what this thread does in the kernels of sessions that are made while `work` goes on. */
export async function watchingRuns(watch: Watch, work: () => Promise<void>): Promise<void> {
  const { Instance } = WebAssembly;
  const watched = (kernel: Kernel): Kernel => {
    const f: Kernel = (params, begin, end) => {
      watch.tiles?.();
      kernel(params, begin, end);
    };
    return new Instance(passage, { k: { f } }).exports.f as Kernel;
  };
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, [module, imports]: [WebAssembly.Module, { env: { memory: WebAssembly.Memory } }]) {
      const { exports } = new target(module, imports);
      const { memory } = imports.env;
      const begin = exports.runTogether as RunTogether;
      const runTogether: RunTogether = (team, program, first, end, from, to) => {
        const words = new Int32Array(memory.buffer);
        const at = (index: number) => words[(program + STEP_BYTES * index) / 4 + TILES] as number;
        watch.call({ memory, team, tiles: Array.from({ length: end - first }, (_, i) => at(first + i)) });
        return begin(team, program, first, end, from, to);
      };
      const launched = Object.keys(kernels).map((name) => [name, watched(exports[name] as Kernel)]);
      return { exports: { ...exports, ...Object.fromEntries(launched), runTogether } };
    },
  });
  try {
    await work();
  } finally {
    WebAssembly.Instance = Instance;
  }
}
