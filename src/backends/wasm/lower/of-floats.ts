import { matrixOf } from '../../../primitives/product-dims.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { algorithmFor, asPlanes, convolveDirectly, direct, lowerConvolution, mergedGroups, pointwise } from './conv.js';
import { epilogueOf } from './epilogue.js';
import { lowerProduct } from './matmul.js';
import { productTiles } from './product-tiles.js';

/** Products and convolutions by weights in floats, for those by halves, which are loaded on demand. */
export const ofFloats = {
  ...{ algorithmFor, asPlanes, convolveDirectly, direct, elementCount, epilogueOf, lowerConvolution, lowerProduct },
  ...{ matrixOf, mergedGroups, pointwise, productTiles },
};

export type OfFloats = typeof ofFloats;
