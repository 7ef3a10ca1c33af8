import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { int } from '../node.js';
import { type Draft, draftOf, elementAt, type Recipe, type Recipes, type Step } from '../step.js';

const FLOATS: ReadonlySet<ElementType | undefined> = new Set([undefined, 'float16', 'float32', 'float64']);

const WIDE: ReadonlySet<ElementType | undefined> = new Set(['int64', 'uint64']);

const asDouble = (step: Step, draft: Draft, i: number): string =>
  draft.emit('Cast', [step.node.input[i] as string], [int('to', ELEMENTS.float64.onnx)]);

/**
 * Computes integers, which are supported since version 9, in doubles. This is exact while sums and products are below
 * 2^53. Results out of a 32-bit range wrap, as they are cast through int64.
 */
const throughDoubles: Recipe = (step) => {
  const { node } = step;
  const element = elementAt(step, 0);
  if (!element || FLOATS.has(element)) return [node];
  const draft = draftOf(step);
  const inputs = node.input.map((name, i) => name && asDouble(step, draft, i));
  const result = draft.emit(node.opType, inputs, node.attribute);
  const whole = WIDE.has(element) ? result : draft.emit('Cast', [result], [int('to', ELEMENTS.int64.onnx)]);
  return draft.end('Cast', [whole], [int('to', ELEMENTS[element].onnx)]);
};

/** Compares as doubles. 64-bit integers that round to the same double are compared by the sign of their difference. */
const compared: Recipe = (step) => {
  const { node } = step;
  const element = elementAt(step, 0);
  if (!element || FLOATS.has(element)) return [node];
  const draft = draftOf(step);
  const [a, b] = [asDouble(step, draft, 0), asDouble(step, draft, 1)] as const;
  if (!WIDE.has(element)) return draft.end(node.opType, [a, b]);
  const sure = draft.emit(node.opType, [a, b]);
  const against = draft.emit(node.opType, [b, a]);
  const difference = draft.emit('Sub', [...node.input]);
  const signed = draft.emit('Cast', [difference], [int('to', ELEMENTS.int64.onnx)]);
  const small = draft.emit('Cast', [signed], [int('to', ELEMENTS.float64.onnx)]);
  const tied = draft.emit(node.opType, [small, draft.constant('float64', [], [0])]);
  const open = draft.emit('Not', [against]);
  return draft.end('Or', [sure, draft.emit('And', [open, tied])]);
};

/** Computes the output shape from a tensor of doubles, and reshapes the original, as Reshape supports all types. */
const byShape: Recipe = (step) => {
  const { node } = step;
  if (FLOATS.has(elementAt(step, 0))) return [node];
  const draft = draftOf(step);
  const flat = draft.emit('Flatten', [asDouble(step, draft, 0)], node.attribute);
  const shape = draft.emit('Shape', [flat]);
  return draft.end('Reshape', [node.input[0] as string, shape]);
};

export const DOUBLES: Recipes = {
  ...Object.fromEntries(['MatMul', 'Gemm', 'PRelu'].map((name) => [`${name} 9`, { down: throughDoubles }])),
  'Greater 9': { down: compared },
  'Less 9': { down: compared },
  'Flatten 9': { down: byShape },
};
