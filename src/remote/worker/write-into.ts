import { numbersFor } from '../../backends/check-target.js';
import type { TypedArray } from '../../tensor/element-types.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { bytesOf, type Copy } from './in-pieces.js';

/** What is to be copied for an output to be in the tensor that the caller has given for it. */
export const copyInto = (target: Tensor, value: HostValue, name: string): Copy => ({
  from: bytesOf(numbersFor(name, target, value)),
  to: bytesOf(target.data as TypedArray),
});
