import type { TensorValue } from '../../src/tensor/tensor-value.js';

export interface Angles {
  readonly positions: number;
  /** Entries of a head. */
  readonly size: number;
  readonly base: number;
}

/** [positions, size / 2]: cosines or sines of the angles by which the pairs of entries of a head are turned. */
export function positionTable({ positions, size, base }: Angles, f: (angle: number) => number): TensorValue<'float32'> {
  const pairs = size / 2;
  const data = new Float32Array(positions * pairs);
  for (let i = 0; i < data.length; i++) data[i] = f(Math.floor(i / pairs) / base ** ((i % pairs) / pairs));
  return { type: 'float32', dims: [positions, pairs], data };
}
