import type { Lowerings } from '../backends/wasm/lowering.js';
import { registerLowerings } from '../backends/wasm/lowerings.js';
import { SardonyxError } from '../errors.js';
import { register } from '../ops/registry.js';
import * as always from './always.js';

/** What says which operator is meant: a node, or a definition. */
interface Named {
  readonly domain: string;
  readonly name: string;
}

/** What a file of this folder exports: definitions of operators, and how kernels run those that they can. */
interface Operators {
  readonly lowerings?: Lowerings;
  readonly [definition: string]: unknown;
}

/** Operators that are loaded when a model has one of them. */
interface Group {
  readonly has: (operator: Named) => boolean;
  readonly load: () => Promise<Operators>;
}

const inDomain = (wanted: string) => (operator: Named) => operator.domain === wanted;

/** Operators of ONNX's own domain. */
const named = (names: string) => {
  const known = new Set(names.split(' '));
  return ({ domain, name }: Named) => (domain === '' || domain === 'ai.onnx') && known.has(name);
};

const either =
  (...conditions: readonly Group['has'][]) =>
  (operator: Named) =>
    conditions.some((has) => has(operator));

/** What derivatives are made of is loaded with `Gradient`. */
const isTraining = inDomain('ai.onnx.preview.training');

export const GROUPS: readonly Group[] = [
  { has: inDomain('ai.onnx.ml'), load: () => import('./traditionalml.js') },
  { has: isTraining, load: () => import('./training.js') },
  {
    has: named('RegexFullMatch StringConcat StringNormalizer StringSplit TfIdfVectorizer'),
    load: () => import('./text.js'),
  },
  { has: either(named('If Loop Scan'), isTraining), load: () => import('./controlflow.js') },
  {
    has: either(named('ConvTranspose'), isTraining),
    load: () => import('./transposed-convolution.js'),
  },
  {
    has: either(named('CumProd CumSum Det Einsum EyeLike Trilu'), isTraining),
    load: () => import('./algebra.js'),
  },
  { has: named('AffineGrid CenterCropPad Col2Im MaxUnpool'), load: () => import('./geometry.js') },
  { has: named('Resize Upsample'), load: () => import('./resize.js') },
  {
    has: named('BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor'),
    load: () => import('./bits.js'),
  },
  { has: named('Hardmax PRelu Shrink'), load: () => import('./rare-activations.js') },
  {
    has: either(named('ArgMax ArgMin Compress NonZero OneHot ReverseSequence TopK Unique'), inDomain('ai.onnx.ml')),
    load: () => import('./selection.js'),
  },
  {
    has: either(named('GatherElements GatherND Range Scatter ScatterElements ScatterND TensorScatter'), isTraining),
    load: () => import('./indices.js'),
  },
  { has: named('DepthToSpace SpaceToDepth'), load: () => import('./pixel-shuffle.js') },
  {
    has: either(
      named('GroupNormalization InstanceNormalization LRN LpNormalization MeanVarianceNormalization'),
      isTraining,
    ),
    load: () => import('./norms.js'),
  },
  { has: named('ImageDecoder'), load: () => import('./image.js') },
  {
    has: named('BlackmanWindow DFT HammingWindow HannWindow MelWeightMatrix STFT'),
    load: () => import('./signal.js'),
  },
  { has: named('MaxRoiPool NonMaxSuppression RoiAlign'), load: () => import('./regions.js') },
  {
    has: named(
      'ConvInteger DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinearConv QLinearMatMul QuantizeLinear',
    ),
    load: () => import('./quantization.js'),
  },
  {
    has: either(
      named(
        'ConcatFromSequence Optional OptionalGetElement OptionalHasElement SequenceAt SequenceConstruct SequenceEmpty',
      ),
      named('SequenceErase SequenceInsert SequenceLength SequenceMap SplitToSequence'),
      isTraining,
    ),
    load: () => import('./sequences.js'),
  },
  {
    has: named('Bernoulli Dropout Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike'),
    load: () => import('./random.js'),
  },
  {
    has: named('Attention RotaryEmbedding SwiGLU TensorScatter'),
    load: () => import('./language-models.js'),
  },
  { has: named('NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss'), load: () => import('./losses.js') },
  { has: named('GRU LSTM RNN'), load: () => import('./recurrent.js') },
  { has: named('DeformConv GridSample'), load: () => import('./sampling.js') },
  {
    has: either(named('CausalConvWithState LinearAttention'), inDomain('ai.onnx.preview')),
    load: () => import('./attention-variants.js'),
  },
];

function provide({ lowerings = {}, ...definitions }: Operators): void {
  register(definitions);
  registerLowerings(lowerings);
}

provide(always);

const loaded = new Map<Group, Promise<void>>();

/** Makes known operators that need not be loaded any more. */
export function provideGroups(groups: Readonly<Record<string, Operators>>): void {
  for (const operators of Object.values(groups)) provide(operators);
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
  const loading = group.load().then(provide, (cause) => {
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
