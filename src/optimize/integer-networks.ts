// Quantised networks as integers from input to output: loaded with models that quantise. It imports no more than what their operators
// come with, all of which it names: a script that shared less with them would divide what every page loads, 1 kB more.

import type { Node } from '../graph/graph.js';
import { dequantizeLinear } from '../groups/quantization.js';
import type { Phase } from './phase.js';
import { movedIntegers } from './rules/integer-moves.js';
import { dynamicBias, dynamicProducts, requantisedProducts, scaledProducts } from './rules/integer-products.js';

/** Whose constant integers the rules want to see, before they become floats. */
export const keeps = ({ op }: Node): boolean => op === dequantizeLinear.name;

/** Products that stay in integers come before those that end in floats. */
export const PHASES = [
  { level: 'extended', rules: () => [movedIntegers, requantisedProducts] },
  { level: 'extended', rules: () => [scaledProducts, dynamicProducts, dynamicBias] },
] satisfies readonly Phase[];
