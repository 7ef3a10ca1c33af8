import { int, ints, withAttributes } from '../node.js';
import { dimsAt, draftOf, given, neededDims, type Recipe, type Recipes } from '../step.js';

/** Before version 13, all axes from `axis` on were flattened into one; since then, `axis` is a single axis. */
const flattened: Recipe = (step) => {
  const { node } = step;
  const rank = dimsAt(step, 0)?.length;
  const axis = given(step, 'axis', 1);
  const from = axis < 0 && rank !== undefined ? axis + rank : axis;
  const draft = draftOf(step);
  const x = node.input[0] ?? '';
  if (from === (rank ?? 0) - 1 || axis === -1) return [withAttributes(node, int('axis', -1))];
  const shape = draft.emit('Shape', [x]);
  const rows = draft.emit('Flatten', [x], [int('axis', axis)]);
  const y = draft.emit(node.opType, [rows], [int('axis', -1)]);
  return draft.end('Reshape', [y, shape]);
};

const alongTheLast: Recipe = (step) => {
  const { node } = step;
  const dims = neededDims(step, 0);
  const last = dims.length - 1;
  const axis = given(step, 'axis', -1);
  const from = axis < 0 ? axis + dims.length : axis;
  if (from === last || dims.slice(from + 1).every((dim) => dim === 1)) return [withAttributes(node, int('axis', from))];
  const draft = draftOf(step);
  // Swapping two axes is its own inverse.
  const order = dims.map((_, i) => (i === from ? last : i === last ? from : i));
  const turned = draft.emit('Transpose', [node.input[0] as string], [ints('perm', order)]);
  const y = draft.emit(node.opType, [turned], [int('axis', last)]);
  return draft.end('Transpose', [y], [ints('perm', order)]);
};

/** https://onnx.ai/onnx/operators/onnx__Softmax.html */
export const SOFTMAX: Recipes = Object.fromEntries(
  ['Softmax', 'LogSoftmax', 'Hardmax'].map((name) => [`${name} 13`, { up: flattened, down: alongTheLast }]),
);
