import { NodeProto } from '../../../../build/onnx.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { block, int, ints, withAttributes, withInputs, withoutAttributes } from '../node.js';
import { type Draft, dimsAt, draftOf, given, neededElement, numbersIn, type Recipe, type Recipes } from '../step.js';

const isTest: Recipe = ({ node }) => [withoutAttributes(node, 'is_test')];

/** Sets `is_test`, unless the node has more than one output. */
const asTest: Recipe = ({ node }) => [
  node.output.filter(Boolean).length > 1 ? node : withAttributes(node, int('is_test', 1)),
];

const consumed: Recipe = ({ node }) => [withAttributes(node, ints('consumed_inputs', [0, 0, 0, 1, 1]))];

const perChannel: Recipe = (step) =>
  given(step, 'spatial', 1) === 0
    ? block('BatchNormalization 9 does not support spatial=0')
    : [withoutAttributes(step.node, 'spatial')];

/** Removes statistics that nothing reads. Version 14 has no outputs for those of the batch. */
const training: Recipe = ({ node, isRead }) => {
  const [y = '', ...statistics] = node.output;
  const isAsked = statistics.map((name) => name !== '' && isRead(name));
  if (!isAsked.some(Boolean)) return [new NodeProto({ ...node, output: [y] })];
  if (isAsked[2] || isAsked[3])
    return block('BatchNormalization 14 does not have the outputs saved_mean and saved_var');
  return [withAttributes(new NodeProto({ ...node, output: [y, ...statistics.slice(0, 2)] }), int('training_mode', 1))];
};

const trainingDown: Recipe = (step) => {
  const { node, fresh } = step;
  const [y = '', mean = '', variance = ''] = node.output;
  const rest = withoutAttributes(node, 'training_mode');
  if (given(step, 'training_mode', 0) === 0)
    return mean || variance
      ? block('statistics are only outputs in training mode')
      : [new NodeProto({ ...rest, output: [y] })];
  const names = [mean, variance, '', ''].map((name, i) => name || fresh(`${y}_statistic_${i}`));
  return [new NodeProto({ ...rest, output: [y, ...names] })];
};

/** Casts the mask, which has the type of the data in the older version. */
const castMask =
  (isUp: boolean): Recipe =>
  (step) => {
    const { node, fresh } = step;
    const [y = '', mask = ''] = node.output;
    if (!mask) return [node];
    const to = isUp ? neededElement(step, 0) : 'bool';
    const inner = fresh(`${mask}_uncast`);
    const cast = new NodeProto({
      opType: 'Cast',
      input: [inner],
      output: [mask],
      attribute: [int('to', ELEMENTS[to].onnx)],
    });
    return [new NodeProto({ ...node, output: [y, inner] }), cast];
  };

/** Removes the seed, which inference does not use. */
const dropoutDown: Recipe = (step) => {
  const isTraining = step.node.input[2] && numbersIn(step, 2)?.[0] !== 0;
  if (isTraining) return block('training_mode must be constant and false');
  return [withoutAttributes(withInputs(step.node, step.node.input.slice(0, 2)), 'seed')];
};

/** Repeats the scale and bias of each group for each of its channels. */
const spreadGroups: Recipe = (step) => {
  const { node } = step;
  const draft = draftOf(step);
  const groups = given(step, 'num_groups', 0);
  const channels = dimsAt(step, 0)?.[1];
  const size =
    typeof channels === 'number'
      ? draft.vector([groups, channels / groups])
      : draft.emit('Concat', [draft.vector([groups]), channelsIn(node, draft, groups)], [int('axis', 0)]);
  const spread = (name: string) => {
    const column = draft.emit('Reshape', [name, draft.vector([groups, 1])]);
    return draft.emit('Reshape', [draft.emit('Expand', [column, size]), draft.vector([-1])]);
  };
  const [x, scale, bias] = node.input as [string, string, string];
  return draft.end('GroupNormalization', [x, spread(scale), spread(bias)], node.attribute);
};

/** The number of channels in a group, as a vector with one element. */
function channelsIn({ input: [x = ''] }: NodeProto, draft: Draft, groups: number): string {
  const channels = draft.emit('Shape', [x], [int('start', 1), int('end', 2)]);
  return draft.emit('Div', [channels, draft.vector([groups])]);
}

export const TRAINING: Recipes = {
  'BatchNormalization 6': { down: consumed },
  'BatchNormalization 7': { up: isTest, down: asTest },
  'BatchNormalization 9': { up: perChannel },
  'BatchNormalization 14': { up: training, down: trainingDown },
  'Dropout 7': { up: isTest, down: ({ node }) => [withAttributes(node, int('is_test', 1))] },
  'Dropout 10': { up: castMask(true), down: castMask(false) },
  'Dropout 12': { down: dropoutDown },
  'GroupNormalization 21': { up: spreadGroups },
};
