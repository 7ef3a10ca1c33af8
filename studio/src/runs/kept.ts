import type { HostValue, TypedArray } from 'sardonyx';
import { writeNpy } from 'sardonyx/tensors';
import { isTensor } from './describe.js';

type Values = Readonly<Record<string, HostValue>>;
type TensorValue = Extract<HostValue, { readonly dims: readonly number[] }>;

/** Values of runs, until they are forgotten. */
const kept = new Map<number, Values>();
let lastId = 0;

export function keep(values: Values): number {
  kept.set(++lastId, values);
  return lastId;
}

export const forget = (run: number): void => void kept.delete(run);
export const keptRuns = (): number => kept.size;

/** @throws Error where the run has been forgotten */
export function valuesOf(run: number): Values {
  const values = kept.get(run);
  if (!values) throw new Error(`run ${run} is no longer kept`);
  return values;
}

export function tensorOf(run: number, name: string): TensorValue {
  const value = valuesOf(run)[name];
  if (value === undefined) throw new Error(`run ${run} has no value "${name}"`);
  if (isTensor(value)) return value;
  throw new Error(`"${name}" is no tensor`);
}

/** A part of a tensor's array, with a buffer of its own. */
export const piece = (run: number, name: string, begin: number, end: number): TypedArray | readonly string[] =>
  tensorOf(run, name).data.slice(begin, end) as TypedArray | readonly string[];

export const npyOf = (run: number, name: string): Uint8Array<ArrayBuffer> =>
  writeNpy(tensorOf(run, name)) as Uint8Array<ArrayBuffer>;
