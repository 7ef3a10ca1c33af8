import type { TensorValue } from '../../../tensor/tensor-value.js';

export type Shape = Pick<TensorValue, 'type' | 'dims'>;

/** Sizes in equal steps along one axis or two: those that follow `shapes`, as far along each as the first of `reaches` that can be. */
export interface Row {
  readonly shapes: readonly Shape[];
  /** By how much every size changes with a step along each axis; no size does along two. */
  readonly axes: readonly (readonly number[])[];
  readonly reaches: readonly (readonly number[])[];
}

/** By how much every size has changed; undefined where more than sizes has. */
export function stepBetween(
  before: readonly (Shape | null)[],
  now: readonly (Shape | null)[],
): readonly number[] | undefined {
  if (before.length !== now.length) return undefined;
  const step: number[] = [];
  for (let i = 0; i < now.length; i++) {
    const a = before[i];
    const b = now[i];
    if (!a || !b || a.type !== b.type || a.dims.length !== b.dims.length) return undefined;
    for (let d = 0; d < b.dims.length; d++) step.push((b.dims[d] as number) - (a.dims[d] as number));
  }
  return step;
}

/** Shapes so many steps on. */
export function stepped(shapes: readonly Shape[], step: readonly number[], by = 1): Shape[] {
  let size = 0;
  return shapes.map(({ type, dims }) => ({ type, dims: dims.map((n) => n + by * (step[size++] as number)) }));
}

export const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
