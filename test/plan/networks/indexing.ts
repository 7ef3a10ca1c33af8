import { floats, ints, modelBuilder, strings } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { numbers } from '../../session/run-model.js';
import { int, int64s, numberOf } from '../../values.js';
import { between, type Model, type Network, network } from './network.js';

const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });
const weights = (b: Model, name: string, ...dims: number[]) => b.constant(name, numbers(dims, name.length));
const WIDTH = 24;
const IMAGE = ['n', 8, 'h', 'w'] as const;

const picture = (next: () => number) => [between(next, 2, 3), 8, between(next, 9, 60), between(next, 9, 60)];

/** A tree ensemble on two stumps, for which the builder must know the domain. */
function trees(): Network {
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': 3 } });
  const attributes = {
    nodes_treeids: ints([0, 0, 0, 1, 1, 1]),
    nodes_nodeids: ints([0, 1, 2, 0, 1, 2]),
    nodes_featureids: ints([0, 0, 0, 1, 0, 0]),
    nodes_modes: strings(['BRANCH_LEQ', 'LEAF', 'LEAF', 'BRANCH_LEQ', 'LEAF', 'LEAF']),
    nodes_values: floats([0, 0, 0, 1, 0, 0]),
    nodes_truenodeids: ints([1, 0, 0, 1, 0, 0]),
    nodes_falsenodeids: ints([2, 0, 0, 2, 0, 0]),
    target_treeids: ints([0, 0, 1, 1]),
    target_nodeids: ints([1, 2, 1, 2]),
    target_ids: ints([0, 1, 0, 1]),
    target_weights: floats([0.25, 0.5, 0.75, 1]),
    n_targets: 2,
  };
  const x = b.input('x', 'float32', ['rows', 'features']);
  const y = b.node('TreeEnsembleRegressor', [x], attributes, { domain: 'ai.onnx.ml' });
  b.output('y', b.op('Relu', [y[0] as Value]));
  return { model: b.toBytes(), dims: (next) => [[between(next, 2, 400), between(next, 2, 9)]] };
}

export const INDEXING: Readonly<Record<string, Network>> = {
  'gathers and scatters': network(
    (b) => {
      const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
      const rows = b.input('rows', 'int64', ['batch', 'picked', 1]);
      const elements = b.input('elements', 'int64', ['batch', 'picked', WIDTH]);
      const tuples = b.input('tuples', 'int64', ['placed', 2]);
      const updates = b.input('updates', 'float32', ['placed', WIDTH]);
      const picked = b.op('GatherND', [x, rows], { batch_dims: 1 });
      const spread = b.op('GatherElements', [x, elements], { axis: 1 });
      const scattered = b.op('ScatterElements', [x, elements, b.op('Add', [picked, spread])], {
        axis: 1,
        reduction: 'add',
      });
      const placed = b.op('ScatterND', [scattered, tuples, updates]);
      b.output('y', placed);
      b.output('again', b.op('GatherND', [placed, tuples]));
    },
    (next) => {
      const [batch, sequence, placed] = [between(next, 2, 4), between(next, 20, 90), between(next, 2, 30)];
      const picked = between(next, 2, 20);
      return [
        [batch, sequence, WIDTH],
        [batch, picked, 1],
        [batch, picked, WIDTH],
        [placed, 2],
        [placed, WIDTH],
      ];
    },
  ),
  'extremes, sums and repetitions': network(
    (b) => {
      const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
      const shape = b.op('Shape', [x]);
      const [best] = b.node('TopK', [x, list(b, 5)], {}, { outputs: 2 }) as [Value, Value];
      const turned = b.op('Transpose', [x], { perm: [0, 2, 1] });
      const count = b.op('ReduceMin', [
        b.op('Concat', [b.op('Slice', [shape, list(b, 1), list(b, 2)]), list(b, 30)], { axis: 0 }),
      ]);
      const [first, places] = b.node(
        'TopK',
        [turned, b.op('Reshape', [count, list(b, 1)])],
        { largest: 0 },
        { outputs: 2 },
      ) as [Value, Value];
      const [kept, mask] = b.node('Dropout', [b.op('Add', [first, first])], {}, { outputs: 2 }) as [Value, Value];
      b.output('best', b.op('Tile', [best, list(b, 2, 1, 3)]));
      b.output('kept', kept);
      b.output('mask', mask);
      b.output('places', places);
      b.output('largest', b.op('ArgMax', [x], { axis: 1 }));
      b.output('smallest', b.op('ArgMin', [x], { axis: -1, keepdims: 0 }));
      b.output('columns', b.op('CumSum', [x, b.constant('one', int(1))]));
      b.output('rows', b.op('CumSum', [x, b.constant('two', int(2))], { exclusive: 1, reverse: 1 }));
      const mean = b.op('ReduceMean', [x, list(b, 1)]);
      b.output(
        'spread',
        b.op('Tile', [
          mean,
          b.op('Concat', [list(b, 1), b.op('Slice', [shape, list(b, 1), list(b, 2)]), list(b, 1)], { axis: 0 }),
        ]),
      );
    },
    (next) => [[between(next, 2, 4), between(next, 2, 90), WIDTH]],
  ),
  'extremes and remainders of sizes': {
    ...network(
      (b) => {
        const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
        const shape = b.op('Shape', [x]);
        const length = b.op('Gather', [shape, list(b, 1)]);
        const whole = b.op('Sub', [length, b.op('Mod', [length, list(b, 4)])]);
        const end = b.op('Max', [b.op('Min', [whole, list(b, 40)]), list(b, 1)]);
        const start = b.op('Slice', [x, list(b, 0), end, list(b, 1)]);
        const zeros = b.op('ConstantOfShape', [b.op('Concat', [end, list(b, WIDTH)], { axis: 0 })]);
        b.output('y', b.op('Relu', [b.op('Add', [start, zeros])]));
        b.output(
          'repeated',
          b.op('Tile', [
            start,
            b.op('Concat', [list(b, 1), b.op('Max', [length, list(b, 3)]), list(b, 1)], { axis: 0 }),
          ]),
        );
      },
      (next) => [[between(next, 2, 4), between(next, 4, 90), WIDTH]],
    ),
    repeated: ['ConstantOfShape_15'],
  },
  'samples of images': network(
    (b) => {
      const x = b.input('x', 'float32', IMAGE);
      const grid = b.input('grid', 'float32', ['n', 'rows', 'columns', 2]);
      const regions = b.input('regions', 'float32', ['regions', 4]);
      const images = b.input('images', 'int64', ['regions']);
      const normal = b.op('LRN', [x], { size: 3 });
      const offsets = b.op('Conv', [x, weights(b, 'w1', 18, 8, 3, 3)], { pads: [1, 1, 1, 1] });
      const masks = b.op('Sigmoid', [b.op('Conv', [x, weights(b, 'mask', 9, 8, 3, 3)], { pads: [1, 1, 1, 1] })]);
      const deformed = b.op('DeformConv', [normal, weights(b, 'kernel', 16, 8, 3, 3), offsets, null, masks], {
        pads: [1, 1, 1, 1],
      });
      b.output('sampled', b.op('GridSample', [deformed, grid], { mode: 'linear' }));
      b.output('aligned', b.op('RoiAlign', [deformed, regions, images], { output_height: 3, output_width: 2 }));
    },
    (next) => {
      const x = picture(next);
      const regions = between(next, 2, 20);
      return [x, [x[0] as number, between(next, 2, 30), between(next, 2, 30), 2], [regions, 4], [regions]];
    },
  ),
  suppression: {
    ...network(
      (b) => {
        const boxes = b.input('boxes', 'float32', ['n', 'boxes', 4]);
        const scores = b.input('scores', 'float32', ['n', 'classes', 'boxes']);
        const limit = b.constant('limit', int64s([20]));
        const overlap = b.constant('overlap', numberOf(0.5));
        b.output('kept', b.op('NonMaxSuppression', [boxes, scores, limit, overlap]));
      },
      (next) => {
        const [n, boxes] = [between(next, 2, 3), between(next, 2, 300)];
        return [
          [n, boxes, 4],
          [n, between(next, 2, 5), boxes],
        ];
      },
    ),
    repeated: ['NonMaxSuppression_0/SelectedBoxes_1'],
  },
  trees: trees(),
};
