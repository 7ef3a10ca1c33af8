import type { Shape } from './signatures.js';

/** By how much every size of some values has changed; undefined where more than sizes has. */
export type SizeStep = readonly number[] | undefined;

export function stepBetween(before: readonly (Shape | null)[], now: readonly (Shape | null)[]): SizeStep {
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

export const sameStep = (a: SizeStep, b: SizeStep): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && a.every((by, i) => by === b[i]);

/** Shapes so many steps on; undefined where a size would be negative. */
export function stepped(shapes: readonly Shape[], step: readonly number[], times: number): Shape[] | undefined {
  let at = 0;
  const later = shapes.map(({ type, dims }) => ({
    type,
    dims: dims.map((size) => size + times * (step[at++] as number)),
  }));
  return later.every(({ dims }) => dims.every((size) => size >= 0)) ? later : undefined;
}
