import type { Node, Value } from '../../graph/graph.js';
import { emitByteTable } from '../../ops/emit-bytes.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Proposal, Rule } from '../rule.js';
import { dequantized, isNarrow, isPerTensor, isSame, type Quantized, quantizedBy } from './quantized-values.js';

/** Operators that only move elements, and the number of inputs that hold these. */
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

/** The quantized inputs of a node that moves elements, in steps of `y`. Inputs with other scales are converted by a table. */
function movedBy(editor: GraphEditor, build: Builder, node: Node, root: Node, y: Quantized) {
  const count = node.domain === '' ? MOVES[node.op] : undefined;
  if (count === undefined) return undefined;
  const sources = node.inputs.slice(0, count).map((value) => dequantized(editor, value));
  if (!sources.every((source) => source && isCountable(editor, source, y))) return undefined;
  return node.inputs.map((value, i) => {
    const source = sources[i];
    if (!source) return value;
    return isSame(editor, source, y) ? source.value : recounted(build, value as Value, source, editor, root);
  });
}

const isCountable = (editor: GraphEditor, x: Quantized, y: Quantized) =>
  isSame(editor, x, y) || [x, y].every((own) => isNarrow(own) && isPerTensor(own));

/** DequantizeLinear and QuantizeLinear by a table. */
function recounted(build: Builder, floats: Value, x: Quantized, editor: GraphEditor, root: Node): Value {
  const own = editor.producerOf(floats) as Node;
  return emitByteTable(build, x.value, x.element, (bytes) => {
    const [known] = build.repeat(own, [bytes, ...own.inputs.slice(1)]) as [Value];
    return build.repeat(root, [known, ...root.inputs.slice(1)])[0] as Value;
  });
}

/** DequantizeLinear → data movement → QuantizeLinear: moves the integers. */
export const movedIntegers: Rule = {
  name: 'integers moved as they are',
  roots: ['QuantizeLinear'],
  propose(root, editor, build): Proposal {
    const y = quantizedBy(editor, root);
    const [value] = root.inputs;
    const again = dequantized(editor, value);
    if (y && again && isSame(editor, again, y)) return { replaces: [again.value], covers: [root] };
    const node = value ? editor.producerOf(value) : undefined;
    const inputs = node && y && movedBy(editor, build, node, root, y);
    return inputs && { replaces: build.repeat(node, inputs), covers: [root, node] };
  },
};
