// Quantized networks as integers from input to output, and products by packed weights. Loaded with quantized models. This script imports
// all groups that its operators belong to: with fewer shared imports, the bundler would split what every page loads, at 1 kB more.

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

/** Keeps nodes with constant integer inputs for the rules, before folding turns them into floats. */
const keeps: Keeps = ({ node }) => node.op === dequantizeLinear.name;

/** Products that stay in integers precede those that end in floats. */
const PHASES = [
  {
    level: 'extended',
    rules: () => [movedIntegers, integerMaxima, requantizedProducts, requantizedArithmetic, byteFunctions],
  },
  { level: 'extended', rules: () => [scaledProducts, dynamicProducts, dynamicBias] },
] satisfies readonly Phase[];

/** Phases after all other rewrites. */
export const LAST_PHASES: readonly Phase[] = [{ level: 'layout', rules: () => [productsOfSameRows] }];

/** Rewrites before all other ones, at levels above `disabled`, which are numbered from 0. */
export function rewriteQuantized(
  graph: Graph,
  level: number,
  log: RewriteLog,
  byPhases: (phases: readonly Phase[], keeps: Keeps) => void,
): void {
  if (level > 1) keepQuantizedWeights(graph, log);
  byPhases(PHASES, keeps);
}
