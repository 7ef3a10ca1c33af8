import type { ConvAttributes, ConvGeometry } from '../../../ops/onnx/nn/conv-geometry.js';
import type { EpilogueAttributes } from '../../../primitives/epilogue.js';
import type { Lowering } from '../lowering.js';

export type FusedConv = Lowering<ConvAttributes & EpilogueAttributes & { readonly exact: number }>;

/** A convolution whose sizes are numbers. */
export type Geometry = ConvGeometry & { readonly batch: number; readonly channels: number };

/** One way to compute a convolution on [N, spatial…, C]. */
export interface Algorithm {
  serves(c: FusedConv, geometry: Geometry): boolean;
  lower(c: FusedConv, geometry: Geometry): void;
}
