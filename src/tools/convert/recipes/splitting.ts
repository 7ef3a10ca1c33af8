import { block, int, ints, numbersAt, withAttributes, withInputs, withoutAttributes } from '../node.js';
import {
  dimsAt,
  draftOf,
  given,
  neededDims,
  neededElement,
  neededNumbers,
  numbersIn,
  type Recipe,
  type Recipes,
} from '../step.js';

const splitsToAttribute: Recipe = (step) => {
  const { node } = step;
  if (!node.input[1]) return [node];
  return [withAttributes(withInputs(node, node.input.slice(0, 1)), ints('split', neededNumbers(step, 1)))];
};

/** Adds `num_outputs`, which splits into equal parts since version 18; the last part may be smaller. */
const counted: Recipe = ({ node }) => [
  node.input[1] ? node : withAttributes(node, int('num_outputs', node.output.length)),
];

const uncounted: Recipe = (step) => {
  const parts = numbersAt(step.node, 'num_outputs')?.[0];
  const node = withoutAttributes(step.node, 'num_outputs');
  if (parts === undefined) return [node];
  const size = dimsAt(step, 0)?.at(given(step, 'axis', 0));
  if (typeof size !== 'number')
    return block(`num_outputs=${parts} may have a smaller last part, and the size of the axis is unknown`);
  if (size % parts === 0) return [node];
  const part = Math.ceil(size / parts);
  const sizes = Array.from({ length: parts }, (_, i) => Math.max(Math.min(part, size - i * part), 0));
  const draft = draftOf(step);
  return draft.end('Split', [node.input[0] as string, draft.vector(sizes)], node.attribute);
};

/** Expands pads of some axes to all axes. */
const paddedAxes: Recipe = (step) => {
  const { node } = step;
  const [data = '', , value = '', axes] = node.input;
  if (!axes) return [node];
  const rank = neededDims(step, 0).length;
  const chosen = neededNumbers(step, 3).map((axis) => (axis < 0 ? axis + rank : axis));
  const pads = neededNumbers(step, 1);
  const all = new Array<number>(2 * rank).fill(0);
  for (const [i, axis] of chosen.entries()) {
    all[axis] = pads[i] as number;
    all[axis + rank] = pads[i + chosen.length] as number;
  }
  const draft = draftOf(step);
  return draft.end('Pad', value ? [data, draft.vector(all), value] : [data, draft.vector(all)], node.attribute);
};

/** Expands the repeats of one axis to all axes. */
const repeats: Recipe = (step) => {
  const { node } = step;
  const rank = neededDims(step, 0).length;
  const [tiles = 1] = neededNumbers(step, 1);
  const [axis = 0] = neededNumbers(step, 2);
  const all = Array.from({ length: rank }, (_, i) => (i === axis ? tiles : 1));
  const draft = draftOf(step);
  return draft.end('Tile', [node.input[0] as string, draft.vector(all)]);
};

/** Emits a Tile node for each repeated axis. */
const tiles: Recipe = (step) => {
  const { node } = step;
  const element = neededElement(step, 0);
  const counts = neededNumbers(step, 1);
  const axes = [...counts.keys()].filter((i) => counts[i] !== 1);
  const draft = draftOf(step);
  const last = axes.pop();
  if (last === undefined) return draft.end('Identity', [node.input[0] as string]);
  const of = (axis: number): string[] => [counts[axis] as number, axis].map((n) => draft.constant(element, [1], [n]));
  const inner = axes.reduce((x, axis) => draft.emit('Tile', [x, ...of(axis)]), node.input[0] as string);
  return draft.end('Tile', [inner, ...of(last)]);
};

/** Removes steps if all are 1. */
const unstepped: Recipe = (step) => {
  const { node } = step;
  if (!node.input[4]) return [node];
  const steps = neededNumbers(step, 4);
  return steps.every((n) => n === 1)
    ? [withInputs(node, node.input.slice(0, 4))]
    : block(`steps=${steps} needs Slice 10`);
};

/** Removes `noop_with_empty_axes`. Without axes, older versions always reduce all axes. */
const reduced: Recipe = (step) => {
  const { node } = step;
  const axes = node.input[1] ? numbersIn(step, 1) : [];
  const isNoop = given(step, 'noop_with_empty_axes', 0) !== 0;
  if (isNoop && !axes?.length)
    return block('the older version does not support noop_with_empty_axes=1 with empty axes');
  return [withoutAttributes(node, 'noop_with_empty_axes')];
};

/** Replaces a node with empty axes by Identity. Omitted axes would mean all axes of size 1. */
const alone: Recipe = (step) =>
  numbersIn(step, 1)?.length === 0 ? draftOf(step).end('Identity', [step.node.input[0] as string]) : [step.node];

/** Makes negative axes non-negative, as before version 11. */
const axesFromStart: Recipe = (step) => {
  const { node } = step;
  if (!node.input[3]) return [node];
  const axes = neededNumbers(step, 3);
  if (axes.every((axis) => axis >= 0)) return [node];
  const rank = neededDims(step, 0).length;
  const draft = draftOf(step);
  const positive = draft.vector(axes.map((axis) => (axis < 0 ? axis + rank : axis)));
  return draft.end('Slice', node.input.with(3, positive));
};

const shapedByConstant: Recipe = (step) => {
  const isPlain = given(step, 'allowzero', 0) === 0 || numbersIn(step, 1)?.every((size) => size !== 0);
  return isPlain ? [withoutAttributes(step.node, 'allowzero')] : block('allowzero=1 needs Reshape 14');
};

/** Slices the shape. */
const partOfShape: Recipe = (step) => {
  const { node } = step;
  const [start, end] = ['start', 'end'].map((name) => numbersAt(node, name)?.[0]);
  if (!start && end === undefined) return [withoutAttributes(node, 'start')];
  const draft = draftOf(step);
  const whole = draft.emit('Shape', [node.input[0] as string]);
  const bounds = [start ?? 0, end ?? Number.MAX_SAFE_INTEGER].map((n) => draft.vector([n]));
  return draft.end('Slice', [whole, ...bounds]);
};

const REDUCTIONS = ['L1', 'L2', 'LogSum', 'LogSumExp', 'Max', 'Mean', 'Min', 'Prod', 'SumSquare'];

export const SPLITTING: Recipes = {
  'Split 2': { up: splitsToAttribute },
  'Split 18': { up: counted, down: uncounted },
  'Pad 18': { down: paddedAxes },
  'Tile 6': { up: repeats, down: tiles },
  'Slice 10': { down: unstepped },
  'Slice 11': { down: axesFromStart },
  'Squeeze 13': { down: alone },
  'Unsqueeze 13': { down: alone },
  'ReduceSum 13': { down: reduced },
  ...Object.fromEntries(REDUCTIONS.map((name) => [`Reduce${name} 18`, { down: reduced }])),
  'Reshape 14': { down: shapedByConstant },
  'Shape 15': { down: partOfShape },
};
