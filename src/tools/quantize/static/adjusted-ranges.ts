import type { GraphProto, NodeProto } from '../../../../build/onnx.js';
import type { Ranges } from '../calibrate/ranges.js';
import { graphsOf, readIn } from '../graphs.js';
import type { Range } from './parameters.js';

interface Outline {
  readonly graph: GraphProto;
  readonly isWanted: (node: NodeProto) => boolean;
}

/** The number of readers of each name: nodes, subgraphs and graph outputs. */
function readingsOf({ node, output }: GraphProto): ReadonlyMap<string, number> {
  const readings = new Map<string, number>();
  const inside = node.flatMap(graphsOf).flatMap((graph) => [...readIn(graph)]);
  for (const name of [...node.flatMap(({ input }) => input), ...inside, ...output.map(({ name }) => name)])
    readings.set(name, (readings.get(name) ?? 0) + 1);
  return readings;
}

/**
 * Ranges adjusted to operators: a value that only a Relu or Clip reads gets the range of its output, and the output of
 * Softmax gets 0 … 1.
 */
export function adjustedRanges({ graph, isWanted }: Outline, { values }: Ranges): ReadonlyMap<string, Range> {
  const ranges = new Map(Object.entries(values));
  const readings = readingsOf(graph);
  for (const node of graph.node) {
    const [from = '', to = ''] = [node.input[0], node.output[0]];
    const range = ranges.get(to);
    if (node.opType === 'Softmax' && isWanted(node)) ranges.set(to, { lowest: 0, highest: 1 });
    if (!['Relu', 'Clip'].includes(node.opType) || !range || !isWanted(node)) continue;
    if (readings.get(from) === 1 && ranges.has(from)) ranges.set(from, range);
  }
  return ranges;
}
