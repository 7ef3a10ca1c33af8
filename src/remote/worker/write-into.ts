import { numbersFor } from '../../backends/check-target.js';
import type { TypedArray } from '../../tensor/element-types.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { bytesOf, type Copy } from './in-pieces.js';

/** The copy that moves an output into the caller's tensor. */
export const copyInto = (target: Tensor, value: HostValue, name: string): Copy => ({
  from: bytesOf(numbersFor(name, target, value)),
  to: bytesOf(target.data as TypedArray),
});
