import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { int } from '../node.js';
import { type Draft, dimsAt, draftOf, elementAt, type Recipe, type Recipes, type Step, shaped } from '../step.js';

const FLOATS: ReadonlySet<ElementType | undefined> = new Set([undefined, 'float16', 'float32', 'float64']);

const toDouble = (step: Step, draft: Draft, i: number): string =>
  draft.emit(
    'Cast',
    [step.node.input[i] as string],
    [int('to', ELEMENTS.float64.onnx)],
    shaped('float64', dimsAt(step, i)),
  );

/** Integers, which begin with version 9, as doubles: exact as long as sums and products are below 2^53. */
const throughDoubles: Recipe = (step) => {
  const { node } = step;
  const element = elementAt(step, 0);
  if (!element || FLOATS.has(element)) return [node];
  const draft = draftOf(step);
  const inputs = node.input.map((name, i) => name && toDouble(step, draft, i));
  const result = draft.emit(node.opType, inputs, node.attribute, shaped('float64'));
  return draft.end('Cast', [result], [int('to', ELEMENTS[element].onnx)]);
};

const WIDE: ReadonlySet<ElementType | undefined> = new Set(['int64', 'uint64']);

/** Doubles of equal order decide; of 64 bits, those that are rounded to the same one are told apart by their difference. */
const compared: Recipe = (step) => {
  const { node } = step;
  const element = elementAt(step, 0);
  if (!element || FLOATS.has(element)) return [node];
  const draft = draftOf(step);
  const [a, b] = [toDouble(step, draft, 0), toDouble(step, draft, 1)] as const;
  if (!WIDE.has(element)) return draft.end(node.opType, [a, b]);
  const bool = shaped('bool');
  const sure = draft.emit(node.opType, [a, b], [], bool);
  const against = draft.emit(node.opType, [b, a], [], bool);
  const difference = draft.emit('Sub', [...node.input], [], shaped(element));
  const signed = draft.emit('Cast', [difference], [int('to', ELEMENTS.int64.onnx)], shaped('int64'));
  const small = draft.emit('Cast', [signed], [int('to', ELEMENTS.float64.onnx)], shaped('float64'));
  const tied = draft.emit(node.opType, [small, draft.constant('float64', [], [0])], [], bool);
  const open = draft.emit('Not', [against], [], bool);
  return draft.end('Or', [sure, draft.emit('And', [open, tied], [], bool)]);
};

/** Only the shape is of interest: a tensor of doubles has the same, and Reshape takes all types. */
const byShape: Recipe = (step) => {
  const { node } = step;
  if (FLOATS.has(elementAt(step, 0))) return [node];
  const draft = draftOf(step);
  const flat = draft.emit('Flatten', [toDouble(step, draft, 0)], node.attribute, shaped('float64'));
  const shape = draft.emit('Shape', [flat], [], shaped('int64', [2]));
  return draft.end('Reshape', [node.input[0] as string, shape]);
};

export const DOUBLES: Recipes = {
  ...Object.fromEntries(['MatMul', 'Gemm', 'PRelu'].map((name) => [`${name} 9`, { down: throughDoubles }])),
  'Greater 9': { down: compared },
  'Less 9': { down: compared },
  'Flatten 9': { down: byShape },
};
