import { isSame } from '../../../graph/guards.js';
import { ceilDivide, derived, multiply, product } from '../../../graph/sizes.js';
import { matrixOf } from '../../../primitives/product-dims.js';
import { algorithmFor, asPlanes, convolveDirectly, direct, lowerConvolution, mergedGroups, pointwise } from './conv.js';
import { epilogueOf } from './epilogue.js';
import { lowerProduct } from './matmul.js';
import { productTiles } from './product-tiles.js';

/** Functions for products and convolutions with float32 weights that halves.ts, loaded on demand, uses. */
export const ofFloats = {
  ...{
    algorithmFor,
    asPlanes,
    ceilDivide,
    convolveDirectly,
    derived,
    direct,
    epilogueOf,
    isSame,
    lowerConvolution,
    lowerProduct,
  },
  ...{ matrixOf, mergedGroups, multiply, pointwise, product, productTiles },
};

export type OfFloats = typeof ofFloats;
