import { NodeProto } from '../../../../build/onnx.js';
import { attributeOf, int, ints, withAttributes, withoutAttributes } from '../node.js';
import { type Draft, dimsAt, draftOf, given, type Recipe, type Recipes, type Step } from '../step.js';

/** Adds the state output, which GRU 1 requires. */
const withState: Recipe = ({ node, fresh }) => {
  const [y = '', state = ''] = node.output;
  return [new NodeProto({ ...node, output: [y, state || fresh(`${y}_state`)] })];
};

const withoutSequence: Recipe = ({ node }) => [withoutAttributes(node, 'output_sequence')];

const withSequence: Recipe = ({ node }) => [node.output[0] ? withAttributes(node, int('output_sequence', 1)) : node];

const withLayout: Recipe = ({ node }) => [attributeOf(node, 'layout') ? node : withAttributes(node, int('layout', 0))];

const SWAP = [1, 0, 2];

/** Replaces the batch-first layout by transposes before and after. */
const withoutLayout: Recipe = (step) => {
  const node = withoutAttributes(step.node, 'layout');
  if (given(step, 'layout', 0) === 0) return [node];
  const draft = draftOf(step);
  const input = node.input.map((name, i) => (name && ![1, 2, 3, 4, 7].includes(i) ? turned(step, draft, i) : name));
  const output = node.output.map((name) => name && step.fresh(`${name}_turned`));
  const after = node.output.flatMap((name, i) => (name ? [turnedBack(output[i] as string, name, i)] : []));
  return [...draft.nodes, new NodeProto({ ...node, input, output }), ...after];
};

function turned(step: Step, draft: Draft, i: number): string {
  const _dims = dimsAt(step, i);
  return draft.emit('Transpose', [step.node.input[i] as string], [ints('perm', SWAP)]);
}

/** Transposes an output back: [sequence, directions, batch, hidden], or a state [directions, batch, hidden]. */
const turnedBack = (from: string, to: string, i: number): NodeProto =>
  new NodeProto({
    opType: 'Transpose',
    input: [from],
    output: [to],
    attribute: [ints('perm', i === 0 ? [2, 0, 1, 3] : SWAP)],
  });

const OPERATORS = ['GRU', 'LSTM', 'RNN'];

export const RECURRENT: Recipes = {
  'GRU 3': { down: withState },
  ...Object.fromEntries(OPERATORS.map((name) => [`${name} 7`, { up: withoutSequence, down: withSequence }])),
  ...Object.fromEntries(OPERATORS.map((name) => [`${name} 14`, { up: withLayout, down: withoutLayout }])),
};
