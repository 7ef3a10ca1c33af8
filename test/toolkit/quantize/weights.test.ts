import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { int, ints, modelBuilder, tensor } from '../../../src/builder/index.js';
import { loadModel, type Model, quantizeWeights, saveModel, toExternalData } from '../../../src/tools/index.js';
import { sampled } from '../../tier.js';
import { checked, distance, evenly, hasNative, loaded, run, runNatively, type Values, weight } from './runs.js';

const test = sampled(suite('weights in few bits'), { quick: 1 / 4 });

const [ROWS, WIDTH, HIDDEN] = [40, 64, 48];

/** A table, two layers with columns that no block divides, and a head of the table itself. */
function languageModel(opset = 21): Uint8Array {
  const b = modelBuilder({ opset });
  const table = b.constant('table', weight([ROWS, WIDTH], 1));
  const x = b.op('Gather', [table, b.input('ids', 'int64', ['n'])], {}, { name: 'embedding' });
  const up = b.op('MatMul', [x, b.constant('up', weight([WIDTH, HIDDEN], 2))], {}, { name: 'up' });
  const down = b.constant('down', weight([WIDTH, HIDDEN], 3));
  const y = b.op('Gemm', [up, down, b.constant('bias', weight([WIDTH], 4))], { transB: int(1) }, { name: 'down' });
  const head = b.op('Transpose', [table], { perm: ints([1, 0]) });
  b.output('logits', b.op('MatMul', [y, head], {}, { name: 'head' }), 'float32', ['n', ROWS]);
  return b.toBytes();
}

const FEEDS: Values = { ids: tensor('int64', [5], [3n, 0n, 39n, 17n, 17n]) };

const operators = ({ proto }: Model) => proto.graph?.node.map(({ opType }) => opType) ?? [];
const constants = ({ proto }: Model) => proto.graph?.initializer.map(({ name }) => name) ?? [];

/** What rounding to steps of 2 / (2^bits - 1) adds to numbers between -1 and 1, for each of two layers in a row. */
const errorOf = (bits: number) => (Math.sqrt(2) * 2) / (2 ** bits - 1) / Math.sqrt(12) / Math.sqrt(1 / 3);

for (const bits of [2, 4, 8] as const)
  for (const method of ['rtn', 'default', 'kquant', 'hqq'] as const)
    for (const symmetric of [false, true]) {
      test(`${method}, ${bits} bits${symmetric ? ', symmetric' : ''}: off by what the bits are, here and natively`, async () => {
        const float = languageModel();
        const bytes = await checked(await quantizeWeights(await loaded(float), { bits, method, symmetric }));
        const [{ logits: expected }, { logits }] = [await run(float, FEEDS), await run(bytes, FEEDS)];
        const error = distance(logits, expected);
        assert.ok(error < 1.3 * errorOf(bits) + 0.01, `${error} is more than ${errorOf(bits)}`);
        assert.ok(error > 0.3 * errorOf(bits), `${error} is less than ${errorOf(bits)}`);
        if (!hasNative) return;
        const { logits: native } = await runNatively(bytes, FEEDS);
        const apart = distance(logits, native);
        assert.ok(apart < 1e-4, `${apart} from onnxruntime`);
      });
    }

test('a table that is the head, too, is held once, in 8 bits', async () => {
  const model = await quantizeWeights(await loaded(languageModel()));
  const names = ['Reshape', 'GatherBlockQuantized', 'MatMulNBits', 'MatMulNBits', 'MatMulNBits'];
  assert.equal(operators(model), names);
  assert.equal(
    constants(model).filter((name) => /_Q/.test(name)),
    ['table_Q8', 'up_Q4', 'down_Q4'],
  );
  assert.not.ok(constants(model).includes('table'));
});

test("in ONNX's own form, weights have their dims, and nodes are those that there were", async () => {
  const float = languageModel();
  for (const symmetric of [false, true]) {
    const model = await quantizeWeights(await loaded(float), { format: 'DequantizeLinear', symmetric });
    const bytes = await checked(model);
    const steps = ['Gather', 'MatMul', 'Gemm', 'Transpose', 'MatMul'];
    assert.equal(operators(model), [...new Array<string>(3).fill('DequantizeLinear'), ...steps]);
    const { logits } = await run(bytes, FEEDS);
    const asOperators = await checked(await quantizeWeights(await loaded(float), { symmetric }));
    const apart = distance(logits, (await run(asOperators, FEEDS)).logits);
    assert.ok(apart < 1e-4, `${apart} from MatMulNBits`);
    if (hasNative) assert.ok(distance(logits, (await runNatively(bytes, FEEDS)).logits) < 1e-4, 'natively');
  }
});

test('halves stay halves', async () => {
  const b = modelBuilder({ opset: 21 });
  const half = tensor(
    'float16',
    [32, 8],
    new Uint16Array(256).map((_, i) => 0x3000 + i * 7),
  );
  b.output('y', b.op('MatMul', [b.input('x', 'float16', [2, 32]), b.constant('w', half)]), 'float16', [2, 8]);
  const bytes = await checked(await quantizeWeights(await loaded(b.toBytes())));
  const x = tensor('float16', [2, 32], new Uint16Array(64).fill(0x3800));
  const { y } = await run(bytes, { x });
  assert.is(y?.type, 'float16');
});

test('weights of a graph around are quantised for those inside', async () => {
  const b = modelBuilder({ opset: 21 });
  const w = b.constant('w', weight([WIDTH, WIDTH], 5));
  const x = b.input('x', 'float32', [1, WIDTH]);
  const branch = (name: string) =>
    b.subgraph(name, (g) => g.output(`${name}_y`, g.op('MatMul', [x, w]), 'float32', [1, WIDTH]));
  const condition = b.input('c', 'bool', []);
  b.output('y', b.op('If', [condition], { then_branch: branch('yes'), else_branch: branch('no') }), 'float32', [
    1,
    WIDTH,
  ]);
  const float = b.toBytes();
  const model = await quantizeWeights(await loaded(float), { bits: 8 });
  assert.equal(constants(model), ['w_Q8', 'w_scales', 'w_zero_points']);
  const bytes = await checked(model);
  const feeds = { x: weight([1, WIDTH], 6), c: tensor('bool', [], [1]) };
  const error = distance((await run(bytes, feeds)).y, (await run(float, feeds)).y);
  assert.ok(error > 0 && error < 0.01, `${error}`);
});

test('what is excluded stays, and a model of which nothing is quantised is the very same', async () => {
  const model = await loaded(languageModel());
  const left = await quantizeWeights(model, { exclude: ['up', /^dow/], embeddingBits: 4, headBits: 4 });
  assert.equal(operators(left), ['Reshape', 'GatherBlockQuantized', 'MatMul', 'Gemm', 'MatMulNBits']);
  assert.ok(constants(left).includes('table_Q4'));
  assert.is(await quantizeWeights(model, { exclude: ['*'] }), model);
  assert.equal(operators(await quantizeWeights(model, { include: ['up'] }))[1], 'MatMulNBits');
});

for (const [format, method] of [
  ['MatMulNBits', 'rtn'],
  ['MatMulNBits', 'hqq'],
  ['DequantizeLinear', 'kquant'],
] as const)
  test(`${method}, ${format}: what is made while the model is saved is the same to the byte`, async () => {
    const model = await loaded(languageModel());
    const held = await quantizeWeights(model, { format, method });
    const left = await quantizeWeights(model, { format, method, hold: 0 });
    assert.equal(await saveModel(left), await saveModel(held));
    assert.equal(
      left.proto.graph?.initializer.map(({ name, rawData }) => [name, rawData.length === 0]),
      [...(held.proto.graph?.initializer ?? []).map(({ name }) => [name, !/bias|shape/.test(name)])],
    );
  });

test('what is made while the model is saved beside its data is made once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-quantize-'));
  try {
    const external = { externalData: { location: 'weights.data', threshold: 0 } };
    await saveModel(await loaded(languageModel()), join(folder, 'model.onnx'), external);
    const model = await loadModel(join(folder, 'model.onnx'));
    let read = 0;
    const files: Model['files'] = async (path) => {
      const file = await model.files(path);
      const range = (begin: number, end: number) => {
        read += end - begin;
        return file.range(begin, end);
      };
      return { size: file.size, range };
    };
    await saveModel(await quantizeWeights({ ...model, files }, { hold: 0 }), join(folder, 'q4/q4.onnx'), external);
    const { size } = statSync(join(folder, 'weights.data'));
    assert.ok(read > 0 && read <= size, `${read} of ${size} bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const [LONG, WIDE] = [80, 66000];

/** Some columns are of one sign, some are 0, and blocks begin and end at reads. */
function wideNumbers(): Float32Array {
  const numbers = evenly(LONG * WIDE, 9);
  for (let i = 0; i < numbers.length; i++) {
    const x = numbers[i] as number;
    numbers[i] = [x, Math.abs(x), -Math.abs(x), 0, -0][(i % WIDE) % 5] as number;
  }
  return numbers;
}

test('a weight that is read in pieces, ahead, is rounded as its transposition is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-quantize-'));
  try {
    const numbers = wideNumbers();
    const turned = numbers.map((_, i) => numbers[(i % LONG) * WIDE + Math.floor(i / LONG)] as number);
    const codesOf = async (dims: number[], values: Float32Array, transB: number) => {
      const b = modelBuilder({ opset: 21 });
      const gemm = b.op(
        'Gemm',
        [b.input('x', 'float32', [1, LONG]), b.constant('w', tensor('float32', dims, values))],
        {
          transB: int(transB),
        },
      );
      b.output('y', gemm, 'float32', [1, WIDE]);
      const path = join(folder, `${transB}.onnx`);
      await saveModel(await loaded(b.toBytes()), path, { externalData: true });
      const { proto } = await quantizeWeights(await loadModel(path));
      return proto.graph?.initializer.map(({ name, dims, rawData }) => [name, dims, sha(rawData)]);
    };
    assert.equal(await codesOf([LONG, WIDE], numbers, 0), await codesOf([WIDE, LONG], turned, 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('weights that were to lie beside a model are in it once they are rounded', async () => {
  const model = await loaded(languageModel());
  const found = await saveModel(await quantizeWeights(await toExternalData(model)));
  assert.equal(found, await saveModel(await quantizeWeights(model)));
});

test('progress names layers, and a signal ends it', async () => {
  const model = await loaded(languageModel());
  const seen: string[] = [];
  const controller = new AbortController();
  const told = quantizeWeights(model, { onProgress: ({ done, total, node }) => seen.push(`${done}/${total} ${node}`) });
  await told;
  assert.equal(seen, ['0/3 embedding', '1/3 up', '2/3 down', '3/3 ']);
  const stopped = quantizeWeights(model, {
    signal: controller.signal,
    onProgress: ({ done }) => done === 1 && controller.abort(),
  });
  const error = await stopped.then(
    () => undefined,
    (e) => e,
  );
  assert.is(error?.code, 'ABORTED');
});

const REFUSED = [
  [{ bits: 3 }, /bits: expected 2, 4, 8, got 3/],
  [{ block: 48 }, /block: expected a power of two of 16 or more, got 48/],
  [{ method: 'best' }, /method: expected default, rtn/],
  [{ format: 'DequantizeLinear', method: 'hqq' }, /hqq has fractional zero points/],
] as const;

for (const [options, message] of REFUSED)
  test(`${JSON.stringify(options)} is refused`, async () => {
    const error = await quantizeWeights(await loaded(languageModel()), options as object).then(
      () => undefined,
      (e) => e,
    );
    assert.is(error?.code, 'INVALID_ARGUMENT');
    assert.match(error.message, message);
  });

test('blocks take opset 21', async () => {
  const model = await loaded(languageModel(17));
  const error = await quantizeWeights(model, { format: 'DequantizeLinear' }).then(
    () => undefined,
    (e) => e,
  );
  assert.match(error?.message, /need opset 21, but the model has opset 17/);
});

test('numbers that no scale fits are named', async () => {
  const b = modelBuilder({ opset: 21 });
  const w = b.constant('w', tensor('float32', [16, 1], new Float32Array(16).fill(Number.NaN, 3)));
  b.output('y', b.op('MatMul', [b.input('x', 'float32', [1, 16]), w]), 'float32', [1, 1]);
  const error = await quantizeWeights(await loaded(b.toBytes())).then(
    () => undefined,
    (e) => e,
  );
  assert.match(error?.message, /"w".*contains NaN and cannot be quantized/);
});

test.run();
