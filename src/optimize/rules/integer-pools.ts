import type { Node, Value } from '../../graph/graph.js';
import { permutation } from '../../ops/channels-last.js';
import { emitOne } from '../../ops/emit.js';
import { toChannelsFirst, toChannelsLast } from '../../primitives/channels-last.js';
import type { Proposal, Rule } from '../rule.js';
import { dequantized, isNarrow, isSame, quantizedBy } from './quantized-values.js';

/** Ranks that the kernel supports. */
const RANKS = [3, 4];

const isPool = (node: Node | undefined): node is Node =>
  node?.op === 'MaxPool' && node.domain === '' && !node.outputs[1];

/** DequantizeLinear → MaxPool → QuantizeLinear of the same scale: pools the integers. */
export const integerMaxima: Rule = {
  name: 'maxima of integers',
  roots: ['QuantizeLinear'],
  propose(root, editor, build): Proposal {
    const [y, node] = [quantizedBy(editor, root), root.inputs[0] ? editor.producerOf(root.inputs[0]) : undefined];
    if (!y || !isPool(node)) return undefined;
    const x = dequantized(editor, node.inputs[0]);
    if (!x || !isNarrow(x) || !isSame(editor, x, y) || !((x.scales[0] as number) > 0)) return undefined;
    const rank = x.dims.length;
    if (!RANKS.includes(rank)) return undefined;
    const { storage_order: _, ...attributes } = node.attributes;
    const last: Value = emitOne(build, 'Transpose', [x.value], permutation(toChannelsLast(rank)));
    const largest = emitOne(build, 'sardonyx:ByteMaxPool', [last], attributes);
    const replaces = emitOne(build, 'Transpose', [largest], permutation(toChannelsFirst(rank)));
    return { replaces: [replaces], covers: [root, node] };
  },
};
