import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { int, modelBuilder, tensor } from '../../../src/builder/index.js';
import { type CoreMLPackage, loadModel, type Model, TranslationError, toCoreML } from '../../../src/tools/index.js';
import { shared, sharedModels } from '../../shared-data.js';
import { CASES } from './cases.js';
import { opened } from './package.js';

/**
 * Packages of Core ML by its specification: messages, names, types, the file of weights, and what coremltools says that operations take
 * (signatures.json). What they compute is held to onnxruntime by witness.py.
 */
const test = suite('packages of Core ML');

interface Taken {
  readonly types: readonly string[];
  readonly const: boolean;
  readonly optional: boolean;
}

const SIGNATURES: Readonly<Record<string, Readonly<Record<string, Taken>>>> = JSON.parse(
  readFileSync(new URL('signatures.json', import.meta.url), 'utf8'),
);

const ARRAYS: Readonly<Record<string, number>> = { fp32: 65568, int32: 131104 };

function assertSound(files: CoreMLPackage): void {
  const { manifest, specification, version, opsets, inputs, outputs, operations, features, weights } = opened(files);
  assert.equal([specification, version, opsets], [6, 1, ['CoreML5', 'CoreML5']]);
  assert.equal([...files.keys()].sort(), [
    'Data/com.apple.CoreML/model.mlmodel',
    'Data/com.apple.CoreML/weights/weight.bin',
    'Manifest.json',
  ]);
  const paths = Object.values(manifest.itemInfoEntries).map((item) => (item as { path: string }).path);
  assert.equal(paths, ['com.apple.CoreML/model.mlmodel', 'com.apple.CoreML/weights']);
  const known = new Map(inputs.map((value) => [value.name, { ...value, isConstant: false }]));
  const blobs: number[] = [];
  for (const { type, inputs: given, outputs: made, offset } of operations) {
    if (type !== 'const') {
      const signature = SIGNATURES[type];
      assert.ok(signature, type);
      for (const [name, { optional }] of Object.entries(signature))
        assert.ok(optional || given[name], `${type} ${name}`);
      for (const [name, values] of Object.entries(given)) {
        const taken = signature[name];
        assert.ok(taken && values.length > 0, `${type} has no ${name}`);
        for (const value of values) {
          const found = known.get(value);
          assert.ok(found, `${type}: ${value} comes before it is made`);
          assert.ok(!taken.const || found.isConstant, `${type}: ${name} is no constant`);
          assert.ok(!taken.types || taken.types.includes(found.type), `${type}: ${name} is ${found.type}`);
        }
      }
    } else if (offset !== undefined) blobs.push(offset);
    for (const value of made) {
      assert.match(value.name, /^[A-Za-z_][A-Za-z0-9_]*$/);
      assert.not.ok(known.has(value.name), `${value.name} is made twice`);
      known.set(value.name, { ...value, isConstant: type === 'const' });
      if (offset !== undefined) assertBlob(weights, offset, value.dims);
    }
  }
  assertBorders(inputs, features.inputs);
  assertBorders(
    outputs.map((name) => known.get(name) as (typeof inputs)[number]),
    features.outputs,
  );
  const view = new DataView(weights.buffer, weights.byteOffset);
  assert.equal([view.getUint32(0, true), view.getUint32(4, true)], [blobs.length, 2]);
  assert.is(weights.length % 64, 0);
}

/** The description of a blob, and that its numbers are within the file. */
function assertBlob(weights: Uint8Array, offset: number, dims: readonly number[]): void {
  const view = new DataView(weights.buffer, weights.byteOffset);
  const size = dims.reduce((product, dim) => product * dim, 4);
  assert.is(offset % 64, 0);
  assert.equal([view.getUint32(offset, true), view.getUint32(offset + 4, true)], [0xdeadbeef, 2]);
  assert.equal(
    [8, 16].map((at) => Number(view.getBigUint64(offset + at, true))),
    [size, offset + 64],
  );
  assert.ok(offset + 64 + size <= weights.length);
}

function assertBorders(
  values: readonly { name: string; type: string; dims: readonly number[] }[],
  features: readonly { name: string; type: number; dims: readonly number[] }[],
): void {
  assert.equal(
    features.map(({ name, type }) => [name, type]),
    values.map(({ name, type }) => [name, ARRAYS[type]]),
  );
  for (const [i, { dims }] of features.entries())
    if (dims.length === values[i]?.dims.length) assert.equal(dims, values[i]?.dims);
}

for (const { name, bytes } of CASES) test(name, async () => assertSound(await toCoreML(await loadModel(bytes))));

const folder = shared('models');
const SIZES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  digits_cnn_trained: { batch: 2 },
  mobilenet_v2: { batch: 1 },
  squeezenet1_1: { batch: 1 },
  bert_mini: { batch: 1, sequence: 9 },
};

for (const name of sharedModels(...Object.keys(SIZES)))
  test(name, async () => {
    const model = await loadModel(join(folder, name, 'model.onnx'));
    assertSound(await toCoreML(model, { sizes: SIZES[name] ?? {} }));
  });

const modelWith = async (op: string, dims: readonly (number | string)[], attributes = {}): Promise<Model> => {
  const b = modelBuilder({ opset: 20 });
  const x = b.input('x', 'float32', dims);
  const made = b.op(op, [x], attributes, { name: 'odd' });
  b.output('y', b.op('Relu', [made]));
  b.output('z', b.op('MaxPool', [x], { kernel_shape: [2, 2], dilations: [2, 2] } as never, { name: 'wide' }));
  return loadModel(b.toBytes());
};

async function obstaclesOf(model: Model): Promise<readonly string[]> {
  try {
    await toCoreML(model);
  } catch (error) {
    if (error instanceof TranslationError) return error.obstacles.map(({ node, reason }) => `${node}: ${reason}`);
    throw error;
  }
  return [];
}

test('all nodes that have no equal are named, and not those that read what they give', async () => {
  const found = await obstaclesOf(await modelWith('NonZero', [1, 1, 9, 9]).then((m) => m));
  assert.ok(found.includes('wide: Core ML does not support dilated pooling'), found.join());
});

const ODD = [
  ['Neg', 'float64', 'x: Core ML does not support "x" of type float64'],
  ['Relu', 'int32', "y: Core ML's relu does not support int32"],
  ['Div', 'int32', 'y: Core ML does not support integer division that truncates'],
  ['Equal', 'bool', "y: Core ML's equal does not support bool"],
] as const;

for (const [op, type, reason] of ODD)
  test(`${op} of ${type} is refused`, async () => {
    const b = modelBuilder({ opset: 20 });
    const x = b.input('x', type, [2]);
    b.output('y', b.op(op, op === 'Div' || op === 'Equal' ? [x, b.input('z', type, [2])] : [x], {}, { name: 'y' }));
    const found = await obstaclesOf(await loadModel(b.toBytes()));
    assert.ok(found.includes(reason), found.join());
  });

test('sizes that are open are named', async () => {
  const found = await obstaclesOf(await modelWith('Mish', ['n', 1, 9, 9]));
  assert.ok(
    found.some((line) => line.startsWith('x: "x" has dynamic dimensions')),
    found.join(),
  );
});

test('weights are the numbers of the model, and equal models come to equal files', async () => {
  const b = modelBuilder({ opset: 20 });
  const data = Float32Array.from({ length: 12 }, (_, i) => i / 3);
  const x = b.input('1st input', 'float32', [2, 3]);
  b.output(
    'out-put',
    b.op('Add', [
      b.op('MatMul', [x, b.constant('w', tensor('float32', [3, 4], data))]),
      b.constant('b', tensor('float32', [4], [1, 2, 3, 4])),
    ]),
  );
  b.output('copy', b.op('Cast', [x], { to: int(9) }));
  const model = await loadModel(b.toBytes());
  const [files, again] = [await toCoreML(model), await toCoreML(model)];
  assert.equal([...files], [...again]);
  const { operations, weights, features } = opened(files);
  const [blob] = operations.filter(({ offset }) => offset !== undefined);
  assert.equal(new Float32Array(weights.slice((blob?.offset ?? 0) + 64, (blob?.offset ?? 0) + 64 + 48).buffer), data);
  assert.is(operations.filter(({ offset }) => offset !== undefined).length, 1);
  assert.equal(
    features.inputs.map(({ name }) => name),
    ['_1st_input'],
  );
  assert.equal(
    features.outputs.map(({ name, type }) => [name, type]),
    [
      ['out_put', 65568],
      ['copy_output', 131104],
    ],
  );
});

test.run();
