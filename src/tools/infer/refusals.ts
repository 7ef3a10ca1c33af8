import type { NodeView } from '../../analysis/node-view.js';
import { formatSize, subtract } from '../../graph/sizes.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

/** Returns a problem of a node that the runtime ignores or reports only when it runs; undefined without a problem. */
type Refusal = (c: NodeView) => string | undefined;

const numbers = (value: unknown): readonly number[] => (Array.isArray(value) ? value : []);

const negativePads: Refusal = ({ attributes: { pads } }) =>
  numbers(pads).some((pad) => pad < 0) ? `pads must not be negative, got [${pads}]` : undefined;

const padsBesideAutoPad: Refusal = ({ attributes: { pads, auto_pad } }) =>
  pads && `${auto_pad}`.startsWith('SAME') ? `pads [${pads}] cannot be combined with auto_pad ${auto_pad}` : undefined;

const scalar =
  (i: number): Refusal =>
  (c) =>
    c.dims(i)?.length === 0 ? `input ${i} must have rank 1 or higher, got a scalar` : undefined;

const notOfRank =
  (i: number, rank: number): Refusal =>
  (c) => {
    const dims = c.dims(i);
    return dims && dims.length !== rank ? `input ${i} must have rank ${rank}, got the shape [${dims}]` : undefined;
  };

const differentTypes =
  (...inputs: readonly number[]): Refusal =>
  (c) => {
    const elements = inputs.filter((i) => c.given(i)).map((i) => c.element(i));
    return new Set(elements).size > 1
      ? `inputs must have the same element type, got ${elements.join(', ')}`
      : undefined;
  };

const MOST = 2n ** 63n - 1n;

/** Whether the sum of sizes overflows 64 bits. Sizes above the precision of doubles are rounded up. */
const overflows = (sizes: readonly unknown[]): boolean => {
  const whole = sizes.filter(Number.isInteger).map((size) => BigInt(size as number));
  return whole.reduce((sum, size) => sum + (size > MOST ? MOST : size), 0n) > MOST;
};

const overflow = (what: string) => `${what} overflows 64 bits`;

const joined: Refusal = (c) => {
  const { axis } = c.attributes as { axis: number };
  const sizes = Array.from({ length: c.inputCount }, (_, i) => c.dims(i)?.at(axis));
  return overflows(sizes) ? overflow(`the size of axis ${axis}, ${sizes.join(' + ')},`) : undefined;
};

const padded: Refusal = (c) => {
  const { pads, paddings } = c.attributes as Record<string, readonly number[] | undefined>;
  const list = pads ?? paddings ?? c.sizes(1) ?? [];
  const half = list.length / 2;
  const isTooMuch = list.some((pad, i) => i < half && overflows([pad, list[i + half]]));
  return isTooMuch ? overflow(`the size with pads [${list}]`) : undefined;
};

const areLarge = (...factors: readonly unknown[]): boolean =>
  factors.every(Number.isInteger) &&
  (factors as number[]).reduce((product, factor) => product * BigInt(factor), 1n) > MOST;

const block: Refusal = ({ attributes: { blocksize: size } }) =>
  areLarge(size, size) ? overflow(`the block size ${size} × ${size}`) : undefined;

const repeated: Refusal = (c) => {
  const repeats = c.sizes(1) ?? [];
  return c.dims(0)?.some((dim, axis) => areLarge(dim, repeats[axis]))
    ? overflow(`the size with repeats [${repeats}]`)
    : undefined;
};

const reach: Refusal = (c) => {
  const kernel = c.dims(1)?.slice(2) ?? [];
  const dilations = numbers(c.attributes.dilations);
  const isTooFar = dilations.some((dilation, i) => areLarge(dilation, subtract(kernel[i] ?? 1, 1)));
  return isTooFar ? overflow(`the kernel [${kernel}] with dilations [${dilations}]`) : undefined;
};

const channels: Refusal = (c) => {
  const [each, { group }] = [c.dims(1)?.[1], c.attributes];
  return areLarge(each, group)
    ? overflow(`the number of channels, ${group} groups of ${formatSize(each)},`)
    : undefined;
};

const blocks: Refusal = (c) => {
  const sizes = c.sizes(2);
  return sizes && areLarge(...sizes) ? overflow(`the block shape [${sizes}]`) : undefined;
};

const negativeIndices: Refusal = (c) => {
  const indices = (c.node.opset ?? 11) < 11 ? c.contents(0) : undefined;
  return indices && Array.from(numbersOf(indices)).some((index) => index < 0)
    ? `negative indices need opset 11 or later; the model has opset ${c.node.opset}`
    : undefined;
};

const realSpectrum: Refusal = (c) => {
  const { onesided, inverse } = c.attributes;
  return onesided && inverse && c.dims(0)?.at(-1) === 1
    ? 'the inverse of a one-sided DFT needs complex input of the shape […, 2]'
    : undefined;
};

const listsOfOneLength =
  (a: string, b: string): Refusal =>
  ({ attributes }) => {
    const [first, second] = [a, b].map((name) => numbers(attributes[name]).length);
    return first === second && first
      ? undefined
      : `${a} and ${b} must have the same length, got ${first} and ${second}`;
  };

const oneListOf =
  (...names: readonly string[]): Refusal =>
  ({ attributes }) => {
    const given = names.filter((name) => numbers(attributes[name]).length > 0);
    return given.length === 1
      ? undefined
      : `expected one of ${names.join(' and ')}, got ${given.join(' and ') || 'none'}`;
  };

const mismatchedTables: Refusal = ({ attributes }) => {
  const { values_tensor: values, default_tensor: fallback } = attributes as Record<string, TensorValue | undefined>;
  if (fallback && `${fallback.dims}` !== '1') return `default_tensor must have the shape [1], not [${fallback.dims}]`;
  return values && fallback && values.type !== fallback.type
    ? `default_tensor and values_tensor must have the same type, got ${fallback.type} and ${values.type}`
    : undefined;
};

/** Positions of Attention's inputs and outputs. */
const [PAST_KEY, PAST_VALUE, LENGTHS] = [4, 5, 6];
const [PRESENT_KEY, PRESENT_VALUE] = [1, 2];

const halfCache: Refusal = (c) => {
  if (c.given(PAST_KEY) !== c.given(PAST_VALUE)) return 'past_key and past_value must be given together';
  if (c.wanted(PRESENT_KEY) !== c.wanted(PRESENT_VALUE)) return 'present_key and present_value must be given together';
  return c.given(PAST_KEY) && c.given(LENGTHS)
    ? 'nonpad_kv_seqlen cannot be combined with past_key and past_value'
    : undefined;
};

const countedHeads: Refusal = (c) =>
  c.dims(0)?.length === 4 && (c.attributes.q_num_heads ?? c.attributes.kv_num_heads)
    ? 'q_num_heads and kv_num_heads need inputs of rank 3, got rank 4'
    : undefined;

const NODES = ['nodes_featureids', 'nodes_truenodeids', 'nodes_falsenodeids', 'nodes_trueleafs', 'nodes_falseleafs'];
const NODE_TENSORS = ['nodes_modes', 'nodes_splits'];

const mismatchedTrees: Refusal = ({ attributes }) => {
  const tensors = attributes as Record<string, TensorValue | undefined>;
  const { leaf_weights: weights, nodes_splits: splits } = tensors;
  const lengths = [
    ...NODES.map((name) => numbers(attributes[name]).length),
    ...NODE_TENSORS.map((name) => tensors[name]?.dims[0]),
  ];
  if (new Set(lengths).size > 1)
    return `${[...NODES, ...NODE_TENSORS].join(', ')} must have the same length, got ${lengths}`;
  const leaves = numbers(attributes.leaf_targetids).length;
  if (weights?.dims[0] !== leaves)
    return `leaf_weights and leaf_targetids must have the same length, got [${weights?.dims}] and [${leaves}]`;
  return splits?.type === weights.type
    ? undefined
    : `nodes_splits and leaf_weights must have the same type, got ${splits?.type} and ${weights.type}`;
};

const POOLED: readonly Refusal[] = [negativePads, padsBesideAutoPad];

const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  ':Conv': [...POOLED, reach],
  ':ConvTranspose': [...POOLED, channels],
  ':SpaceToDepth': [block],
  ':DepthToSpace': [block],
  ':Tile': [repeated],
  ':Col2Im': [blocks],
  ':MaxPool': POOLED,
  ':AveragePool': POOLED,
  ':LpPool': POOLED,
  ':Softmax': [scalar(0)],
  ':LogSoftmax': [scalar(0)],
  ':Hardmax': [scalar(0)],
  ':MaxUnpool': [scalar(1)],
  ':RNN': [notOfRank(0, 3)],
  ':GRU': [notOfRank(0, 3)],
  ':LSTM': [notOfRank(0, 3)],
  ':Attention': [halfCache, countedHeads],
  ':Concat': [joined],
  ':Pad': [padded],
  ':OneHot': [negativeIndices],
  ':DFT': [realSpectrum],
  'ai.onnx.preview:FlexAttention': [differentTypes(0, 1, 2)],
  'ai.onnx.ml:TreeEnsemble': [mismatchedTrees],
  'ai.onnx.ml:LabelEncoder': [mismatchedTables],
  'ai.onnx.ml:CategoryMapper': [listsOfOneLength('cats_int64s', 'cats_strings')],
  'ai.onnx.ml:OneHotEncoder': [oneListOf('cats_int64s', 'cats_strings')],
};

/** A problem of a node that ONNX reports and the runtime does not. */
export function refusal(c: NodeView): string | undefined {
  for (const refuse of REFUSALS[`${c.node.domain}:${c.node.op}`] ?? []) {
    const complaint = refuse(c);
    if (complaint) return complaint;
  }
  return undefined;
}
