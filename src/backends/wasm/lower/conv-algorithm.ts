import type { ConvParameters } from '../../../primitives/conv.js';
import type { Lowering } from '../lowering.js';

/** One way to compute a convolution on [N, spatial…, C]. */
export interface Algorithm {
  serves(c: Lowering, parameters: ConvParameters): boolean;
  lower(c: Lowering, parameters: ConvParameters): void;
}
