import type { Node, Value } from '../../../graph/graph.js';
import type { GraphEditor } from '../../../optimize/editor.js';
import type { Rule } from '../../../optimize/rule.js';
import { elementCount, integers } from '../../../tensor/tensor-value.js';

/** The axes of Squeeze and Unsqueeze, which are an input since opset 13; undefined if they are unknown or negative. */
function axesOf({ inputs, attributes }: Node, editor: GraphEditor): string | undefined {
  const given = attributes.axes;
  if (given?.type === 'ints') return told(given.value);
  const contents = inputs[1] && editor.facts.get(inputs[1])?.contents;
  return contents ? told(integers(contents)) : undefined;
}

const told = (axes: readonly number[]): string | undefined =>
  axes.every((axis) => axis >= 0) ? axes.toSorted((a, b) => a - b).join() : undefined;

/** Removes a Squeeze after an Unsqueeze of the same axes, and vice versa. */
export const views: Rule = {
  name: 'axes there and back',
  roots: ['Squeeze', 'Unsqueeze'],
  propose(node, editor) {
    const before = node.inputs[0] && editor.producerOf(node.inputs[0]);
    if (before?.op !== (node.op === 'Squeeze' ? 'Unsqueeze' : 'Squeeze') || before.domain !== '') return undefined;
    const axes = axesOf(node, editor);
    if (axes === undefined || axes !== axesOf(before, editor)) return undefined;
    return { replaces: [before.inputs[0] as Value], covers: [node] };
  },
};

/** Removes Pad without padding, and Split into a single part. */
export const trivialViews: Rule = {
  name: 'padding or division of nothing',
  roots: ['Pad', 'Split'],
  propose(node, editor) {
    const contents = node.inputs[1] && editor.facts.get(node.inputs[1])?.contents;
    const isOne = node.op === 'Split' && node.outputs.length === 1;
    const isNothing =
      node.op === 'Pad' && contents && elementCount(contents.dims) > 0 && integers(contents).every((pad) => pad === 0);
    return isOne || isNothing ? { replaces: [node.inputs[0] as Value], covers: [node] } : undefined;
  },
};
