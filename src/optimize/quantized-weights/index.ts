import type { Graph } from '../../graph/graph.js';
import type { RewriteLog } from '../rewrite-log.js';
import { products } from './products.js';
import { readInPlace } from './read-in-place.js';
import { tablesBeside } from './tables.js';

/**
 * Makes products and tables use constant quantized weights directly instead of the results of DequantizeLinear, also in subgraphs that
 * capture them. Tables that a product also multiplies by read its panels. Runs before constant folding.
 */
export function keepQuantizedWeights(graph: Graph, log: RewriteLog): void {
  readInPlace(graph, log, products);
  readInPlace(graph, log, tablesBeside(graph));
}
