// States of a worker's session, loaded with the first: src/remote/worker/worker-state.ts is the other end.
import { transfer } from 'comlink';
import { SardonyxError } from '../src/base/errors.js';
import type { Results } from '../src/session/fetches.js';
import type { SessionState } from '../src/session/state/state.js';
import { LazyTensor } from '../src/tensor/lazy-tensor.js';
import { type HostValue, isTensorValue, type TensorValue } from '../src/tensor/tensor-value.js';

/** By the numbers that go to and fro for them. */
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

/** Results to be handed over: copies of those that the state goes on from. */
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

/** What a state is asked from the other end. Where its rows may have changed, the answer is how many there are. */
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

/** What follows the number in a call. */
export type Given<K extends StateCall> = Parameters<StateCalls[K]> extends [number, ...infer Rest] ? Rest : never;

export const call = (name: StateCall, number: number, given: readonly unknown[]): unknown =>
  (calls[name] as (number: number, ...given: readonly unknown[]) => unknown)(number, ...given);
