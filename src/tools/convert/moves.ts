import type { AttributeProto, NodeProto } from '../../../build/onnx.js';
import type { ElementType } from '../../tensor/element-types.js';
import {
  attributeOf,
  block,
  float,
  floats,
  int,
  ints,
  numbersAt,
  tensorProto,
  withAttributes,
  withInputs,
  withoutAttributes,
} from './node.js';
import { constantIn, neededElement, neededNumbers, type Step } from './step.js';

/** An attribute that became an input at some version of its operator. */
interface Move {
  readonly attribute: string;
  readonly input: number;
  /** `data`: the element type of the first input. */
  readonly element: 'int64' | 'float32' | 'data';
  /** Whether the attribute, and the tensor, has a single value. */
  readonly isOne?: boolean;
  readonly isScalar?: boolean;
  /** Whether a graph stores the input as an initializer. */
  readonly isInitializer?: boolean;
}

const vector = (attribute: string, input: number): Move => ({ attribute, input, element: 'int64' });
const scalar = (attribute: string, input: number, element: Move['element']): Move => ({
  attribute,
  input,
  element,
  isOne: true,
  isScalar: true,
});

const AXES = [vector('axes', 1)];

const REDUCTIONS = ['L1', 'L2', 'LogSum', 'LogSumExp', 'Max', 'Mean', 'Min', 'Prod', 'SumSquare'];

/** Moves by operator and the version that introduced the input. https://onnx.ai/onnx/operators */
const MOVES: Readonly<Record<string, readonly Move[]>> = {
  'Reshape 5': [vector('shape', 1)],
  'Upsample 9': [{ attribute: 'scales', input: 1, element: 'float32' }],
  'Slice 10': [vector('starts', 1), vector('ends', 2), vector('axes', 3)],
  'TopK 10': [{ attribute: 'k', input: 1, element: 'int64', isOne: true }],
  'Pad 11': [vector('pads', 1), { ...scalar('value', 2, 'data'), isInitializer: true }],
  'Clip 11': [scalar('min', 1, 'data'), scalar('max', 2, 'data')],
  'Dropout 12': [scalar('ratio', 1, 'float32')],
  'Squeeze 13': AXES,
  'Unsqueeze 13': AXES,
  'ReduceSum 13': AXES,
  'Split 13': [vector('split', 1)],
  'DFT 20': [scalar('axis', 2, 'int64')],
  ...Object.fromEntries(REDUCTIONS.map((name) => [`Reduce${name} 18`, AXES])),
};

export const movesAt = (boundary: string): readonly Move[] => MOVES[boundary] ?? [];

/** Converts attributes to inputs of the newer version. */
export function toInputs(step: Step, moves: readonly Move[]): NodeProto[] {
  const before: NodeProto[] = [];
  let { node } = step;
  for (const move of moves) {
    const values = numbersAt(node, move.attribute);
    if (!values) continue;
    const input = [...node.input];
    while (input.length <= move.input) input.push('');
    input[move.input] = written(step, move, values, before);
    node = withoutAttributes(withInputs(node, input), move.attribute);
  }
  return [...before, node];
}

function written(step: Step, move: Move, values: readonly number[], before: NodeProto[]): string {
  const { node, fresh, initialize } = step;
  const element: ElementType = move.element === 'data' ? neededElement(step, 0) : move.element;
  const dims = move.isScalar ? [] : [values.length];
  const name = fresh(`${node.output.find(Boolean) ?? node.name}_${move.attribute}`);
  const tensor = tensorProto(element, dims, values);
  tensor.name = name;
  const constant = constantIn(step, name, tensor);
  if (!(move.isInitializer && initialize(tensor))) before.push(constant);
  return name;
}

/** Converts inputs, which must be constants, to attributes of the older version. */
export function toAttributes(step: Step, moves: readonly Move[]): NodeProto {
  let node = moves.length > 0 ? withInputs(step.node, step.node.input) : step.node;
  for (const move of moves) {
    if (!step.node.input[move.input]) continue;
    const values = neededNumbers(step, move.input);
    const input = node.input.map((other, i) => (i === move.input ? '' : other));
    node = withAttributes(withInputs(node, input), attributeFrom(move, values));
  }
  // Reducing over no axes means reducing over all, which older versions express by omitting the attribute.
  const axes = attributeOf(node, 'axes');
  return node.opType.startsWith('Reduce') && axes?.ints.length === 0 ? withoutAttributes(node, 'axes') : node;
}

function attributeFrom({ attribute, element, isOne }: Move, values: readonly number[]): AttributeProto {
  const [value] = values;
  if (!isOne) return element === 'int64' ? ints(attribute, values) : floats(attribute, values);
  if (value === undefined || values.length > 1)
    return block(`${attribute} must be a single value, got ${values.length}`);
  return element === 'int64' ? int(attribute, value) : float(attribute, value);
}
