import type { Size } from '../../../graph/sizes.js';
import type { ConvParameters } from '../../../primitives/conv.js';
import type { AxisWindow } from '../../../primitives/window.js';
import type { Lowering } from '../lowering.js';

/** A convolution whose batch and spatial sizes may be symbolic. */
export type OpenConv = Omit<ConvParameters, 'batch' | 'windows'> & {
  readonly batch: Size;
  readonly windows: readonly AxisWindow[];
};

/** One way to compute a convolution on [N, spatial…, C]. */
export interface Algorithm {
  serves(c: Lowering, parameters: OpenConv): boolean;
  lower(c: Lowering, parameters: OpenConv): void;
}
