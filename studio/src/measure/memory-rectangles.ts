import type { MemoryPlan, PlacedValue } from 'sardonyx';

/** A buffer with the values in it: bytes upwards, steps to the right. */
export interface Rectangle {
  /** The value that takes all of it, then views of its end. */
  readonly values: readonly PlacedValue[];
  readonly left: number;
  /** The step after the last. */
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** A rectangle for each buffer. Views of one buffer reach to its end and live as long as it does: by that they are known. */
export function rectanglesOf({ values }: MemoryPlan): Rectangle[] {
  const buffers = new Map<string, PlacedValue[]>();
  for (const value of values) {
    const key = `${value.offset + value.bytes} ${value.first} ${value.last}`;
    const buffer = buffers.get(key);
    if (buffer) buffer.push(value);
    else buffers.set(key, [value]);
  }
  return [...buffers.values()].map(rectangleOf);
}

function rectangleOf(values: PlacedValue[]): Rectangle {
  const sorted = values.toSorted((a, b) => b.bytes - a.bytes);
  const { offset, bytes, first, last } = sorted[0] as PlacedValue;
  return { values: sorted, left: first, right: last + 1, bottom: offset, top: offset + bytes };
}

export const nameOf = ({ values }: Rectangle): string => (values[0] as PlacedValue).name;

export const rectangleAt = (rectangles: readonly Rectangle[], step: number, byte: number): Rectangle | undefined =>
  rectangles.find(({ left, right, bottom, top }) => left <= step && step < right && bottom <= byte && byte < top);

/** Whether two take the same bytes at the same time. */
export const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
