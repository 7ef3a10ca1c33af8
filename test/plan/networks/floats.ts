import type { Value } from '../../../src/graph/graph.js';
import { numbers } from '../../session/run-model.js';
import { int64s } from '../../values.js';
import { between, type Model, type Network, network } from './network.js';

const weights = (b: Model, name: string, ...dims: number[]) => b.constant(name, numbers(dims, name.length));
const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });
const WIDTH = 24;

const picture = (next: () => number) => [[between(next, 2, 3), 8, between(next, 9, 60), between(next, 9, 60)]];
const sequence = (next: () => number) => [[between(next, 2, 4), between(next, 2, 90), WIDTH]];

const linear = (b: Model, x: Value, name: string, from: number, to: number) =>
  b.op('Add', [b.op('MatMul', [x, weights(b, name, from, to)]), weights(b, `${name}_bias`, to)]);

export const FLOATS: Readonly<Record<string, Network>> = {
  'convolutions and pools': network((b) => {
    const x = b.input('x', 'float32', ['n', 8, 'h', 'w']);
    const wide = b.op('Conv', [x, weights(b, 'w1', 16, 8, 3, 3), weights(b, 'b1', 16)], { pads: [1, 1, 1, 1] });
    const halved = b.op('MaxPool', [b.op('Relu', [wide])], {
      kernel_shape: [3, 3],
      strides: [2, 2],
      pads: [1, 1, 1, 1],
    });
    const point = b.op('Conv', [halved, weights(b, 'w2', 24, 16, 1, 1)]);
    const deep = b.op('Conv', [point, weights(b, 'w3', 24, 1, 3, 3)], {
      group: 24,
      auto_pad: 'SAME_UPPER',
      strides: [2, 1],
    });
    const mean = b.op('AveragePool', [deep], { kernel_shape: [2, 2], strides: [2, 2], ceil_mode: 1 });
    const up = b.op('ConvTranspose', [mean, weights(b, 'w4', 24, 12, 2, 2)], { strides: [2, 2] });
    b.output('y', b.op('Conv', [up, weights(b, 'w5', 20, 12, 3, 3)], { pads: [1, 1, 1, 1], strides: [2, 2] }));
    b.output('pooled', b.op('GlobalAveragePool', [deep]));
  }, picture),
  'pads, crops and resizes': network((b) => {
    const x = b.input('x', 'float32', ['n', 8, 'h', 'w']);
    const padded = b.op('Pad', [x, list(b, 0, 0, 1, 2, 0, 0, 3, 0)], { mode: 'reflect' });
    const cropped = b.op('Slice', [padded, list(b, 1, 2), list(b, -1, 1000), list(b, 2, 3), list(b, 1, 2)]);
    const larger = b.op('Resize', [cropped, null, b.constant('scales', numbersOf(1, 1, 2, 1.5))], { mode: 'linear' });
    const [a, c] = b.node('Split', [larger], { axis: 1, num_outputs: 2 }, { outputs: 2 }) as [Value, Value];
    b.output('y', b.op('Concat', [c, a, c], { axis: 2 }));
    b.output('flat', b.op('Flatten', [a], { axis: 1 }));
  }, picture),
  'attention and normalization': network((b) => {
    const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
    const normal = b.op('LayerNormalization', [x, weights(b, 'scale', WIDTH), weights(b, 'bias', WIDTH)]);
    const heads = (name: string) => {
      const split = b.op('Reshape', [linear(b, normal, name, WIDTH, WIDTH), list(b, 0, -1, 4, 6)]);
      return b.op('Transpose', [split], { perm: [0, 2, 1, 3] });
    };
    const scores = b.op('MatMul', [heads('q'), b.op('Transpose', [heads('k')], { perm: [0, 1, 3, 2] })]);
    const seen = b.op('MatMul', [
      b.op('Softmax', [b.op('Mul', [scores, b.constant('root', numbersOf(0.4))])]),
      heads('v'),
    ]);
    const joined = b.op('Reshape', [b.op('Transpose', [seen], { perm: [0, 2, 1, 3] }), list(b, 0, -1, WIDTH)]);
    const wide = b.op('Gelu', [linear(b, b.op('Add', [joined, x]), 'up', WIDTH, 96)]);
    b.output('y', b.op('Softmax', [linear(b, wide, 'down', 96, WIDTH)], { axis: 1 }));
    b.output('largest', b.op('ReduceMax', [wide, list(b, 1)], { keepdims: 0 }));
  }, sequence),
  recurrences: network((b) => {
    const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
    const steps = b.op('Transpose', [x], { perm: [1, 0, 2] });
    const [w, r] = [weights(b, 'w', 2, 32, WIDTH), weights(b, 'r', 2, 32, 8)];
    const [all, last] = b.node('LSTM', [steps, w, r], { hidden_size: 8, direction: 'bidirectional' }, { outputs: 2 });
    b.output('y', b.op('Reshape', [b.op('Transpose', [all as Value], { perm: [0, 2, 1, 3] }), list(b, 0, 0, 16)]));
    b.output('last', last as Value);
  }, sequence),
  'shape arithmetic': network((b) => {
    const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
    const shape = b.op('Shape', [x]);
    const length = b.op('Gather', [shape, list(b, 1)]);
    const half = b.op('Div', [length, list(b, 2)]);
    const first = b.op('Slice', [x, list(b, 0), half, list(b, 1)]);
    const rows = b.op('Reshape', [first, b.op('Concat', [list(b, -1), list(b, WIDTH)], { axis: 0 })]);
    b.output('y', b.op('Transpose', [b.op('Relu', [rows])]));
    b.output('spread', b.op('Expand', [b.op('ReduceMean', [x, list(b, 1)]), shape]));
  }, sequence),
};

function numbersOf(...values: number[]) {
  return { type: 'float32' as const, dims: [values.length], data: Float32Array.from(values) };
}
