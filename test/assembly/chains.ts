import {
  type ConstantOperand,
  type ElementwiseChain,
  planElementwise,
  type StorageName,
  type TensorOperand,
} from '../../bindings/elementwise.js';
import type { Engine } from '../../bindings/engine.js';
import type { ElementwiseParams } from '../../build/kernels.js';
import { guardsIntact, placeGuarded, runInSplits } from './kernels.js';

export type Typed = ArrayBufferView & ArrayLike<number | bigint> & Iterable<number | bigint>;

const ARRAYS: Record<StorageName, new (buffer: ArrayBuffer) => Typed> = {
  Float32: Float32Array,
  Float64: Float64Array,
  Float16: Uint16Array,
  BFloat16: Uint16Array,
  Int8: Int8Array,
  Int16: Int16Array,
  Int32: Int32Array,
  Int64: BigInt64Array,
  Uint8: Uint8Array,
  Uint16: Uint16Array,
  Uint32: Uint32Array,
  Uint64: BigUint64Array,
  Bool: Uint8Array,
};

const bytesOf = (storage: StorageName) =>
  (ARRAYS[storage] as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;

export type TestOperand = (Omit<TensorOperand, 'pointer'> & { data: ArrayBufferView }) | ConstantOperand;
export type TestChain = Omit<ElementwiseChain, 'operands' | 'outputs'> & {
  operands: readonly TestOperand[];
  outputs: readonly { storage: StorageName; value: number }[];
};

/** Places the operands, runs the chain whole and in splits, checks the guards, and reads the outputs. */
export function runChain(engine: Engine, chain: TestChain): Typed[] {
  const count = (chain.dims as number[]).reduce((a, b) => a * b, 1);
  const operands = chain.operands.map((o) => {
    if ('value' in o) return o;
    return { pointer: placeGuarded(engine, o.data), storage: o.storage, strides: o.strides };
  });
  const outputs = chain.outputs.map(({ storage, value }) => ({
    pointer: placeGuarded(engine, new Uint8Array(count * bytesOf(storage))),
    storage,
    value,
  }));
  const launch = planElementwise({ ...chain, operands, outputs });
  const table = placeGuarded(engine, Int32Array.from(launch.table as number[]));
  return outputs.map(({ pointer, storage }) => {
    const bytes = count * bytesOf(storage);
    const params = { ...launch.params, table } as ElementwiseParams;
    runInSplits(engine, launch.kernel, params, launch.tiles as number, { address: pointer, bytes });
    if (!guardsIntact(engine, pointer, bytes)) throw new Error(`${launch.kernel} wrote outside its output`);
    return new ARRAYS[storage](engine.u8.slice(pointer, pointer + bytes).buffer);
  });
}
