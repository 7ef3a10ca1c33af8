// Quantized networks as integers from input to output, and products by weights as they are packed: loaded with models that quantize. It
// names all that their operators come with: a script that shared less with them would divide what every page loads, 1 kB more.

import type { Keeps } from '../analysis/infer-graph.js';
import type { Graph } from '../graph/graph.js';
import { dequantizeLinear } from '../groups/quantization.js';
import type { Phase } from './phase.js';
import { keepQuantizedWeights } from './quantized-weights/index.js';
import type { RewriteLog } from './rewrite-log.js';
import { byteFunctions, requantizedArithmetic } from './rules/integer-elementwise.js';
import { movedIntegers } from './rules/integer-moves.js';
import { integerMaxima } from './rules/integer-pools.js';
import { dynamicBias, dynamicProducts, requantizedProducts, scaledProducts } from './rules/integer-products.js';
import { productsOfSameRows } from './rules/products-of-same-rows.js';

/** Whose constant integers the rules want to see, before they become floats. */
const keeps: Keeps = ({ node }) => node.op === dequantizeLinear.name;

/** Products that stay in integers come before those that end in floats. */
const PHASES = [
  {
    level: 'extended',
    rules: () => [movedIntegers, integerMaxima, requantizedProducts, requantizedArithmetic, byteFunctions],
  },
  { level: 'extended', rules: () => [scaledProducts, dynamicProducts, dynamicBias] },
] satisfies readonly Phase[];

/** What comes after all other rewrites. */
export const LAST_PHASES: readonly Phase[] = [{ level: 'layout', rules: () => [productsOfSameRows] }];

/** What comes before all other rewrites, at levels above `disabled`, numbered from 0. */
export function rewriteQuantized(
  graph: Graph,
  level: number,
  log: RewriteLog,
  byPhases: (phases: readonly Phase[], keeps: Keeps) => void,
): void {
  if (level > 1) keepQuantizedWeights(graph, log);
  byPhases(PHASES, keeps);
}
