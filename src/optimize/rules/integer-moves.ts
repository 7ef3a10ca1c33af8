import type { Node, Value } from '../../graph/graph.js';
import type { GraphEditor } from '../editor.js';
import type { Proposal, Rule } from '../rule.js';
import { dequantized, isSame, type Quantized, quantizedBy } from './quantized-values.js';

/** What moves elements and makes none, and how many of its inputs have them. */
const MOVES: Readonly<Record<string, number>> = {
  Concat: Number.POSITIVE_INFINITY,
  DepthToSpace: 1,
  Expand: 1,
  Flatten: 1,
  Gather: 1,
  Identity: 1,
  Reshape: 1,
  Slice: 1,
  SpaceToDepth: 1,
  Squeeze: 1,
  Tile: 1,
  Transpose: 1,
  Unsqueeze: 1,
};

/** The integers of the inputs that a node moves, if a step of each means what one of `y` does. */
function movedBy(editor: GraphEditor, node: Node, y: Quantized): readonly (Value | null)[] | undefined {
  const count = node.domain === '' ? MOVES[node.op] : undefined;
  if (count === undefined) return undefined;
  const sources = node.inputs.slice(0, count).map((value) => dequantized(editor, value));
  if (!sources.every((source) => source && isSame(editor, source, y))) return undefined;
  return node.inputs.map((value, i) => sources[i]?.value ?? value);
}

/** DequantizeLinear → movement → QuantizeLinear of the same step: the integers are moved. */
export const movedIntegers: Rule = {
  name: 'integers moved as they are',
  roots: ['QuantizeLinear'],
  propose(root, editor, build): Proposal {
    const y = quantizedBy(editor, root);
    const [value] = root.inputs;
    const again = dequantized(editor, value);
    if (y && again && isSame(editor, again, y)) return { replaces: [again.value], covers: [root] };
    const node = value ? editor.producerOf(value) : undefined;
    const inputs = node && y && movedBy(editor, node, y);
    return inputs && { replaces: build.repeat(node, inputs), covers: [root, node] };
  },
};
