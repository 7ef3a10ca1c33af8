import type { Graph } from '../../graph/graph.js';
import type { RewriteLog } from '../rewrite-log.js';
import { products } from './products.js';
import { readInPlace } from './read-in-place.js';
import { tablesBeside } from './tables.js';

/**
 * Lets products and tables whose weights DequantizeLinear makes of constants take these as they are, in subgraphs also of those made
 * around them, and tables that a product multiplies by read its panels. Comes before constants are folded.
 */
export function keepQuantizedWeights(graph: Graph, log: RewriteLog): void {
  readInPlace(graph, log, products);
  readInPlace(graph, log, tablesBeside(graph));
}
