import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { randomly } from '../../session/run-model.js';
import { f32, int64s, numberOf } from '../../values.js';
import { between, type Model, type Network, network } from './network.js';

type Byte = 'int8' | 'uint8';

const WIDTH = 24;
const LEAST = { int8: -128, uint8: 0 };

function bytes(b: Model, name: string, element: Byte, ...dims: number[]): Value {
  const next = randomly(name.length);
  const length = dims.reduce((n, d) => n * d, 1);
  const values = Array.from({ length }, () => between(next, LEAST[element], LEAST[element] + 255));
  return b.constant(name, tensor(element, dims, values));
}

/** A scale and a zero point. */
const levels = (b: Model, name: string, scale: number, element: Byte = 'uint8', zero = 3) =>
  [b.constant(`${name}_scale`, numberOf(scale)), b.constant(`${name}_zero`, tensor(element, [], [zero]))] as const;

const scales = (b: Model, name: string, count: number) =>
  b.constant(
    name,
    f32(
      [count],
      Array.from({ length: count }, (_, i) => 0.01 + i / 1000),
    ),
  );

const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });

const picture = (next: () => number) => [[between(next, 2, 3), 8, between(next, 9, 60), between(next, 9, 60)]];
const sequence = (next: () => number) => [[between(next, 2, 4), between(next, 2, 90), WIDTH]];

const microsoft = (b: Model, op: string, inputs: readonly (Value | null)[], attributes = {}) =>
  b.node(op, inputs, attributes, { domain: 'com.microsoft' })[0] as Value;

/** A linear layer as dynamic quantization writes it. */
function linear(b: Model, x: Value, name: string, from: number, to: number, element: Byte): Value {
  const [integers, scale, zero] = b.node('DynamicQuantizeLinear', [x], {}, { outputs: 3 }) as [Value, Value, Value];
  const [step, own] = levels(b, name, 0.01, element, element === 'int8' ? 0 : 128);
  const sums = b.op('MatMulInteger', [integers, bytes(b, name, element, from, to), zero, own]);
  const scaled = b.op('Mul', [b.op('Cast', [sums], { to: 1 }), b.op('Mul', [scale, step])]);
  return b.op('Add', [scaled, scales(b, `${name}_bias`, to)]);
}

const narrow = (b: Model, x: Value, own: readonly [Value, Value]) => b.op('QuantizeLinear', [x, ...own]);

function narrowedRows(): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { sardonyx: 1 } });
  const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
  b.output('y', b.node('NarrowRows', [x], {}, { domain: 'sardonyx' })[0] as Value);
  return b.toBytes();
}

export const QUANTIZED: Readonly<Record<string, Network>> = {
  'a dynamically quantized transformer': network((b) => {
    const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
    const heads = (name: string) => {
      const split = b.op('Reshape', [linear(b, x, name, WIDTH, WIDTH, 'uint8'), list(b, 0, -1, 4, 6)]);
      return b.op('Transpose', [split], { perm: [0, 2, 1, 3] });
    };
    const scores = b.op('MatMul', [heads('q'), b.op('Transpose', [heads('k')], { perm: [0, 1, 3, 2] })]);
    const seen = b.op('MatMul', [b.op('Softmax', [scores]), heads('v')]);
    const joined = b.op('Reshape', [b.op('Transpose', [seen], { perm: [0, 2, 1, 3] }), list(b, 0, -1, WIDTH)]);
    const wide = b.op('Gelu', [linear(b, b.op('Add', [joined, x]), 'up', WIDTH, 96, 'int8')]);
    const down = [bytes(b, 'down', 'int8', 96, WIDTH), scales(b, 'down_scales', WIDTH)];
    b.output('y', microsoft(b, 'DynamicQuantizeMatMul', [wide, ...down, null, scales(b, 'down_bias', WIDTH)]));
  }, sequence),
  'attention of integers': {
    ...network((b) => {
      const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
      const own = levels(b, 'x', 0.02);
      const turned = b.op('Transpose', [b.op('Reshape', [narrow(b, x, own), list(b, 0, -1, 4, 6)])], {
        perm: [0, 2, 1, 3],
      });
      const keys = b.op('Transpose', [turned], { perm: [0, 1, 3, 2] });
      const [scored, mixed] = [levels(b, 'scored', 0.05), levels(b, 'mixed', 0.03)];
      const scores = b.op('QLinearMatMul', [turned, ...own, keys, ...own, ...scored]);
      const chances = microsoft(b, 'QLinearSigmoid', [scores, ...scored, ...own]);
      const seen = b.op('QLinearMatMul', [chances, ...own, turned, ...own, ...mixed]);
      const zeros = b.op('Cast', [b.op('ReduceMax', [x, list(b, 0, 2)], { keepdims: 0 })], { to: 2 });
      b.output('y', seen);
      b.output('rows', b.op('MatMulInteger', [narrow(b, x, own), bytes(b, 'w', 'int8', WIDTH, 40), zeros]));
    }, sequence),
    // Its zero points become known to be one per row only with the sizes.
    repeated: ['MatMulInteger_12'],
  },
  'convolutions of integers': network((b) => {
    const x = b.input('x', 'float32', ['n', 8, 'h', 'w']);
    const own = levels(b, 'x', 0.02);
    const conv = (from: Value, name: string, dims: number[], attributes = {}) => {
      const weights = [bytes(b, name, 'int8', ...dims), ...levels(b, name, 0.01, 'int8', 0)];
      return b.op('QLinearConv', [from, ...own, ...weights, ...own], attributes);
    };
    const wide = conv(narrow(b, x, own), 'wide', [16, 8, 3, 3], { pads: [1, 1, 1, 1] });
    const floats = b.op('MaxPool', [b.op('DequantizeLinear', [wide, ...own])], {
      kernel_shape: [3, 3],
      strides: [2, 2],
    });
    const halved = narrow(b, floats, own);
    const deep = conv(halved, 'deep', [16, 1, 3, 3], { group: 16, auto_pad: 'SAME_UPPER' });
    const added = microsoft(b, 'QLinearAdd', [deep, ...own, halved, ...own, ...levels(b, 'sum', 0.04)]);
    const bent = microsoft(b, 'QLinearLeakyRelu', [added, ...own, ...own], { alpha: 0.2 });
    const pooled = b.op('ReduceMax', [b.op('DequantizeLinear', [bent, ...own]), list(b, 2, 3)]);
    const gated = microsoft(b, 'QLinearMul', [bent, ...own, narrow(b, pooled, own), ...own, ...own]);
    b.output('y', conv(gated, 'last', [12, 4, 1, 3], { group: 4, strides: [2, 1] }));
    b.output('added', b.op('ConvInteger', [gated, bytes(b, 'sums', 'uint8', 4, 16, 2, 2)], { dilations: [2, 1] }));
  }, picture),
  'means and shares of integers': {
    repeated: [
      'QLinearGlobalAveragePool_1/Div_11/Elementwise_0',
      'QLinearGlobalAveragePool_3/Div_11/Elementwise_0',
      'DepthToSpace_8',
      'DepthToSpace_9',
      'SpaceToDepth_13',
    ],
    ...network((b) => {
      const x = b.input('x', 'float32', ['n', 8, 'h', 'w']);
      const own = levels(b, 'x', 0.02);
      const [shares, pooled] = [levels(b, 'shares', 1 / 256, 'uint8', 0), levels(b, 'pooled', 0.01)];
      const narrowed = narrow(b, x, own);
      b.output('mean', microsoft(b, 'QLinearGlobalAveragePool', [narrowed, ...own, ...pooled]));
      const last = b.op('Transpose', [narrowed], { perm: [0, 2, 3, 1] });
      b.output(
        'mean of channels',
        microsoft(b, 'QLinearGlobalAveragePool', [last, ...own, ...pooled], { channels_last: 1 }),
      );
      b.output('reduced', microsoft(b, 'QLinearReduceMean', [narrowed, ...own, ...pooled], { axes: [2], keepdims: 0 }));
      b.output('shares', microsoft(b, 'QLinearSoftmax', [narrowed, ...own, ...shares], { axis: 1, opset: 13 }));
      const joined = b.op('Concat', [narrowed, narrowed], { axis: 1 });
      b.output('shares of rest', microsoft(b, 'QLinearSoftmax', [joined, ...own, ...shares], { axis: 1, opset: 11 }));
      b.output('blocks', b.op('DepthToSpace', [joined], { blocksize: 2 }));
      b.output('pairs', b.op('DepthToSpace', [x], { blocksize: 2, mode: 'CRD' }));
      const even = b.op('Concat', [b.op('Concat', [x, x], { axis: 2 }), b.op('Concat', [x, x], { axis: 2 })], {
        axis: 3,
      });
      b.output('depth', b.op('SpaceToDepth', [even], { blocksize: 2 }));
    }, picture),
  },
  'attention by codes': {
    repeated: ['QAttention_1/MultiHeadAttention_6'],
    ...network((b) => {
      const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
      const own = levels(b, 'x', 0.02);
      const [step, zero] = levels(b, 'w', 0.01, 'int8', 0);
      const inputs = [narrow(b, x, own), bytes(b, 'w', 'int8', WIDTH, 3 * WIDTH), scales(b, 'bias', 3 * WIDTH)];
      b.output('y', microsoft(b, 'QAttention', [...inputs, own[0], step, null, own[1], zero], { num_heads: 4 }));
    }, sequence),
  },
  'a dynamically quantized recurrence': {
    ...network((b) => {
      const x = b.input('x', 'float32', ['batch', 'sequence', WIDTH]);
      const steps = b.op('Transpose', [x], { perm: [1, 0, 2] });
      const [w, r] = [bytes(b, 'w', 'uint8', 1, WIDTH, 32), bytes(b, 'recurrence', 'uint8', 1, 8, 32)];
      const [step, zero] = [b.constant('step', f32([1], [0.01])), b.constant('zero', tensor('uint8', [1], [128]))];
      const inputs = [steps, w, r, null, null, null, null, null, step, zero, step, zero];
      b.output('y', microsoft(b, 'DynamicQuantizeLSTM', inputs, { hidden_size: 8 }));
    }, sequence),
    // Its steps run on the host.
    repeated: ['DynamicQuantizeLSTM_1/QuantizedLSTM_6'],
  },
  'rows as caches store them': { model: narrowedRows(), dims: sequence },
};
