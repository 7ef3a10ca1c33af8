import type { HostValue } from 'sardonyx';
import type { TensorLook } from '../contracts/tensors.js';
import { lookAt } from '../tensors/look.js';
import { readableOf } from '../tensors/readable.js';
import { isTensor } from './describe.js';

type TensorValue = Extract<HostValue, { readonly dims: readonly number[] }>;

/** Values of runs, kept until they are forgotten. */
const kept = new Map<number, Record<string, HostValue>>();
/** Starts at the current time, so that IDs differ between workers. */
let lastId = Date.now();

export function keep(values: Record<string, HostValue>): number {
  kept.set(++lastId, values);
  return lastId;
}

export const forget = (run: number): void => void kept.delete(run);
export const keptRuns = (): number => kept.size;

/** @throws Error if the run has been forgotten */
export function valuesOf(run: number): Record<string, HostValue> {
  const values = kept.get(run);
  if (!values) throw new Error(`run ${run} is no longer available`);
  return values;
}

export function tensorOf(run: number, name: string): TensorValue {
  const value = valuesOf(run)[name];
  if (value === undefined) throw new Error(`run ${run} has no value "${name}"`);
  if (isTensor(value)) return value;
  throw new Error(`"${name}" is not a tensor`);
}

/** Views of a kept tensor. */
export const lookOf = (run: number, name: string): TensorLook => lookAt(readableOf(tensorOf(run, name)));
