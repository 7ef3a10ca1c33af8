import { ELEMENTS } from '../../../tensor/element-types.js';
import { block, float, int, numberAt } from '../node.js';
import { type Draft, draftOf, neededDims, neededElement, type Recipe, type Recipes, type Step } from '../step.js';

const castLike: Recipe = (step) =>
  draftOf(step).end('Cast', [step.node.input[0] as string], [int('to', ELEMENTS[neededElement(step, 1)].onnx)]);

const orEqual =
  (strict: string): Recipe =>
  (step) => {
    const { node } = step;
    const draft = draftOf(step);
    const isStrict = draft.emit(strict, node.input);
    return draft.end('Or', [isStrict, draft.emit('Equal', node.input)]);
  };

/** Normalizes each group as a channel of InstanceNormalization. */
function byInstances(step: Step, draft: Draft, scale: string, bias: string): string {
  const [x] = step.node.input as [string];
  const groups = numberAt(step.node, 'num_groups') ?? block('num_groups is missing');
  const rows = draft.emit('Reshape', [x, draft.vector([0, groups, -1])]);
  const epsilon = float('epsilon', numberAt(step.node, 'epsilon') ?? 1e-5);
  const y = draft.emit('InstanceNormalization', [rows, scale, bias], [epsilon]);
  const shape = draft.emit('Shape', [x]);
  return draft.emit('Reshape', [y, shape]);
}

const groupsBy21: Recipe = (step) => {
  const draft = draftOf(step);
  const { node } = step;
  const element = neededElement(step, 0);
  const rank = neededDims(step, 0).length;
  const groups = numberAt(node, 'num_groups') ?? 1;
  const of = (value: number) => draft.constant(element, [groups], new Array<number>(groups).fill(value));
  const normal = byInstances(step, draft, of(1), of(0));
  const shape = draft.vector([-1, ...new Array<number>(rank - 2).fill(1)]);
  const [, scale, bias] = node.input as [string, string, string];
  const scaled = draft.emit('Mul', [normal, draft.emit('Reshape', [scale, shape])]);
  return draft.end('Add', [scaled, draft.emit('Reshape', [bias, shape])]);
};

const groupsBy18: Recipe = (step) => {
  const [, scale, bias] = step.node.input as [string, string, string];
  const draft = draftOf(step);
  return draft.end('Identity', [byInstances(step, draft, scale, bias)]);
};

/** Operators that can be expressed by older ones. */
export const BEGINNINGS: Recipes = {
  'CastLike 15': { down: castLike },
  'GreaterOrEqual 12': { down: orEqual('Greater') },
  'LessOrEqual 12': { down: orEqual('Less') },
  'GroupNormalization 21': { down: groupsBy21 },
  'GroupNormalization 18': { down: groupsBy18 },
};
