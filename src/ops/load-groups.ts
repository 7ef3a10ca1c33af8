import { SardonyxError } from '../errors.js';
import { register } from './registry.js';

/** What says which operator is meant: a node, or a definition. */
interface Named {
  readonly domain: string;
  readonly name: string;
}

/** Operators that are loaded when a model has one of them. */
interface Group {
  readonly has: (operator: Named) => boolean;
  readonly load: () => Promise<object>;
}

const inDomain = (wanted: string) => (operator: Named) => operator.domain === wanted;

const named = (names: string) => {
  const known = new Set(names.split(' '));
  return ({ domain, name }: Named) => domain !== 'sardonyx' && known.has(name);
};

const either =
  (...conditions: readonly Group['has'][]) =>
  (operator: Named) =>
    conditions.some((has) => has(operator));

/** What derivatives are made of is loaded with `Gradient`. */
const isTraining = inDomain('ai.onnx.preview.training');

export const GROUPS: readonly Group[] = [
  { has: inDomain('ai.onnx.ml'), load: () => import('./groups/traditionalml.js') },
  { has: isTraining, load: () => import('./groups/training.js') },
  {
    has: named('RegexFullMatch StringConcat StringNormalizer StringSplit TfIdfVectorizer'),
    load: () => import('./groups/text.js'),
  },
  { has: either(named('If Loop Scan'), isTraining), load: () => import('./groups/controlflow.js') },
  {
    has: either(named('ConvTranspose'), isTraining),
    load: () => import('./groups/transposed-convolution.js'),
  },
  {
    has: either(named('CumProd CumSum Det Einsum EyeLike Trilu'), isTraining),
    load: () => import('./groups/algebra.js'),
  },
  { has: named('AffineGrid CenterCropPad Col2Im MaxUnpool'), load: () => import('./groups/geometry.js') },
  { has: named('Resize Upsample'), load: () => import('./groups/resize.js') },
  {
    has: named('BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor'),
    load: () => import('./groups/bits.js'),
  },
  { has: named('Hardmax PRelu Shrink'), load: () => import('./groups/rare-activations.js') },
  {
    has: either(named('ArgMax ArgMin Compress NonZero OneHot ReverseSequence TopK Unique'), inDomain('ai.onnx.ml')),
    load: () => import('./groups/selection.js'),
  },
  {
    has: either(named('GatherElements GatherND Range Scatter ScatterElements ScatterND TensorScatter'), isTraining),
    load: () => import('./groups/indices.js'),
  },
  { has: named('Tile'), load: () => import('./groups/repetition.js') },
  { has: named('DepthToSpace SpaceToDepth'), load: () => import('./groups/pixel-shuffle.js') },
  {
    has: either(
      named('GroupNormalization InstanceNormalization LRN LpNormalization MeanVarianceNormalization'),
      isTraining,
    ),
    load: () => import('./groups/norms.js'),
  },
  { has: named('ImageDecoder'), load: () => import('./groups/image.js') },
  {
    has: named('BlackmanWindow DFT HammingWindow HannWindow MelWeightMatrix STFT'),
    load: () => import('./groups/signal.js'),
  },
  { has: named('MaxRoiPool NonMaxSuppression RoiAlign'), load: () => import('./groups/regions.js') },
  {
    has: named(
      'ConvInteger DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinearConv QLinearMatMul QuantizeLinear',
    ),
    load: () => import('./groups/quantization.js'),
  },
  {
    has: either(
      named(
        'ConcatFromSequence Optional OptionalGetElement OptionalHasElement SequenceAt SequenceConstruct SequenceEmpty',
      ),
      named('SequenceErase SequenceInsert SequenceLength SequenceMap SplitToSequence'),
      isTraining,
    ),
    load: () => import('./groups/sequences.js'),
  },
  {
    has: named('Bernoulli Dropout Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike'),
    load: () => import('./groups/random.js'),
  },
  {
    has: named('Attention RotaryEmbedding SwiGLU TensorScatter'),
    load: () => import('./groups/language-models.js'),
  },
  { has: named('NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss'), load: () => import('./groups/losses.js') },
  { has: named('GRU LSTM RNN'), load: () => import('./groups/recurrent.js') },
  { has: named('DeformConv GridSample'), load: () => import('./groups/sampling.js') },
  {
    has: named('CausalConvWithState FlexAttention LinearAttention'),
    load: () => import('./groups/attention-variants.js'),
  },
];

const loaded = new Map<Group, Promise<void>>();

/** Makes known operators that need not be loaded any more. */
export function provideGroups(groups: Readonly<Record<string, object>>): void {
  for (const operators of Object.values(groups)) register(operators);
  for (const group of GROUPS) loaded.set(group, Promise.resolve());
}

/** Loads the groups that have one of these operators, as far as they are not there yet; all if left out. */
export async function loadGroups(operators?: readonly Named[]): Promise<void> {
  const wanted = operators ? GROUPS.filter(({ has }) => operators.some(has)) : GROUPS;
  await Promise.all(wanted.map(loadGroup));
}

function loadGroup(group: Group): Promise<void> {
  const known = loaded.get(group);
  if (known) return known;
  const loading = group.load().then(register, (cause) => {
    loaded.delete(group);
    const reason = cause instanceof Error ? cause.message : cause;
    throw new SardonyxError(
      'UNSUPPORTED_PLATFORM',
      `operators of the model cannot be loaded: ${reason} (sardonyx/inline has them at hand)`,
      {},
      { cause },
    );
  });
  loaded.set(group, loading);
  return loading;
}
