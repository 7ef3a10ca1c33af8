import type { TypedArray } from '../tensor/element-types.js';
import { detached, type HostValue, type TensorValue } from '../tensor/tensor-value.js';
import { numbersFor } from './check-target.js';

/** An output as the caller receives it: written into the tensor given for it, or with data of its own. */
export function deliver(name: string, value: HostValue, target: TensorValue | undefined): HostValue {
  if (!target) return detached(value);
  (target.data as TypedArray).set(numbersFor(name, target, value) as never);
  return target;
}
