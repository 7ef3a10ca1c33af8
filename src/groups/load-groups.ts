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
type Group = readonly [
  /** How names in ONNX's own domain begin, and domains all of whose operators need the group: these have a dot. */
  operators: string,
  load: () => Promise<Operators>,
];

const ML = 'ai.onnx.ml';

/** What derivatives are made of is loaded with `Gradient`. */
const TRAINING = 'ai.onnx.preview.training';

/** What onnxruntime has beyond ONNX, and what its optimizer writes into models that it saves. */
const MICROSOFT = 'com.microsoft com.ms.';

export const GROUPS: readonly Group[] = [
  [ML, () => import('./traditionalml.js')],
  [TRAINING, () => import('./training.js')],
  [MICROSOFT, () => import('./microsoft.js')],
  ['Regex String TfIdf', () => import('./text.js')],
  [`If Loop Scan ${TRAINING}`, () => import('./controlflow.js')],
  [`ConvTranspose ${TRAINING} ${MICROSOFT}`, () => import('./transposed-convolution.js')],
  [`Cum Det Einsum EyeLike Trilu ${TRAINING} ${MICROSOFT}`, () => import('./algebra.js')],
  [
    `Affine Crop DynamicSlice GivenTensorFill ImageScaler ParametricSoftplus Scale ${MICROSOFT}`,
    () => import('./former.js'),
  ],
  ['AffineGrid CenterCropPad Col2Im MaxUnpool', () => import('./geometry.js')],
  [`Resize Upsample ${MICROSOFT}`, () => import('./resize.js')],
  ['Bit', () => import('./bits.js')],
  ['Hardmax PRelu Shrink', () => import('./rare-activations.js')],
  [`Arg Compress NonZero OneHot ReverseSequence TopK Unique ${ML} ${MICROSOFT}`, () => import('./selection.js')],
  [`GatherElements GatherND Range Scatter TensorScatter ${TRAINING} ${MICROSOFT}`, () => import('./indices.js')],
  [`Attention CenterCropPad Pad Tile ${ML} ${TRAINING} ${MICROSOFT}`, () => import('./extension.js')],
  ['DepthToSpace SpaceToDepth', () => import('./pixel-shuffle.js')],
  [
    `GroupNormalization InstanceNormalization LRN LpNormalization MeanVarianceNormalization ${TRAINING} ${MICROSOFT}`,
    () => import('./norms.js'),
  ],
  ['ImageDecoder', () => import('./image.js')],
  ['Blackman DFT Hamming Hann MelWeight STFT', () => import('./signal.js')],
  ['MaxRoiPool NonMaxSuppression RoiAlign', () => import('./regions.js')],
  [
    `ConvInteger DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinear QuantizeLinear ${MICROSOFT}`,
    () => import('./quantization.js'),
  ],
  [`ConcatFromSequence Optional Sequence SplitToSequence ${TRAINING}`, () => import('./sequences.js')],
  ['Bernoulli Dropout Multinomial Random', () => import('./random.js')],
  [`Attention RotaryEmbedding SwiGLU TensorScatter ${MICROSOFT}`, () => import('./language-models.js')],
  ['NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss', () => import('./losses.js')],
  [`GRU LSTM RNN ${MICROSOFT}`, () => import('./recurrent.js')],
  [`DeformConv GridSample ${MICROSOFT}`, () => import('./sampling.js')],
  [`CausalConv LinearAttention ai.onnx.preview ${MICROSOFT}`, () => import('./attention-variants.js')],
];

/** Whether an operator needs the group. */
export function neededFor([operators]: Group): (operator: Named) => boolean {
  const words = operators.split(' ');
  return ({ domain, name }) => words.some((word) => (domain || name).startsWith(word));
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
  const [, load] = group;
  const loading = load().then(provide, (cause) => {
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
