// Quantised networks as integers from input to output. Loaded with models that quantise.
import { inferGraph } from '../analysis/infer-graph.js';
import type { Graph } from '../graph/graph.js';
import { GraphEditor } from './editor.js';
import { rewrite } from './rewrite.js';
import type { RewriteLog } from './rewrite-log.js';
import type { Rule } from './rule.js';
import { movedIntegers } from './rules/integer-moves.js';
import { dynamicBias, dynamicProducts, requantisedProducts, scaledProducts } from './rules/integer-products.js';

/** Products that stay in integers come before those that end in floats. */
const PHASES: readonly (readonly Rule[])[] = [
  [movedIntegers, requantisedProducts],
  [scaledProducts, dynamicProducts, dynamicBias],
];

/** Rewrites what computes on dequantised integers, before constant integers become floats. */
export function keepIntegers(graph: Graph, looseSymbols: boolean | undefined, log: RewriteLog): void {
  const facts = inferGraph(graph, looseSymbols, ({ op }) => op === 'DequantizeLinear');
  const editor = new GraphEditor(graph, facts);
  for (const rules of PHASES) rewrite(editor, rules, log);
  editor.dropDead();
}
