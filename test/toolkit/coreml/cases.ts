import { float, int, ints, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { evenly } from '../quantize/runs.js';

/** A model of one operator each: what is given, what is constant, and attributes. */
export interface Case {
  readonly name: string;
  readonly bytes: Uint8Array;
}

type Attributes = Readonly<Record<string, unknown>>;
type Given = TensorValue | readonly [type: 'float32' | 'int64' | 'bool', dims: readonly number[]];

const f = (...dims: number[]) => ['float32', dims] as const;
const i = (...dims: number[]) => ['int64', dims] as const;
const b = (...dims: number[]) => ['bool', dims] as const;

/** Numbers that are the same each time. */
const w = (...dims: number[]): TensorValue =>
  tensor(
    'float32',
    dims,
    evenly(
      dims.reduce((product, dim) => product * dim, 1),
      dims.length + (dims[0] ?? 0),
    ),
  );
const above = (...dims: number[]): TensorValue =>
  tensor(
    'float32',
    dims,
    (w(...dims).data as Float32Array).map((x) => 1.5 + x),
  );
const list = (...values: number[]): TensorValue => tensor('int64', [values.length], values.map(BigInt));
const one = (value: number): TensorValue => tensor('float32', [], [value]);

function modelOf(op: string, given: readonly (Given | null)[], attributes: Attributes, outputs: number): Uint8Array {
  const builder = modelBuilder({ opset: 20 });
  const values = given.map((value, at) => {
    if (value === null) return null;
    if (!Array.isArray(value)) return builder.constant(`c${at}`, value as TensorValue);
    const [type, dims] = value as readonly ['float32', readonly number[]];
    return builder.input(`x.${at}`, type, dims);
  });
  const made = builder.node(op, values, attributes as never, { outputs });
  for (const [at, value] of made.entries()) if (value) builder.output(`y/${at}`, value);
  return builder.toBytes();
}

const cases: Case[] = [];

function add(op: string, given: readonly (Given | null)[], attributes: Attributes = {}, outputs = 1): void {
  const same = cases.filter(({ name }) => name.startsWith(`${op}_`)).length;
  cases.push({ name: `${op}_${same}`, bytes: modelOf(op, given, attributes, outputs) });
}

for (const op of [
  'Relu',
  'Sigmoid',
  'Tanh',
  'Exp',
  'Abs',
  'Floor',
  'Ceil',
  'Round',
  'Erf',
  'Sin',
  'Cos',
  'Tan',
  'Atan',
  'Sinh',
])
  add(op, [f(2, 3)]);
for (const op of [
  'Cosh',
  'Sign',
  'Softplus',
  'Softsign',
  'Neg',
  'Reciprocal',
  'LeakyRelu',
  'Elu',
  'HardSigmoid',
  'HardSwish',
])
  add(op, [f(2, 3)]);
for (const op of ['Sqrt', 'Log', 'Asin', 'Acos', 'Atanh', 'Gelu', 'ThresholdedRelu', 'Softmax', 'LogSoftmax'])
  add(op, [f(2, 3)]);
add('LeakyRelu', [f(2, 3)], { alpha: float(0.3) });
add('HardSigmoid', [f(2, 3)], { alpha: float(0.3), beta: float(0.4) });
add('Gelu', [f(2, 3)], { approximate: 'tanh' });
add('Neg', [i(2, 3)]);
add('PRelu', [f(2, 3, 4), w(3, 1)]);
add('PRelu', [f(2, 3, 4), w(1)]);
add('Not', [b(2, 3)]);
for (const op of ['Add', 'Sub', 'Mul', 'Div', 'Equal', 'Greater', 'GreaterOrEqual', 'Less', 'LessOrEqual'])
  add(op, [f(2, 1, 3), f(4, 1)]);
for (const op of ['Add', 'Sub', 'Mul', 'Equal', 'Less']) add(op, [i(2, 3), i(3)]);
for (const op of ['And', 'Or', 'Xor']) add(op, [b(2, 3), b(3)]);
add('Pow', [f(2, 3), one(2)]);
add('Add', [f(2, 3), w(2, 3)]);
for (const op of ['Max', 'Min', 'Sum']) {
  add(op, [f(2, 3), f(3), f(2, 1)]);
  add(op, [f(2, 3)]);
}
add('Where', [b(2, 3), f(2, 3), f(2, 3)]);
add('Where', [b(3), f(2, 1), one(3)]);
add('Clip', [f(2, 3), one(-0.5), one(0.25)]);
add('Clip', [f(2, 3), null, one(0.25)]);
add('Cast', [f(2, 3)], { to: int(7) });
add('Cast', [i(2, 3)], { to: int(1) });
add('Cast', [f(2, 3)], { to: int(9) });
add('Conv', [f(1, 4, 7, 6), w(6, 4, 3, 2), w(6)], { pads: ints([1, 0, 2, 1]), strides: ints([2, 1]) });
add('Conv', [f(1, 4, 7, 6), w(6, 2, 3, 3)], { group: int(2), dilations: ints([2, 1]) });
add('Conv', [f(1, 4, 7, 6), w(6, 4, 2, 3)], { auto_pad: 'SAME_UPPER', strides: ints([2, 2]) });
add('Conv', [f(1, 4, 7, 6), w(6, 4, 2, 2)], { auto_pad: 'SAME_LOWER' });
add('Conv', [f(1, 4, 9), w(6, 4, 3), w(6)], { auto_pad: 'VALID' });
add('Conv', [f(1, 2, 4, 5, 6), w(3, 2, 2, 2, 2)]);
add('ConvTranspose', [f(1, 4, 5, 4), w(4, 3, 3, 2), w(3)], { strides: ints([2, 2]), pads: ints([1, 0, 0, 1]) });
add('ConvTranspose', [f(1, 4, 5, 4), w(4, 3, 3, 3)], { group: int(2) });
add('MaxPool', [f(1, 2, 7, 6)], { kernel_shape: ints([3, 2]), strides: ints([2, 2]), pads: ints([1, 0, 1, 1]) });
add('MaxPool', [f(1, 2, 7, 6)], { kernel_shape: ints([2, 2]), auto_pad: 'SAME_UPPER' });
add('AveragePool', [f(1, 2, 7, 6)], { kernel_shape: ints([3, 2]), pads: ints([1, 0, 1, 1]) });
add('AveragePool', [f(1, 2, 7, 6)], {
  kernel_shape: ints([3, 2]),
  pads: ints([1, 0, 1, 1]),
  count_include_pad: int(1),
});
add('GlobalAveragePool', [f(1, 2, 7, 6)]);
add('GlobalMaxPool', [f(1, 2, 7, 6)]);
add('MatMul', [f(2, 3, 4), f(4, 5)]);
add('MatMul', [f(2, 3), w(3, 4)]);
add('Gemm', [f(2, 3), w(3, 4), w(4)]);
add('Gemm', [f(3, 2), w(4, 3), w(2, 4)], { transA: int(1), transB: int(1), alpha: float(0.5), beta: float(2) });
add('Gemm', [f(2, 3), w(3, 4)], { alpha: float(0.5) });
add('Gemm', [f(2, 3), f(3, 4)]);
add('BatchNormalization', [f(2, 3, 4, 4), w(3), w(3), w(3), above(3)], { epsilon: float(0.01) });
add('InstanceNormalization', [f(2, 3, 4, 4), w(3), w(3)]);
add('LayerNormalization', [f(2, 3, 4), w(4), w(4)]);
add('LayerNormalization', [f(2, 3, 4), w(3, 4)], { axis: int(1) });
add('LRN', [f(1, 5, 3, 3)], { size: int(3), alpha: float(0.3), beta: float(0.6), bias: float(2) });
add('Softmax', [f(2, 3, 4)], { axis: int(1) });
add('LogSoftmax', [f(2, 3, 4)], { axis: int(0) });
add('Reshape', [f(2, 3, 4), list(0, -1)]);
add('Flatten', [f(2, 3, 4)], { axis: int(2) });
add('Squeeze', [f(2, 1, 4), list(1)]);
add('Unsqueeze', [f(2, 4), list(0, 2)]);
add('Transpose', [f(2, 3, 4)], { perm: ints([2, 0, 1]) });
add('Transpose', [f(2, 3)]);
add('Concat', [f(2, 3), w(2, 2), f(2, 1)], { axis: int(-1) });
add('Split', [f(2, 7), list(3, 4)], { axis: int(1) }, 2);
add('Split', [f(6, 2)], { num_outputs: int(3) }, 3);
add('Slice', [f(4, 5, 6), list(1, -3), list(1000, -1), list(0, -1)]);
add('Slice', [f(4, 5), list(-1, 3), list(-1000, 0), list(0, 1), list(-2, -1)]);
add('Slice', [f(4, 5), list(0, 1), list(3, 2 ** 40), list(0, 1), list(2, 3)]);
add('Gather', [w(7, 3), i(2, 2)]);
add('Gather', [f(2, 5), list(-1, 0)], { axis: int(1) });
add('Expand', [f(3, 1), list(2, 1, 4)]);
add('Tile', [f(2, 3), list(2, 2)]);
add('Pad', [f(2, 3, 4), list(0, 1, 2, 0, 0, 1), one(0.5)]);
add('Pad', [f(1, 3, 4), list(0, 1, 2, 0, 0, 1)], { mode: 'reflect' });
add('Pad', [f(1, 3, 4), list(0, 0, 2, 0, 0, 1)], { mode: 'edge' });
add('CumSum', [f(2, 5), tensor('int64', [], [1n])], { exclusive: int(1), reverse: int(1) });
add('CumSum', [f(2, 5), tensor('int64', [], [0n])]);
add('DepthToSpace', [f(1, 8, 2, 3)], { blocksize: int(2) });
add('DepthToSpace', [f(1, 8, 2, 3)], { blocksize: int(2), mode: 'CRD' });
add('SpaceToDepth', [f(1, 2, 4, 6)], { blocksize: int(2) });
const scales = (...values: number[]): TensorValue => tensor('float32', [values.length], values);
add('Resize', [f(1, 2, 3, 4), null, scales(1, 1, 2, 3)], { mode: 'nearest' });
add('Resize', [f(1, 2, 3, 4), null, scales(1, 1, 2, 2)], {
  coordinate_transformation_mode: 'asymmetric',
  nearest_mode: 'floor',
});
add('Resize', [f(1, 2, 3, 4), null, scales(1, 1, 2, 2)], { mode: 'linear' });
add('Resize', [f(1, 2, 3, 4), null, null, list(1, 2, 7, 9)], {
  mode: 'linear',
  coordinate_transformation_mode: 'align_corners',
});
for (const op of ['Mean', 'Sum', 'Max', 'Min', 'Prod', 'L1', 'L2', 'SumSquare', 'LogSumExp']) {
  add(`Reduce${op}`, [f(2, 3, 4), list(1, -1)], { keepdims: int(0) });
  add(`Reduce${op}`, [f(2, 3, 4), list(0)]);
}
add('ReduceSum', [f(2, 3)]);
add('ReduceSum', [i(2, 3), list(0)]);
add('ArgMax', [f(2, 3, 4)], { axis: int(-1) });
add('ArgMin', [f(2, 3, 4)], { axis: int(1), keepdims: int(0) });
add('Identity', [b(2, 3)]);

export const CASES: readonly Case[] = cases;
