import type { Axis } from '../../contracts/logs.js';
import type { Columns } from '../columns.js';

/** Points sorted along the axis. */
export interface Line {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Points in the order logged, or sorted if a run was restarted and its steps go back. */
export function lineOf({ count, steps, walls, values }: Columns, axis: Axis): Line {
  const start = walls[0] ?? 0;
  const along = axis === 'step' ? steps.subarray(0, count) : walls.subarray(0, count);
  const x = axis === 'relative' ? along.map((wall) => wall - start) : along;
  const y = values.subarray(0, count);
  return isOrdered(x) ? { x, y } : ordered(x, y);
}

function isOrdered(x: Float64Array): boolean {
  for (let i = 1; i < x.length; i++) if ((x[i] as number) < (x[i - 1] as number)) return false;
  return true;
}

function ordered(x: Float64Array, y: Float64Array): Line {
  const order = Uint32Array.from(x, (_, i) => i).sort((a, b) => (x[a] as number) - (x[b] as number) || a - b);
  return {
    x: Float64Array.from(order, (i) => x[i] as number),
    y: Float64Array.from(order, (i) => y[i] as number),
  };
}

/**
 * The exponential moving average, with each value divided by the sum of its weights, so that it starts at the first value and
 * not near 0. Non-finite values are kept as they are and do not affect the average.
 */
export function smoothed(y: Float64Array, weight: number): Float64Array {
  if (weight === 0) return y;
  let [sum, share] = [0, 0];
  return y.map((value) => {
    if (!Number.isFinite(value)) return value;
    sum = sum * weight + value * (1 - weight);
    share = share * weight + (1 - weight);
    return sum / share;
  });
}
