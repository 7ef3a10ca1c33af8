import type { Outline } from '../../graph/outline.js';
import type { LayerError } from '../../workers/contracts/quantize.js';

export type ErrorId = 'output' | 'alone' | 'accumulated' | 'weight';

/** Kinds of layer errors, the most informative first. */
export const ERRORS: readonly (readonly [ErrorId, string])[] = [
  ['output', 'in the model output'],
  ['alone', 'of each layer alone'],
  ['accumulated', 'accumulated up to each layer'],
  ['weight', 'of weights'],
];

/** The node of the graph that an error belongs to: the one that makes its value, has its name, or reads it; -1 if there is none. */
export function nodeOf({ node, value }: LayerError, { strings, values, nodes }: Outline): number {
  const index = value === '' ? -1 : values.name.findIndex((name) => strings[name] === value);
  const producer = values.producer[index] ?? -1;
  if (producer >= 0) return producer;
  const named = node === '' ? -1 : nodes.name.findIndex((name) => strings[name] === node);
  return named >= 0 || index < 0 ? named : readerOf(index, nodes.inputs);
}

/** The first node that reads a value. */
function readerOf(value: number, { start, values }: Outline['nodes']['inputs']): number {
  const place = values.indexOf(value);
  return place < 0 ? -1 : start.findLastIndex((from) => from <= place);
}

/**
 * The noise of each node in percent of its signal's power, which can be summed, unlike decibels; the larger one for a node with two
 * weights, NaN for a node without.
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
