import { axisOf, indexOf, int64s, type PlainArray, plain } from './array.js';
import { int, listed, type Reference, type ReferenceNode, type References, scalar, tensor } from './definition.js';
import { concat, split } from './movement.js';

function sequence({ op, inputs }: ReferenceNode, i: number): readonly PlainArray[] {
  const value = inputs[i];
  if (!Array.isArray(value)) throw new TypeError(`input ${i} of ${op} is no sequence`);
  return value as readonly PlainArray[];
}

const SequenceConstruct: Reference = (node) => [node.inputs.map((_, i) => tensor(node, i))];

const SequenceAt: Reference = (node) => {
  const elements = sequence(node, 0);
  return [elements[indexOf(scalar(node, 1), elements.length)]];
};

const SequenceInsert: Reference = (node) => {
  const elements = sequence(node, 0);
  const { length } = elements;
  const at = node.inputs[2] === undefined ? length : indexOf(scalar(node, 2), length + (scalar(node, 2) < 0 ? 0 : 1));
  return [[...elements.slice(0, at), tensor(node, 1), ...elements.slice(at)]];
};

const SequenceErase: Reference = (node) => {
  const elements = sequence(node, 0);
  const at = indexOf(node.inputs[1] === undefined ? -1 : scalar(node, 1), elements.length);
  return [elements.filter((_, i) => i !== at)];
};

/** Parts of one size, or of the sizes listed. */
function partSizes(node: ReferenceNode, size: number): readonly number[] {
  const given = node.inputs[1] === undefined ? undefined : tensor(node, 1);
  if (given?.dims.length === 1) return listed(node, 1) as readonly number[];
  const each = given ? scalar(node, 1) : 1;
  return Array.from({ length: Math.ceil(size / each) }, (_, i) => Math.min(each, size - i * each));
}

const SplitToSequence: Reference = (node) => {
  const x = tensor(node, 0);
  const axis = axisOf(int(node, 'axis', 0), x.dims.length);
  const parts = split(x, axis, partSizes(node, x.dims[axis] as number));
  if (node.inputs[1] !== undefined || int(node, 'keepdims', 1)) return [parts];
  return [parts.map(({ type, dims, data }) => plain(type, dims.toSpliced(axis, 1), data))];
};

const ConcatFromSequence: Reference = (node) => {
  const elements = sequence(node, 0);
  const isNew = int(node, 'new_axis', 0) !== 0;
  const rank = (elements[0] as PlainArray).dims.length;
  const axis = axisOf(int(node, 'axis', 0), isNew ? rank + 1 : rank);
  const parts = isNew
    ? elements.map(({ type, dims, data }) => plain(type, dims.toSpliced(axis, 0, 1), data))
    : elements;
  return [concat(parts, axis)];
};

const OptionalHasElement: Reference = ({ inputs }) => [
  plain('bool', [], [Number(inputs[0] !== undefined && inputs[0] !== null)]),
];

const SequenceMap: Reference = (node) => {
  const { run } = node;
  if (!run) return undefined;
  const { length } = sequence(node, 0);
  const results = Array.from({ length }, (_, i) =>
    run(
      'body',
      node.inputs.map((input) => (Array.isArray(input) ? input[i] : input)),
    ),
  );
  return Array.from({ length: node.outputs }, (_, output) => results.map((outputs) => outputs[output] as PlainArray));
};

export const SEQUENCES: References = {
  SequenceConstruct,
  SequenceEmpty: () => [[]],
  SequenceAt,
  SequenceInsert,
  SequenceErase,
  SequenceLength: (node) => [int64s([sequence(node, 0).length], [])],
  SplitToSequence,
  ConcatFromSequence,
  SequenceMap,
  Optional: ({ inputs }) => [inputs[0] ?? null],
  OptionalHasElement,
  OptionalGetElement: ({ inputs }) => (inputs[0] === null ? undefined : [inputs[0]]),
};
