import type { Lowerings } from '../backends/wasm/lowering.js';
import { registerLowerings } from '../backends/wasm/lowerings.js';
import { SardonyxError } from '../base/errors.js';
import { type Definition, register } from '../schema/registry.js';
import * as always from './always.js';

/** What says which operator is meant: a node, or a definition. */
interface Named {
  readonly domain: string;
  readonly name: string;
}

/** What a file of this folder exports: definitions of operators, and how kernels run those that they can. */
interface Operators {
  readonly lowerings?: Lowerings;
  readonly [definition: string]: Definition | Lowerings | undefined;
}

/** Operators that are loaded when a model has one of them. */
interface Group {
  /** Names in ONNX's own domain. */
  readonly onnx?: string;
  /** Domains all of whose operators need the group. */
  readonly domains?: readonly string[];
  readonly load: () => Promise<Operators>;
}

const ML = 'ai.onnx.ml';

/** What derivatives are made of is loaded with `Gradient`. */
const TRAINING = 'ai.onnx.preview.training';

/** What onnxruntime has beyond ONNX, and what its optimizer writes into models that it saves. */
const MICROSOFT = ['com.microsoft', 'com.microsoft.nchwc', 'com.ms.internal.nhwc'];

export const GROUPS: readonly Group[] = [
  { domains: [ML], load: () => import('./traditionalml.js') },
  { domains: [TRAINING], load: () => import('./training.js') },
  { domains: MICROSOFT, load: () => import('./microsoft.js') },
  {
    onnx: 'RegexFullMatch StringConcat StringNormalizer StringSplit TfIdfVectorizer',
    load: () => import('./text.js'),
  },
  { onnx: 'If Loop Scan', domains: [TRAINING], load: () => import('./controlflow.js') },
  { onnx: 'ConvTranspose', domains: [TRAINING, ...MICROSOFT], load: () => import('./transposed-convolution.js') },
  {
    onnx: 'CumProd CumSum Det Einsum EyeLike Trilu',
    domains: [TRAINING, ...MICROSOFT],
    load: () => import('./algebra.js'),
  },
  { onnx: 'AffineGrid CenterCropPad Col2Im MaxUnpool', load: () => import('./geometry.js') },
  { onnx: 'Resize Upsample', load: () => import('./resize.js') },
  { onnx: 'BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor', load: () => import('./bits.js') },
  { onnx: 'Hardmax PRelu Shrink', load: () => import('./rare-activations.js') },
  {
    onnx: 'ArgMax ArgMin Compress NonZero OneHot ReverseSequence TopK Unique',
    domains: [ML, ...MICROSOFT],
    load: () => import('./selection.js'),
  },
  {
    onnx: 'GatherElements GatherND Range Scatter ScatterElements ScatterND TensorScatter',
    domains: [TRAINING, ...MICROSOFT],
    load: () => import('./indices.js'),
  },
  {
    onnx: 'Attention CenterCropPad Pad Tile',
    domains: [ML, TRAINING, ...MICROSOFT],
    load: () => import('./extension.js'),
  },
  { onnx: 'DepthToSpace SpaceToDepth', load: () => import('./pixel-shuffle.js') },
  {
    onnx: 'GroupNormalization InstanceNormalization LRN LpNormalization MeanVarianceNormalization',
    domains: [TRAINING, ...MICROSOFT],
    load: () => import('./norms.js'),
  },
  { onnx: 'ImageDecoder', load: () => import('./image.js') },
  { onnx: 'BlackmanWindow DFT HammingWindow HannWindow MelWeightMatrix STFT', load: () => import('./signal.js') },
  { onnx: 'MaxRoiPool NonMaxSuppression RoiAlign', load: () => import('./regions.js') },
  {
    onnx: 'ConvInteger DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinearConv QLinearMatMul QuantizeLinear',
    domains: MICROSOFT,
    load: () => import('./quantization.js'),
  },
  {
    onnx: 'ConcatFromSequence Optional OptionalGetElement OptionalHasElement SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap SplitToSequence',
    domains: [TRAINING],
    load: () => import('./sequences.js'),
  },
  {
    onnx: 'Bernoulli Dropout Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike',
    load: () => import('./random.js'),
  },
  {
    onnx: 'Attention RotaryEmbedding SwiGLU TensorScatter',
    domains: MICROSOFT,
    load: () => import('./language-models.js'),
  },
  { onnx: 'NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss', load: () => import('./losses.js') },
  { onnx: 'GRU LSTM RNN', domains: MICROSOFT, load: () => import('./recurrent.js') },
  { onnx: 'DeformConv GridSample', domains: MICROSOFT, load: () => import('./sampling.js') },
  {
    onnx: 'CausalConvWithState LinearAttention',
    domains: ['ai.onnx.preview', ...MICROSOFT],
    load: () => import('./attention-variants.js'),
  },
];

/** Whether an operator needs the group. */
export function neededFor({ onnx = '', domains = [] }: Group): (operator: Named) => boolean {
  const names = new Set(onnx.split(' '));
  return ({ domain, name }) => domains.includes(domain) || (domain === '' && names.has(name));
}

function provide({ lowerings = {}, ...definitions }: Operators): void {
  register(definitions as Readonly<Record<string, Definition>>);
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
  const wanted = operators ? GROUPS.filter((group) => operators.some(neededFor(group))) : GROUPS;
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
