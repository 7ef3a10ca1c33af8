// Groups of operators and the models that need them. Loaded with the first model that has an operator outside the common set.
import type { KernelSet } from '../../bindings/kernel-set.js';
import type { Lowerings } from '../backends/wasm/lowering.js';
import type { Definition } from '../schema/registry.js';

/** The name of an operator, from a node or a definition. */
export interface Named {
  readonly domain: string;
  readonly name: string;
}

/** The exports of a file in this folder: operator definitions, and lowerings of operators with kernels. */
export interface Operators {
  readonly lowerings?: Lowerings;
  /** Additional kernels. */
  readonly kernelSet?: KernelSet;
  readonly [definition: string]: Definition | Lowerings | KernelSet | undefined;
}

/** Operators that load together when a model contains one of them. */
export interface Group {
  /** Names in ONNX's own domain. */
  readonly onnx?: string;
  /** Domains all of whose operators need the group. */
  readonly domains?: readonly string[];
  readonly load: () => Promise<Operators>;
}

const ML = 'ai.onnx.ml';

/** Operators that derivatives consist of load with `Gradient`. */
const TRAINING = 'ai.onnx.preview.training';

/** onnxruntime's operators beyond ONNX, and those that its optimizer writes into saved models. */
const MICROSOFT = ['com.microsoft', 'com.microsoft.nchwc', 'com.ms.internal.nhwc'];

export const GROUPS: readonly Group[] = [
  { domains: [ML], load: () => import('./traditionalml.js') },
  { domains: [TRAINING], load: () => import('./training.js') },
  { onnx: 'SimplifiedLayerNormalization', domains: MICROSOFT, load: () => import('./microsoft.js') },
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
  {
    onnx: 'Affine Crop DynamicSlice GivenTensorFill ImageScaler ParametricSoftplus Scale ScaledTanh',
    domains: MICROSOFT,
    load: () => import('./former.js'),
  },
  { onnx: 'AffineGrid CenterCropPad Col2Im MaxUnpool', load: () => import('./geometry.js') },
  { onnx: 'Resize Upsample', domains: MICROSOFT, load: () => import('./resize.js') },
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
    onnx: 'BatchNormalization GroupNormalization InstanceNormalization LRN LpNormalization MeanVarianceNormalization',
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
  { onnx: 'Attention', domains: MICROSOFT, load: () => import('./caches.js') },
  {
    onnx: 'RotaryEmbedding SwiGLU TensorScatter',
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
