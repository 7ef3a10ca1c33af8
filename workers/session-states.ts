// States of a worker's session, loaded when the first is created; src/remote/worker/worker-state.ts is the other end.
import { transfer } from 'comlink';
import { SardonyxError } from '../src/base/errors.js';
import type { Results } from '../src/session/fetches.js';
import type { SessionState } from '../src/session/state/state.js';
import { LazyTensor } from '../src/tensor/lazy-tensor.js';
import { type HostValue, isTensorValue, type TensorValue } from '../src/tensor/tensor-value.js';

/** States by the numbers that identify them in messages. */
const states = new Map<number, SessionState>();
let made = 0;

export function numberOf(state: SessionState): number {
  states.set(++made, state);
  return made;
}

export function stateOf(number: number): SessionState {
  const state = states.get(number);
  if (state) return state;
  throw new SardonyxError('RELEASED', 'the state has been released; make another by createState');
}

/** Results to transfer: those that the state still uses are copied. */
export const apartFrom = (state: SessionState, results: Results): Record<string, HostValue> =>
  Object.fromEntries(
    Object.entries(results).map(([name, value]) => [
      name,
      isTensorValue(value) && state.keeps(value) ? copied(value) : value,
    ]),
  );

const copied = (tensor: TensorValue): TensorValue => {
  const { type, dims } = tensor;
  return { type, dims, data: LazyTensor.is(tensor) ? tensor.read() : tensor.data.slice() } as TensorValue;
};

/** Calls of a state from the other end. Calls that may change the number of rows return it. */
const calls = {
  truncate(number: number, rows: number): number {
    stateOf(number).truncate(rows);
    return stateOf(number).length;
  },
  clone: (number: number): number => numberOf(stateOf(number).clone()),
  save(number: number): Uint8Array {
    const file = stateOf(number).save();
    return transfer(file, [file.buffer]);
  },
  load(number: number, file: Uint8Array): number {
    stateOf(number).load(file);
    return stateOf(number).length;
  },
  release(number: number): void {
    states.get(number)?.release();
    states.delete(number);
  },
};

export type StateCalls = typeof calls;
export type StateCall = keyof StateCalls;

/** Parameters of a call after the state's number. */
export type Given<K extends StateCall> = Parameters<StateCalls[K]> extends [number, ...infer Rest] ? Rest : never;

export const call = (name: StateCall, number: number, given: readonly unknown[]): unknown =>
  (calls[name] as (number: number, ...given: readonly unknown[]) => unknown)(number, ...given);
