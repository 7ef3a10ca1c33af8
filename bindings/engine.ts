import { type KernelParams, kernels } from '../build/kernels.js';
import { type KernelName, type Pointer, writeParams } from './parameters.js';
import { Regions } from './regions.js';

const PAGE = 65536;
const HEAP_BASE = PAGE;
const SCRATCH_BYTES = 1 << 20;

/** Size of one step of a program, four 32-bit words: kernel, params, tiles, barrier. */
export const STEP_BYTES = 16;

interface Exports {
  readonly table: WebAssembly.Table;
  setScratch(address: number): void;
  runProgram(program: number, begin: number, end: number): void;
  [kernel: string]: unknown;
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
  /** Reserves `bytes`, aligned to 64, growing memory where needed. */
  allocate(bytes: number): number;
  free(address: number): void;
  /** Runs steps `begin…end` of the program at `program`. */
  run(program: number, begin: number, end: number): void;
  /** Launches one kernel now; pointers are addresses. */
  launch<K extends KernelName>(kernel: K, params: KernelParams[K], tiles: number, from?: number): void;
}

export type Heap = ArrayBufferView & { readonly BYTES_PER_ELEMENT: number };
export type HeapConstructor<T extends Heap> = new (buffer: ArrayBufferLike) => T;

const asAddress = (pointer: Pointer) => pointer as number;

export function createEngine(module: WebAssembly.Module): Engine {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65536 });
  const instance = new WebAssembly.Instance(module, { env: { memory, abort: unreachable } });
  const exports = instance.exports as unknown as Exports;
  const regions = new Regions(HEAP_BASE);
  const kernelIndex = tabulate(exports);
  const heaps = new Map<unknown, Heap>();

  const engine: Engine = {
    memory,
    regions,
    kernelIndex,
    u8: new Uint8Array(memory.buffer),
    i32: new Int32Array(memory.buffer),
    f32: new Float32Array(memory.buffer),
    view: new DataView(memory.buffer),
    heap<T extends Heap>(array: HeapConstructor<T>): T {
      let heap = heaps.get(array) as T | undefined;
      if (heap?.buffer !== memory.buffer) {
        heap = new array(memory.buffer);
        heaps.set(array, heap);
      }
      return heap;
    },
    allocate(bytes) {
      const address = regions.allocate(bytes);
      const missing = Math.ceil((regions.end - memory.buffer.byteLength) / PAGE);
      if (missing > 0) {
        try {
          grow(memory, missing);
        } catch (error) {
          regions.free(address);
          throw error;
        }
        renewViews(engine);
      }
      return address;
    },
    free: (address) => regions.free(address),
    run: exports.runProgram,
    launch(kernel, params, tiles, from = 0) {
      const block = engine.allocate(kernels[kernel].size);
      writeParams(engine.view, block, kernel, params, asAddress);
      (exports[kernel] as (params: number, begin: number, end: number) => void)(block, from, tiles);
      regions.free(block);
    },
  };
  exports.setScratch(engine.allocate(SCRATCH_BYTES));
  return engine;
}

function grow(memory: WebAssembly.Memory, pages: number): void {
  try {
    memory.grow(pages);
  } catch (cause) {
    const wanted = Math.ceil((memory.buffer.byteLength / PAGE + pages) / 16);
    throw new RangeError(`linear memory cannot grow to ${wanted} MiB`, { cause });
  }
}

function renewViews(engine: Engine): void {
  const { buffer } = engine.memory;
  engine.u8 = new Uint8Array(buffer);
  engine.i32 = new Int32Array(buffer);
  engine.f32 = new Float32Array(buffer);
  engine.view = new DataView(buffer);
}

function tabulate(exports: Exports): Record<KernelName, number> {
  const names = Object.keys(kernels) as KernelName[];
  const first = exports.table.grow(names.length);
  for (const [i, name] of names.entries()) exports.table.set(first + i, exports[name] as () => void);
  return Object.fromEntries(names.map((name, i) => [name, first + i])) as Record<KernelName, number>;
}

function unreachable(): never {
  throw new Error('a kernel aborted');
}
