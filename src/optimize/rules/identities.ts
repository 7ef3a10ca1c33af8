import { intsOf } from '../../graph/attributes.js';
import { sameDims } from '../../graph/dims.js';
import type { Node, Value } from '../../graph/graph.js';
import { numbersOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';
import type { Proposal, Rule } from '../rule.js';

/** A node that returns its first input unchanged if `holds`. */
const passes = (name: string, roots: readonly string[], holds: (node: Node, editor: GraphEditor) => boolean): Rule => ({
  name,
  roots,
  propose: (node, editor): Proposal =>
    holds(node, editor) ? { replaces: [node.inputs[0] as Value], covers: [node] } : undefined,
});

const dimsOf = (editor: GraphEditor, value: Value | null | undefined) => {
  const type = value && editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type.dims : undefined;
};

function keepsDims(node: Node, editor: GraphEditor): boolean {
  const [before, after] = [dimsOf(editor, node.inputs[0]), dimsOf(editor, node.outputs[0])];
  return before !== undefined && after !== undefined && sameDims(before, after);
}

function keepsType(node: Node, editor: GraphEditor): boolean {
  const [before, after] = [node.inputs[0], node.outputs[0]].map((value) => value && editor.facts.get(value)?.type);
  return before?.kind === 'tensor' && after?.kind === 'tensor' && before.element === after.element;
}

/** Larger constants are not searched. */
const MAX_CHECKED = 4096;

/** Whether all elements of input 1 are `neutral`. */
function hasNeutralOperand(neutral: number): (node: Node, editor: GraphEditor) => boolean {
  return (node, editor) => {
    const contents = node.inputs[1] && editor.facts.get(node.inputs[1])?.contents;
    if (!contents || contents.type === 'string' || !keepsDims(node, editor)) return false;
    return elementCount(contents.dims) <= MAX_CHECKED && Array.from(numbersOf(contents)).every((x) => x === neutral);
  };
}

const isTrivialPermutation = (node: Node) => intsOf(node.attributes, 'perm')?.every((axis, i) => axis === i) ?? false;

/** Nodes that compute nothing. */
export const identities: readonly Rule[] = [
  passes('identity', ['Identity'], (node, editor) => editor.canRedirect(node.outputs[0] as Value)),
  passes('cast to the same type', ['Cast'], keepsType),
  passes('view of the same dims', ['Reshape', 'Flatten', 'Squeeze', 'Unsqueeze', 'Expand', 'Tile'], keepsDims),
  passes('transposition of nothing', ['Transpose'], isTrivialPermutation),
  passes('concatenation of one', ['Concat', 'Sum', 'Max', 'Min', 'Mean'], (node) => node.inputs.length === 1),
];

/** Arithmetic with 0 and 1, after the rules that recognize operators by their parts. */
export const neutralOperands: readonly Rule[] = [
  passes('times or over 1', ['Mul', 'Div'], hasNeutralOperand(1)),
  passes('plus or minus 0', ['Add', 'Sub'], hasNeutralOperand(0)),
];
