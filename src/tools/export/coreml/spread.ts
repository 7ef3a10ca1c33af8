import { literal } from './mil.js';
import type { View } from './program.js';

/** Broadcasts an input to a shape. */
export function spread(view: View, i: number, out: readonly number[]): string {
  const { type, dims } = view.in(i);
  if (dims.join() === out.join()) return view.x(i);
  const full = [...new Array<number>(out.length - dims.length).fill(1), ...dims];
  const shape = literal('int32', full);
  const x =
    full.length === dims.length ? view.x(i) : view.step('reshape', { x: view.x(i), shape }, { type, dims: full });
  const reps = literal(
    'int32',
    out.map((size, axis) => size / (full[axis] as number)),
  );
  return view.step('tile', { x, reps }, { type, dims: out });
}
