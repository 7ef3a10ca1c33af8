import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { int, ints, modelBuilder, tensor } from '../../../../src/builder/index.js';
import { toFloat16 } from '../../../../src/tensor/half.js';
import type { TensorValue } from '../../../../src/tensor/tensor-value.js';
import {
  type ImportWeightsOptions,
  importWeights,
  loadModel,
  type Model,
  openWeights,
  saveModel,
} from '../../../../src/tools/index.js';
import { checked, evenly, hasNative, run, runNatively } from '../../quantize/runs.js';
import { refuses } from '../../surgery/models.js';
import { bytesOf, files, floatsIn, floatsOf, initializer, safetensorsOf, weightIn } from './files.js';

const test = suite('weights into models');
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const at = (...names: string[]) => join(folder, ...names);
test.after(() => rmSync(folder, { recursive: true }));

const zeros = (dims: readonly number[]) =>
  tensor('float32', dims, new Float32Array(dims.reduce((product, dim) => product * dim, 1)));

/** A product, a sum in a branch, halves, and integers of 64 bits. */
async function target(): Promise<Model> {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [1, 2]);
  const product = b.op('MatMul', [x, b.constant('w', zeros([2, 3]))]);
  const half = b.op('Cast', [b.constant('half', tensor('float16', [3], new Uint16Array(3)))], { to: int(1) });
  const branch = (name: string) =>
    b.subgraph(name, (g) =>
      g.output(`${name}_y`, g.op('Add', [product, g.constant(`${name}.bias`, zeros([3]))]), 'float32', [1, 3]),
    );
  const sum = b.op('If', [b.input('c', 'bool', [])], { then_branch: branch('yes'), else_branch: branch('no') });
  const shape = b.constant('shape', tensor('int64', [2], [1n, 3n]));
  b.output('y', b.op('Reshape', [b.op('Add', [sum, half]), shape]), 'float32', ['rows', 'columns']);
  return loadModel(b.toBytes());
}

const W = evenly(6, 1);
const floats = (shape: readonly number[], data: Float32Array) => ({ dtype: 'F32', shape, data });

test('by their names, those of branches too; the model before stays', async () => {
  const model = await target();
  const before = await saveModel(model);
  const file = safetensorsOf({
    w: floats([2, 3], W),
    'yes.bias': floats([3], Float32Array.of(1, 2, 3)),
    shape: { dtype: 'I64', shape: [2], data: BigInt64Array.of(3n, 1n) },
    half: { dtype: 'F16', shape: [3], data: Uint16Array.of(0x3c00, 0, 0) },
  });
  const imported = await importWeights(model, file);
  assert.equal(await saveModel(model), before);
  const bytes = await checked(imported);
  const feeds = (c: number) => ({ x: tensor('float32', [1, 2], [1, 10]), c: tensor('bool', [], [c]) });
  const product = [0, 1, 2].map((i) => Math.fround(W[i] as number) + 10 * (W[i + 3] as number));
  for (const [c, bias] of [
    [1, [1, 2, 3]],
    [0, [0, 0, 0]],
  ] as const) {
    const { y } = await run(bytes, feeds(c));
    assert.equal(y?.dims, [3, 1]);
    const expected = product.map((p, i) => p + (bias[i] as number) + (i === 0 ? 1 : 0));
    for (const [i, value] of expected.entries()) assert.ok(Math.abs(value - Number(y?.data[i])) < 1e-5);
  }
});

test('by other names, the other way round, and as the type that the model has', async () => {
  const file = safetensorsOf({
    'layer.weight': floats([3, 2], Float32Array.from([0, 1, 2, 3, 4, 5])),
    bias: { dtype: 'F64', shape: [3], data: Float64Array.of(1 / 3, 70000, -1e-9) },
  });
  const names = { 'layer.weight': 'w', bias: 'half' };
  const imported = await importWeights(await target(), file, { names, transpose: ['w'], convert: true });
  assert.equal([...(await floatsIn(imported, 'w'))], [0, 2, 4, 1, 3, 5]);
  const halves = new Uint16Array((await weightIn(imported, 'half')).buffer);
  assert.equal([...halves], [1 / 3, Number.POSITIVE_INFINITY, -1e-9].map(toFloat16));
  assert.is(initializer(imported, 'half').dataType, 10);
  const byFunction = await importWeights(await target(), file, {
    names: (name) => (name.startsWith('layer.') ? 'w' : undefined),
    transpose: [/^w$/],
  });
  assert.equal(await floatsIn(byFunction, 'w'), await floatsIn(imported, 'w'));
});

const WRONG: readonly (readonly [ImportWeightsOptions, readonly string[]])[] = [
  [
    {},
    [
      'cannot import 3 weights',
      '"other": not found in the model',
      '"w": the shape is [3,2] in the file, but [2,3] in the model; if it is transposed, list it in transpose',
      '"half": the type is bfloat16 in the file, but float16 in the model; set convert to convert it',
    ],
  ],
  [{ strict: false, transpose: ['w'] }, ['cannot import 1 weight', '"half": the type is bfloat16']],
  [
    { names: { w: 'half', other: 'w' }, convert: true },
    ['"half": given twice', '"half": the shape is [3,2] in the file, but [3]'],
  ],
  [{ names: () => undefined }, ['the file has no selected weights']],
  [{ names: () => 'nothing', strict: false }, ['"nothing" ("w" in the file): not found in the model']],
];

for (const [options, messages] of WRONG)
  test(`all that does not fit is said at once: ${messages[0]}`, async () => {
    const file = safetensorsOf({
      w: floats([3, 2], W),
      half: { dtype: 'BF16', shape: [3], data: Uint16Array.of(1, 2, 3) },
      other: floats([1], Float32Array.of(1)),
    });
    for (const message of messages) await refuses(importWeights(await target(), file, options), message);
  });

test('integers are never converted', async () => {
  const file = safetensorsOf({ shape: { dtype: 'I32', shape: [2], data: Int32Array.of(3, 1) } });
  await refuses(
    importWeights(await target(), file, { convert: true }),
    '"shape": the type is int32 in the file, but int64 in the model',
  );
});

/** A model of one large weight, and a file that has it twice over. */
async function large(): Promise<Model> {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [1, 64]);
  b.output('y', b.op('MatMul', [x, b.constant('w', zeros([64, 64]))]), 'float32', [1, 64]);
  return loadModel(b.toBytes());
}

const shards = () => ({
  'first.safetensors': safetensorsOf({ small: floats([1], Float32Array.of(1)), w: floats([64, 64], evenly(4096, 3)) }),
  'second.safetensors': safetensorsOf({ v: floats([2], Float32Array.of(1, 2)) }),
  'model.safetensors.index.json': new TextEncoder().encode(
    JSON.stringify({ weight_map: { w: 'first.safetensors', v: 'second.safetensors' } }),
  ),
});

test('out of shards; the model reads them where they lie, and a copy of it takes along what it reads', async () => {
  mkdirSync(at('home'));
  for (const [name, bytes] of Object.entries(shards())) writeFileSync(at('home', name), bytes);
  const options = { strict: false, external: true };
  writeFileSync(at('home', 'model.onnx'), await saveModel(await large()));
  const model = await loadModel(at('home', 'model.onnx'));
  const imported = await importWeights(model, at('home', 'model.safetensors.index.json'), options);
  await saveModel(imported, at('home', 'imported.onnx'));
  await saveModel(imported, at('away', 'imported.onnx'));
  assert.ok(readFileSync(at('home', 'imported.onnx')).length < 1000);
  assert.equal(readFileSync(at('home', 'first.safetensors')), Buffer.from(shards()['first.safetensors']));
  assert.equal(readdirSync(at('away')).sort(), ['first.safetensors', 'imported.onnx']);
  for (const place of ['home', 'away'])
    assert.equal(await floatsIn(await loadModel(at(place, 'imported.onnx')), 'w'), evenly(4096, 3), place);
});

test('a file from elsewhere comes along with the model', async () => {
  const imported = await importWeights(await large(), at('home', 'first.safetensors'), {
    strict: false,
    external: true,
  });
  await refuses(saveModel(imported), 'first.safetensors');
  await saveModel(imported, at('third', 'model.onnx'));
  assert.equal(await floatsIn(await loadModel(at('third', 'model.onnx')), 'w'), evenly(4096, 3));
});

test('what an opened file says can be imported more than once', async () => {
  const file = await openWeights(at('home', 'first.safetensors'));
  for (let i = 0; i < 2; i++)
    assert.equal(await floatsIn(await importWeights(await large(), file, { strict: false }), 'w'), evenly(4096, 3));
});

/** Products with a weight either way round, and a table; x picks rows of what is multiplied by. */
async function blocksModel(type: 'float32' | 'float16', form: string): Promise<Model> {
  const b = modelBuilder({ opset: 21 });
  const [rows = 0, width = 0] = files.gguf.tensors[form]?.dims ?? [];
  const of = (dims: readonly number[]) =>
    type === 'float16' ? tensor('float16', dims, new Uint16Array(rows * width)) : zeros(dims);
  const x = b.input('x', type, [width, width]);
  b.output('product', b.op('MatMul', [x, b.constant('matmul', of([width, rows]))]), type, [width, rows]);
  b.output(
    'gemm',
    b.op('MatMul', [x, b.op('Transpose', [b.constant('turned', of([rows, width]))], { perm: ints([1, 0]) })]),
    type,
    [width, rows],
  );
  b.output('table', b.op('Gather', [b.constant('rows', of([rows, width])), b.input('ids', 'int64', [rows])]), type, [
    rows,
    width,
  ]);
  return loadModel(b.toBytes());
}

const farthest = (found: TensorValue | undefined, expected: Float32Array): number =>
  Math.max(...expected.map((value, i) => Math.abs(value - Number(found?.data[i]))));

/** What a weight of MatMulNBits stands for, by the operator's definition. */
async function storedIn(model: Model, name: string, bits: 4 | 8): Promise<Float32Array> {
  const bytes = await weightIn(model, `${name}_Q${bits}`);
  const scales = await floatsIn(model, `${name}_scales`);
  const codes = bits === 8 ? [...bytes] : [...bytes].flatMap((byte) => [byte & 15, byte >> 4]);
  return Float32Array.from(codes, (code, i) => (code - 2 ** (bits - 1)) * (scales[Math.floor(i / 32)] as number));
}

for (const form of ['Q4_0', 'Q8_0'])
  test(`${form} stays what it is, in MatMulNBits and GatherBlockQuantized`, async () => {
    const { dims, data } = files.gguf.tensors[form] as (typeof files.gguf.tensors)[string];
    const [rows = 0, width = 0] = dims;
    const all = await openWeights(bytesOf(files.gguf.file));
    const weight = all.tensors.get(form);
    const file = { ...all, tensors: new Map(['matmul', 'turned', 'rows'].map((name) => [name, weight as never])) };
    const model = await importWeights(await blocksModel('float32', form), file, { blocks: true });
    const operators = model.proto.graph?.node.map(({ opType }) => opType);
    assert.equal(operators, ['MatMulNBits', 'MatMulNBits', 'GatherBlockQuantized']);
    const bytes = await checked(model);
    const identity = new Float32Array(width * width).map((_, i) => Number(i % (width + 1) === 0));
    const feeds = {
      x: tensor('float32', [width, width], identity),
      ids: tensor(
        'int64',
        [rows],
        Array.from({ length: rows }, (_, i) => BigInt(i)),
      ),
    };
    const expected = floatsOf(data);
    const turned = expected.map((_, i) => expected[(i % rows) * width + Math.floor(i / rows)] as number);
    for (const results of [await run(bytes, feeds), ...(hasNative ? [await runNatively(bytes, feeds)] : [])]) {
      assert.ok(farthest(results.product, turned) < 1e-6, 'product');
      assert.ok(farthest(results.gemm, turned) < 1e-6, 'gemm');
      assert.equal(results.table?.data, expected, 'table');
    }
    assert.equal(await storedIn(model, 'matmul', form === 'Q4_0' ? 4 : 8), expected, 'as stored');
  });

test('blocks of other forms, and for what is no product, become the floats that they stand for', async () => {
  const all = await openWeights(bytesOf(files.gguf.file));
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Neg', [b.constant('q', zeros([3, 64]))]), 'float32', [3, 64]);
  const model = await loadModel(b.toBytes());
  for (const form of ['Q4_0', 'Q5_1']) {
    const file = { ...all, tensors: new Map([['q', all.tensors.get(form) as never]]) };
    const imported = await importWeights(model, file, { blocks: true });
    assert.equal(await floatsIn(imported, 'q'), floatsOf(files.gguf.tensors[form]?.data as string), form);
  }
  const b16 = { ...all, tensors: new Map([['matmul', all.tensors.get('Q4_0') as never]]) };
  const halves = await importWeights(await blocksModel('float16', 'Q4_0'), b16, { blocks: true });
  assert.is(halves.proto.graph?.node[0]?.opType, 'MatMulNBits');
});

test('progress names weights, and a signal ends it', async () => {
  const file = safetensorsOf({ w: floats([2, 3], W), half: { dtype: 'F16', shape: [3], data: new Uint16Array(3) } });
  const seen: string[] = [];
  const controller = new AbortController();
  const work = importWeights(await target(), file, {
    signal: controller.signal,
    onProgress: ({ done, total, node }) => {
      seen.push(`${done}/${total} ${node}`);
      controller.abort();
    },
  });
  const error = await work.catch((e) => e);
  assert.is(error.code, 'ABORTED');
  assert.equal(seen, ['0/2 w']);
});

test.run();
