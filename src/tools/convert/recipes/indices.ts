import { NodeProto } from '../../../../build/onnx.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { block, int } from '../node.js';
import {
  type Draft,
  dimsAt,
  draftOf,
  given,
  neededElement,
  numbersIn,
  type Recipe,
  type Recipes,
  type Step,
} from '../step.js';

const UNSIGNED: ReadonlySet<ElementType> = new Set(['uint8', 'uint16', 'uint32', 'uint64']);

/** Makes negative indices in input `i` non-negative by adding `size`. */
function fromStart(step: Step, draft: Draft, i: number, size: () => string): string {
  const { node } = step;
  const name = node.input[i] as string;
  const element = neededElement(step, i);
  const known = numbersIn(step, i);
  if (UNSIGNED.has(element) || known?.every((index) => index >= 0)) return name;
  const isBehind = draft.emit('Less', [name, draft.constant(element, [], [0])]);
  const behind = draft.emit('Cast', [isBehind], [int('to', ELEMENTS[element].onnx)]);
  const added = draft.emit('Mul', [behind, size()]);
  return draft.emit('Add', [name, added]);
}

/** The size of an axis, as a scalar of the given type. */
function sizeOf(step: Step, draft: Draft, axis: number, element: ElementType): string {
  const dims = dimsAt(step, 0);
  const size = dims?.at(axis);
  if (typeof size === 'number') return draft.constant(element, [], [size]);
  const shape = draft.emit('Shape', [step.node.input[0] as string]);
  const position = axis < 0 && dims ? axis + dims.length : axis;
  const found = draft.emit('Gather', [shape, draft.constant('int64', [], [position])], [int('axis', 0)]);
  return draft.emit('Cast', [found], [int('to', ELEMENTS[element].onnx)]);
}

/** Makes indices non-negative, as before version 11. */
const alongAxis =
  (opType: string): Recipe =>
  (step) => {
    const draft = draftOf(step);
    const indices = fromStart(step, draft, 1, () =>
      sizeOf(step, draft, given(step, 'axis', 0), neededElement(step, 1)),
    );
    const [data, , ...rest] = step.node.input as [string, string, ...string[]];
    return draft.end(opType, [data, indices, ...rest], step.node.attribute);
  };

/** Makes indices non-negative. Indices that are still out of range produce only off values. */
const hot: Recipe = (step) => {
  const draft = draftOf(step);
  const [given = '', depth = '', values = ''] = step.node.input;
  const element = neededElement(step, 0);
  let size = '';
  const indices = fromStart(step, draft, 0, () => {
    if (!/^int(32|64)$/.test(element)) block(`the indices are ${element} and may be negative, which needs OneHot 11`);
    const whole = draft.emit('Cast', [depth], [int('to', ELEMENTS[element].onnx)]);
    size = draft.emit('Reshape', [whole, draft.vector([1])]);
    return size;
  });
  if (indices === given) return [step.node];
  const isOff = draft.emit('Less', [indices, draft.constant(element, [], [0])]);
  return draft.end('OneHot', [draft.emit('Where', [isOff, size, indices]), depth, values], step.node.attribute);
};

const renamed: Recipe = ({ node }) => [new NodeProto({ ...node, opType: 'ScatterElements' })];

export const INDICES: Recipes = {
  'Gather 11': { down: alongAxis('Gather') },
  'OneHot 11': { down: hot },
  'Scatter 11': { up: renamed },
  'ScatterElements 11': { down: alongAxis('Scatter') },
};
