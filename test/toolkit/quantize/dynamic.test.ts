import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TensorProto } from '../../../build/onnx.js';
import { int, ints, modelBuilder, tensor } from '../../../src/builder/index.js';
import { readTensor } from '../../../src/model/tensors.js';
import { bytesOf } from '../../../src/tensor/stored-tensor.js';
import { type DynamicNotice, loadModel, type Model, quantizeDynamic, saveModel } from '../../../src/tools/index.js';
import { DYNAMIC_TYPES } from '../../../src/tools/quantize/dynamic/options.js';
import { sharedModel } from '../../shared-data.js';
import { skipped } from '../../skipped.js';
import { sampled } from '../../tier.js';
import {
  checked,
  distance,
  hasExactNative,
  hasNative,
  loaded,
  run,
  runNatively,
  SATURATES,
  type Values,
  weight,
} from './runs.js';

const always = suite('activations as they come, in 8 bits');
const test = sampled(always, { quick: 1 / 3 });

if (hasNative && !hasExactNative) skipped(SATURATES);

interface Case {
  readonly model: string;
  readonly weightType: 'int8' | 'uint8';
  readonly perChannel: boolean;
  readonly reduceRange: boolean;
  /** Digests of the tensors that onnxruntime made of weights. */
  readonly tensors: string;
}

interface Witness {
  readonly operators: string;
  readonly cases: readonly Case[];
}

const WITNESS = JSON.parse(readFileSync(new URL('dynamic.json', import.meta.url), 'utf8')) as Witness;

function digest(tensor: TensorProto): string {
  const value = readTensor(tensor);
  const hash = createHash('sha256').update(`${value.type} ${value.dims} `);
  return hash.update(bytesOf(value)).digest('hex').slice(0, 8);
}

const isMade = ({ name }: TensorProto) => /_(quantized|scale|zero_point)$/.test(name);

for (const { model: name, tensors, ...options } of WITNESS.cases) {
  const folder = name && sharedModel(name);
  if (folder === undefined) continue;
  const path = folder && join(folder, 'model.onnx');
  const title = Object.values(options).join(', ');
  test(`${name || "onnxruntime's own operators"} (${title}): integers, scales and zero points are onnxruntime's`, async () => {
    const model = await loadModel(path || new Uint8Array(Buffer.from(WITNESS.operators, 'base64')));
    const bytes = await checked(await quantizeDynamic(model, { ...options, types: DYNAMIC_TYPES }));
    const made = (await loaded(bytes)).proto.graph?.initializer.filter(isMade) ?? [];
    assert.equal((made as TensorProto[]).map(digest).sort(), tensors.split(' '));
  });
}

const operatorsOf = ({ proto }: Model) => proto.graph?.node.map(({ opType }) => opType) ?? [];

/** Convolution with a bias, both forms of Gemm, a product, and a table. */
function network(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const kernel = b.constant('kernel', weight([6, 2, 3, 3], 1));
  const maps = b.op('Conv', [b.input('x', 'float32', [1, 2, 6, 6]), kernel, b.constant('kb', weight([6], 2))], {
    pads: ints([1, 1, 1, 1]),
  });
  const flat = b.op('Flatten', [b.op('Relu', [maps])]);
  const first = b.op(
    'Gemm',
    [flat, b.constant('g1', weight([216, 10], 3)), b.constant('c', weight([10], 4))],
    {},
    { name: 'g1' },
  );
  const second = b.op('Gemm', [first, b.constant('g2', weight([12, 10], 5))], { transB: int(1) }, { name: 'g2' });
  const row = b.op('Gather', [b.constant('table', weight([9, 12], 6)), b.input('i', 'int64', [1])]);
  const sum = b.op('Add', [second, row]);
  b.output('y', b.op('MatMul', [sum, b.constant('m', weight([12, 7], 7))], {}, { name: 'm' }), 'float32', [1, 7]);
  return b.toBytes();
}

const FEEDS: Values = { x: weight([1, 2, 6, 6], 8), i: tensor('int64', [1], [4n]) };

for (const options of [{}, { perChannel: true, reduceRange: true }, { weightType: 'uint8' }] as const)
  test(`${JSON.stringify(options)}: off by some steps of 256, here and natively`, async () => {
    const bytes = await checked(await quantizeDynamic(await loaded(network()), { ...options, types: DYNAMIC_TYPES }));
    const { y } = await run(bytes, FEEDS);
    const error = distance(y, (await run(network(), FEEDS)).y);
    // Four layers in a row, each with steps of 1/128 of the largest, or 1/64.
    const most = 'reduceRange' in options ? 0.06 : 0.03;
    assert.ok(error < most && error > most / 60, `${error}`);
    if (!hasExactNative) return;
    const apart = distance(y, (await runNatively(bytes, FEEDS)).y);
    assert.ok(apart < 1e-5, `${apart} from onnxruntime`);
  });

test("onnxruntime's own operators: off by some steps of 256, here and natively", async () => {
  const float = new Uint8Array(Buffer.from(WITNESS.operators, 'base64'));
  const feeds: Values = { ids: tensor('int32', [1, 6], [3, 0, 23, 7, 7, 12]) };
  const model = await quantizeDynamic(await loaded(float), { perChannel: true });
  const bytes = await checked(model);
  assert.ok(['QEmbedLayerNormalization', 'QAttention', 'MatMulInteger'].every((op) => operatorsOf(model).includes(op)));
  const { y } = await run(bytes, feeds);
  const error = distance(y, (await run(float, feeds)).y);
  assert.ok(error < 0.03 && error > 0.0005, `${error}`);
  if (!hasExactNative) return;
  const apart = distance(y, (await runNatively(bytes, feeds)).y);
  assert.ok(apart < 1e-4, `${apart} from onnxruntime`);
});

interface Product {
  readonly op: 'MatMul' | 'Gemm';
  readonly transB?: 1;
  readonly weight: readonly number[];
  /** Dims of its result with [4, 6]. */
  readonly result: readonly number[];
  /** Dims of the weight's scales: onnxruntime has one per column of a matrix, and of nothing else. */
  readonly scales: readonly number[];
}

const PRODUCTS: readonly Product[] = [
  { op: 'MatMul', weight: [6, 5], result: [4, 5], scales: [5] },
  { op: 'Gemm', weight: [6, 5], result: [4, 5], scales: [5] },
  { op: 'Gemm', weight: [5, 6], transB: 1, result: [4, 5], scales: [5] },
  { op: 'MatMul', weight: [6], result: [4], scales: [] },
  { op: 'MatMul', weight: [1, 6, 5], result: [1, 4, 5], scales: [] },
  { op: 'MatMul', weight: [3, 6, 5], result: [3, 4, 5], scales: [] },
  { op: 'MatMul', weight: [2, 3, 6, 5], result: [2, 3, 4, 5], scales: [] },
];

for (const perChannel of [true, false])
  always(`weights have a scale per column where they are matrices; perChannel: ${perChannel}`, async () => {
    for (const { op, transB, weight: dims, result, scales } of PRODUCTS) {
      const b = modelBuilder({ opset: 17 });
      const operands = [b.input('x', 'float32', [4, 6]), b.constant('w', weight(dims, 3))];
      b.output('y', b.op(op, operands, transB ? { transB: int(transB) } : {}), 'float32', result);
      const made = await loaded(await checked(await quantizeDynamic(await loaded(b.toBytes()), { perChannel })));
      const scale = made.proto.graph?.initializer.find(({ name }) => name === 'w_scale');
      assert.equal(readTensor(scale as TensorProto).dims, perChannel ? scales : [], `${op} by [${dims}]`);
    }
  });

test('an activation is rounded once for all who read it', async () => {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', [2, 8]);
  const product = (name: string, seed: number) => b.op('MatMul', [x, b.constant(name, weight([8, 8], seed))]);
  b.output('y', b.op('Add', [product('a', 1), product('b', 2)]), 'float32', [2, 8]);
  const operators = operatorsOf(await quantizeDynamic(await loaded(b.toBytes())));
  assert.is(operators.filter((op) => op === 'DynamicQuantizeLinear').length, 1);
  assert.is(operators.filter((op) => op === 'MatMulInteger').length, 2);
});

test('convolutions stay floats, which is said, unless they are named', async () => {
  const model = await loaded(network());
  const notices: DynamicNotice[] = [];
  const onNotice = (notice: DynamicNotice) => notices.push(notice);
  assert.ok(operatorsOf(await quantizeDynamic(model, { onNotice })).includes('Conv'));
  assert.ok(operatorsOf(await quantizeDynamic(model, { types: ['Conv'], onNotice })).includes('ConvInteger'));
  assert.equal(
    notices.map(({ type, nodes, quantized }) => [type, nodes, quantized]),
    [
      ['Conv', 1, false],
      ['Conv', 1, true],
    ],
  );
  assert.match(notices[0]?.message ?? '', /in float32, as dynamic quantization slows/);
});

test('types, names and what is excluded are kept to', async () => {
  const model = await loaded(network());
  const types = operatorsOf(await quantizeDynamic(model, { types: ['Gather'] }));
  assert.equal(types, ['Conv', 'Relu', 'Flatten', 'Gemm', 'Gemm', 'Gather', 'DequantizeLinear', 'Add', 'MatMul']);
  const left = operatorsOf(await quantizeDynamic(model, { exclude: ['g*', 'kernel', 'table'] }));
  assert.equal(
    left.filter((op) => /Integer|Gemm|Conv|Gather$/.test(op)),
    ['Conv', 'Gemm', 'Gemm', 'Gather', 'MatMulInteger'],
  );
  assert.is(await quantizeDynamic(model, { exclude: ['*'] }), model);
});

test('what is made while the model is saved is the same to the byte', async () => {
  for (const options of [{}, { perChannel: true }] as const) {
    const model = await loaded(network());
    const left = await quantizeDynamic(model, { ...options, hold: 0 });
    const codes = left.proto.graph?.initializer.find(({ name }) => name === 'g2_quantized');
    assert.is(codes?.rawData.length, 0);
    assert.equal(await saveModel(left), await saveModel(await quantizeDynamic(model, options)));
  }
});

test('an opset before DynamicQuantizeLinear is refused, and options that are none', async () => {
  const b = modelBuilder({ opset: 10 });
  b.output(
    'y',
    b.op('MatMul', [b.input('x', 'float32', [1, 4]), b.constant('w', weight([4, 4], 1))]),
    'float32',
    [1, 4],
  );
  const refusal = async (options: object) =>
    quantizeDynamic(await loaded(b.toBytes()), options).then(
      () => undefined,
      (error) => error?.message,
    );
  assert.match(await refusal({}), /needs opset 11, but the model has opset 10; convert the model first/);
  assert.match(await refusal({ weightType: 'int4' }), /weightType: expected int8, uint8, got "int4"/);
  assert.match(await refusal({ types: ['Relu'] }), /types: expected MatMul, Gemm/);
});

test.run();
