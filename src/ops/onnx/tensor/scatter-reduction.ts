import { entryOf } from '../../../schema/attributes.js';
import type { Inference } from '../../../schema/definition.js';
import { INTEGERS } from '../../../schema/element-sets.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { entriesOf, tensorOfEntries } from '../../../tensor/packed.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

export interface ScatterAttributes {
  readonly reduction?: string;
}

export type Reduction = 'None' | 'Add' | 'Mul' | 'Min' | 'Max';

const NAMES: Record<string, Reduction> = { none: 'None', add: 'Add', mul: 'Mul', min: 'Min', max: 'Max' };

/** Of numbers, and alike of bigints. */
const FOLDS: Record<Reduction, (a: number, b: number) => number> = {
  None: (_, b) => b,
  Add: (a, b) => a + b,
  Mul: (a, b) => a * b,
  Min: (a, b) => (a < b || Number.isNaN(a) ? a : b),
  Max: (a, b) => (a > b || Number.isNaN(a) ? a : b),
};

export function reductionOf(c: Inference<ScatterAttributes>): Reduction {
  const { reduction = 'none' } = c.attributes;
  return (
    entryOf(NAMES, reduction) ??
    c.fail('INVALID_ATTRIBUTE', `reduction "${reduction}" is none of ${Object.keys(NAMES).join(', ')}`)
  );
}

/** Updates met by the elements at `targets` on the host; rows of `row` elements. */
export function scatterOnHost(
  x: TensorValue,
  updates: TensorValue,
  targets: readonly number[],
  row: number,
  reduction: Reduction,
): TensorValue {
  if (reduction === 'None') return replaced(x, updates, targets, row);
  const isInteger = INTEGERS.includes(x.type);
  const values = (isInteger ? x.data.slice() : Float64Array.from(numbersOf(x))) as Float64Array;
  const news = isInteger ? (updates.data as Float64Array) : numbersOf(updates);
  const wraps = isInteger && ELEMENTS[x.type].bits <= 32;
  const fold = wraps && reduction === 'Mul' ? Math.imul : FOLDS[reduction];
  targets.forEach((target, t) => {
    for (let k = 0; k < row; k++) {
      const at = target * row + k;
      values[at] = fold(values[at] as number, news[t * row + k] as number);
    }
  });
  return isInteger ? { type: x.type, dims: x.dims, data: values } : tensorOf(x.type, x.dims, values);
}

function replaced(x: TensorValue, updates: TensorValue, targets: readonly number[], row: number): TensorValue {
  const length = row * (ELEMENTS[x.type].entries ?? 1);
  const data = entriesOf(x).slice() as unknown[];
  const news = entriesOf(updates);
  targets.forEach((target, t) => {
    for (let k = 0; k < length; k++) data[target * length + k] = news[t * length + k];
  });
  return tensorOfEntries(x.type, x.dims, data as string[]);
}
