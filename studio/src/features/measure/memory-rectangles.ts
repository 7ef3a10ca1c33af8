import type { MemoryPlan, PlacedBuffer } from 'sardonyx';

/** A buffer: bytes upwards, steps to the right. */
export interface Rectangle {
  readonly buffer: PlacedBuffer;
  readonly left: number;
  /** One past the last step. */
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

export const rectanglesOf = ({ buffers }: MemoryPlan): Rectangle[] =>
  buffers.map((buffer) => ({
    buffer,
    left: buffer.first,
    right: buffer.last + 1,
    bottom: buffer.offset,
    top: buffer.offset + buffer.bytes,
  }));

/** The name of its first value, or else the nodes that use it as workspace. */
export const nameOf = ({ buffer: { values, origins } }: Rectangle): string =>
  values[0] ?? `workspace of ${origins.join(', ') || 'the run'}`;

export const rectangleAt = (rectangles: readonly Rectangle[], step: number, byte: number): Rectangle | undefined =>
  rectangles.find(({ left, right, bottom, top }) => left <= step && step < right && bottom <= byte && byte < top);
