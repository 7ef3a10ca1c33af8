import type { Dim } from '../../graph/types.js';
import { type TensorType, tensorType } from '../../graph/types.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

/** The names of classes: strings or integers. */
export interface ClassLabels {
  readonly strings: readonly string[] | undefined;
  readonly integers: readonly number[] | undefined;
}

export const classCount = ({ strings, integers }: ClassLabels): number => (strings?.length || integers?.length) ?? 0;

export const labelType = ({ strings }: ClassLabels, dims: readonly Dim[]): TensorType =>
  tensorType(strings?.length ? 'string' : 'int64', dims);

/** The labels of the classes chosen by number. */
export function labelsOf({ strings, integers }: ClassLabels, chosen: ArrayLike<number>): TensorValue {
  const dims = [chosen.length];
  if (strings?.length) return { type: 'string', dims, data: Array.from(chosen, (i) => strings[i] ?? '') };
  return { type: 'int64', dims, data: BigInt64Array.from(chosen as number[], (i) => BigInt(integers?.[i] ?? i)) };
}

/** The class of the highest score of each row. */
export function bestClasses(scores: Float64Array, rows: number, classes: number): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => {
    let best = 0;
    for (let i = 1; i < classes; i++)
      if ((scores[row * classes + i] as number) > (scores[row * classes + best] as number)) best = i;
    return best;
  });
}
