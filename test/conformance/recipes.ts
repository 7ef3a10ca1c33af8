import type { GraphBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { ELEMENTS } from '../../src/tensor/element-types.js';
import { type Given, given } from './filled.js';
import { bits, type Combination, code, isFloating, isString, type Recipe } from './recipe.js';
import { ML_RECIPES } from './recipes-ml.js';
import { elementOf, parseType, type Schema, type Types } from './schemas.js';

const image: Given = [1, 2, 5, 5];
const reduce: Recipe = { inputs: { axes: given([1], 1) }, attributes: { axes: [1] } };
const fourfold: Recipe = { inputs: [[1, 4, 2, 2]], attributes: { blocksize: 2, size: 3 } };
const globalPool: Recipe = { inputs: [[1, 2, 3, 3]] };
const pool: Recipe = { inputs: [image], attributes: { kernel_shape: [2, 2] } };
const like: Recipe = { attributes: (c) => ({ dtype: code(c, 'T2') }) };
const random: Recipe = { attributes: (c) => ({ dtype: code(c, 'T'), shape: [2, 3] }) };
const spectrumWindow: Recipe = { inputs: [given([], 4)], attributes: (c) => ({ output_datatype: code(c, 'T2') }) };

const recurrent = (gates: number): Recipe => ({
  inputs: {
    X: [2, 1, 3],
    W: [1, 4 * gates, 3],
    R: [1, 4 * gates, 4],
    B: [1, 8 * gates],
    sequence_lens: given([1], 2),
    initial_h: [1, 1, 4],
    initial_c: [1, 1, 4],
    P: [1, 12],
  },
  attributes: { hidden_size: 4, output_sequence: 1 },
  outputs: [1, gates === 4 ? 3 : 2],
});

/** A graph that gives its inputs back; `types` are those of its inputs. */
const echo = (graph: GraphBuilder, types: readonly string[]) =>
  graph.subgraph('echo', (inner) => {
    const inputs = types.map((type, i) => inner.input(`inner${i}`, parseType(type)));
    inputs.forEach((value, i) => {
      inner.output(`echo${i}`, inner.op('Identity', [value]));
    });
  });

const branch = (graph: GraphBuilder, captured: Value | undefined) =>
  graph.subgraph('branch', (inner) => {
    inner.output('result', inner.op('Identity', [captured ?? null]));
  });

/** Operators whose smallest node is not "every input [2,3], no attributes". */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  ...ML_RECIPES,
  AffineGrid: { inputs: [[1, 2, 3], given([4], 1, 1, 2, 2)] },
  Attention: {
    inputs: { Q: [1, 2, 3, 4], K: [1, 2, 5, 4], V: [1, 2, 5, 4], attn_mask: [3, 7], nonpad_kv_seqlen: null },
    full: { past_key: [1, 2, 2, 4], past_value: [1, 2, 2, 4] },
    outputs: [1, 4],
  },
  AveragePool: pool,
  BatchNormalization: {
    inputs: [[1, 3, 2, 2], [3], [3], [3], [3]],
    attributes: { consumed_inputs: [0, 0, 0, 1, 1], is_test: 1 },
    outputs: 1,
  },
  Bernoulli: { attributes: (c) => ({ dtype: code(c, 'T2') }) },
  BitCast: {
    attributes: (c) => ({ to: code(c, 'T2') }),
    types: (t) => (bits(t.T1) === bits(t.T2) ? t : { T1: t.T1 as string, T2: t.T1 as string }),
  },
  BitShift: { attributes: { direction: 'LEFT' } },
  BlackmanWindow: spectrumWindow,
  Cast: { attributes: (c) => ({ to: c.schema.since < 6 ? castName(c) : code(c, 'T2') }) },
  CausalConvWithState: { inputs: [[1, 2, 5], [2, 1, 3], [2], [1, 2, 2]], outputs: 2 },
  CenterCropPad: { inputs: [[2, 3], given([2], 3, 2)] },
  Clip: { inputs: { min: [], max: [] } },
  Col2Im: { inputs: [[1, 4, 9], given([2], 4, 4), given([2], 2, 2)] },
  Compress: { inputs: [[2, 3], [2]] },
  Concat: { attributes: { axis: 0 } },
  ConcatFromSequence: { attributes: { axis: 0 }, types: alike },
  Constant: { attributes: (c) => ({ value: given([2], 1, 1).of(elementOf(c.types.T as string)) }) },
  ConstantOfShape: {
    inputs: [given([2], 2, 3)],
    attributes: (c) => ({ value: given([1], 1).of(elementOf(c.types.T2 as string)) }),
  },
  Conv: { inputs: [image, [3, 2, 3, 3], [3]] },
  ConvInteger: { inputs: [image, [3, 2, 3, 3], [], []] },
  ConvTranspose: { inputs: [[1, 2, 4, 4], [2, 3, 3, 3], [3]] },
  CumProd: { inputs: [[2, 3], given([], 0)] },
  CumSum: { inputs: [[2, 3], given([], 0)] },
  DFT: { inputs: [[1, 8, 1], given([], 8), given([], 1)] },
  DeformConv: { inputs: [image, [2, 2, 2, 2], [1, 8, 4, 4], [2], [1, 4, 4, 4]] },
  DepthToSpace: fourfold,
  DequantizeLinear: {
    inputs: [[2, 3], [], []],
    attributes: (c) => ({ output_dtype: c.types.T3 ? code(c, 'T3') : undefined }),
  },
  Det: { inputs: [[2, 2]] },
  Dropout: { inputs: { ratio: [], training_mode: given([], 1) } },
  Einsum: { attributes: { equation: 'ij,ij->ij' } },
  Expand: { inputs: [[1, 3], given([2], 2, 3)] },
  EyeLike: like,
  FlexAttention: {
    inputs: [
      [1, 2, 3, 4],
      [1, 2, 5, 4],
      [1, 2, 5, 4],
    ],
  },
  GRU: recurrent(3),
  Gather: { inputs: [[3, 2], given([2], 1, 0)] },
  GatherElements: { inputs: [[2, 3], given([1, 3], 0, 1, 0)] },
  GatherND: { inputs: [[2, 3], given([2, 1], 0, 1)] },
  Gemm: {
    inputs: [
      [2, 3],
      [3, 4],
      [2, 4],
    ],
  },
  GlobalAveragePool: globalPool,
  GlobalLpPool: globalPool,
  GlobalMaxPool: globalPool,
  GridSample: {
    inputs: [
      [1, 1, 4, 4],
      [1, 2, 2, 2],
    ],
    attributes: (c) => ({ mode: isString(c, 'T1') ? 'nearest' : undefined }),
  },
  GroupNormalization: { inputs: [[1, 4, 2, 2], [4], [4]], attributes: { num_groups: 2 } },
  HammingWindow: spectrumWindow,
  HannWindow: spectrumWindow,
  If: {
    inputs: [given([], 1)],
    captured: 'V',
    attributes: (_c, _full, graph, { captured }) => ({
      then_branch: branch(graph, captured),
      else_branch: branch(graph, captured),
    }),
  },
  ImageDecoder: { inputs: [given([12], ...Buffer.from('P5 1 1 255\n\x80', 'latin1'))] },
  InstanceNormalization: { inputs: [[1, 2, 3, 3], [2], [2]], attributes: { consumed_inputs: [0, 0, 0] } },
  LRN: fourfold,
  LSTM: recurrent(4),
  LayerNormalization: { inputs: [[2, 3], [3], [3]], attributes: (c) => ({ stash_type: code(c, 'U') }) },
  LinearAttention: {
    inputs: {
      query: [1, 3, 8],
      key: [1, 3, 8],
      value: [1, 3, 8],
      past_state: [1, 2, 4, 4],
      decay: [1, 3, 8],
      beta: [1, 3, 2],
    },
    always: ['past_state'],
    attributes: (_c, full) => ({ q_num_heads: 2, kv_num_heads: 2, update_rule: full ? 'gated_delta' : 'linear' }),
    outputs: 2,
  },
  Loop: {
    inputs: { M: given([], 2), cond: given([], 1) },
    always: ['M', 'cond'],
    repeats: 1,
    attributes: (c, _full, graph) => ({
      body: graph.subgraph('body', (inner) => {
        inner.input('iteration', 'int64', []);
        const [condition, state] = [
          inner.input('condition', 'bool', []),
          inner.input('state', parseType(c.types.V as string)),
        ];
        inner.output('more', inner.op('Identity', [condition]));
        inner.output('next', inner.op('Identity', [state]));
      }),
    }),
    outputs: 1,
  },
  LpPool: pool,
  MatMul: {
    inputs: [
      [2, 3],
      [3, 2],
    ],
  },
  MatMulInteger: { inputs: [[2, 3], [3, 2], [], []] },
  MaxPool: { ...pool, outputs: [1, 2] },
  MaxRoiPool: { inputs: [[1, 2, 6, 6], given([1, 5], 0, 0, 0, 4, 4)], attributes: { pooled_shape: [2, 2] } },
  MaxUnpool: {
    inputs: [[1, 1, 2, 2], given([1, 1, 2, 2], 0, 3, 8, 11), given([4], 1, 1, 4, 4)],
    attributes: { kernel_shape: [2, 2], strides: [2, 2] },
  },
  MeanVarianceNormalization: { inputs: [[1, 2, 3, 3]] },
  MelWeightMatrix: {
    inputs: [given([], 4), given([], 16), given([], 8192), given([], 0), given([], 4000)],
    attributes: (c) => ({ output_datatype: code(c, 'T3') }),
  },
  Mod: { attributes: (c) => ({ fmod: isFloating(c, 'T') ? 1 : 0 }) },
  Multinomial: like,
  NegativeLogLikelihoodLoss: { inputs: [[2, 3], given([2], 0, 1), [3]] },
  NonMaxSuppression: { inputs: [[1, 2, 4], [1, 1, 2], given([1], 1), [1], [1]] },
  OneHot: { inputs: [given([2], 0, 1), given([], 3), given([2], 0, 1)] },
  Optional: { always: ['input'], types: unwrapped },
  OptionalGetElement: { types: unwrapped },
  PRelu: { inputs: [[2, 3], [1]] },
  Pad: {
    inputs: { pads: given([4], 0, 1, 0, 1), constant_value: [], axes: given([2], 0, 1) },
    attributes: { pads: [0, 1, 0, 1], paddings: [0, 1, 0, 1] },
  },
  QLinearConv: { inputs: [image, [], [], [3, 2, 2, 2], [], [], [], [], [3]] },
  QLinearMatMul: { inputs: [[2, 3], [], [], [3, 2], [], [], [], []] },
  QuantizeLinear: {
    inputs: [[2, 3], [], []],
    always: ['y_zero_point'],
  },
  RMSNormalization: { inputs: [[2, 3], [3]] },
  RNN: recurrent(1),
  RandomNormal: random,
  RandomNormalLike: like,
  RandomUniform: random,
  RandomUniformLike: like,
  Range: { inputs: [given([], 0), given([], 4), given([], 1)] },
  ReduceL1: reduce,
  ReduceL2: reduce,
  ReduceLogSum: reduce,
  ReduceLogSumExp: reduce,
  ReduceMax: reduce,
  ReduceMean: reduce,
  ReduceMin: reduce,
  ReduceProd: reduce,
  ReduceSum: reduce,
  ReduceSumSquare: reduce,
  RegexFullMatch: { attributes: { pattern: '1+' } },
  Reshape: { inputs: { shape: given([2], 3, 2) }, attributes: { shape: [3, 2] } },
  Resize: {
    inputs: { X: [1, 1, 2, 2], roi: [0], scales: given([4], 1, 1, 2, 2), sizes: null },
    always: ['scales'],
  },
  ReverseSequence: { inputs: [[2, 3], given([3], 1, 2, 1)] },
  RoiAlign: { inputs: [[1, 1, 4, 4], [1, 4], given([1], 0)] },
  RotaryEmbedding: {
    inputs: [
      [1, 2, 3, 4],
      [1, 3, 2],
      [1, 3, 2],
    ],
    full: false,
  },
  STFT: { inputs: [[1, 16, 1], given([], 4), [8], given([], 8)], always: ['frame_length'] },
  Scan: {
    inputs: ({ schema }) => (schema.since < 9 ? [null, [1, 2], [1, 3, 2]] : [[2], [3, 2]]),
    attributes: (c, _full, graph) => ({
      num_scan_inputs: 1,
      body: echo(graph, [c.types.V as string, c.types.V as string]),
    }),
    full: false,
    outputs: 2,
  },
  Scatter: { inputs: [[2, 3], given([1, 3], 0, 1, 0), [1, 3]] },
  ScatterElements: { inputs: [[2, 3], given([1, 3], 0, 1, 0), [1, 3]] },
  ScatterND: { inputs: [[2, 3], given([1, 1], 1), [1, 3]] },
  SequenceAt: { inputs: { position: given([], 0) }, types: alike },
  SequenceEmpty: { attributes: (c) => ({ dtype: ELEMENTS[elementOf(c.types.S as string)].onnx }) },
  SequenceConstruct: { types: alike },
  SequenceErase: { inputs: { position: given([], 0) } },
  SequenceInsert: { inputs: { position: given([], 0) }, types: alike },
  SequenceMap: {
    attributes: (c, _full, graph) => ({ body: echo(graph, [`tensor${/\(\w+\)/.exec(c.types.S as string)?.[0]}`]) }),
    full: false,
    repeats: 0,
    outputs: 1,
  },
  Slice: {
    inputs: { starts: given([1], 0), ends: given([1], 1), axes: given([1], 1), steps: given([1], 1) },
    attributes: { starts: [0], ends: [1] },
  },
  SoftmaxCrossEntropyLoss: { inputs: [[2, 3], given([2], 0, 1), [3]], outputs: [1, 2] },
  SpaceToDepth: fourfold,
  Split: {
    inputs: { split: given([2], 1, 1) },
    attributes: (_c, full) => ({ axis: 0, num_outputs: full ? undefined : 2 }),
    outputs: 2,
  },
  SplitToSequence: { inputs: { split: given([2], 1, 1) }, types: alike },
  Squeeze: { inputs: { data: [1, 3], axes: given([1], 0) }, attributes: { axes: [0] } },
  StringNormalizer: { inputs: [[2]] },
  TensorScatter: { inputs: [[1, 4, 2], [1, 1, 2], given([1], 0)] },
  TfIdfVectorizer: {
    attributes: (c) => ({
      mode: 'TF',
      min_gram_length: 1,
      max_gram_length: 1,
      max_skip_count: 0,
      ngram_counts: [0],
      ngram_indexes: [0, 1],
      ...(isString(c, 'T') ? { pool_strings: ['1', '2'] } : { pool_int64s: [1, 2] }),
    }),
  },
  Tile: { inputs: { repeats: given([2], 1, 2), tiles: given([], 2), axis: given([], 1) } },
  TopK: { inputs: { K: given([1], 1) }, attributes: { k: 1 }, outputs: 2 },
  Trilu: { inputs: { k: given([], 0) } },
  Unique: { outputs: [1, 4] },
  Unsqueeze: { inputs: { axes: given([1], 0) }, attributes: { axes: [0] } },
  Upsample: {
    inputs: { X: [1, 1, 2, 2], scales: given([4], 1, 1, 2, 2) },
    attributes: { scales: [1, 1, 2, 2], height_scale: 2, width_scale: 2 },
  },
  Where: { inputs: [[2, 3], [2, 3], [3]] },

  Adagrad: { inputs: [given([], 1), given([], 1), [2], [2], [2]], repeats: 3, outputs: 2 },
  Adam: { inputs: [given([], 1), given([], 1), [2], [2], [2], [2]], repeats: 4, outputs: 3 },
  // d(x · size(z)) / dx: z is of any type, x and the derivative of a type that has one.
  Gradient: {
    variables: ['T2', 'T1'],
    attributes: (c, _full, graph, { inputs: [x, z] }) => {
      const size = graph.op('Cast', [graph.op('Size', [z as Value])], { to: code(c, 'T2') });
      const y = graph.op('Mul', [x as Value, size]);
      return { xs: [(x as Value).name], zs: [(z as Value).name], y: y.name };
    },
    outputs: 1,
  },
  Momentum: {
    inputs: [given([], 1), given([], 1), [2], [2], [2]],
    repeats: 3,
    attributes: { alpha: 0.5, beta: 0.5, mode: 'standard', norm_coefficient: 0.5 },
    outputs: 2,
  },
};

const NAMES: Readonly<Record<string, string>> = { float32: 'FLOAT', float64: 'DOUBLE' };
const castName = (c: Combination) => {
  const element = elementOf(c.types.T2 as string);
  return NAMES[element] ?? element.toUpperCase();
};

/** Sequences hold tensors of the type that goes with them. */
function alike(types: Types, { types: listed }: Schema): Types {
  const first = (name: string) => listed[name]?.[0];
  const sequence = types.S as string;
  if (sequence !== first('S')) return { ...types, T: sequence.slice(4, -1) };
  return { ...types, S: `seq(${types.T})` };
}

/** V is what an optional O holds. */
function unwrapped(types: Types, { types: listed }: Schema): Types {
  const optional = types.O as string;
  if (optional !== listed.O?.[0]) return { ...types, V: optional.replace(/^optional\((.*)\)$/, '$1') };
  return { ...types, O: `optional(${types.V})` };
}
