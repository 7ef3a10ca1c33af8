import { type GraphBuilder, type ModelBuilder, modelBuilder, strings, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import { f32, i64 } from '../../values.js';

export interface Given {
  readonly bytes: Uint8Array;
  readonly feeds: Readonly<Record<string, HostValue>>;
}

const ramp = (dims: readonly number[]) => {
  const count = dims.reduce((product, size) => product * size, 1);
  return f32(
    dims,
    Float32Array.from({ length: count }, (_, i) => ((i % 7) - 3) / 4),
  );
};

type Build = (
  b: ModelBuilder,
  feed: (name: string, value: ReturnType<typeof tensor>, dims?: readonly (number | string)[]) => Value,
) => void;

/** A counted loop whose body adds the captured value and gives out each step. */
function loopIn(g: GraphBuilder, trips: Value, x: Value, step: (body: GraphBuilder, carried: Value) => Value) {
  const body = g.subgraph('body', (inner) => {
    inner.input('i', 'int64', []);
    const going = inner.input('condition', 'bool', []);
    const carried = inner.input('carried', 'float32', ['n', 2]);
    const next = step(inner, carried);
    inner.output('going', inner.op('Identity', [going]));
    inner.output('next', next);
    inner.output('scanned', inner.op('ReduceSum', [next]));
  });
  return g.node('Loop', [trips, null, x], { body }, { outputs: 2 });
}

const MODELS: Readonly<Record<string, Build>> = {
  'an If in a Loop in a Scan, with functions and sparse weights': (b, feed) => {
    const trips = feed('trips', i64([], [2]));
    const x = feed('x', ramp([3, 2]), ['n', 2]);
    b.function({ domain: 'local', name: 'Twice', inputs: ['a'] }, (f, [a]) => void f.output('b', f.op('Add', [a, a])));
    b.function({ domain: 'local', name: 'Fourfold', inputs: ['a'] }, (f, [a]) => {
      const twice = f.op('Twice', [a], {}, { domain: 'local' });
      f.output('b', f.op('Twice', [twice], {}, { domain: 'local' }));
    });
    const w = b.sparseConstant('w', { values: f32([1], [2]), indices: i64([1, 2], [1, 1]), dims: [2, 2] });
    const [last, all] = loopIn(b, trips, x, (g, carried) => {
      const isLarge = g.op('Greater', [g.op('ReduceMax', [carried], { keepdims: 0 }), b.constant('c', f32([], [4]))]);
      const branch = (name: string, op: string) =>
        g.subgraph(name, (inner) => void inner.output(`${name}_y`, inner.op(op, [inner.op('MatMul', [carried, w])])));
      return g.op('If', [isLarge], { then_branch: branch('large', 'Neg'), else_branch: branch('small', 'Abs') });
    });
    const scanned = b.subgraph('scan', (g) => {
      const sum = g.input('sum', 'float32', [2]);
      const row = g.input('row', 'float32', [2]);
      const next = g.op('Add', [sum, row]);
      g.output('sum_out', next);
      g.output('each', g.op('Fourfold', [next], {}, { domain: 'local' }));
    });
    const [sum, each] = b.node(
      'Scan',
      [b.constant('zero', f32([2], [0, 0])), last as Value],
      { body: scanned, num_scan_inputs: 1 },
      { outputs: 2 },
    );
    for (const [name, value] of Object.entries({ last, all, sum, each })) b.output(name, value as Value);
  },
  'shapes that are computed': (b, feed) => {
    const x = feed('x', ramp([2, 3, 4]), ['a', 'b', 4]);
    const at = (name: string, ...values: number[]) => b.constant(name, i64([values.length], values));
    const shape = b.op('Shape', [x]);
    const rows = b.op('Gather', [shape, at('first', 0)]);
    const wide = b.op('Concat', [rows, at('rest', -1)], { axis: 0 });
    const flat = b.op('Reshape', [x, wide]);
    const padded = b.op('Pad', [flat, at('pads', 0, 1, 0, 2)]);
    const part = b.op('Slice', [padded, at('starts', 1), at('ends', 9), at('axes', 1), at('steps', 2)]);
    const tall = b.op('Unsqueeze', [part, at('front', 0)]);
    const tiled = b.op('Tile', [tall, at('times', 2, 1, 1)]);
    const expanded = b.op('Expand', [tiled, at('to', 2, 2, 4)]);
    const [top, places] = b.node('TopK', [expanded, at('k', 2)], { axis: -1 }, { outputs: 2 });
    const summed = b.op('ReduceSum', [expanded, at('sum_over', 1, -1)], { keepdims: 0 });
    const [one, other] = b.node('Split', [expanded, at('sizes', 1, 3)], { axis: 2 }, { outputs: 2 });
    const squeezed = b.op('Squeeze', [b.op('ReduceMean', [tall, at('all', 0)]), at('off', 0)]);
    const filled = b.op('ConstantOfShape', [rows], { value: f32([1], [7]) });
    const range = b.op('Range', [
      b.constant('from', i64([], [0])),
      b.op('Squeeze', [rows, at('only', 0)]),
      b.constant('by', i64([], [1])),
    ]);
    const nonzero = b.op('NonZero', [x]);
    const resized = b.op(
      'Resize',
      [b.op('Unsqueeze', [x, at('batch', 0)]), null, b.constant('scales', f32([4], [1, 1, 2, 2]))],
      { mode: 'linear' },
    );
    const outputs = { flat, part, top, places, summed, one, other, squeezed, filled, range, nonzero, resized };
    for (const [name, value] of Object.entries(outputs)) b.output(name, value as Value);
  },
  'a convolutional network': (b, feed) => {
    const x = feed('x', ramp([1, 3, 8, 8]), ['batch', 3, 8, 8]);
    const w = b.constant('w', ramp([4, 3, 3, 3]));
    const convolved = b.op('Conv', [x, w, b.constant('bias', ramp([4]))], { pads: [1, 1, 1, 1], strides: [2, 2] });
    const norm = ['scale', 'offset', 'mean', 'variance'].map((name) => b.constant(name, f32([4], [1, 2, 3, 4])));
    const normal = b.op('Relu', [b.op('BatchNormalization', [convolved, ...norm])]);
    const pooled = b.op('MaxPool', [normal], { kernel_shape: [2, 2], strides: [2, 2] });
    const up = b.op('ConvTranspose', [pooled, b.constant('v', ramp([4, 2, 2, 2]))], { strides: [2, 2], group: 1 });
    const flat = b.op('Flatten', [b.op('GlobalAveragePool', [up])]);
    const scores = b.op('Gemm', [flat, b.constant('g', ramp([2, 5])), b.constant('h', ramp([5]))]);
    b.output('y', b.op('Softmax', [scores]));
    b.output('pooled', pooled);
  },
  'a transformer block': (b, feed) => {
    const x = feed('x', ramp([1, 4, 8]), ['batch', 'length', 8]);
    const dense = (value: Value, name: string, [n, m]: readonly [number, number]) =>
      b.op('Add', [b.op('MatMul', [value, b.constant(`${name}_w`, ramp([n, m]))]), b.constant(`${name}_b`, ramp([m]))]);
    const heads = (value: Value, name: string) =>
      b.op('Transpose', [b.op('Reshape', [value, b.constant(name, i64([4], [0, 0, 2, 4]))])], { perm: [0, 2, 1, 3] });
    const [q, k, v] = ['q', 'k', 'v'].map((name) => heads(dense(x, name, [8, 8]), `${name}_heads`)) as [
      Value,
      Value,
      Value,
    ];
    const scores = b.op('MatMul', [q, b.op('Transpose', [k], { perm: [0, 1, 3, 2] })]);
    const mixed = b.op('MatMul', [b.op('Softmax', [b.op('Mul', [scores, b.constant('half', f32([], [0.5]))])]), v]);
    const merged = b.op('Reshape', [
      b.op('Transpose', [mixed], { perm: [0, 2, 1, 3] }),
      b.constant('merged', i64([3], [0, 0, 8])),
    ]);
    const sum = b.op('Add', [x, dense(merged, 'out', [8, 8])]);
    b.output('y', b.op('LayerNormalization', [sum, b.constant('scale', ramp([8])), b.constant('shift', ramp([8]))]));
  },
  'quantised layers': (b, feed) => {
    const x = feed('x', ramp([2, 4]), ['n', 4]);
    const scale = b.constant('scale', f32([], [0.1]));
    const zero = b.constant('zero', tensor('uint8', [], [128]));
    const quantised = b.op('QuantizeLinear', [x, scale, zero]);
    const weights = b.constant('w', tensor('int8', [4, 3], [1, -2, 3, 4, -5, 6, 7, 8, -9, 1, 2, 3]));
    const scales = b.constant('scales', f32([3], [0.1, 0.2, 0.3]));
    const zeros = b.constant('zeros', tensor('int8', [3], [0, 0, 0]));
    const product = b.op('QLinearMatMul', [quantised, scale, zero, weights, scales, zeros, scale, zero]);
    b.output('y', b.op('DequantizeLinear', [product, scale, zero]));
    b.output('whole', b.op('MatMulInteger', [quantised, weights, zero, zeros]));
    b.output('weights', b.op('DequantizeLinear', [weights, scales, zeros], { axis: 1 }));
    b.node('DynamicQuantizeLinear', [x], {}, { outputs: 3 }).forEach((value, i) => void b.output(`dynamic${i}`, value));
    b.output(
      'blocks',
      b.op(
        'DequantizeLinear',
        [
          b.constant('nibbles', tensor('int8', [2, 4], [1, 2, 3, 4, 5, 6, 7, 8])),
          b.constant('block_scales', ramp([1, 4])),
        ],
        { axis: 0, block_size: 2 },
      ),
    );
  },
  'texts, sequences, optionals and maps': (b, feed) => {
    const texts = feed('texts', tensor('string', [2], ['one two', 'three']), ['n']);
    const [parts, counts] = b.node('StringSplit', [texts], { delimiter: ' ' }, { outputs: 2 });
    b.output('parts', parts as Value);
    b.output('counts', counts as Value);
    b.output('matches', b.op('RegexFullMatch', [texts], { pattern: '[a-z ]+|(x*)*' }));
    b.output('joined', b.op('StringConcat', [texts, texts]));
    b.output('normal', b.op('StringNormalizer', [texts], { case_change_action: 'UPPER', stopwords: strings(['one']) }));
    const x = feed('x', ramp([2, 2]), ['n', 2]);
    const list = b.op('SequenceConstruct', [x, x]);
    const longer = b.op('SequenceInsert', [list, x, b.constant('place', i64([], [1]))]);
    b.output('length', b.op('SequenceLength', [longer]));
    b.output('at', b.op('SequenceAt', [longer, b.constant('where', i64([], [-1]))]));
    b.output('concatenated', b.op('ConcatFromSequence', [longer], { axis: 0 }));
    b.output('list', longer);
    const optional = b.op('Optional', [x]);
    b.output('has', b.op('OptionalHasElement', [optional]));
    b.output('element', b.op('OptionalGetElement', [optional]));
    b.output('zip', b.op('ZipMap', [x], { classlabels_int64s: [1, 2] }, { domain: 'ai.onnx.ml' }));
    b.output(
      'label',
      b.op('LabelEncoder', [texts], { keys_strings: strings(['three']), values_int64s: [3] }, { domain: 'ai.onnx.ml' }),
    );
    b.output(
      'grams',
      b.op('TfIdfVectorizer', [feed('ids', tensor('int64', [4], [1, 2, 3, 4]))], {
        mode: 'TF',
        min_gram_length: 1,
        max_gram_length: 2,
        max_skip_count: 1,
        ngram_counts: [0, 2],
        ngram_indexes: [0, 1, 2],
        pool_int64s: [2, 3, 2, 3],
      }),
    );
  },
  'trees and other classical models': (b, feed) => {
    const x = feed('x', ramp([2, 3]), ['n', 3]);
    const trees = {
      nodes_treeids: [0, 0, 0],
      nodes_nodeids: [0, 1, 2],
      nodes_featureids: [1, 0, 0],
      nodes_values: { type: 'floats', value: [0.1, 0, 0] },
      nodes_modes: strings(['BRANCH_LEQ', 'LEAF', 'LEAF']),
      nodes_truenodeids: [1, 0, 0],
      nodes_falsenodeids: [2, 0, 0],
      target_treeids: [0, 0],
      target_nodeids: [1, 2],
      target_ids: [0, 1],
      target_weights: { type: 'floats', value: [1, 2] },
      n_targets: 2,
    } as const;
    b.output('trees', b.op('TreeEnsembleRegressor', [x], trees, { domain: 'ai.onnx.ml' }));
    b.output(
      'linear',
      b.op(
        'LinearRegressor',
        [x],
        { coefficients: { type: 'floats', value: [1, 2, 3] }, intercepts: { type: 'floats', value: [1] } },
        { domain: 'ai.onnx.ml' },
      ),
    );
    b.output(
      'scaled',
      b.op(
        'Scaler',
        [x],
        { offset: { type: 'floats', value: [1] }, scale: { type: 'floats', value: [2] } },
        { domain: 'ai.onnx.ml' },
      ),
    );
    b.output('normalised', b.op('Normalizer', [x], { norm: 'L2' }, { domain: 'ai.onnx.ml' }));
    b.output('binary', b.op('Binarizer', [x], {}, { domain: 'ai.onnx.ml' }));
  },
  'a recurrent network': (b, feed) => {
    const x = feed('x', ramp([3, 1, 2]), ['length', 1, 2]);
    const gates = { LSTM: 4, GRU: 3, RNN: 1 };
    for (const [op, n] of Object.entries(gates)) {
      const w = b.constant(`${op}_w`, ramp([2, n * 2, 2]));
      const r = b.constant(`${op}_r`, ramp([2, n * 2, 2]));
      const lengths = b.constant(`${op}_lengths`, tensor('int32', [1], [2]));
      const [all] = b.node(
        op,
        [x, w, r, null, lengths],
        { hidden_size: 2, direction: 'bidirectional' },
        { outputs: 2 },
      );
      b.output(op, all as Value);
    }
  },
  'odds and ends': (b, feed) => {
    const x = feed('x', ramp([2, 4]), [2, 4]);
    const at = feed('at', i64([2, 1], [0, 1]), [2, 'k']);
    b.output('gathered', b.op('GatherElements', [x, at], { axis: 1 }));
    b.output('scattered', b.op('ScatterElements', [x, at, b.op('GatherElements', [x, at], { axis: 1 })], { axis: 1 }));
    b.output('scatteredND', b.op('ScatterND', [x, at, x]));
    b.output('hot', b.op('OneHot', [at, b.constant('depth', i64([], [3])), b.constant('values', f32([2], [0, 1]))]));
    b.output('einsum', b.op('Einsum', [x, x], { equation: 'ij,kj->ik' }));
    b.output('cumulative', b.op('CumSum', [x, b.constant('axis', i64([], [1]))]));
    b.output('cast', b.op('Cast', [x], { to: 10 }));
    b.output('clipped', b.op('Clip', [x, b.constant('least', f32([], [-0.5])), b.constant('most', f32([], [0.5]))]));
    b.output('where', b.op('Where', [b.op('Less', [x, b.constant('zero', f32([], [0]))]), x, b.op('Neg', [x])]));
    b.output('unique', b.op('Unique', [x]));
    b.output('trilu', b.op('Trilu', [x, b.constant('diagonal', i64([], [1]))]));
    b.output('reversed', b.op('ReverseSequence', [x, b.constant('lengths', i64([4], [1, 2, 1, 2]))]));
    b.output('dft', b.op('DFT', [b.op('Unsqueeze', [x, b.constant('last', i64([1], [2]))])]));
    b.output(
      'chosen',
      b.op('NonMaxSuppression', [
        b.constant('boxes', f32([1, 2, 4], [0, 0, 1, 1, 0, 0, 2, 2])),
        b.constant('scores', f32([1, 1, 2], [0.5, 0.9])),
        b.constant('count', i64([1], [2])),
      ]),
    );
    b.output('normal', b.op('RandomNormal', [], { shape: [2, 2], seed: { type: 'float', value: 1 } }));
    b.output('picked', b.op('Multinomial', [x], { sample_size: 2, seed: { type: 'float', value: 1 } }));
  },
};

function made(build: Build): Given {
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': 3, local: 1 } });
  const feeds: Record<string, HostValue> = {};
  build(b, (name, value, dims = value.dims) => {
    feeds[name] = value;
    return b.input(name, value.type, dims);
  });
  return { bytes: b.toBytes(), feeds };
}

/** Models of several operators that lean on each other. */
export const HAND_MADE: Readonly<Record<string, () => Given>> = Object.fromEntries(
  Object.entries(MODELS).map(([name, build]) => [name, () => made(build)]),
);
