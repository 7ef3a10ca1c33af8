import type { Outline } from '../../graph/outline.js';
import type { LayerError } from '../../workers/contracts/quantize.js';

export type ErrorId = 'output' | 'alone' | 'accumulated' | 'weight';

/** What is known of a layer's error, by what says most of it first. */
export const ERRORS: readonly (readonly [ErrorId, string])[] = [
  ['output', 'in the model output'],
  ['alone', 'of each layer alone'],
  ['accumulated', 'accumulated up to each layer'],
  ['weight', 'of weights'],
];

/** The node of the graph that an error is of: the one that makes its value, has its name, or reads it; -1 where the graph has none. */
export function nodeOf({ node, value }: LayerError, { strings, values, nodes }: Outline): number {
  const index = value === '' ? -1 : values.name.findIndex((name) => strings[name] === value);
  const producer = values.producer[index] ?? -1;
  if (producer >= 0) return producer;
  const named = node === '' ? -1 : nodes.name.findIndex((name) => strings[name] === node);
  return named >= 0 || index < 0 ? named : readerOf(index, nodes.inputs);
}

/** The node that reads a value first. */
function readerOf(value: number, { start, values }: Outline['nodes']['inputs']): number {
  const place = values.indexOf(value);
  return place < 0 ? -1 : start.findLastIndex((from) => from <= place);
}

/**
 * The noise of each node in percent of its signal's power, which adds up where decibels do not; the larger one of a node with
 * two weights, NaN of a node without.
 */
export function noiseByNode(layers: readonly LayerError[], graph: Outline, by: ErrorId): Float64Array {
  const noise = new Float64Array(graph.nodes.count).fill(Number.NaN);
  for (const layer of layers) {
    const [decibels, node] = [layer[by], nodeOf(layer, graph)];
    if (decibels === undefined || node < 0) continue;
    const percent = 100 * 10 ** (-decibels / 10);
    if (!(percent <= (noise[node] as number))) noise[node] = percent;
  }
  return noise;
}
