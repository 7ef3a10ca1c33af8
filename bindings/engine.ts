import { kernels, TeamLayout } from '../build/kernels.js';
import {
  extend,
  instantiate,
  type KernelExports,
  type KernelInstance,
  type KernelModule,
  type Link,
} from './instance.js';
import type { KernelSet } from './kernel-set.js';
import { addLayouts, type KernelName, type KernelParams, kernelSize, writeParams } from './parameters.js';
import type { Pointer } from './place.js';
import { Regions } from './regions.js';

const PAGE = 65536;
const HEAP_BASE = PAGE;
const SCRATCH_BYTES = 1 << 20;
/** 4 GiB without the last page, so that the end of a region is an address too. */
const MAXIMUM_PAGES = 65535;
const LEAST_MAXIMUM_PAGES = 1024;
const KERNEL_NAMES = Object.keys(kernels) as KernelName[];

/** Size of one step of a program, five 32-bit words: kernel, params, tiles, barrier, phase. */
export const STEP_BYTES = 20;

/** Everything that other threads need to work on the programs of an engine. */
export interface TeamPlace {
  readonly memory: WebAssembly.Memory;
  /** Their kernels, in the order in which they were added. */
  readonly modules: readonly KernelModule[];
  /** Address of the state that the threads share. */
  readonly team: number;
  /** A scratch block for each thread. */
  readonly scratch: readonly number[];
}

/** One instance of the kernels with its linear memory. Addresses are bytes; views are renewed when memory grows. */
export interface Engine {
  readonly memory: WebAssembly.Memory;
  readonly regions: Regions;
  readonly kernelIndex: Readonly<Record<KernelName, number>>;
  u8: Uint8Array;
  i32: Int32Array;
  f32: Float32Array;
  view: DataView;
  /** The whole memory as an array of the given class; the same object until memory grows. */
  heap<T extends Heap>(array: HeapConstructor<T>): T;
  /** Reserves `bytes`, aligned to 64; grows memory if necessary. */
  allocate(bytes: number): number;
  free(address: number): void;
  /** Null with a single thread. */
  readonly team: TeamPlace | null;
  /** Number of threads that may work on a program, including this one. */
  readonly threads: number;
  /**
   * Runs the tiles `from…to` of the steps `begin…end` of a program, with the team if there is one; tiles are numbered across these steps.
   * Returns false if other threads take too long: the next call, which must be the same, continues to wait.
   */
  run(program: number, begin: number, end: number, from: number, to: number): boolean;
  /** Whether the last call of `run` returned false. */
  readonly isWaiting: boolean;
  /** Launches one kernel now; pointers are addresses. */
  launch<K extends KernelName>(kernel: K, params: KernelParams[K], tiles: number, from?: number): void;
  /** Dismisses the team's threads; from then on this thread works alone. */
  dismissTeam(): void;
  /** Dismisses the team's threads; once they have left, reopenTeam lets them serve again. */
  recallTeam(): void;
  reopenTeam(): void;
  /** Adds kernels, which programs name like the engine's own; threads that have joined must join again. */
  extend(module: WebAssembly.Module, set: Pick<KernelSet, 'kernels'>): void;
}

export type Heap = ArrayBufferView & { readonly BYTES_PER_ELEMENT: number };
export type HeapConstructor<T extends Heap> = new (buffer: ArrayBufferLike) => T;

const asAddress = (pointer: Pointer) => pointer as number;

/**
 * @param threads the number of threads that may work together; a binary for one thread gets no team. Programs also run before others join.
 * @param admit is called with the new size of memory in bytes before it grows, and may throw
 * @param link makes instances on this thread; WebAssembly.Instance by default
 */
export function createEngine(
  module: WebAssembly.Module,
  threads = 1,
  admit: (bytes: number) => void = () => {},
  link?: Link,
): Engine {
  const instance = place(module, threads > 1, link);
  const { memory, exports, kernelIndex } = instance;
  const regions = new Regions(HEAP_BASE);
  const runAlone: Engine['run'] = (program, begin, end, from, to) => {
    exports.runProgram(program, begin, end, from, to);
    return true;
  };

  const engine: Engine = {
    memory,
    regions,
    kernelIndex,
    team: null,
    threads: 1,
    ...viewsOf(memory),
    heap: heapsOf(memory),
    allocate(bytes) {
      const address = regions.allocate(bytes);
      try {
        growTo(engine, regions.end, admit);
      } catch (error) {
        regions.free(address);
        throw error;
      }
      return address;
    },
    free: (address) => regions.free(address),
    run: runAlone,
    isWaiting: false,
    launch(kernel, params, tiles, from = 0) {
      const block = engine.allocate(kernelSize(kernel));
      writeParams(engine.view, block, kernel, params, asAddress);
      exports.table.get(kernelIndex[kernel])(block, from, tiles);
      regions.free(block);
    },
    dismissTeam() {
      if (engine.team) exports.dismissTeam(engine.team.team);
      Object.assign(engine, { run: runAlone, isWaiting: false, threads: 1 });
    },
    recallTeam: () => engine.team && exports.dismissTeam(engine.team.team),
    reopenTeam: () => engine.team && Atomics.store(engine.i32, engine.team.team / 4, 0),
    extend(module, { kernels }) {
      const more = { module, names: Object.keys(kernels) as KernelName[] };
      addLayouts(kernels);
      extend(instance, more, memory, scratch, link);
      (engine.team?.modules as KernelModule[] | undefined)?.push(more);
    },
  };
  const scratch = engine.allocate(SCRATCH_BYTES);
  exports.setScratch(scratch);
  return threads > 1 && isShared(memory) ? withTeam(engine, exports, module, threads) : engine;
}

/** An instance on a memory of its own. The given binary may be for shared or unshared memory, and rejects the other kind. */
function place(
  module: WebAssembly.Module,
  shared: boolean,
  link?: Link,
): KernelInstance & { memory: WebAssembly.Memory } {
  const on = (memory: WebAssembly.Memory) => ({
    memory,
    ...instantiate({ module, names: KERNEL_NAMES }, memory, link),
  });
  try {
    return on(reserve(shared));
  } catch (error) {
    if (!(error instanceof WebAssembly.LinkError)) throw error;
    return on(reserve(!shared));
  }
}

/** Memory that may grow to 4 GiB without a page, or to the host's limit: iOS refuses to reserve as much shared memory. */
function reserve(shared: boolean): WebAssembly.Memory {
  for (let maximum = MAXIMUM_PAGES; ; maximum >>= 1) {
    try {
      return new WebAssembly.Memory({ initial: 2, maximum, shared });
    } catch (error) {
      if (maximum <= LEAST_MAXIMUM_PAGES) throw error;
    }
  }
}

/** Whether other threads can access a memory. */
export const isShared = ({ buffer }: WebAssembly.Memory): boolean =>
  typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;

function withTeam(engine: Engine, exports: KernelExports, module: WebAssembly.Module, threads: number): Engine {
  const bytes = TeamLayout.Bytes + threads * TeamLayout.BytesPerThread;
  const team = engine.allocate(bytes);
  const scratch = Array.from({ length: threads - 1 }, () => engine.allocate(SCRATCH_BYTES));
  engine.u8.fill(0, team, team + bytes);
  engine.i32[(team + TeamLayout.Threads) / 4] = threads;
  exports.setMaySleep(maySleep());
  const shared = engine as { isWaiting: boolean };
  const run: Engine['run'] = (program, begin, end, from, to) => {
    const isDone = shared.isWaiting ? exports.rejoin(team) : exports.runTogether(team, program, begin, end, from, to);
    shared.isWaiting = !isDone;
    return !shared.isWaiting;
  };
  return Object.assign(engine, {
    run,
    threads,
    team: { memory: engine.memory, modules: [{ module, names: KERNEL_NAMES }], team, scratch },
  });
}

/** A browser's main thread must not wait for another. */
const maySleep = () => typeof document === 'undefined';

const viewsOf = ({ buffer }: WebAssembly.Memory) => ({
  u8: new Uint8Array(buffer),
  i32: new Int32Array(buffer),
  f32: new Float32Array(buffer),
  view: new DataView(buffer),
});

function heapsOf(memory: WebAssembly.Memory): Engine['heap'] {
  const heaps = new Map<unknown, Heap>();
  return <T extends Heap>(array: HeapConstructor<T>): T => {
    let heap = heaps.get(array) as T | undefined;
    if (heap?.buffer !== memory.buffer) {
      heap = new array(memory.buffer);
      heaps.set(array, heap);
    }
    return heap;
  };
}

/** Grows memory to at least `bytes`, if `admit` allows it. */
function growTo(engine: Engine, bytes: number, admit: (bytes: number) => void): void {
  const { memory } = engine;
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing <= 0) return;
  admit(memory.buffer.byteLength + missing * PAGE);
  grow(memory, missing);
  Object.assign(engine, viewsOf(memory));
}

function grow(memory: WebAssembly.Memory, pages: number): void {
  try {
    memory.grow(pages);
  } catch (cause) {
    const wanted = Math.ceil((memory.buffer.byteLength / PAGE + pages) / 16);
    throw new RangeError(`linear memory cannot grow to ${wanted} MiB`, { cause });
  }
}
