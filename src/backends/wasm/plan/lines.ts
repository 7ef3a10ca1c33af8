import type { Value } from '../../../graph/graph.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { type HostValue, isTensorValue } from '../../../tensor/tensor-value.js';
import type { Row, Shape } from './row.js';
import type { BaseStage } from './stage.js';

/** An input as it is a step before the first place, and for each of its sizes the axis along which it grows, if any, and by how much. */
export interface Line {
  readonly value: Value;
  readonly shape: Shape;
  readonly axes: readonly number[];
  readonly steps: readonly number[];
}

export function linesOf(inputs: readonly Value[], { origin }: BaseStage, { shapes, axes }: Row): (Line | null)[] {
  const { held } = origin.start;
  let size = 0;
  return inputs.map((value) => {
    const shape = shapes[held.indexOf(value)];
    if (!shape) return null;
    const from = size;
    size += shape.dims.length;
    const own = shape.dims.map((_, d) => axes.findIndex((steps) => steps[from + d] !== 0));
    return { value, shape, axes: own, steps: own.map((axis, d) => axes[axis]?.[from + d] ?? 0) };
  });
}

export const shapeAt = ({ shape: { type, dims }, axes, steps }: Line, place: readonly number[]): Shape => ({
  type,
  dims: dims.map((size, d) => size + (steps[d] as number) * (place[axes[d] as number] ?? 0)),
});

export function typeAt(line: Line, place: readonly number[]): ValueType {
  const { type, dims } = shapeAt(line, place);
  return tensorType(type, dims);
}

export const typesAt = (lines: readonly (Line | null)[], place: readonly number[]): ReadonlyMap<Value, ValueType> =>
  new Map(lines.flatMap((line) => (line ? [[line.value, typeAt(line, place)] as const] : [])));

/** The place of inputs, if there is one within `reach`. */
export function placeOf(
  lines: readonly (Line | null)[],
  inputs: readonly (HostValue | undefined)[],
  reach: readonly number[],
): readonly number[] | undefined {
  const place = reach.map(() => 0);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const input = inputs[i];
    if (!line !== (input === undefined)) return undefined;
    if (line && !locates(line, input, place)) return undefined;
  }
  return place.every((step, axis) => Number.isInteger(step) && step >= 1 && step <= (reach[axis] as number))
    ? place
    : undefined;
}

/** Whether an input is at a place, of which what it is the first to tell is noted. */
function locates({ shape, axes, steps }: Line, input: HostValue | undefined, place: number[]): boolean {
  if (!isTensorValue(input) || input.type !== shape.type || input.dims.length !== steps.length) return false;
  for (let d = 0; d < steps.length; d++) {
    const more = (input.dims[d] as number) - (shape.dims[d] as number);
    const axis = axes[d] as number;
    if (axis >= 0) place[axis] ||= more / (steps[d] as number);
    if (more !== (steps[d] as number) * (place[axis] ?? 0)) return false;
  }
  return true;
}

/** How many steps there is room for in caches: none where these become more matrices, or others. */
export function stepsWithin({ slots }: BaseStage, lines: readonly (Line | null)[]): number {
  const rooms = slots.flatMap(({ kind, past, fresh, pitch }) => {
    const line = lines.find((each) => each?.value === past);
    if (kind !== 'grows' || !line) return [];
    if (line.steps.some((step, d) => step !== 0 && d !== line.steps.length - 2)) return [0];
    const step = line.steps.at(-2) ?? 0;
    return step > 0 ? [(pitch - fresh - (line.shape.dims.at(-2) as number)) / step] : [];
  });
  return Math.floor(Math.min(...rooms));
}
